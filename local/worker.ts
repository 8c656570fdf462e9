import { convertV4MiniflareOptions, Miniflare, type Request, Response, type V4MiniflareOptions } from 'miniflare';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { ResolveName } from '../src/cli/core/node-fetch.ts';
import { findPublicFile } from './sites/public-files.ts';
import { loadCachedBundle } from './bundle.ts';
import { MailLog } from './mail/mails.ts';
import { drain } from './processes/drain.ts';
import { GUARD, prepareGuarded, type Guarded } from './processes/guarded.ts';
import { buildFrontOptions, isBehindFront, formatOutboundName, buildOutboundOptions } from './helper-workers.ts';
import { type Outbound, startOutbound } from './outbound/outbound.ts';
import { reservePort, LOOPBACK } from './ports.ts';
import {
  API_RESOURCES,
  COMPATIBILITY_DATE,
  COMPATIBILITY_FLAGS,
  type WorkerResources,
} from './worker-resources-data.ts';

/** Three Workers start together, on a machine that may be busy. */
const RESTART_TIMEOUT_MS = 90_000;
/** The cron expression of every trigger that our Workers have. */
const EACH_MINUTE = '* * * * *';

export type WorkerLog = (level: string, message: string) => void;

/** A further Worker in the same workerd: it starts, crashes, restarts and stops together with the first. */
export type BesideWorker = {
  /** As other Workers bind it. */
  name: string;
  entry: string;
  /** Free: nothing looks again. */
  port: number;
  bindings: Record<string, string>;
  blockedPorts: readonly number[];
  resources: WorkerResources;
  /** Service bindings that answer any request with a text that this process knows; 404 while it knows none. */
  texts?: Readonly<Record<string, () => string | undefined>>;
  /** Service bindings that this process answers. */
  services?: Readonly<Record<string, (request: Request) => Promise<Response>>>;
  /** Binds EMAIL: what is sent by it becomes files. */
  mail?: boolean;
};

export type WorkerSettings = {
  /** Path of the entry module: a default export with `fetch`, and the class PaymentLedger. */
  entry: string;
  /** 0 (the default) takes a free port, which stays the same over restarts. */
  port?: number;
  /** Text bindings (variables and secrets). */
  bindings: Record<string, string>;
  /** Ports on this machine that the Worker must not read, beside workerd's own hidden one: the binding LOCAL_BLOCKED_PORTS. */
  blockedPorts?: readonly number[];
  beside?: readonly BesideWorker[];
  /** Service bindings of the api Worker that this process answers. */
  services?: BesideWorker['services'];
  /** Folder of Durable Object and R2 state. Without it the state is temporary and goes with `stop`. */
  persistTo?: string;
  /** Receives what the Worker logs. Without it nothing is shown. */
  logs?: WorkerLog;
  /** Resolves names that the Workers read; the system's resolver when absent. */
  resolve?: ResolveName;
};

/** The api Worker under workerd, with a socket of its own on loopback. */
export type LocalWorker = {
  url: string;
  port: number;
  /** Process id of workerd now: another one after a crash or restart. Undefined when it does not run. */
  pid: () => number | undefined;
  /** Kills workerd with SIGKILL, as a machine failure would, and waits until it runs again on the same state. */
  crash: () => Promise<void>;
  /** Starts again on the same state and port, with the entry bundled anew where bundles are not shared (`LOCAL_BUNDLES`). */
  restart: () => Promise<void>;
  /** Runs the scheduled handler of a Worker, by its name, as its cron trigger would. @throws Error when it does not succeed */
  cron: (name: string) => Promise<void>;
  /**
   * Has the Workers answer what runs and take nothing more, at most for so long, then ends workerd and stops.
   * @returns whether all that ran was answered
   */
  drain: (limitMs: number) => Promise<boolean>;
  stop: () => Promise<void>;
};

