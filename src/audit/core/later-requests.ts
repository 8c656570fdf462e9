import { runForEach } from '../../lib/concurrency.ts';
import { createRedirectShares, type RedirectShare } from '../../net/redirect-share.ts';
import type { Gather, Wanted } from './artifact.ts';
import type { LaterGatherer } from './artifacts.ts';

/** Redirects that no one foresaw, for which a batch leaves room. */
const SPARE = 5;

/** What of one audit the later requests need beside what gatherers see. */
export type LaterTools = {
  gather: Gather;
  /** Whether a role was asked. */
  isAsked: (role: string) => boolean;
  /** The same for requests that are exactly the same: one is made for all. */
  keyOf: (wanted: Wanted) => string;
  isMade: (key: string) => boolean;
  send: (wanted: Wanted, share: RedirectShare) => Promise<unknown>;
  /** The most redirects that an answer of the site took so far. */
  countRedirects: () => number;
};

/** A gatherer that may still ask: what it wants, once that is known, and how many of its requests went out. */
type Open = { row: LaterGatherer; wanted?: readonly Wanted[]; asked: number };

/** Requests that go out together. `isFull`: the next one waits until they are answered. */
type Batch = {
  room: number;
  each: number;
  most: number;
  cost: number;
  isFull: boolean;
  sends: Send[];
  /** The requests that it adds. */
  keys: Set<string>;
};
type Send = { row: LaterGatherer; wanted: Wanted };

/**
 * Makes the requests of the later gatherers, together as far as the budget surely holds them: their order alone decides
 * who goes without, so that the same site gives the same requests whatever answers first. A batch is filled only when all
 * before it is answered, from what was found and what is left, never from the time.
 */
export async function makeLaterRequests(rows: readonly LaterGatherer[], tools: LaterTools): Promise<void> {
  let open: readonly Open[] = rows.map((row) => ({ row, asked: 0 }));
  while (open.length > 0) {
    const batch = startBatch(tools);
    open = await fillBatch(batch, open, tools);
    await sendBatch(batch, tools);
  }
}

function startBatch({ gather, countRedirects }: LaterTools): Batch {
  const room = gather.room();
  const each = 1 + countRedirects();
  // Where nothing redirected so far, the last few are not made one after the other for fear of a redirect.
  const spare = each === 1 && room <= SPARE ? 0 : SPARE;
  return { room, each, most: room - spare, cost: 0, isFull: false, sends: [], keys: new Set() };
}

/** @returns who may still ask when the batch is answered */
async function fillBatch(batch: Batch, open: readonly Open[], tools: LaterTools): Promise<readonly Open[]> {
  const later: Open[] = [];
  for (const one of open) {
    batch.isFull ||= one.row.takesRest === true && one.wanted === undefined && batch.cost > 0;
    const left = batch.isFull ? one : await takeFrom(one, batch, tools);
    if (left) later.push(left);
  }
  return later;
}

/** Takes what fits of one gatherer's requests, in their order. */
async function takeFrom(one: Open, batch: Batch, tools: LaterTools): Promise<Open | undefined> {
  const { row } = one;
  const planned = one.wanted ?? (await row.plan(tools.gather));
  const wanted = planned.filter(({ role }) => !tools.isAsked(role));
  let { asked } = one;
  for (const [index, next] of wanted.entries()) {
    const key = tools.keyOf(next);
    const cost = tools.isMade(key) || batch.keys.has(key) ? 0 : computeCost(next, batch);
    if (cost > 0 && batch.room === 0) {
      if (next.ifRoom !== true) batch.sends.push({ row, wanted: next }); // It is recorded as refused.
      continue;
    }
    if (batch.cost > 0 && cost > 0 && batch.cost + cost > batch.most) {
      batch.isFull = true;
      return { row, wanted: wanted.slice(index), asked };
    }
    batch.cost += cost;
    if (cost > 0) batch.keys.add(key);
    asked += 1;
    batch.sends.push({ row, wanted: next });
  }
  // Requests that wait for others of their own must not be waited for: none of another gatherer goes beside them.
  batch.isFull ||= row.atOnce !== undefined && wanted.length > 0;
  if (batch.room === 0 || !wanted.some(({ leads }) => leads === true)) return undefined;
  // What its answers lead to goes before all that counts less.
  batch.cost += Math.max(0, row.atMost - asked) * batch.each;
  return { row, asked };
}

/** A redirect of a POST or an OPTIONS is not followed. */
const computeCost = ({ target: { method } }: Wanted, { each }: Batch): number =>
  method === 'POST' || method === 'OPTIONS' ? 1 : each;

async function sendBatch({ sends, room, keys }: Batch, { send }: LaterTools): Promise<void> {
  const shares = createRedirectShares(room - keys.size);
  const byRow = Map.groupBy(sends, ({ row }) => row);
  await Promise.all(
    [...byRow].map(([row, mine]) => {
      const joined = mine.map(({ wanted }) => ({ wanted, share: shares.join() }));
      return runForEach(joined, row.atOnce ?? joined.length, async ({ wanted, share }) => {
        await send(wanted, share);
        share.end();
      });
    }),
  );
}
