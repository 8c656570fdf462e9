import type { CallAnswer, Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { ListCursor } from '../core/engine/stored-row.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { KnownBuckets } from './buckets.ts';
import type { LogPage } from './logs.ts';
import type { EntryOrder } from './order.ts';
import type { EntryRowPage } from './page.ts';
import type { OwnOutcome, OwnRecords } from './self-telemetry.ts';
import type { Lease, LeaseAsk, ShardRow } from './shards/directory.ts';
import type { Evicted } from './shards/home.ts';
import type { ShardAddress } from './shards/lease.ts';
import type { ShardName } from './shards/placement.ts';
import type { RelayedText } from './shards/relay.ts';
import type { EntryPlace } from './stream-merge.ts';

/** What is asked of a tenant's entries and spans, in however many objects they lie (shards/entry-shards.ts). */
export type EntryCalls = {
  /**
   * Executes an order, for a call that already has a first answer.
   * @returns the answer that replaces it; null where the first one holds
   */
  run: (tenant: Tenant, call: Call, order: EntryOrder) => Promise<CallAnswer | null>;
  /**
   * Keeps what the service wrote of itself, entries and spans in one.
   * @returns what was refused, and how many are not kept
   */
  keepOwn: (tenant: Tenant, records: OwnRecords) => Promise<OwnOutcome>;
  /**
   * `entries:tail`: the bytes of a JSON array whose elements come while it is read. The first answer says whether the
   * call is accepted; only then is the stream opened. (`tail` itself is a name that the platform keeps.)
   */
  follow: (tenant: Tenant, call: Call, order: EntryOrder) => Promise<ReadableStream<Uint8Array> | CallAnswer>;
  /** Whether a bucket has entries: a locked one is deleted only without. */
  isEmpty: (tenant: Tenant, bucket: string) => Promise<boolean>;
  /** What receivers verify the webhooks of the tenant's sinks with: `whpk_<base64>`, the same for ever. */
  webhookIdentity: (tenant: Tenant) => Promise<string>;
};

/** An order as far as the tenant's own object did it; with `lanes`, those of its stores that have a part in it. */
export type Begun = { answer: CallAnswer | null; lanes?: readonly ShardRow[] };

/** What a write to a shard came to. `isMoved`: nothing was written, the tenant's calls spread over all shards by now. */
export type ShardWrite<T> = { isMoved: true } | { isMoved?: false; outcome: T };

/** Which entries a store is asked for, to be merged with others (page.ts, `EntryQuery`). */
export type RowsAsk = {
  filter: string;
  isDescending: boolean;
  after: EntryPlace | undefined;
  limit: number;
  maxChars: number;
};

export type TraceRow = { key: ListCursor; trace: JsonObject };
export type TraceRows = { items: TraceRow[]; next?: ListCursor };

/** What an object of entries and spans is asked, by RPC: that of a tenant, named by its id, or one of its shards. */
export type EntryObject = Omit<EntryCalls, 'keepOwn'> & {
  /** Of `serializeOwnRecords`. */
  keepOwn: (tenant: Tenant, text: string) => Promise<OwnOutcome>;
  /** Of the tenant's own: does its part of an order, and says which other stores have one. */
  begin: (tenant: Tenant, call: Call, order: EntryOrder) => Promise<Begun>;
  /** Its stores that have entries, or spans; its own is among them where it has any. */
  lanes: (tenant: Tenant, kind: 'entries' | 'spans') => Promise<readonly ShardRow[]>;
  /** Which of these traces its own object has. */
  ownTraces: (tenant: Tenant, project: string, traceIds: readonly string[]) => Promise<readonly string[]>;
  /** Null: there is no room. */
  lease: (tenant: Tenant, ask: LeaseAsk) => Promise<(Lease & { followedUntilMs: number }) | null>;
  settle: (
    tenant: Tenant,
    left: Omit<Evicted, 'count'> & { name: ShardName; isVoid: boolean; buckets: KnownBuckets },
  ) => Promise<void>;
  knownBuckets: (tenant: Tenant) => Promise<KnownBuckets>;
  /** From a shard: entries for webhooks and files, and those that are followed. */
  takeRelayed: (tenant: Tenant, name: ShardName, relayed: RelayedText) => Promise<void>;
  /** @returns whether anyone follows */
  takeFollowed: (tenant: Tenant, text: string) => Promise<boolean>;
  /** Of a shard: writes. `isQuiet`: not where it has enough already. */
  writeShard: (
    address: ShardAddress,
    sent: { call: Call; order: EntryOrder; isQuiet: boolean },
  ) => Promise<ShardWrite<CallAnswer | null>>;
  keepOwnShard: (address: ShardAddress, text: string, isQuiet: boolean) => Promise<ShardWrite<OwnOutcome>>;
  /** Of a store: its part of a list. */
  rows: (tenant: Tenant, order: EntryOrder, ask: RowsAsk) => Promise<EntryRowPage>;
  logNames: (tenant: Tenant, order: EntryOrder, ask: { after: string; limit: number }) => Promise<LogPage>;
  traceRows: (
    tenant: Tenant,
    sent: { call: Call; order: EntryOrder; after: ListCursor | undefined; limit: number },
  ) => Promise<TraceRows>;
  /** Of a shard: deletes the oldest that the service wrote itself; hands on what is written until then. */
  evict: (address: ShardAddress) => Promise<Evicted>;
  beFollowed: (address: ShardAddress, untilMs: number) => Promise<void>;
};
