import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type Request as WorkerRequest,
  type Response as WorkerResponse,
  type V4MiniflareOptions,
} from 'miniflare';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { GUARD, prepareGuarded } from '../../../local/processes/guarded.ts';
import { LOOPBACK } from '../../../local/ports.ts';
import { type Account, findLiveVersion } from './account.ts';
import { buildWorkerOptions, OUTBOUND_WORKER } from './worker-options.ts';

const COMPATIBILITY_DATE = '2026-10-20';
/** Names the Worker that a request is for. */
export const SCRIPT_HEADER = 'x-stand-in-script';
const FRONT = `export default {
  fetch(request, env) {
    const headers = new Headers(request.headers);
    const target = env[headers.get('${SCRIPT_HEADER}')];
    headers.delete('${SCRIPT_HEADER}');
    const url = new URL(request.url);
    url.protocol = 'https:';
    url.port = '';
    return target.fetch(new Request(url, new Request(request, { headers, redirect: 'manual' })));
  },
};`;
const OUTBOUND = 'export default { fetch: (request, { NET }) => NET.fetch(request) };';

export type RuntimeSettings = {
  readonly account: Account;
  readonly folder: string;
  /** Answers what Workers fetch. */
  readonly fetch: (request: WorkerRequest) => Promise<WorkerResponse>;
  readonly log?: ((level: string, message: string) => void) | undefined;
};

/** The Workers of an account under workerd, as they are deployed at the time of each use. */
export type Runtime = {
  /** Port of the front, to which a request for the Worker in `SCRIPT_HEADER` goes. */
  readonly port: () => Promise<number>;
  readonly cron: (script: string, expression: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Nothing is started before it is used: a deployment uploads, and sets secrets, often. */
export function createRuntime(settings: RuntimeSettings): Runtime {
  const { account } = settings;
  const guard = prepareGuarded(findWorkerdPath());
  let running: { readonly state: string; readonly miniflare: Miniflare } | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const stop = async (): Promise<void> => {
    await running?.miniflare.dispose();
    running = undefined;
    guard.forget();
  };
  const start = async (): Promise<Miniflare> => {
    const state = describeDeployed(account);
    if (running?.state === state) return running.miniflare;
    await stop();
    process.env['MINIFLARE_WORKERD_PATH'] = GUARD;
    const miniflare = new Miniflare(convertV4MiniflareOptions(buildOptions(settings, guard.env)));
    running = { state, miniflare };
    await miniflare.ready;
    return miniflare;
  };
  /** One after the other: two requests after a deployment start one workerd. */
  const use = (): Promise<Miniflare> => {
    const started = queue.then(start);
    queue = started.catch(() => undefined);
    return started;
  };
  return {
    port: async () => Number((await (await use()).ready).port),
    cron: async (script, expression) => {
      const { outcome } = await (await (await use()).getWorker(script)).scheduled({ cron: expression });
      if (outcome !== 'ok') throw new Error(`the scheduled handler of ${script} ended with ${outcome}`);
    },
    stop: () => queue.then(stop),
  };
}

const describeDeployed = ({ scripts, queues }: Account): string =>
  JSON.stringify([
    [...scripts.values()].map((script) => [script.name, findLiveVersion(script)?.id]),
    queues.map(({ queue_name, consumers }) => [queue_name, consumers]),
  ]);

function buildOptions(settings: RuntimeSettings, env: Record<string, string>): V4MiniflareOptions {
  const { account, folder, log } = settings;
  const workers = [...account.scripts.values()]
    .map((script) => buildWorkerOptions(account, script, join(folder, 'assets')))
    .filter((worker) => worker !== undefined);
  const front = {
    name: 'stand-in-front',
    modules: [{ type: 'ESModule' as const, path: 'front.js', contents: FRONT }],
    compatibilityDate: COMPATIBILITY_DATE,
    serviceBindings: Object.fromEntries(workers.map(({ name = '' }) => [name, name])),
  };
  const outbound = {
    name: OUTBOUND_WORKER,
    modules: [{ type: 'ESModule' as const, path: 'outbound.js', contents: OUTBOUND }],
    compatibilityDate: COMPATIBILITY_DATE,
    serviceBindings: { NET: settings.fetch },
  };
  return {
    workers: [front, outbound, ...workers],
    host: LOOPBACK,
    cf: false,
    logRequests: false,
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => log?.(level, message),
    resourcePersistencePath: join(folder, 'state'),
    unsafeRuntimeEnv: env,
  };
}

/** The workerd that belongs to the installed miniflare. */
function findWorkerdPath(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  return String(require('workerd').default);
}
