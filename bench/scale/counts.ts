import { setTimeout as sleep } from 'node:timers/promises';
import type { Counted, CountedCall } from './counted.ts';
import { EVENTS, type Senders } from './kinds.ts';
import { type KindName, UNSEEN } from './plan-data.ts';
import type { ScaleStack } from './stack-child.ts';

/** What one request of a kind asks of one class of objects, on the average; a write is a call that writes a row. */
export type ClassUse = {
  class: string;
  /** The object that every request meets, where there is one; undefined where requests meet different ones. */
  only: string | undefined;
  reads: number;
  writes: number;
  rowsRead: number;
  rowsWritten: number;
};

/** `operations`: messages, operations and bytes of bindings for each request. */
export type RequestUse = { classes: readonly ClassUse[]; operations: Readonly<Record<string, number>> };
/** `cold`: each request names something that the isolate does not remember. `warm`: something that it does. */
export type KindCounts = { cold: RequestUse; warm: RequestUse; requests: number };

/** Requests of each kind, which are sent one after the other: what an object does then belongs to one of them. */
export const REQUESTS: Readonly<Record<KindName, number>> = {
  unpaid: 20,
  management: 20,
  audit: 4,
  measurement: 3,
  push: EVENTS.length,
};
/** Work that goes on after an answer: queues and alarms. */
const SETTLE_MS = 600;
/** Longer than an isolate remembers a token. */
const FORGET_MS = 11_000;

/** Counts what requests of every kind ask of objects, buckets and queues: first unknown to the isolate, then known. */
export async function countKinds(stack: ScaleStack, senders: Senders): Promise<Readonly<Record<KindName, KindCounts>>> {
  const counted: Partial<Record<KindName, KindCounts>> = {};
  for (const [name, { send }] of Object.entries(senders) as [KindName, Senders[KindName]][]) {
    const requests = REQUESTS[name];
    // What is made at first use (tables, tenants, catalogues) is no part of a request.
    for (let key = 0; key < requests; key += 1) await send(key);
    await sleep(FORGET_MS);
    const run = async (): Promise<RequestUse> => {
      await take(stack, name);
      for (let key = 0; key < requests; key += 1) await send(key);
      await sleep(SETTLE_MS);
      const unseen = UNSEEN.filter(({ kind }) => kind === name);
      return summarise(await take(stack, name), requests, unseen);
    };
    counted[name] = { cold: await run(), warm: await run(), requests };
  }
  return counted as Record<KindName, KindCounts>;
}

/** The directory of a push is the vendor's; here the control Worker is its stand-in, whose calls do not count. */
const listOrigins = ({ api, control, webhook }: ScaleStack, kind: KindName): readonly string[] =>
  kind === 'push' ? [webhook] : [api, control, webhook];

async function take(stack: ScaleStack, kind: KindName): Promise<Counted> {
  const all = await Promise.all(
    listOrigins(stack, kind).map(async (origin) => (await (await fetch(`${origin}/bench/counts`)).json()) as Counted),
  );
  const operations: Record<string, number> = {};
  for (const one of all)
    for (const [name, count] of Object.entries(one.operations)) operations[name] = (operations[name] ?? 0) + count;
  return { served: all.flatMap(({ served }) => served), operations };
}

type Unseen = { class: string; rowsRead: number; rowsWritten: number };

/** Sums calls up for one request. An object is a class's only one where every request meets it, and it alone. */
export function summarise({ served, operations }: Counted, requests: number, unseen: readonly Unseen[]): RequestUse {
  const groups = Map.groupBy(served, (call) => `${call.class} ${isMetByAll(call, served, requests) ? call.name : ''}`);
  const classes = [...groups.values()].map((calls) => useOf(calls, requests, served));
  const added = [...Map.groupBy(unseen, (one) => one.class)].map(([of, all]) => ({
    class: of,
    only: undefined,
    reads: 0,
    writes: all.length,
    rowsRead: all.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    rowsWritten: all.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  }));
  const each = Object.entries(operations).map(([name, count]) => [name, count / requests] as const);
  return { classes: [...classes, ...added], operations: Object.fromEntries(each) };
}

/** Whether as many calls came to this object as requests were sent, at least: then it is no one's own. */
const isMetByAll = ({ class: of, name }: CountedCall, served: readonly CountedCall[], requests: number): boolean =>
  requests > 1 && served.filter((call) => call.class === of).every((call) => call.name === name);

function useOf(calls: readonly CountedCall[], requests: number, served: readonly CountedCall[]): ClassUse {
  const [first] = calls;
  if (!first) throw new RangeError('a group has calls');
  const sum = (key: 'rowsRead' | 'rowsWritten') => calls.reduce((all, call) => all + call[key], 0) / requests;
  const writes = calls.filter(({ rowsWritten }) => rowsWritten > 0).length;
  return {
    class: first.class,
    only: isMetByAll(first, served, requests) ? first.name : undefined,
    reads: (calls.length - writes) / requests,
    writes: writes / requests,
    rowsRead: sum('rowsRead'),
    rowsWritten: sum('rowsWritten'),
  };
}
