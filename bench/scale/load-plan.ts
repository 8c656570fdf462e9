import type { ClassUse, KindCounts, RequestUse } from './counts.ts';
import { ISOLATE_UTILISATION, type Kind, MEMORY_S, SPREAD, WALL_UTILISATION } from './plan-data.ts';
import {
  ANSWER_S,
  OBJECT_GB,
  OPERATIONS_PER_MESSAGE,
  PLATFORM_LIMITS,
  PRICE_LIST,
  PROMPTS_PER_CONSUMER,
  type PricedUse,
  SERVICE_MS,
} from './price-list-data.ts';
import { type Arrivals, computeUtilisation, computeWaitMs } from './queueing.ts';

/** One object of a class at the rate of the plan; all of it is modelled from counted calls. */
export type ObjectLoad = {
  class: string;
  objects: number;
  by: string;
  callsPerS: number;
  utilisation: number;
  /** Undefined where the queue grows without end. */
  waitMs: number | undefined;
};

/** What one kind asks for at its rate. `usdPerMonth` is modelled; `cpuUs` is measured. */
export type PlanRow = {
  kind: Kind['name'];
  title: string;
  perS: number;
  cpuUs: number;
  objectCalls: number;
  rowsWritten: number;
  isolates: number;
  busiest: ObjectLoad | undefined;
  objects: readonly ObjectLoad[];
  usdPerMonth: number;
  /** The dearest part of the bill. */
  dearest: PricedUse;
  /** Requests a second at which the busiest object becomes a wall; undefined where no object is asked. */
  wallPerS: number | undefined;
  /** The same of the queue that is full first; undefined where none is used. */
  queueWall: QueueWall | undefined;
};

export type QueueWall = { queue: string; perS: number };

const SECONDS_PER_MONTH = 30 * 86_400;
const CORE_US = 1e6;

/** @param cpuUs CPU of one request as measured, in microseconds */
export function planKind(kind: Kind, { cold, warm }: KindCounts, cpuUs: number): PlanRow {
  const isolates = Math.max(1, Math.ceil((kind.perS * cpuUs) / CORE_US / ISOLATE_UTILISATION));
  const coldShare = computeColdShare(kind, isolates);
  const use = mix(cold, warm, coldShare);
  const objects = use.classes.map((one) => loadObject(one, kind.perS));
  const [busiest] = objects.toSorted((one, other) => other.utilisation - one.utilisation);
  const bill = computeBill(kind.perS, use, cpuUs);
  const [[dearest] = ['requests' as const]] = bill.parts.toSorted(([, one], [, other]) => other - one);
  return {
    kind: kind.name,
    title: kind.title,
    perS: kind.perS,
    cpuUs,
    objectCalls: sumOf(use, ({ reads, writes }) => reads + writes),
    rowsWritten: sumOf(use, ({ rowsWritten }) => rowsWritten),
    isolates,
    busiest,
    objects,
    usdPerMonth: bill.usd,
    dearest,
    wallPerS: busiest && findWall(kind.perS, busiest),
    queueWall: findQueueWall(use),
  };
}

/**
 * The share of requests that name what their isolate does not remember: each isolate asks about each key once in the time
 * that it remembers, or at every request where requests are rarer than that.
 */
export const computeColdShare = ({ perS, keys }: Kind, isolates: number): number =>
  Math.min(1, (isolates * keys.count) / MEMORY_S / perS);

/** Requests of which a share is cold, on the average; classes that one side never asks count as nothing there. */
function mix(cold: RequestUse, warm: RequestUse, coldShare: number): RequestUse {
  const all = [
    ...cold.classes.map((one) => scale(one, coldShare)),
    ...warm.classes.map((one) => scale(one, 1 - coldShare)),
  ];
  const classes = [...Map.groupBy(all, (one) => `${one.class} ${one.only ?? ''}`).values()].map(addUp);
  const operations: Record<string, number> = {};
  for (const [side, share] of [
    [cold, coldShare],
    [warm, 1 - coldShare],
  ] as const)
    for (const [name, count] of Object.entries(side.operations))
      operations[name] = (operations[name] ?? 0) + count * share;
  return { classes, operations };
}

const scale = (one: ClassUse, by: number): ClassUse => ({
  ...one,
  reads: one.reads * by,
  writes: one.writes * by,
  rowsRead: one.rowsRead * by,
  rowsWritten: one.rowsWritten * by,
});

