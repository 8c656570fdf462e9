import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { BucketFacts } from './order.ts';
import type { Streams } from './streams.ts';

/** What is known of buckets, each with the time at which it was said. */
export type KnownBuckets = readonly (readonly [BucketFacts, number])[];

/** What orders say of buckets: how long each keeps entries, and when it is gone. */
export type Buckets = {
  /** Whether facts that were given at this time, Unix milliseconds, say anything that is not known. */
  isNews: (facts: readonly BucketFacts[], asOfMs: number) => boolean;
  /**
   * Takes in bucket facts: the latest reading wins, in whatever order the readings arrive. Entries of a deleted bucket
   * are dropped, and so are those of an earlier bucket with the same name.
   */
  learn: (facts: readonly BucketFacts[], asOfMs: number) => void;
  /** What is known may hold no more: until they are spoken of again, buckets keep entries as long as any may. */
  doubt: (nowMs: number) => void;
  /** When others are to be asked about those that are doubted and have entries, Unix milliseconds: once a day. */
  nextDoubtMs: (nowMs: number) => number | undefined;
  /** Undefined for a bucket that no order spoke of. */
  retentionDays: (bucket: string) => number | undefined;
  /** Each retention that some bucket has. */
  retentions: () => Iterable<number>;
  /** Drops entries of deleted buckets that were not restored in time. @returns whether there was one */
  bury: (nowMs: number) => boolean;
  /** When the next one is to be buried, Unix milliseconds. */
  nextBurialMs: () => number | undefined;
  /** All that is known and not doubted, for stores that know less. */
  facts: () => KnownBuckets;
  reload: () => void;
};

/**
 * `goneMs`: when a deleted bucket is gone for good; `asOfMs`: when this was reported; `doubtedMs`: since when it may hold no
 * more. Unix milliseconds.
 */
type BucketState = { retentionDays: number; generation: string; goneMs?: number; asOfMs: number; doubtedMs?: number };

/** The longest retention that a bucket may have: ten years. */
const LONGEST_DAYS = 3_650;
/** Two clocks tell the end of a bucket: what is so near to what is known says nothing new. */
const SAME_END_MS = 60_000;

const KEEP = `INSERT INTO bucket VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET retention_days = excluded.retention_days,
  generation = excluded.generation, gone_ms = excluded.gone_ms, told_ms = excluded.told_ms`;

