import { readFileSync } from 'node:fs';

export type StopReason = NodeJS.Signals | 'the terminal is gone' | 'npm ended';

const LOOK_EVERY_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Number of SIGHUP, as a bit of a signal mask (signal(7)). */
const SIGHUP_BIT = 1n;
/** After the name of a program in `/proc/<pid>/stat`, the place of its parent (proc(5), field 4). */
const PARENT_FIELD = 1;

/**
 * Resolves when this process should stop: at a signal, when its terminal is gone, or when the npm that started it has
 * ended without passing that on. A second signal ends the process at once, with `secondCode`.
 */
export function waitForStopReason(secondCode: number): Promise<StopReason> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of SIGNALS) {
      if (signal === 'SIGHUP' && isHangUpIgnored()) continue;
      process.on(signal, () => {
        if (asked) process.exit(secondCode);
        asked = true;
        resolve(signal);
      });
    }
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => resolve('the terminal is gone'));
    if (process.env['npm_lifecycle_event'] !== undefined) watchParents(() => resolve('npm ended'));
  });
}

/** Whether the process was started to outlive its terminal, as by `nohup`. */
function isHangUpIgnored(): boolean {
  const [, mask] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readText('/proc/self/status') ?? '') ?? [];
  return mask !== undefined && (BigInt(`0x${mask}`) & SIGHUP_BIT) !== 0n;
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
