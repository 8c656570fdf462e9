import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { reservePort } from '../../local/ports.ts';
import { createRandomFromSeed } from '../../src/lib/seeded-random.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import type { Child } from '../children.ts';
import { median } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';
import { type Arrivals, computeUtilisation, computeWaitMs } from './queueing.ts';

/** A run against the model: how long calls waited for an object beyond their own service. */
export type StubRun = {
  title: string;
  perS: number;
  calls: number;
  utilisation: number;
  /** As long as calls of each kind were served, one after the other: a timer of the runtime takes a little longer than it was told. */
  servedMs: readonly number[];
  measuredWaitMs: number;
  modelledWaitMs: number;
};

const ISOLATES = 3;
const ALONE = 60;
const TIMEOUT_MS = 60_000;

export type StubLoad = { title: string; arrivals: readonly Arrivals[]; seconds: number };

/** Has several workerd call one object in another at random times, and compares how long they wait with the model. */
export async function runStubs(loads: readonly StubLoad[], say: (line: string) => void): Promise<readonly StubRun[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const children: Child[] = [];
  try {
    const script = await bundleForWorkerd(new URL('stub-object-worker.ts', import.meta.url).pathname);
    const serve = async (name: string, bindings: Record<string, string>): Promise<string> => {
      const port = await reservePort(0, name, '');
      const own = join(folder, name);
      mkdirSync(own, { recursive: true });
      const durableObject = { className: 'StubObject', binding: 'STUB' };
      children.push(
        await serveWorkerd({ folder: own, port, script, bindings, durableObject }, { method: 'GET', path: '/up' }),
      );
      return `http://127.0.0.1:${port}`;
    };
    const home = await serve('object', {});
    const isolates: string[] = [];
    for (let index = 0; index < ISOLATES; index += 1) isolates.push(await serve(`isolate-${index}`, { TARGET: home }));
    const runs: StubRun[] = [];
    for (const load of loads) {
      const run = await runOne(load, isolates);
      say(
        `${run.title}: waits ${run.measuredWaitMs.toFixed(2)} ms at ${(100 * run.utilisation).toFixed(0)} %, modelled ${run.modelledWaitMs.toFixed(2)} ms`,
      );
      runs.push(run);
    }
    return runs;
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOne({ title, arrivals, seconds }: StubLoad, isolates: readonly string[]): Promise<StubRun> {
  const agent = new Agent({ connections: 64, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const random = createRandomFromSeed(title);
  const call = async (serviceMs: number): Promise<number> => {
    const startMs = performance.now();
    const isolate = isolates[Math.floor(random() * isolates.length)] ?? '';
    const answer = await request(`${isolate}/?ms=${serviceMs}`, { method: 'POST', dispatcher: agent });
    await answer.body.dump();
    return performance.now() - startMs;
  };
  const alone: number[] = [];
  const served: Arrivals[] = [];
  for (const { serviceMs, perS } of arrivals) {
    const times: number[] = [];
    for (let turn = 0; turn < ALONE; turn += 1) times.push(await call(serviceMs));
    alone.push(median(times));
    const begunMs = performance.now();
    await Promise.all(times.map(() => call(serviceMs)));
    served.push({ perS, serviceMs: (performance.now() - begunMs) / ALONE });
  }
  const perS = arrivals.reduce((sum, one) => sum + one.perS, 0);
  const running: Promise<number>[] = [];
  const startMs = performance.now();
  for (let atMs = 0; atMs < seconds * 1000; atMs += (-Math.log(1 - random()) * 1000) / perS) {
    const earlyMs = startMs + atMs - performance.now();
    if (earlyMs > 1) await sleep(earlyMs);
    const kind = pick(arrivals, random() * perS);
    running.push(call(arrivals[kind]?.serviceMs ?? 0).then((ms) => ms - (alone[kind] ?? 0)));
  }
  const waits = await Promise.all(running);
  await agent.close();
  return {
    title,
    perS,
    calls: waits.length,
    utilisation: computeUtilisation(served),
    servedMs: served.map(({ serviceMs }) => serviceMs),
    measuredWaitMs: waits.reduce((sum, ms) => sum + ms, 0) / waits.length,
    modelledWaitMs: computeWaitMs(served),
  };
}

function pick(arrivals: readonly Arrivals[], at: number): number {
  let left = at;
  for (const [index, { perS }] of arrivals.entries()) {
    if (left < perS) return index;
    left -= perS;
  }
  return arrivals.length - 1;
}
