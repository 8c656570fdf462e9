import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { bundleAsDeployed } from '../bundles.ts';
import { median, threadsMsOf } from '../process-usage.ts';
import { serveWorkerd, type WorkerdWorker } from '../workerd.ts';

type Side = 'api' | 'libraries' | 'middleware' | 'empty' | 'before';
type Started = Omit<WorkerdWorker, 'folder' | 'port'>;

export type StartUpResults = {
  aims: readonly Aim[];
  /** CPU of workerd from its start to its first answer, in milliseconds, of every round. */
  cpuMs: Readonly<Partial<Record<Side, readonly number[]>>>;
  /** Of the start of the api Worker to that of another side, neighbours in a round: median, least and most. */
  ratios: Readonly<Partial<Record<Side, Spread>>>;
};
type Spread = { median: number; least: number; most: number };

const ROUNDS = 11;
const EMPTY = 'export default { fetch() { return new Response("ok"); } };';
/**
 * Longest start of a Worker on the platform, which is CPU of its first evaluation.
 * @see https://developers.cloudflare.com/workers/platform/limits/#worker-startup-time
 */
const PLATFORM_LIMIT_MS = 1_000;
/**
 * 1.3 times what the api Worker took before it took MPP, cards and further networks (fc6fdf3e): 10.3 times the start of the
 * same libraries. `--before DIR` measures a checkout of that time.
 */
const MAX_RATIO = 13.4;

const pathOf = (name: string): string => new URL(name, import.meta.url).pathname;
const ours = (script: string): Started => ({
  script,
  bindings: { BASE_URL: 'http://127.0.0.1' },
  durableObject: { className: 'PaymentLedger', binding: 'PAYMENT_LEDGER' },
});

/**
 * What the start of the api Worker costs, against a Worker of the same libraries and against the limit of the platform.
 * @param before the folder of another checkout, whose api Worker is started in the same rounds
 */
export async function measureStartUp(log: (line: string) => void, before?: string): Promise<StartUpResults> {
  const sides: readonly (readonly [Side, Started])[] = [
    ['api', ours(bundleAsDeployed('wrangler.toml', 'worker.js'))],
    ['libraries', { script: await bundleForWorkerd(pathOf('libraries-worker.ts')) }],
    ['middleware', { script: await bundleForWorkerd(pathOf('../x402/peer-worker.mjs')), flags: ['nodejs_compat'] }],
    ['empty', { script: EMPTY }],
    ...(before === undefined
      ? []
      : ([['before', ours(bundleAsDeployed('wrangler.toml', 'worker.js', before))]] as const)),
  ];
  const cpuMs = await startInTurns(sides);
  for (const [side, times] of cpuMs)
    log(
      `start-up of ${side.padEnd(10)} ${median(times).toFixed(0).padStart(5)} ms CPU (${times.map((ms) => ms.toFixed(0)).join(' ')})`,
    );
  const api = cpuMs.get('api') ?? [];
  const ratioTo = (side: Side): Spread => spreadOf(api.map((ms, at) => ms / (cpuMs.get(side)?.[at] ?? Number.NaN)));
  const ratios = Object.fromEntries(sides.slice(1).map(([side]) => [side, ratioTo(side)]));
  for (const [side, { median: middle, least, most }] of Object.entries(ratios))
    log(`start-up of api / ${side}: ${middle} (${least} to ${most})`);
  const beyondEmpty = median(api.map((ms, at) => ms - (cpuMs.get('empty')?.[at] ?? Number.NaN)));
  return {
    aims: [
      atMost('start-up of api / hono, zod and viem alone, CPU', ratioTo('libraries').median, MAX_RATIO, 'x'),
      atMost('start-up of api, CPU beyond an empty Worker', beyondEmpty, PLATFORM_LIMIT_MS, 'ms'),
    ],
    cpuMs: Object.fromEntries([...cpuMs].map(([side, times]) => [side, times.map(round)])),
    ratios,
  };
}

const spreadOf = (ratios: readonly number[]): Spread => ({
  median: round(median(ratios)),
  least: round(Math.min(...ratios)),
  most: round(Math.max(...ratios)),
});

/** The first round warms up; each begins with another side. */
async function startInTurns(
  sides: readonly (readonly [Side, Started])[],
): Promise<ReadonlyMap<Side, readonly number[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const times = new Map<Side, number[]>(sides.map(([side]) => [side, []]));
  try {
    for (let turn = 0; turn <= ROUNDS; turn += 1)
      for (const [side, worker] of [...sides.slice(turn % sides.length), ...sides.slice(0, turn % sides.length)]) {
        const cpuMs = await startOnce(join(folder, side), worker);
        if (turn > 0) times.get(side)?.push(cpuMs);
      }
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** No side builds its payment parts for this path: what is compared is loading the code. */
async function startOnce(folder: string, worker: Started): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const port = await reservePort(0, 'the benchmark', '');
  const running = await serveWorkerd({ folder, port, ...worker }, { method: 'GET', path: '/health' });
  try {
    const cpuMs = threadsMsOf(running.pid);
    const { status } = await fetch(`http://127.0.0.1:${port}/health`);
    if (status !== 200) throw new Error(`${folder} answers ${status}`); // It would be the start of a Worker that failed.
    return cpuMs;
  } finally {
    await running.stop();
  }
}