const addUp = (same: readonly ClassUse[]): ClassUse =>
  same.reduce((sum, one) => ({
    ...sum,
    reads: sum.reads + one.reads,
    writes: sum.writes + one.writes,
    rowsRead: sum.rowsRead + one.rowsRead,
    rowsWritten: sum.rowsWritten + one.rowsWritten,
  }));

const sumOf = ({ classes }: RequestUse, select: (one: ClassUse) => number): number =>
  classes.reduce((sum, one) => sum + select(one), 0);

/** @throws RangeError for a class whose calls go to several objects, and which the plan has no number for */
function loadObject(one: ClassUse, perS: number): ObjectLoad {
  const declared = SPREAD[one.class];
  const isShared = one.only !== undefined && declared?.always !== true;
  const spread = isShared ? { objects: 1, by: 'one for all' } : declared;
  if (spread === undefined) throw new RangeError(`${one.class} is spread over objects: say over how many in SPREAD`);
  const arrivals: readonly Arrivals[] = [
    { perS: (perS * one.reads) / spread.objects, serviceMs: SERVICE_MS.read },
    { perS: (perS * one.writes) / spread.objects, serviceMs: SERVICE_MS.write },
  ];
  const waitMs = computeWaitMs(arrivals);
  return {
    class: one.class,
    objects: spread.objects,
    by: spread.by,
    callsPerS: (perS * (one.reads + one.writes)) / spread.objects,
    utilisation: computeUtilisation(arrivals),
    waitMs: Number.isFinite(waitMs) ? waitMs : undefined,
  };
}

/** Where an object is too busy by the time of its calls, or gets as many as the platform lets it have. */
const findWall = (perS: number, { utilisation, callsPerS }: ObjectLoad): number =>
  perS / Math.max(utilisation / WALL_UTILISATION, callsPerS / PLATFORM_LIMITS.objectPerS);

/** A queue takes so many messages a second; that of prompts is worked off by so many consumers, which wait for an engine. */
function findQueueWall({ operations }: RequestUse): QueueWall | undefined {
  const { queueConsumers, queueMessagesPerS } = PLATFORM_LIMITS;
  const worked = (queueConsumers * PROMPTS_PER_CONSUMER) / ANSWER_S;
  const walls = Object.entries(operations).flatMap(([name, count]): QueueWall[] => {
    const [queue = '', method = ''] = name.split('.');
    if (!method.startsWith('send') || count === 0) return [];
    return [{ queue, perS: Math.min(queueMessagesPerS, queue === 'PROMPTS' ? worked : Infinity) / count }];
  });
  return walls.toSorted((one, other) => one.perS - other.perS)[0];
}

/** A month of one kind at its rate, by the price list; what the plan includes is taken off, as if it were alone. */
export function computeBill(
  perS: number,
  use: RequestUse,
  cpuUs: number,
): { usd: number; parts: [PricedUse, number][] } {
  const requests = perS * SECONDS_PER_MONTH;
  const calls = sumOf(use, ({ reads, writes }) => reads + writes);
  const busyMs = sumOf(use, ({ reads, writes }) => reads * SERVICE_MS.read + writes * SERVICE_MS.write);
  const operation = (end: string): number =>
    Object.entries(use.operations).reduce((sum, [name, count]) => sum + (name.endsWith(end) ? count : 0), 0);
  const messages = operation('.send') + operation('.sendBatch');
  const each: Record<PricedUse, number> = {
    requests: 1,
    cpuMs: cpuUs / 1000,
    objectCalls: calls,
    objectGbS: (busyMs / 1000) * OBJECT_GB,
    rowsRead: sumOf(use, ({ rowsRead }) => rowsRead),
    rowsWritten: sumOf(use, ({ rowsWritten }) => rowsWritten),
    bucketWrites: operation('.put') + operation('.list'),
    bucketReads: operation('.get') + operation('.head'),
    // Reports and recordings of the month; they are deleted after 60 days at the latest.
    bucketGb: operation('.bytes') / 1e9,
    queueOperations: messages * OPERATIONS_PER_MESSAGE,
    logEvents: 1,
  };
  const parts = (Object.entries(each) as [PricedUse, number][]).map(([name, count]): [PricedUse, number] => {
    const { included, usdPerMillion } = PRICE_LIST[name];
    return [name, (Math.max(0, count * requests - included) * usdPerMillion) / 1e6];
  });
  return { usd: PRICE_LIST.planUsd + parts.reduce((sum, [, usd]) => sum + usd, 0), parts };
}
