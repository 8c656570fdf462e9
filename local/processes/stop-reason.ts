import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

export type StopReason = NodeJS.Signals | 'the terminal is gone' | 'npm ended';

const LOOK_EVERY_MS = 500;
/** A terminal sends Ctrl-C to all of its programs, and npm passes it on to ours: within this time that is one signal. */
const PASSED_ON_MS = 1_000;
/** What npm passes on. */
const OF_NPM: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** After the name of a program in `/proc/<pid>/stat`, the place of its parent (proc(5), field 4). */
const PARENT_FIELD = 1;

/**
 * Resolves when this process should stop: at a signal, when its terminal is gone, or when the npm that started it has
 * ended without passing that on. A second signal ends the process at once, with `secondCode`.
 */
export function waitForStopReason(secondCode: number): Promise<StopReason> {
  return new Promise((resolve) => {
    let first: { signal: NodeJS.Signals; atMs: number } | undefined;
    const isOfNpm = process.env['npm_lifecycle_event'] !== undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const isSame = first?.signal === signal && Date.now() - first.atMs < PASSED_ON_MS;
        const isPassedOn = isOfNpm && isSame && OF_NPM.includes(signal);
        if (first !== undefined && !isPassedOn) process.exit(secondCode);
        first ??= { signal, atMs: Date.now() };
        resolve(signal);
      });
    }
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => resolve('the terminal is gone'));
    watchOutput(() => resolve('the terminal is gone'));
    if (isOfNpm) watchParents(() => resolve('npm ended'));
  });
}

/** A stack that is not used prints nothing for hours, so it looks whether anyone could still read it. */
function watchOutput(onEnd: () => void): void {
  const isGone = selectOutputCheck(process.stdout.fd);
  setInterval(() => {
    if (isGone()) onEnd();
  }, LOOK_EVERY_MS).unref();
}

/** Whether nothing reads an output any more. Of a pipe the system does not say: the next line that is printed notices. */
function selectOutputCheck(fd: number): () => boolean {
  if (isatty(fd)) return () => !isatty(fd); // A terminal that hung up is none.
  return fstatSync(fd).isSocket() ? () => isSocketClosed(fd) : () => false;
}

/** A socket whose other end is closed refuses even nothing (send(2)). */
function isSocketClosed(fd: number): boolean {
  try {
    writeSync(fd, '');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPIPE';
  }
}

/** Between npm and this process there may be a shell, which stays when npm is killed. */
function watchParents(onEnd: () => void): void {
  const readParents = (): string => {
    const parent = process.ppid;
    return `${parent} ${isShell(parent) ? findParent(parent) : ''}`;
  };
  const atStart = readParents();
  setInterval(() => {
    if (readParents() !== atStart) onEnd();
  }, LOOK_EVERY_MS).unref();
}

const isShell = (pid: number): boolean => /^(?:ba|da|z)?sh$/.test(readText(`/proc/${pid}/comm`)?.trim() ?? '');

function findParent(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[PARENT_FIELD] ?? '';
}

/** Undefined where the file is gone, or the system has no such files. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
