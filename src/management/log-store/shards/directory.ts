import { createTables, type RunStatement, type Sql, type SqlRow } from '../../../lib/sqlite.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import { parseShardName, type Bounds, type ShardName } from './placement.ts';

/** Times of the oldest entries that the service wrote itself: below NOTICE, and from there up (purge.ts). */
export type OldestOwn = { passing?: string; lasting?: string };

/** What a shard asks for before it writes what its lease does not cover. */
export type LeaseAsk = Bounds &
  OldestOwn & {
    name: ShardName;
    /** Grows with each new beginning of the shard, and each time that it gives back: word of an earlier one changes nothing. */
    epoch: number;
    /** Bytes that its database takes, and that it is about to write. */
    bytes: number;
    need: number;
    /** What the service writes itself may take more (store.ts). */
    isOwn: boolean;
  };

/** `bytes` that the database of the shard may grow to. */
export type Lease = Bounds & { bytes: number };

/** A shard as it is listed. */
export type ShardRow = Bounds & { name: ShardName };

/** A lease is for more than what is asked for: a 64th of what is left, between these where so much is left. */
const MIN_GRANT_BYTES = 524_288;
export const MAX_GRANT_BYTES = 4_194_304;
const GRANT_SHARE = 64;
/** Shards of one tenant. Beyond them a write that needs a new one is refused, as for a tenant that is full (rule K9). */
export const MAX_TENANT_SHARDS = 5_000;

/**
 * The shards of a tenant, kept in its own object: which there are, which times they have, and how many bytes each may
 * take. A shard asks before it writes anything outside of that, so that what is not listed is not there.
 */
export type ShardDirectory = {
  list: (kind: 'entries' | 'spans') => readonly ShardRow[];
  /** Whose shards they are; undefined where there never was one. */
  tenant: () => Tenant | undefined;
  keepTenant: (tenant: Tenant) => void;
  has: () => boolean;
  /** Undefined: there is no room. @param limits bytes of all shards together with those of the tenant's own object */
  lease: (ask: LeaseAsk, limits: { most: number; home: number }) => Lease | undefined;
  /** A shard takes less than before. */
  settle: (ask: Omit<LeaseAsk, 'need' | 'isOwn' | keyof Bounds>) => void;
  /** A shard is empty, and writes nothing before it has a new lease. */
  release: (name: ShardName, epoch: number) => void;
  /** Bytes that all shards may take. */
  granted: () => number;
  /** The shard with the oldest entries of the service itself; those below NOTICE of any shard come first. */
  findOldestOwn: () => { name: ShardName; isLasting: boolean; ts: string } | undefined;
};

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS shard (name TEXT PRIMARY KEY, kind TEXT NOT NULL, epoch INTEGER NOT NULL,
     granted INTEGER NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, passing TEXT, lasting TEXT) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS shard_tenant (id INTEGER PRIMARY KEY CHECK (id = 1), tenant TEXT NOT NULL)',
];
const KEEP = `INSERT INTO shard VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET epoch = excluded.epoch,
  granted = excluded.granted, first = min(first, excluded.first), last = max(last, excluded.last),
  passing = excluded.passing, lasting = excluded.lasting`;

export function createShardDirectory(sql: Sql): ShardDirectory {
  const run = createTables(sql, SCHEMA);
  let count = Number(run('SELECT count(*) AS n FROM shard')[0]?.['n']);
  let granted = Number(run('SELECT total(granted) AS n FROM shard')[0]?.['n']);
  return {
    list: (kind) => run('SELECT name, first, last FROM shard WHERE kind = ? ORDER BY name', kind).map(readShardRow),
    tenant() {
      const [row] = run('SELECT tenant FROM shard_tenant');
      return row && (JSON.parse(String(row['tenant'])) as Tenant); // Written below.
    },
    keepTenant: (tenant) => void run('INSERT OR IGNORE INTO shard_tenant VALUES (1, ?)', JSON.stringify(tenant)),
    has: () => count > 0,
    lease(ask, { most, home }) {
      const before = findRow(ask.name, run);
      if (before === undefined && count >= MAX_TENANT_SHARDS) return undefined;
      const mine = Number(before?.['granted'] ?? 0);
      const wanted = ask.bytes + ask.need;
      const left = most - home - (granted - mine) - wanted;
      if (wanted > mine && left < 0) return undefined;
      const bytes = wanted <= mine ? mine : wanted + computeSpareBytes(left);
      const { kind } = parseShardName(ask.name);
      const { name, epoch, first, last, passing = null, lasting = null } = ask;
      run(KEEP, name, kind, epoch, bytes, first, last, passing, lasting);
      if (before === undefined) count += 1;
      granted += bytes - mine;
      const row = findRow(name, run);
      return { bytes, first: String(row?.['first']), last: String(row?.['last']) };
    },
    settle({ name, epoch, bytes, passing = null, lasting = null }) {
      const before = findRow(name, run);
      if (before === undefined || Number(before['epoch']) > epoch) return;
      run('UPDATE shard SET granted = ?, passing = ?, lasting = ? WHERE name = ?', bytes, passing, lasting, name);
      granted += bytes - Number(before['granted']);
    },
    release(name, epoch) {
      const gone = run('DELETE FROM shard WHERE name = ? AND epoch <= ? RETURNING granted', name, epoch);
      count -= gone.length;
      for (const row of gone) granted -= Number(row['granted']);
    },
    granted: () => granted,
    findOldestOwn() {
      for (const [column, isLasting] of OLDEST) {
        const [row] = run(column);
        if (row !== undefined) return { name: String(row['name']), isLasting, ts: String(row['ts']) };
      }
      return undefined;
    },
  };
}

const computeSpareBytes = (left: number): number =>
  Math.min(MAX_GRANT_BYTES, Math.max(Math.floor(left / GRANT_SHARE), Math.min(left, MIN_GRANT_BYTES)));

const OLDEST = [
  ['SELECT name, passing AS ts FROM shard WHERE passing IS NOT NULL ORDER BY passing LIMIT 1', false],
  ['SELECT name, lasting AS ts FROM shard WHERE lasting IS NOT NULL ORDER BY lasting LIMIT 1', true],
] as const;

const findRow = (name: ShardName, run: RunStatement): SqlRow | undefined =>
  run('SELECT epoch, granted, first, last FROM shard WHERE name = ?', name)[0];

const readShardRow = (row: SqlRow): ShardRow => ({
  name: String(row['name']),
  first: String(row['first']),
  last: String(row['last']),
});
