import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, start } from './children.ts';

/** A Worker for plain `workerd serve`: no emulator, no rate limiters, no R2. */
export type WorkerdWorker = {
  /** Folder for the configuration, the script and Durable Object state. */
  folder: string;
  script: string;
  port: number;
  bindings?: Readonly<Record<string, string>>;
  flags?: readonly string[];
  /**
   * Class of a SQLite Durable Object of the script, kept on disk, and its binding. Objects stay in memory: rounds of
   * other servers run in between, longer than an idle object lives.
   */
  durableObject?: WorkerdObject;
  /** The same for a Worker with several. */
  durableObjects?: readonly WorkerdObject[];
  /** Port for the inspector of V8, which tells how large the heap is. */
  inspectorPort?: number;
  /** Flags of V8, such as `--expose-gc`. */
  v8Flags?: readonly string[];
};

export type WorkerdObject = { className: string; binding: string };

const UP_TIMEOUT_MS = 15_000;
const POLL_MS = 2;

const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
/** The runtime that the installed toolchain uses. */
export const workerdFile = (fromMiniflare('workerd') as { default: string }).default;
export const workerdVersion = (fromMiniflare('workerd/package.json') as { version: string }).version;

const wranglerToml = readFileSync(new URL('../wrangler.toml', import.meta.url), 'utf8');
export const compatibilityDate = /^compatibility_date = "([^"]+)"/m.exec(wranglerToml)?.[1] ?? '';

/** Starts the Worker and waits until it answers a request of this method and path. */
export async function serveWorkerd(
  worker: WorkerdWorker,
  probe: { method: 'GET' | 'POST'; path: string },
): Promise<Child> {
  mkdirSync(join(worker.folder, 'state'), { recursive: true });
  writeFileSync(join(worker.folder, 'worker.mjs'), worker.script);
  writeFileSync(join(worker.folder, 'config.capnp'), configOf(worker));
  const inspector = worker.inspectorPort === undefined ? [] : [`--inspector-addr=127.0.0.1:${worker.inspectorPort}`];
  const { child, ...running } = start(workerdFile, ['serve', join(worker.folder, 'config.capnp'), ...inspector]);
  child.stdout?.resume(); // The Worker's own log lines: read, as a platform would, and dropped.
  const deadlineMs = Date.now() + UP_TIMEOUT_MS;
  while (Date.now() < deadlineMs && child.exitCode === null) {
    const up = await fetch(`http://127.0.0.1:${worker.port}${probe.path}`, {
      method: probe.method,
      signal: AbortSignal.timeout(UP_TIMEOUT_MS),
    }).then(
      (response) => response.arrayBuffer(),
      () => undefined, // Not listening yet.
    );
    if (up) return running;
    await sleep(POLL_MS);
  }
  throw new Error(`workerd did not answer; try: ${workerdFile} serve ${join(worker.folder, 'config.capnp')}`);
}

function configOf(worker: WorkerdWorker): string {
  const { port, folder, bindings = {}, flags = [], durableObject, durableObjects, v8Flags = [] } = worker;
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  const objects = durableObjects ?? (durableObject ? [durableObject] : []);
  const namespaces = objects.map(
    ({ className, binding }) => `(name = "${binding}", durableObjectNamespace = (className = "${className}"))`,
  );
  // An only object keeps the key it has always had, so that its folder on disk is the same.
  const keyOf = (className: string): string => (objects.length === 1 ? 'bench' : `bench-${className}`);
  const classes = objects.map(
    ({ className }) =>
      `(className = "${className}", uniqueKey = "${keyOf(className)}", enableSql = true, preventEviction = true)`,
  );
  const state =
    objects.length === 0
      ? ''
      : `durableObjectNamespaces = [${classes.join(', ')}],
  durableObjectStorage = (localDisk = "state"),`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
    (name = "state", disk = (path = "${join(folder, 'state')}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
  v8Flags = [${v8Flags.map((flag) => `"${flag}"`).join(', ')}]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}],
  bindings = [${[...texts, ...namespaces].join(', ')}],
  ${state}
);
`;
}