export function createBucketStore(sql: Sql, streams: Streams): Buckets {
  const all = new Map<string, BucketState>();
  const reload = (): void => {
    all.clear();
    for (const row of sql.exec('SELECT * FROM bucket LEFT JOIN doubted USING (name)'))
      all.set(String(row['name']), readBucketState(row));
  };
  const lose = (name: string): void => {
    streams.drop([...streams.inBucket(name)]);
    sql.exec('DELETE FROM bucket WHERE name = ?', name);
    sql.exec('DELETE FROM doubted WHERE name = ?', name);
    all.delete(name);
  };
  const keep = (name: string, next: BucketState): void => {
    const before = all.get(name);
    if (before !== undefined && before.generation !== next.generation) streams.drop([...streams.inBucket(name)]);
    const { retentionDays, generation, goneMs = null, asOfMs } = next;
    sql.exec(KEEP, name, retentionDays, generation, goneMs, asOfMs);
    if (before?.doubtedMs !== undefined) sql.exec('DELETE FROM doubted WHERE name = ?', name);
    const [stream] = streams.inBucket(name);
    // Its entries count by another retention now, which may have passed by them.
    if (stream !== undefined && before?.retentionDays !== retentionDays) resetPurgeProgress(retentionDays, sql);
    all.set(name, next);
  };
  const isNew = (each: BucketFacts, asOfMs: number): boolean => {
    const known = all.get(each.name);
    if (known === undefined) return each.isGone !== true;
    if (asOfMs < Math.max(known.asOfMs, known.doubtedMs ?? 0)) return false;
    return each.isGone === true || known.doubtedMs !== undefined || !isSame(known, buildBucketState(each, asOfMs));
  };
  reload();
  return {
    isNews: (facts, asOfMs) => facts.some((each) => isNew(each, asOfMs)),
    learn(facts, asOfMs) {
      for (const each of facts) {
        if (!isNew(each, asOfMs)) continue;
        if (each.isGone === true) lose(each.name);
        else keep(each.name, buildBucketState(each, asOfMs));
      }
    },
    doubt(nowMs) {
      sql.exec('INSERT OR REPLACE INTO doubted SELECT name, ? FROM bucket', nowMs);
      sql.exec('UPDATE bucket SET retention_days = ?, gone_ms = NULL', LONGEST_DAYS);
      resetPurgeProgress(LONGEST_DAYS, sql);
      reload();
    },
    nextDoubtMs: (nowMs) => findNextAsk(all, streams, nowMs),
    retentionDays: (bucket) => all.get(bucket)?.retentionDays,
    retentions: () => new Set([...all.values()].map(({ retentionDays }) => retentionDays)),
    bury(nowMs) {
      const gone = [...all].filter(([, { goneMs }]) => goneMs !== undefined && goneMs <= nowMs);
      for (const [name] of gone) lose(name);
      return gone.length > 0;
    },
    nextBurialMs() {
      const ends = [...all.values()].flatMap(({ goneMs }) => goneMs ?? []);
      return ends.length === 0 ? undefined : ends.reduce((first, end) => Math.min(first, end));
    },
    facts: () =>
      [...all]
        .filter(([, { doubtedMs }]) => doubtedMs === undefined)
        .map(([name, state]) => [buildBucketFacts(name, state), state.asOfMs] as const),
    reload,
  };
}

/** Where a bucket has no entries it does not matter. */
function findNextAsk(all: ReadonlyMap<string, BucketState>, streams: Streams, nowMs: number): number | undefined {
  const asks: number[] = [];
  for (const [name, { doubtedMs }] of all)
    if (doubtedMs !== undefined && [...streams.inBucket(name)].length > 0) asks.push(computeNextAsk(doubtedMs, nowMs));
  return asks.length === 0 ? undefined : Math.min(...asks);
}

/** A day later, and each day after that. */
const computeNextAsk = (doubtedMs: number, nowMs: number): number =>
  doubtedMs + (Math.max(0, Math.floor((nowMs - doubtedMs) / DAY_MS)) + 1) * DAY_MS;

const resetPurgeProgress = (retentionDays: number, sql: Sql): void => {
  sql.exec('DELETE FROM purged WHERE retention_days = ?', retentionDays);
};

const buildBucketState = (
  { retentionDays, keptDays = retentionDays, generation = '', goneInMs }: BucketFacts,
  asOfMs: number,
): BucketState => ({
  retentionDays: keptDays,
  generation,
  ...(goneInMs !== undefined && { goneMs: asOfMs + goneInMs }),
  asOfMs,
});

const buildBucketFacts = (name: string, { retentionDays, generation, goneMs, asOfMs }: BucketState): BucketFacts => ({
  name,
  retentionDays,
  generation,
  ...(goneMs !== undefined && { goneInMs: goneMs - asOfMs }),
});

const isSame = (a: BucketState, b: BucketState): boolean =>
  a.retentionDays === b.retentionDays && a.generation === b.generation && isSameEnd(a.goneMs, b.goneMs);

const isSameEnd = (a: number | undefined, b: number | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Math.abs(a - b) < SAME_END_MS;

const readBucketState = (row: SqlRow): BucketState => ({
  retentionDays: Number(row['retention_days']),
  generation: String(row['generation']),
  ...(row['gone_ms'] !== null && { goneMs: Number(row['gone_ms']) }),
  asOfMs: Number(row['told_ms']),
  ...(row['since_ms'] !== null && { doubtedMs: Number(row['since_ms']) }),
});
