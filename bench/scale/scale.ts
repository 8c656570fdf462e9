import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Aim, atMost } from '../aims.ts';
import { startPrinting } from '../children.ts';
import { machine, versions } from '../machine.ts';
import { type AdmissionResults, admissionAims, measureAdmission } from './admission.ts';
import { countKinds, type KindCounts } from './counts.ts';
import { type KindCpu, measureCpu } from './cpu.ts';
import { openSenders, type Senders } from './kinds.ts';
import { planKind, type PlanRow } from './load-plan.ts';
import { KINDS, type KindName } from './plan-data.ts';
import { PRICE_LIST, SERVICE_MS } from './price-list-data.ts';
import type { ScaleStack } from './stack-child.ts';
import { runStubs, type StubLoad, type StubRun } from './stub-run.ts';

export type ScaleResults = {
  aims: readonly Aim[];
  date: string;
  machine: ReturnType<typeof machine>;
  versions: Readonly<Record<string, string>>;
  admission: AdmissionResults;
  /** Measured. */
  counts: Readonly<Record<KindName, KindCounts>>;
  cpu: Readonly<Record<KindName, KindCpu>>;
  /** Modelled of the above. */
  plan: readonly PlanRow[];
  /** The model against runs. */
  stubs: readonly StubRun[];
  serviceMs: typeof SERVICE_MS;
  priceListRead: string;
};

const READY_MS = 120_000;
const PAYERS = 24;
const SENDER_KEYS = 20;
/** A twentieth of the pushes of the plan to one object, whose calls take what the plan says. */
const TWENTIETH: StubLoad = {
  title: 'a twentieth of the pushes on one object, times as planned',
  arrivals: [
    { perS: 60, serviceMs: SERVICE_MS.read },
    { perS: 25, serviceMs: SERVICE_MS.write },
  ],
  seconds: 20,
};
/** As busy as an object of the plan may be: a twentieth of its calls, each of which takes twenty times as long. */
const BUSY: StubLoad = {
  title: 'a twentieth of the calls, twenty times as long',
  arrivals: [
    { perS: 10, serviceMs: 20 * SERVICE_MS.read },
    { perS: 4, serviceMs: 20 * SERVICE_MS.write },
  ],
  seconds: 120,
};
const MAX_OFF = 1.5;

/** What the plan's load asks of the platform: admission, calls of objects, processor time, and the model of the rest. */
export async function measureScale(say: (line: string) => void): Promise<ScaleResults> {
  const admission = await measureAdmission(say);
  const counts = await withSenders('counted', (stack, senders) => countKinds(stack, senders));
  const cpu = await withSenders('plain', ({ workerdPid }, senders) => measureCpu(workerdPid, senders, say));
  const plan = KINDS.map((kind) => planKind(kind, counts[kind.name], cpu[kind.name].cpuUs));
  for (const row of plan) say(describe(row));
  const stubs = await runStubs([TWENTIETH, BUSY], say);
  return {
    aims: [...admissionAims(admission), ...planAims(plan), ...stubAims(stubs)],
    date: new Date().toISOString(),
    machine: machine(),
    versions: versions(),
    admission,
    counts,
    cpu,
    plan,
    stubs,
    serviceMs: SERVICE_MS,
    priceListRead: PRICE_LIST.read,
  };
}

async function withSenders<T>(
  kind: 'counted' | 'plain',
  use: (stack: ScaleStack, senders: Senders) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const script = new URL('stack-child.ts', import.meta.url).pathname;
  const stack = await startPrinting<ScaleStack>(script, [kind, folder, String(PAYERS)], READY_MS);
  try {
    return await use(stack, await openSenders(stack, SENDER_KEYS));
  } finally {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe({ title, perS, busiest, isolates, usdPerMonth }: PlanRow): string {
  const object = busiest
    ? `${busiest.class} ${busiest.callsPerS.toFixed(1)} calls a second, ${(100 * busiest.utilisation).toFixed(0)} % busy`
    : 'no object';
  return `modelled: ${title}, ${perS} a second: ${object}; ${isolates} isolates; ${usdPerMonth.toFixed(0)} USD a month`;
}

const AIM_NAMES: Readonly<Record<KindName, string>> = {
  unpaid: 'unpaid 402',
  management: 'calls of one tenant',
  audit: 'audits',
  measurement: 'measurements',
  push: 'pushes',
};

const planAims = (plan: readonly PlanRow[]): Aim[] =>
  plan.map(({ kind, perS, busiest }) =>
    atMost(
      `scale, modelled: busy time of the busiest object, ${AIM_NAMES[kind]}, ${perS.toLocaleString('en-US')} a second`,
      100 * (busiest?.utilisation ?? 0),
      100,
      '%',
    ),
  );

/** A wait that is shorter than what a busy machine adds says nothing: the run of long calls is judged. */
const stubAims = (stubs: readonly StubRun[]): Aim[] =>
  stubs
    .filter(({ title }) => title === BUSY.title)
    .map(({ measuredWaitMs, modelledWaitMs }) =>
      atMost(
        'scale, wait for an object in a run of several workerd against the model, either way',
        Math.max(measuredWaitMs / modelledWaitMs, modelledWaitMs / measuredWaitMs),
        MAX_OFF,
        'x',
      ),
    );
