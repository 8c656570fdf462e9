import type { JsonObject } from '../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../lib/refusal.ts';
import { createTables, type Sql } from '../../lib/sqlite.ts';
import { requireShort } from '../core/engine/execute.ts';
import type { CallAnswer, Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { FilterTooSlow, type Meter, createMeter, runWithLimit } from '../core/filter/index.ts';
import { createBucketStore, type KnownBuckets } from './buckets.ts';
import { findStorePlace, readListCall } from './list.ts';
import { deleteLog, listLogs, type LogPage, readLogPage } from './logs.ts';
import { createFilterMatchers } from './matchers.ts';
import type { BucketFacts, EntryOrder } from './order.ts';
import {
  type EntryQuery,
  type EntryPage,
  readEntryPage,
  readEntryRowPage,
  type PageTools,
  type EntryRowPage,
} from './page.ts';
import { type Purge, createEntryPurge } from './purge.ts';
import { type EntryWritePlan, keepEntries, planEntries } from './retention.ts';
import { type PlacedEntry, type PlacedListener, createEntryRouter } from './routing.ts';
import type { OldestOwn } from './shards/directory.ts';
import type { RoomAsk } from './shards/lease.ts';
import type { Bounds } from './shards/placement.ts';
import { createStreams } from './streams.ts';
import { type Stamps, createEntryStamps, writePlan } from './write.ts';

/**
 * Entries lie in streams: those of one log and severity in one bucket, by time and id; what the service wrote itself
 * (`own`) in streams of their own. `first` and `last` are times that no entry of the stream is outside of. `dropped` are
 * streams that are gone, whose entries are still to be deleted. `purged`: of buckets with this retention, entries up to
 * `seq` have been deleted; a `seq` is never smaller than that of an entry that came before and is still there. `bucket` is
 * what the tenant's resources said of each (order.ts, `BucketFacts`), `doubted` since when that may hold no more.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS stream (id INTEGER PRIMARY KEY, bucket TEXT NOT NULL, log TEXT NOT NULL,
     severity INTEGER NOT NULL, own INTEGER NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS entry (seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, ts TEXT NOT NULL,
     insert_id TEXT NOT NULL, received_ms INTEGER NOT NULL, trace TEXT, json TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX IF NOT EXISTS entry_place ON entry (stream, ts, insert_id)',
  `CREATE INDEX IF NOT EXISTS entry_trace ON entry (trace, stream, ts, insert_id) WHERE trace IS NOT NULL`,
  'CREATE TABLE IF NOT EXISTS dropped (stream INTEGER PRIMARY KEY)',
  `CREATE TABLE IF NOT EXISTS bucket (name TEXT PRIMARY KEY, retention_days INTEGER NOT NULL, generation TEXT NOT NULL,
     gone_ms INTEGER, told_ms INTEGER NOT NULL) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS doubted (name TEXT PRIMARY KEY, since_ms INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS purged (retention_days INTEGER PRIMARY KEY, seq INTEGER NOT NULL)',
];

/** Makes the tables of entries where they are missing. */
export const createEntryTables = (sql: Sql): void => void createTables(sql, SCHEMA);

/** What the log entries of a tenant depend on. */
export type EntryTools = {
  sql: Sql;
  transaction: <T>(work: () => T) => T;
  /** Real time, Unix milliseconds. */
  now: () => number;
  /** Random bytes as hex. */
  random: (bytes: number) => string;
  /** Bytes that the tenant's database takes. */
  databaseBytes: () => number;
  /** Bytes that it may take; what the service writes itself may take more. */
  mostBytes?: () => number;
  /** Of a shard, in the place of that: whether its lease covers a write. @throws LeaseNeeded where it does not */
  requireLease?: (asked: () => RoomAsk) => boolean;
};

/** The log entries of one tenant. */
export type EntryState = {
  /** Learns what an order says of buckets; `run` does so too. @returns whether that was new: `purge` may be due earlier */
  learn: (order: EntryOrder) => boolean;
  /** The same for what another store knows of buckets. */
  learnKnown: (known: KnownBuckets) => boolean;
  /** Does an order on log entries: one transaction. Null: the answer that the tenant's resources gave holds. */
  run: (tenant: Tenant, call: Call, order: EntryOrder) => CallAnswer | null;
  isEmpty: (bucket: string) => boolean;
  /** One page of what is kept, for lists and copies. */
  page: (ask: EntryQuery) => EntryPage;
  /** The same with places, to be merged with those of other stores. */
  rows: (ask: EntryQuery) => EntryRowPage;
  /** Names of logs, to be merged likewise. */
  logNames: (order: Extract<EntryOrder, { do: 'logs' }>, ask: { after: string; limit: number }) => LogPage;
  /** Times that no entry is outside of; undefined without entries. */
  bounds: () => Bounds | undefined;
  /** What is known of buckets and not doubted. */
  buckets: () => KnownBuckets;
  /** When others are to be asked about buckets that are doubted, Unix milliseconds; undefined where none is. */
  nextDoubtMs: () => number | undefined;
  /** Deletes some of the oldest entries that the service wrote itself. @returns how many */
  evict: () => number;
  oldestOwn: () => OldestOwn;
  /** Whether it has no entries, not even such as are to be deleted. */
  isVoid: () => boolean;
  /** Whether it has had as many entries as this. */
  hasHad: (count: number) => boolean;
  /** Deletes, in a bounded step, what is no longer kept. */
  purge: () => void;
  /** When `purge` is due, Unix milliseconds; undefined where there is nothing to wait for. */
  nextPurgeMs: () => number | undefined;
  /** Hears of what was written, in the same transaction. */
  onWritten: (listener: PlacedListener) => void;
  /** Receives what was written, once it is committed. */
  afterWritten: (listener: PlacedListener) => void;
  /** Does its part of a reset, in the same transaction. */
  onReset: (work: () => void) => void;
};

/** What the entries of a tenant may take (rule K9); above it nothing is written until something is deleted. */
export const MAX_ENTRY_BYTES_KEPT = 1_073_741_824;
/** What the service may keep above that of itself, so that callers who fill the tenant leave it its log. */
export const OWN_BYTES_KEPT = 536_870_912;
/** Work that the filters of sinks have with the entries of one call (filter/meter.ts), about a tenth of a second (rule K9). */
export const MAX_ROUTING_WORK = 10_000_000;

type Parts = EntryTools &
  PageTools & { purge: Purge; stamps: Stamps; meter: Meter; listeners: PlacedListener[]; resets: (() => void)[] };
type WriteOrder = Extract<EntryOrder, { do: 'write' }>;

export function createEntryStore(tools: EntryTools): EntryState {
  createEntryTables(tools.sql);
  const streams = createStreams(tools.sql);
  const buckets = createBucketStore(tools.sql, streams);
  const purge = createEntryPurge({ ...tools, streams, buckets });
  const meter = createMeter();
  const parts: Parts = {
    ...tools,
    streams,
    buckets,
    purge,
    meter,
    matchers: createFilterMatchers(meter),
    stamps: createEntryStamps(tools.now, tools.random),
    listeners: [],
    resets: [],
  };
  const after: PlacedListener[] = [];
  const transaction = <T>(work: () => T): T => {
    try {
      const result = tools.transaction(work);
      streams.stand();
      return result;
    } catch (error) {
      streams.undo(); // What is kept in memory follows the transaction.
      buckets.reload();
      throw error;
    }
  };
  const learn = (order: EntryOrder): boolean => {
    const [facts, asOfMs] = getBucketFacts(order, tools.now());
    const isNews = buckets.isNews(facts, asOfMs);
    if (isNews) transaction(() => buckets.learn(facts, asOfMs));
    return isNews;
  };
  return {
    learn,
    learnKnown: (known) => adoptKnownBuckets(known, learn),
    run(tenant, call, order) {
      let placed: readonly PlacedEntry[] = [];
      if (order.do !== 'write') learn(order);
      const answer = captureEntryAnswer(() => {
        if (order.do !== 'write') return runEntryOrder(tenant, call, order, parts, transaction);
        const written = transaction(() => write(call, order, parts));
        placed = written.placed;
        return written.answer;
      });
      if (placed.length > 0) for (const listener of after) listener(placed);
      return answer;
    },
    isEmpty: (bucket) => [...streams.inBucket(bucket)].length === 0,
    page: (ask) => readEntryPage(ask, parts),
    rows: (ask) => readEntryRowPage(ask, parts),
    logNames: (order, ask) => readLogPage(order, ask, parts),
    bounds: () => computeBounds(streams.all()),
    buckets: buckets.facts,
    nextDoubtMs: () => buckets.nextDoubtMs(tools.now()),
    evict: () => transaction(purge.makeRoom),
    oldestOwn: purge.oldestOwn,
    isVoid: purge.isVoid,
    hasHad: (count) => tools.sql.exec('SELECT seq FROM entry WHERE seq >= ? LIMIT 1', count).toArray().length > 0,
    purge: () => transaction(purge.step),
    nextPurgeMs: purge.nextMs,
    onWritten: (listener) => parts.listeners.push(listener),
    afterWritten: (listener) => after.push(listener),
    onReset: (work) => parts.resets.push(work),
  };
}

function adoptKnownBuckets(known: KnownBuckets, learn: EntryState['learn']): boolean {
  let isNews = false;
  for (const [facts, madeMs] of known) isNews = learn({ do: 'buckets', buckets: [facts], madeMs }) || isNews;
  return isNews;
}

/** `entries:list`: one page of what the sources have. */
function listEntries(tenant: Tenant, call: Call, order: Extract<EntryOrder, { do: 'list' }>, parts: Parts): JsonObject {
  const { after, answer, text: _text, ...ask } = readListCall(tenant, call, order, parts.now());
  return answer(readEntryPage({ ...order, ...ask, after: findStorePlace(after, '') }, parts));
}

/** An order that writes no entries. */
function runEntryOrder(
  tenant: Tenant,
  call: Call,
  order: Exclude<EntryOrder, WriteOrder>,
  parts: Parts,
  transaction: EntryTools['transaction'],
): CallAnswer | null {
  switch (order.do) {
    case 'list':
      return buildReadAnswer(listEntries(tenant, call, order, parts), call);
    case 'logs':
      return buildReadAnswer(listLogs(tenant, call, order, parts), call);
    case 'deleteLog':
      transaction(() => deleteLog(order, parts));
      return null;
    case 'buckets':
      return null; // It has been learned.
    case 'doubtBuckets':
      transaction(() => parts.buckets.doubt(parts.now()));
      return null;
    case 'reset':
      transaction(() => reset(parts));
      return null;
    default:
      throw new Error(`Order ${order.do} is not one on log entries`);
  }
}

function write(call: Call, order: WriteOrder, parts: Parts): { answer: CallAnswer; placed: readonly PlacedEntry[] } {
  const { entries, answer } = writePlan(call, order.nowMs, parts.stamps);
  if (entries.length === 0) return { answer, placed: [] };
  parts.buckets.learn(...getBucketFacts(order, parts.now()));
  const route = createEntryRouter(order, parts.matchers);
  // What the service writes itself is of real time: the tenant's clock hides it, and loses none of it (rule K2).
  const keptByMs = order.isOwn === true ? parts.now() : order.nowMs;
  const plan = runWithLimit([parts.meter], MAX_ROUTING_WORK, () =>
    planEntries(entries, { nowMs: keptByMs, route }, parts.buckets),
  );
  requireRoom(plan, order, parts);
  const placed = keepEntries(plan, { ...parts, receivedMs: parts.now(), isOwn: order.isOwn === true });
  for (const listener of parts.listeners) listener(placed);
  return { answer, placed };
}

/** What an order says of buckets, and when that was said. */
const getBucketFacts = (order: EntryOrder, nowMs: number): [facts: readonly BucketFacts[], asOfMs: number] => [
  'buckets' in order ? order.buckets : [],
  order.madeMs ?? nowMs,
];

/** What the service writes itself takes the place of its own oldest entries. @throws Refusal where nothing makes room */
function requireRoom({ bytes, first, last }: EntryWritePlan, order: WriteOrder, parts: Parts): void {
  const isOwn = order.isOwn === true;
  const { databaseBytes, mostBytes, purge } = parts;
  if (parts.requireLease?.(() => ({ bytes, isOwn, ...(first !== undefined && { first, last }) })) === true) return;
  const most = (mostBytes?.() ?? MAX_ENTRY_BYTES_KEPT) + (isOwn ? OWN_BYTES_KEPT : 0);
  if (databaseBytes() + bytes <= most || (isOwn && purge.makeRoom() > 0)) return;
  throw refuseFullTenant();
}

/** Of a tenant that has all the entries that it may. */
export function refuseFullTenant(): Refusal {
  const message =
    'The tenant keeps as many log entries as it may: delete logs, or let buckets keep them for fewer days';
  return new Refusal({ status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'quotaExceeded', message });
}

function computeBounds(streams: Iterable<Bounds>): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const { first, last } of streams)
    bounds = {
      first: bounds !== undefined && bounds.first < first ? bounds.first : first,
      last: bounds !== undefined && bounds.last > last ? bounds.last : last,
    };
  return bounds;
}

/** What the service wrote itself stays (rule K2), for as long as the buckets that now are there will say. */
function reset({ streams, buckets, resets, now }: Parts): void {
  buckets.doubt(now());
  streams.drop([...streams.all()].filter(({ isOwn }) => !isOwn));
  for (const work of resets) work();
}

function buildReadAnswer(body: JsonObject, call: Call): CallAnswer {
  requireShort(body, call);
  return { ok: true, status: 200, body };
}

function captureEntryAnswer(work: () => CallAnswer | null): CallAnswer | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    if (error instanceof FilterTooSlow) return { ok: false, refusal: refuseTooMuchWork().data };
    throw error;
  }
}

/** Only a write comes to it: a page ends, and goes on with the next. */
const refuseTooMuchWork = (): Refusal =>
  vendorRefusals.invalid(
    'The filters of the sinks take too much work on these entries: write fewer in one call, or make the filters simpler',
  );
