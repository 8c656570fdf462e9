import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReceivedCall } from './faults.ts';
import type { CloudflareStandIn } from './stand-in.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Only read. */
const LINKED = ['docs', 'public', 'node_modules', 'README.md'];
/** A test may change them. How sources are compiled is read beside them. */
const COPIED = ['package.json', 'package-lock.json', 'dist', 'scripts', 'src', 'routes', 'durable-objects'];
const COMPILED_BY = ['tsconfig.json', 'tsconfig.base.json'];
/** Of a fresh clone: none of it is uploaded, or decides about that. */
const LEFT_OUT = /^(?:test|bench)\//;
/** Pages are built once for all tests: a deployment that builds them would take them away from others. */
const BUILDERS = ['build-web.js', 'build-docs.js'];
const OWNER_ONLY = 0o600;

export type DeployRun = {
  /** Undefined where it was killed. */
  readonly code: number | undefined;
  readonly output: string;
};

export type DeployOptions = {
  /** Ends the command, and all that it started, with SIGKILL before this call is answered. */
  readonly killAt?: (call: ReceivedCall) => boolean;
  /** Asks the command to end, with SIGTERM, before this call is answered. */
  readonly stopAt?: (call: ReceivedCall) => boolean;
  /** Holds the command, and all that it started, at the first such call, until `meanwhile` has ended. */
  readonly holdAt?: { readonly isMeant: (call: ReceivedCall) => boolean; readonly meanwhile: () => Promise<void> };
  readonly env?: Readonly<Record<string, string>>;
};

/** A checkout of this repository with a command line of its own, and what an operator has beside it. */
export type TestClone = {
  readonly root: string;
  readonly secretsFile: string;
  /** Runs `sightline <command>` in it against a stand-in, with its hosts. */
  readonly run: (standIn: CloudflareStandIn, words: readonly string[], options?: DeployOptions) => Promise<DeployRun>;
  readonly edit: (name: string, change: (text: string) => string) => void;
  readonly write: (name: string, text: string) => void;
  readonly remove: () => void;
};

/** @param settings of the secrets file */
export function createTestClone(settings: Readonly<Record<string, string>>): TestClone {
  return prepareClone(settings, (root) => {
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(root, name));
    for (const name of [...COPIED, ...COMPILED_BY, ...listConfigurations()])
      cpSync(join(ROOT, name), join(root, name), { recursive: true });
    for (const name of BUILDERS) writeFileSync(join(root, 'scripts', name), '// Built before the tests.\n');
    return (words) => [process.execPath, join(root, 'dist', 'cli.js'), ...words];
  });
}

/**
 * The files that git knows, with the packages that `npm ci` installs, and nothing that was built: `npm run deploy` runs the
 * sources, and builds what is uploaded. @param hasDocs takes over the documentation as it was built for this checkout
 */
export function createFreshClone(settings: Readonly<Record<string, string>>, hasDocs: boolean): TestClone {
  return prepareClone(settings, (root) => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
    for (const name of tracked.filter((one) => one !== '' && !LEFT_OUT.test(one) && existsSync(join(ROOT, one))))
      cpSync(join(ROOT, name), join(root, name));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const pages = join('public', 'docs');
    if (hasDocs && existsSync(join(ROOT, pages))) cpSync(join(ROOT, pages), join(root, pages), { recursive: true });
    return ([command = '', ...words]) =>
      command === 'deploy'
        ? ['npm', 'run', '-s', 'deploy', '--', ...words]
        : [process.execPath, join(root, 'src', 'cli.ts'), command, ...words];
  });
}

type FormProgram = (words: readonly string[]) => readonly string[];

function prepareClone(settings: Readonly<Record<string, string>>, fill: (root: string) => FormProgram): TestClone {
  const folder = mkdtempSync(join(tmpdir(), 'test-clone-'));
  const root = join(folder, 'clone');
  mkdirSync(root, { recursive: true });
  const formProgram = fill(root);
  const secretsFile = join(folder, 'secrets.env');
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(secretsFile, lines.join(''), { mode: OWNER_ONLY });
  return {
    root,
    secretsFile,
    run: (standIn, words, options = {}) =>
      runCommandLine({ root, folder, standIn, program: formProgram(words) }, options),
    edit: (name, change) => writeFileSync(join(root, name), change(readFileSync(join(root, name), 'utf8'))),
    write: (name, text) => writeFileSync(join(root, name), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const listConfigurations = (): readonly string[] =>
  readdirSync(ROOT).filter((name) => name.startsWith('wrangler') && name.endsWith('.toml'));

type CommandPlace = {
  readonly root: string;
  readonly folder: string;
  readonly standIn: CloudflareStandIn;
  readonly program: readonly string[];
};

async function runCommandLine(
  { root, folder, standIn, program: [command = '', ...args] }: CommandPlace,
  { killAt, stopAt, holdAt, env = {} }: DeployOptions,
): Promise<DeployRun> {
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      NO_COLOR: '1',
      ...standIn.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // A group of its own, to be killed as a whole.
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const { pid } = child;
  const signalAll = (signal: NodeJS.Signals): void =>
    void (pid !== undefined && child.exitCode === null && process.kill(-pid, signal));
  let held: Promise<void> | undefined;
  const release = standIn.onCall((call) => {
    if (killAt?.(call) === true) signalAll('SIGKILL');
    if (stopAt?.(call) === true) child.kill('SIGTERM');
    if (held !== undefined || holdAt?.isMeant(call) !== true) return;
    signalAll('SIGSTOP');
    held = holdAt.meanwhile().finally(() => signalAll('SIGCONT'));
    held.catch(() => undefined); // Awaited below.
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  release();
  await held;
  return { code: code ?? undefined, output };
}
