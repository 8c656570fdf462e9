import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { type Aim, atLeast, atMost, round } from '../aims.ts';
import { startAnswering } from '../children.ts';
import { cpuMsOf } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';
import type { LoadReport } from './lanes.ts';
import { chargedOn, CLIENTS, prepareLoad, withStack } from './load.ts';

/** One run of the load. `cpuMs`: of workerd, the chain, and the process with facilitator and sites, during all of it. */
export type LatencyRun = {
  name: string;
  load: LoadReport;
  charged: number;
  cpuMs: Readonly<Record<string, number>>;
};
export type Latency = { runs: readonly LatencyRun[]; floor: LoadReport['lanes']['unpaid'] };

/** The commit before anything was done about hostile input. */
const BASE_COMMIT = '7db4104';
const WARM_UP_S = 10;
const SECONDS = Number(process.env['BENCH_LOAD_SECONDS'] ?? 60);
const MAX_SALES_PER_S = 60;
const PAID_RATIO = 3;
const UNPAID_RATIO = 10;
/** Connections of the front that a self-hosted service has: what comes waits in the order of its coming. */
const FRONT_CONNECTIONS = 64;
const NO_HOSTILE = { hostileSites: [], hostileFromS: 0 } as const;
const ANSWER_BYTES = 3_000;
const DRAIN_MS = 60_000;
const root = new URL('../..', import.meta.url).pathname;

const OURS = 'this code';
const FRONTED = 'this code, a front with 64 connections';
const BASE = `commit ${BASE_COMMIT}`;

/** The load of the soak without hostile previews: on this code, on the code of before, and part by part. */
export async function measureLatency(say: (line: string) => void): Promise<Latency> {
  const runs: LatencyRun[] = [];
  const keep = async (name: string, order: Parameters<typeof runLoad>[1]): Promise<void> => {
    const run = await runLoad(name, order);
    for (const line of runLines(run)) say(line);
    runs.push(run);
  };
  const all = { ...CLIENTS, hostile: 0 };
  await withBase(async (checkout) => {
    await keep(OURS, { clients: all });
    if (checkout === undefined) say(`${BASE} is not in this clone: nothing to compare with`);
    // Once each before and once each after the other: a machine that gets slower is slower for both.
    else for (let turn = 0; turn < 2; turn += 1) await keep(BASE, { clients: all, checkout });
    await keep(OURS, { clients: all });
  });
  await keep(FRONTED, { clients: all, connections: FRONT_CONNECTIONS });
  const none = { unpaid: 0, paid: 0, preview: 0, hostile: 0 };
  await keep('unpaid alone', { clients: { ...none, unpaid: all.unpaid } });
  await keep('paid alone', { clients: { ...none, paid: all.paid } });
  await keep('unpaid and paid', { clients: { ...none, unpaid: all.unpaid, paid: all.paid } });
  await keep('unpaid and previews', { clients: { ...none, unpaid: all.unpaid, preview: all.preview } });
  const floor = await measureFloor();
  say(`floor, a Worker that answers a constant 402 to 400 clients: ${laneText(floor)}`);
  return { runs, floor };
}

type Order = {
  clients: typeof CLIENTS | Record<keyof typeof CLIENTS, number>;
  checkout?: string;
  connections?: number;
};

function runLoad(name: string, { clients, checkout, connections }: Order): Promise<LatencyRun> {
  return withStack(async (stack, _sites, folder) => {
    const seconds = WARM_UP_S + SECONDS;
    const payments = clients.paid === 0 ? 0 : seconds * MAX_SALES_PER_S;
    const order = { ...NO_HOSTILE, clients, warmUpS: WARM_UP_S, seconds, payments };
    const { run } = await prepareLoad(stack, folder, {
      ...order,
      ...(connections === undefined ? {} : { connections }),
    });
    const pids = { workerd: stack.workerdPid, chain: stack.anvilPid, 'facilitator and sites': stack.pid };
    const before = Object.entries(pids).map(([part, pid]) => [part, cpuMsOf(pid)] as const);
    const load = await run();
    const cpuMs = Object.fromEntries(before.map(([part, ms]) => [part, cpuMsOf(pids[part as keyof typeof pids]) - ms]));
    return { name, load, charged: await chargedOn(stack), cpuMs };
  }, checkout);
}

