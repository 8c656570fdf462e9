import { createShardPlacement } from '../../src/management/log-store/shards/placement.ts';
import { LIVE_PARTS } from '../../src/management/log-store/shards/settings.ts';
import { type Aim, atMost } from '../aims.ts';
import { type Stores, withStores } from './side.ts';
import { BATCH, idOf, timeOf } from './workload.ts';

/** `share`: of the fullest shard, times the number of shards. `ratio`: CPU in shards by that in one store. */
export type ShardResults = {
  placed: readonly { stream: string; share: number }[];
  storedShare: number;
  write: { storeUs: number; shardUs: number; ratio: number };
  pages: readonly { list: string; storeMs: number; shardsMs: number; ratio: number }[];
};

const WRITES = 100_000;
const REAL_WRITES = 4_000;
const ISOLATES = 50;
const ROUNDS = 7;
const CALLS = 2_000;
const LISTED = 20_000;
const LISTS = 100;
/** What a page over eight shards may cost of one over one store: each shard parses the filter and looks into its index. */
const PAGE_LIMIT = 5;

/** How evenly writes spread over shards, and what a write and a page cost there. */
export async function measureShards(say: (line: string) => void): Promise<ShardResults & { aims: readonly Aim[] }> {
  const placed = STREAMS.map(([stream, entries, isolates, keyOf]) => ({
    stream,
    share: shareOf(entries, isolates, keyOf),
  }));
  for (const { stream, share } of placed)
    say(`entries, placement of ${WRITES} writes, ${stream}: fullest ${share.toFixed(2)}/N`);
  const measured = await withStores(async (stores) => ({
    storedShare: await measureStoredShare(stores),
    write: await measureWrite(stores),
    pages: await measurePages(stores),
  }));
  const { storedShare, write, pages } = measured;
  say(`entries, ${REAL_WRITES} real writes of one entry: fullest shard ${storedShare.toFixed(2)}/N`);
  say(
    `entries, one write inside the object: store ${write.storeUs.toFixed(0)} us CPU, shard ${write.shardUs.toFixed(0)} us`,
  );
  for (const { list, storeMs, shardsMs, ratio } of pages)
    say(
      `entries:list, ${list}: one store ${storeMs.toFixed(2)} ms CPU, 8 shards ${shardsMs.toFixed(2)} ms: ${ratio.toFixed(2)} x`,
    );
  const worst = Math.max(...placed.map(({ share }) => share));
  const aims = [
    atMost('entries: fullest of N shards after 100,000 writes, by placement, worst stream', worst, 1.5, '/N'),
    atMost('entries: fullest of N shards as stored by real writes', storedShare, 1.5, '/N'),
    atMost('entries: CPU of one write in a shard by that in one store', write.ratio, 1.05, 'x'),
    atMost(
      'entries:list over 8 shards by one store, CPU of a page',
      Math.max(...pages.map(({ ratio }) => ratio)),
      PAGE_LIMIT,
      'x',
    ),
  ];
  return { aims, placed, storedShare, write, pages };
}

type Stream = readonly [name: string, entries: number, isolates: number, keyOf: (call: number) => string];

const STREAMS: readonly Stream[] = [
  ['single entries, ids that count', 1, 1, (call) => `${timeOf(call)} ${idOf(call)}`],
  ['single entries, ids that count, 50 isolates', 1, ISOLATES, (call) => `${timeOf(call)} ${idOf(call)}`],
  ['batches of 20, random ids, 50 isolates', 20, ISOLATES, () => Math.random().toString(36)],
  ['batches of 1,000, random ids', BATCH, 1, () => Math.random().toString(36)],
];

/** The first of a window go to one shard: as from tenants that were quiet until then. */
const QUIET = 1_000;

function shareOf(entries: number, isolates: number, keyOf: (call: number) => string): number {
  const placements = Array.from({ length: isolates }, () => createShardPlacement());
  const nowMs = Date.now();
  for (const placement of placements) placement.spread('t', nowMs);
  const rows = new Map<string, number>();
  const first =
    placements[0]?.choose('t', { key: '', parts: LIVE_PARTS, nowMs, weight: 0 }).name.replace(/\d+$/, '0') ?? '';
  rows.set(first, QUIET);
  for (let call = 0; call < (WRITES - QUIET) / entries; call += 1) {
    const chosen = placements[call % isolates]?.choose('t', {
      key: keyOf(call),
      parts: LIVE_PARTS,
      nowMs,
      weight: entries,
    });
    if (chosen !== undefined) rows.set(chosen.name, (rows.get(chosen.name) ?? 0) + entries);
  }
  return (Math.max(...rows.values()) / WRITES) * LIVE_PARTS;
}

async function measureStoredShare({ ask }: Stores): Promise<number> {
  const rowsNow = (): Promise<readonly number[]> => ask('C0spread', 'shards.rows', LIVE_PARTS);
  // The first thousand of a window are in one shard: they are counted with the 100,000 above.
  await ask('C0spread', 'shards.fillSingles', LIVE_PARTS, 0, BATCH, 'requests');
  const before = await rowsNow();
  for (let from = BATCH; from < REAL_WRITES + BATCH; from += BATCH)
    await ask('C0spread', 'shards.fillSingles', LIVE_PARTS, from, BATCH, 'requests');
  const rows = (await rowsNow()).map((count, part) => count - (before[part] ?? 0));
  return (Math.max(...rows) / REAL_WRITES) * rows.length;
}

async function measureWrite({ ask, cpuMs }: Stores): Promise<ShardResults['write']> {
  const least = { store: Number.POSITIVE_INFINITY, shard: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const side of round % 2 === 0 ? (['store', 'shard'] as const) : (['shard', 'store'] as const)) {
      const object = `C0write${side}`;
      await ask(object, 'ours.prepareSingles', round * CALLS, CALLS, 'requests');
      const before = cpuMs();
      await ask(object, 'ours.writeReady', CALLS, side === 'shard');
      if (round > 0) least[side] = Math.min(least[side], (cpuMs() - before) / CALLS);
    }
  return { storeUs: least.store * 1_000, shardUs: least.shard * 1_000, ratio: least.shard / least.store };
}

const PAGES: readonly (readonly [string, Record<string, string | number>])[] = [
  ['newest 50', { orderBy: 'timestamp desc', pageSize: 50 }],
  ['newest 1,000', { orderBy: 'timestamp desc', pageSize: 1_000 }],
  ['50 of one log and severity', { filter: 'log_id("service-3") severity>=WARNING', pageSize: 50 }],
];

async function measurePages({ ask, cpuMs }: Stores): Promise<ShardResults['pages']> {
  const sides = { store: 1, shards: LIVE_PARTS } as const;
  for (let from = 0; from < LISTED; from += BATCH)
    for (const [side, parts] of Object.entries(sides))
      // Calls of ten: a batch would lie in one shard.
      await ask(`C0list${side}`, 'shards.fillTens', parts, from, BATCH, 'requests');
  const results: ShardResults['pages'][number][] = [];
  for (const [list, body] of PAGES) {
    const least = { store: Number.POSITIVE_INFINITY, shards: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const side of ['store', 'shards'] as const) {
        const before = cpuMs();
        await ask(`C0list${side}`, 'shards.list', sides[side], body, LISTS);
        if (round > 0) least[side] = Math.min(least[side], (cpuMs() - before) / LISTS);
      }
    results.push({ list, storeMs: least.store, shardsMs: least.shards, ratio: least.shards / least.store });
  }
  return results;
}