/** @throws PortTaken, BuildFailure of esbuild, MiniflareCoreError when workerd refuses the Worker */
export async function startWorker(settings: WorkerSettings): Promise<LocalWorker> {
  const port = await reservePort(settings.port ?? 0, 'the api Worker', '--port');
  const hiddenPort = await reservePort(0, 'workerd', '--port');
  const temporary = settings.persistTo === undefined ? mkdtempSync(join(tmpdir(), 'sightline-state-')) : undefined;
  const state = settings.persistTo ?? temporary ?? '';
  const guard = prepareGuarded(findWorkerdPath());
  const restarts = new Set<() => void>();
  const onRestart = (): void => restarts.forEach((resolve) => resolve());
  const api = {
    ...settings,
    name: 'sightline-api',
    port,
    resources: API_RESOURCES,
    blockedPorts: settings.blockedPorts ?? [],
    services: settings.services ?? {},
    mail: true,
  };
  const parts: readonly BesideWorker[] = [api, ...(settings.beside ?? [])];
  const outbounds = await startOutbounds(parts, hiddenPort, settings.resolve);
  const start = async (bundle: (entry: string) => Promise<string>): Promise<Miniflare> => {
    const scripts = await Promise.all(parts.map(({ entry }) => bundle(entry)));
    const names = new Set(parts.map(({ name }) => name));
    const workers = parts.map((part, i) => buildWorkerOptions(part, scripts[i] ?? '', hiddenPort, names));
    return run({
      workers: [
        ...workers,
        ...parts.map(({ name }, i) => buildOutboundOptions(name, outbounds[i])),
        ...parts.filter(isBehindFront).map(buildFrontOptions),
      ],
      ...buildSharedOptions(settings.logs, hiddenPort, state, guard),
      unsafeHandleRuntimeRestart: onRestart,
    });
  };
  const stopOutbounds = () => Promise.all(outbounds.map((outbound) => outbound.stop()));
  let miniflare: Miniflare;
  try {
    miniflare = await start(bundleOnce);
  } catch (error) {
    await stopOutbounds();
    throw error;
  }
  const halt = async (): Promise<void> => {
    await miniflare.dispose();
    guard.forget();
  };
  return {
    url: `http://${LOOPBACK}:${port}`,
    port,
    pid: guard.pid,
    crash: () => crashWorkerd(guard, restarts),
    restart: async () => {
      await halt();
      miniflare = await start(loadCachedBundle);
    },
    cron: (name) => runCron(miniflare, name),
    drain: async (limitMs) =>
      (await drainWorkerd(guard, () => miniflare.dispose(), limitMs)) ?? halt().then(() => true),
    stop: async () => {
      await halt();
      await stopOutbounds();
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** Asks workerd to end. @returns whether it was done by itself; undefined where none runs */
async function drainWorkerd(
  guard: Guarded,
  dispose: () => Promise<void>,
  limitMs: number,
): Promise<boolean | undefined> {
  const pid = guard.pid();
  const workerd = pid === undefined ? undefined : findRunningChild(pid);
  if (workerd?.pid === undefined) return undefined;
  // In the moment of its end: later miniflare would start another workerd, and be waited for until that is up.
  const disposed = new Promise<void>((resolve) => workerd.once('exit', () => resolve(dispose())));
  const isDone = await drain(workerd.pid, limitMs);
  await disposed;
  guard.forget();
  return isDone;
}

/** The network of each Worker, which differs in what it may read of this machine. */
function startOutbounds(
  parts: readonly BesideWorker[],
  hiddenPort: number,
  resolve?: ResolveName,
): Promise<Outbound[]> {
  return Promise.all(
    parts.map(({ bindings, blockedPorts }) =>
      startOutbound({ bindings, blockedPorts: [...blockedPorts, hiddenPort], resolve }),
    ),
  );
}

const bundled = new Map<string, Promise<string>>();

/** The bundle of an entry as this process first saw it: a program that starts many Workers waits for one bundle. */
function bundleOnce(entry: string): Promise<string> {
  const known = bundled.get(entry);
  if (known) return known;
  const making = loadCachedBundle(entry);
  bundled.set(entry, making);
  making.catch(() => bundled.delete(entry)); // The caller's await reports it; the next start tries again.
  return making;
}

function buildWorkerOptions(
  { name, port, bindings, blockedPorts, resources, texts = {}, services = {}, mail = false }: BesideWorker,
  script: string,
  hiddenPort: number,
  names: ReadonlySet<string>,
) {
  return {
    name,
    modules: [{ type: 'ESModule' as const, path: 'worker.js', contents: script }],
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: COMPATIBILITY_FLAGS,
    bindings: { ...bindings, LOCAL_BLOCKED_PORTS: [...blockedPorts, hiddenPort].join(',') },
    ...resources,
    serviceBindings: {
      ...selectServices(resources, names),
      ...createTextService(texts),
      ...services,
      ASSETS: findPublicFile,
    },
    outboundService: formatOutboundName(name),
    ...(mail ? { email: { send_email: [{ name: 'EMAIL' }] } } : {}),
    ...(isBehindFront({ bindings }) ? {} : { unsafeDirectSockets: [{ host: LOOPBACK, port }] }),
  };
}

/** Bindings to the Workers that are there: some stacks have fewer. */
const selectServices = ({ serviceBindings }: WorkerResources, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(serviceBindings).filter(([, { name }]) => names.has(name)));

function createTextService(texts: NonNullable<BesideWorker['texts']>) {
  const answer = (text: string | undefined) => new Response(text ?? '', { status: text === undefined ? 404 : 200 });
  return Object.fromEntries(Object.entries(texts).map(([binding, read]) => [binding, () => answer(read())]));
}

function buildSharedOptions(logs: WorkerLog | undefined, hiddenPort: number, state: string, guard: Guarded) {
  return {
    // Miniflare's entry socket goes through a Worker of its own; its port is never published.
    host: LOOPBACK,
    port: hiddenPort,
    cf: false,
    logRequests: false,
    log: new MailLog(state, (level, message) => logs?.(level, message)),
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => logs?.(level, message),
    resourcePersistencePath: state,
    unsafeRuntimeEnv: guard.env,
  };
}

async function run(options: V4MiniflareOptions): Promise<Miniflare> {
  // The only way to have miniflare start workerd through another program; it reads the variable at each start.
  process.env['MINIFLARE_WORKERD_PATH'] = GUARD;
  const miniflare = withoutSignalHandlers(() => new Miniflare(convertV4MiniflareOptions(options)));
  try {
    await miniflare.ready;
    return miniflare;
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** Child processes of this one, which miniflare does not give out. @see https://nodejs.org/api/diagnostics_channel.html#child-process */
const children = new Set<ChildProcess>();
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  children.add(child);
  child.once('exit', () => children.delete(child));
});

const findRunningChild = (pid: number): ChildProcess | undefined => [...children].find((child) => child.pid === pid);

/** Miniflare ends the whole process on a signal, before its other parts can stop: who starts a Worker decides about that. */
function withoutSignalHandlers<T>(make: () => T): T {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const made = make();
  for (const signal of signals) {
    const added = process.listeners(signal).filter((listener) => !before.get(signal)?.includes(listener));
    for (const listener of added) process.off(signal, listener);
  }
  return made;
}

/** Miniflare starts a workerd that died again by itself, on the same ports; this waits for it. */
async function crashWorkerd(guard: Guarded, restarts: Set<() => void>): Promise<void> {
  const pid = guard.pid();
  if (pid === undefined) throw new Error('workerd does not run');
  const restarted = Promise.withResolvers<void>();
  restarts.add(restarted.resolve);
  const timer = setTimeout(
    () => restarted.reject(new Error(`workerd was not up again within ${RESTART_TIMEOUT_MS} ms`)),
    RESTART_TIMEOUT_MS,
  );
  try {
    process.kill(pid, 'SIGKILL');
    await restarted.promise;
  } finally {
    clearTimeout(timer);
    restarts.delete(restarted.resolve);
  }
}

async function runCron(miniflare: Miniflare, name: string): Promise<void> {
  const worker = await miniflare.getWorker(name);
  const { outcome } = await worker.scheduled({ cron: EACH_MINUTE });
  if (outcome !== 'ok') throw new Error(`the scheduled handler of ${name} ended with ${outcome}`);
}

/** The workerd that belongs to the installed miniflare. */
function findWorkerdPath(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  return z.object({ default: z.string() }).parse(require('workerd')).default;
}