/** The tree of the base commit, in a folder of its own, with our modules; undefined where the clone does not have it. */
async function withBase<T>(use: (checkout: string | undefined) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-base-'));
  try {
    return await use(unpackBase(join(folder, 'tree')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unpackBase(tree: string): string | undefined {
  mkdirSync(tree);
  try {
    const archive = execFileSync('git', ['archive', BASE_COMMIT], {
      cwd: root,
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', tree], { input: archive });
  } catch {
    return undefined; // A shallow clone: said by the caller.
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** The same clients against a Worker without any code of ours: what the runtime adds by the order in which it serves. */
async function measureFloor(): Promise<LoadReport['lanes']['unpaid']> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const port = await reservePort(0, 'the floor', '');
  const script = `const body = 'x'.repeat(${ANSWER_BYTES});
export default { fetch() { return new Response(body, { status: 402 }); } };`;
  const server = await serveWorkerd({ folder, port, script }, { method: 'GET', path: '/' });
  const clients = startAnswering(new URL('clients-child.ts', import.meta.url).pathname);
  try {
    const seconds = WARM_UP_S + SECONDS / 2;
    const job = {
      ...NO_HOSTILE,
      api: `http://127.0.0.1:${port}`,
      good: 'http://127.0.0.1',
      clients: { ...CLIENTS, paid: 0, preview: 0, hostile: 0 },
      warmUpS: WARM_UP_S,
      seconds,
    };
    const report = await clients.ask<LoadReport>(job, seconds * 1000 + DRAIN_MS);
    if (report === undefined) throw new Error('the clients of the floor did not come to an end');
    return report.lanes.unpaid;
  } finally {
    await clients.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Lane = LoadReport['lanes']['unpaid'];
const ratioOf = ({ p50, p99 }: Lane): number => p99 / p50;
const laneText = (lane: Lane): string =>
  `${round(lane.perS)}/s, p50 ${round(lane.p50)} ms, p99 ${round(lane.p99)} ms (${round(ratioOf(lane))} x), max ${round(lane.max)} ms`;

function runLines({ name, load, charged, cpuMs }: LatencyRun): string[] {
  const lanes = Object.entries(load.lanes).filter(([, { timed }]) => timed > 0);
  const errors = lanes.reduce((sum, [, { errorCount }]) => sum + errorCount, 0);
  const refused = lanes.reduce((sum, [, lane]) => sum + lane.refused, 0);
  const cpu = Object.entries(cpuMs).map(([part, ms]) => `${part} ${round(ms / 1000)} s`);
  return [
    ...lanes.map(([lane, report]) => `load, ${name}: ${lane.padEnd(7)} ${laneText(report)}`),
    `load, ${name}: ${errors} errors, ${refused} told to come back, ${charged} charged, ${load.lanes.paid.outcomes['200'] ?? 0} delivered; CPU ${cpu.join(', ')}; the clients' own longest gap ${round(load.clientLagMs)} ms`,
  ];
}

export function latencyAims({ runs, floor }: Latency): Aim[] {
  const meanOf = (wanted: string, lane: 'paid' | 'unpaid', of: (report: Lane) => number): number => {
    const values = runs.filter(({ name }) => name === wanted).map(({ load }) => of(load.lanes[lane]));
    if (values.length === 0) throw new Error(`the load was not run: ${wanted}`);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const ratio = (name: string, lane: 'paid' | 'unpaid'): number => meanOf(name, lane, ratioOf);
  const speedup = (lane: 'paid' | 'unpaid'): number =>
    meanOf(OURS, lane, ({ perS }) => perS) / meanOf(BASE, lane, ({ perS }) => perS);
  const hasBase = runs.some(({ name }) => name === BASE);
  return [
    atMost('load: paid p99 against its p50', ratio(OURS, 'paid'), PAID_RATIO, 'x'),
    atMost('load: unpaid p99 against its p50', ratio(OURS, 'unpaid'), UNPAID_RATIO, 'x'),
    atMost('load, a front with 64 connections: paid p99 against its p50', ratio(FRONTED, 'paid'), PAID_RATIO, 'x'),
    atMost(
      'load, a front with 64 connections: unpaid p99 against its p50',
      ratio(FRONTED, 'unpaid'),
      UNPAID_RATIO,
      'x',
    ),
    atMost('load: unpaid p99 / p50 against that of a constant answer', ratio(OURS, 'unpaid') / ratioOf(floor), 1, 'x'),
    ...(hasBase
      ? [
          atLeast(`load: paid requests a second against ${BASE}`, speedup('paid'), 1, 'x'),
          atLeast(`load: unpaid requests a second against ${BASE}`, speedup('unpaid'), 1, 'x'),
        ]
      : []),
  ];
}
