import { type ChildProcess, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '../processes/process-alive.ts';
import { GUARD, prepareGuarded } from '../processes/guarded.ts';
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS, CONTROL_RESOURCES } from '../worker-resources-data.ts';

/** workerd comes up in a fraction of a second; this is for a machine that hangs. */
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
/** Of what workerd said last, when it ends by itself. */
const MAX_LAST_CHARS = 4_000;
/** Descriptor on which workerd says that it listens. */
const CONTROL_FD = 3;

/** Bindings of objects, and their classes: those of the control Worker, and one of the emulator's own. */
const OBJECTS = {
  ...CONTROL_RESOURCES.durableObjects,
  EMULATOR_ACCESS: { className: 'EmulatorAccess' },
};

export type RuntimeSettings = {
  /** The bundle of `local/emulator-worker.ts`. */
  script: string;
  host: string;
  port: number;
  /** Whether the Worker's open entry gets the socket. */
  noAuth: boolean;
  /** Receives what workerd and the Worker write, errors too. */
  log?: ((text: string) => void) | undefined;
  bindings: Readonly<Record<string, string>>;
};

/** A workerd with the emulator's Worker. It ends with this process, however that ends. */
export type Runtime = {
  pid: () => number | undefined;
  /** Resolves when workerd ended without being asked, with what it said last. */
  ended: Promise<string>;
  stop: () => Promise<void>;
};

const SHARED_MEMORY = '/dev/shm';
/** Containers have 64 MiB there by default; a tenant may take a gigabyte. */
const MIN_MEMORY_BYTES = 2 * 1_073_741_824;
const PREFIX = 'sightline-emulator-';

/** Removes what killed emulators of a user left behind. That of others is not this user's to remove. */
export function removeLeftovers(parent: string, user: number | undefined): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    const folder = join(parent, name);
    if (!isProcessAlive(pid) && statSync(folder, { throwIfNoEntry: false })?.uid === user)
      rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder for the state of one emulator, which goes with it. */
function createStateFolder(): string {
  const parent = findStateParent();
  removeLeftovers(parent, process.getuid?.());
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  mkdirSync(join(folder, 'state'));
  return folder;
}

/** Memory where there is plenty of it: a commit waits for no disk then. */
function findStateParent(): string {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= MIN_MEMORY_BYTES ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir(); // Not Linux, or not ours to write.
  }
}

/** Starts workerd with an empty state, and waits until it listens. @throws Error with what workerd said */
export async function startRuntime(settings: RuntimeSettings): Promise<Runtime> {
  const folder = createStateFolder();
  copyFileSync(settings.script, join(folder, 'worker.js'));
  writeFileSync(join(folder, 'config.capnp'), formatConfig(settings, join(folder, 'state')), { mode: 0o600 });
  const guard = prepareGuarded(findWorkerd());
  const child = spawn('/bin/sh', [GUARD, 'serve', `--control-fd=${CONTROL_FD}`, join(folder, 'config.capnp')], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...guard.env },
  });
  let last = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => settings.log?.(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    last = `${last}${text}`.slice(-MAX_LAST_CHARS);
    settings.log?.(text);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await waitForListening(child, exited, () => last);
  } catch (error) {
    child.kill('SIGKILL');
    removeFolder();
    throw error;
  }
  rmSync(join(folder, 'config.capnp')); // It is read: the secrets in it need not stay.
  let stopping = false;
  return {
    pid: guard.pid,
    ended: new Promise((resolve) => void exited.then(() => stopping || resolve(last))),
    stop: async () => {
      stopping = true;
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await exited;
      guard.forget();
      removeFolder();
    },
  };
}

/** workerd writes a line of JSON for each socket that it opened. */
async function waitForListening(child: ChildProcess, exited: Promise<void>, last: () => string): Promise<void> {
  const control = child.stdio[CONTROL_FD] as Readable; // A pipe, as it was asked for.
  const listening = new Promise<'listening'>((resolve) => {
    control.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('"listen"')) resolve('listening');
    });
  });
  const gone = exited.then(() => 'gone' as const);
  const late = sleep(READY_TIMEOUT_MS, 'late' as const, { ref: false });
  const came = await Promise.race([listening, gone, late]);
  if (came === 'gone') throw new Error(`workerd ended before it was ready:\n${last()}`);
  if (came === 'late') throw new Error(`workerd was not ready within ${READY_TIMEOUT_MS / 1000} s:\n${last()}`);
}

/** The program that belongs to the installed package, here or under the toolchain that brings it. */
function findWorkerd(): string {
  const own = createRequire(import.meta.url);
  return (own('workerd') as { default: string }).default;
}

const quote = (text: string): string => JSON.stringify(text);

/** The configuration in Cap'n Proto's text form. @see https://github.com/cloudflare/workerd/blob/main/src/workerd/server/workerd.capnp */
function formatConfig({ host, port, noAuth, bindings }: RuntimeSettings, state: string): string {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const texts = Object.entries(bindings).map(([name, text]) => `(name = ${quote(name)}, text = ${quote(text)})`);
  const objects = Object.entries(OBJECTS);
  const namespaces = objects.map(
    ([name, { className }]) => `(name = ${quote(name)}, durableObjectNamespace = (className = ${quote(className)}))`,
  );
  const push = '(name = "PUSH", service = (name = "emulator", entrypoint = "PushDelivery"))';
  const classes = objects.map(
    ([, { className }]) => `(className = ${quote(className)}, uniqueKey = ${quote(className)}, enableSql = true)`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "emulator", worker = .emulator),
    (name = "outbound", worker = .outbound),
    (name = "state", disk = (path = ${quote(state)}, writable = true)),
    (name = "public", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true))),
    (name = "loopback", network = (allow = ["127.0.0.0/8", "::1/128"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = ${quote(address)}, http = (),
    service = (name = "emulator"${noAuth ? ', entrypoint = "open"' : ''}))]
);
const emulator :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = ${quote(COMPATIBILITY_DATE)},
  compatibilityFlags = [${COMPATIBILITY_FLAGS.map(quote).join(', ')}],
  bindings = [${[...texts, ...namespaces, push].join(', ')}],
  durableObjectNamespaces = [${classes.join(', ')}],
  durableObjectStorage = (localDisk = "state"),
  globalOutbound = "outbound",
);
const outbound :Workerd.Worker = (
  modules = [(name = "outbound.js", esModule = ${quote(OUTBOUND_SCRIPT)})],
  compatibilityDate = ${quote(COMPATIBILITY_DATE)},
  bindings = [(name = "PUBLIC", service = "public"), (name = "LOOPBACK", service = "loopback")],
  globalOutbound = "public",
);
`;
}

/** A public name that resolves to this machine is not followed there: only names of this machine are. */
const OUTBOUND_SCRIPT = `export default {
  fetch(request, { PUBLIC, LOOPBACK }) {
    const { hostname } = new URL(request.url);
    const isOwn = /^(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])$/.test(hostname);
    return (isOwn ? LOOPBACK : PUBLIC).fetch(request);
  },
};`;
