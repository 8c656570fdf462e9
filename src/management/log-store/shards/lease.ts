import { isText } from '../../../lib/json.ts';
import { createTables, type Sql, type SqlRow } from '../../../lib/sqlite.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import type { Lease, LeaseAsk, OldestOwn } from './directory.ts';
import { type Bounds, computeUsualBounds, parseShardName, type ShardName } from './placement.ts';

/** Whose shard an object is. */
export type ShardAddress = { tenant: Tenant; name: ShardName };

/** What a write takes: bytes at most, and the times of its entries; none for spans. */
export type RoomAsk = Partial<Bounds> & { bytes: number; isOwn: boolean };

/** Thrown by a write that the lease does not cover: it is rolled back, and done again once there is one that does. */
export class LeaseNeeded extends Error {
  readonly asked: RoomAsk;

  constructor(asked: RoomAsk) {
    super('The shard needs a lease for this write');
    this.asked = asked;
  }
}

/** What this object may write as a shard, as the tenant's own object granted it. */
export type ShardLease = {
  /** Undefined: this object is no shard. */
  address: () => ShardAddress | undefined;
  /** Makes this object the shard that it is asked as. */
  become: (address: ShardAddress) => void;
  /** @throws LeaseNeeded where the lease does not cover it */
  require: (asked: RoomAsk) => void;
  /** What to ask for, so that a write is covered. */
  buildAsk: (asked: RoomAsk) => LeaseAsk;
  accept: (lease: Lease & { followedUntilMs: number }) => void;
  /** Until when what is written is handed on to those who follow it, Unix milliseconds. */
  followedUntilMs: () => number;
  follow: (untilMs: number) => void;
  /** It may take no more than it takes now. @returns the epoch that ended: what was asked for in it is not taken any more */
  shrink: () => number;
  /** It has no lease any more. @returns the same */
  end: () => number;
  epoch: () => number;
  hasLease: () => boolean;
};

/** An address that is not known from before lies in a row too: alarms need it. */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS shard_lease (id INTEGER PRIMARY KEY CHECK (id = 1), tenant TEXT NOT NULL, name TEXT NOT NULL,
     epoch INTEGER NOT NULL, bytes INTEGER NOT NULL, first TEXT, last TEXT, followed_ms INTEGER NOT NULL)`,
];
const KEEP = `INSERT INTO shard_lease VALUES (1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET epoch = excluded.epoch,
  bytes = excluded.bytes, first = excluded.first, last = excluded.last, followed_ms = excluded.followed_ms`;
/** Of spans: no time is asked for. */
const ANY_TIME: Bounds = { first: '', last: '~' };

type Tools = { sql: Sql; databaseBytes: () => number; oldestOwn: () => OldestOwn; now: () => number };
type Held = { tenant: Tenant; name: ShardName; epoch: number; followedMs: number; lease?: Lease };

export function createShardLease({ sql, databaseBytes, oldestOwn, now }: Tools): ShardLease {
  const run = createTables(sql, SCHEMA);
  let held = readHeld(run('SELECT * FROM shard_lease')[0]);
  const required = (): Held => {
    if (held === undefined) throw new Error('This object is no shard');
    return held;
  };
  const keep = (next: Held): void => {
    const { tenant, name, epoch, lease, followedMs } = next;
    const { bytes = 0, first = null, last = null } = lease ?? {};
    run(KEEP, JSON.stringify(tenant), name, epoch, bytes, first, last, followedMs);
    held = next;
  };
  return {
    address: () => held,
    become({ tenant, name }) {
      // A shard that was emptied and comes again has a later time, so a later epoch.
      held ??= { tenant, name, epoch: now(), followedMs: 0 };
    },
    require(asked) {
      const lease = held?.lease;
      const isCovered =
        lease !== undefined &&
        (asked.first ?? lease.first) >= lease.first &&
        (asked.last ?? lease.last) <= lease.last &&
        databaseBytes() + asked.bytes <= lease.bytes;
      if (!isCovered) throw new LeaseNeeded(asked);
    },
    buildAsk({ bytes, first, last, isOwn }) {
      const { name, epoch, lease } = required();
      const known = lease ?? (parseShardName(name).kind === 'spans' ? ANY_TIME : computeUsualBounds(name));
      return {
        name,
        epoch,
        bytes: databaseBytes(),
        need: bytes,
        isOwn,
        first: first !== undefined && first < known.first ? `${first.slice(0, DATE_CHARS)}${DAY_START}` : known.first,
        last: last !== undefined && last > known.last ? `${last.slice(0, DATE_CHARS)}${DAY_END}` : known.last,
        ...oldestOwn(),
      };
    },
    accept({ followedUntilMs, ...lease }) {
      const before = required();
      // Word that it is followed may have come before this answer, which is older.
      keep({ ...before, followedMs: Math.max(before.followedMs, followedUntilMs), lease });
    },
    followedUntilMs: () => held?.followedMs ?? 0,
    follow(untilMs) {
      if (held !== undefined) keep({ ...held, followedMs: untilMs });
    },
    shrink() {
      const { epoch, lease, ...rest } = required();
      const left = lease && { ...lease, bytes: Math.min(lease.bytes, databaseBytes()) };
      keep({ ...rest, epoch: Math.max(epoch + 1, now()), ...(left !== undefined && { lease: left }) });
      return epoch;
    },
    end() {
      const { epoch, lease: _ended, ...rest } = required();
      keep({ ...rest, epoch: Math.max(epoch + 1, now()) });
      return epoch;
    },
    hasLease: () => held?.lease !== undefined,
    epoch: () => required().epoch,
  };
}

/** Times outside of a lease are asked for by the day: entries of one time seldom come alone. */
const DATE_CHARS = 10;
const DAY_START = 'T00:00:00.000000000Z';
const DAY_END = 'T23:59:59.999999999Z';

function readHeld(row: SqlRow | undefined): Held | undefined {
  if (row === undefined) return undefined;
  const { tenant, name, epoch, bytes, first, last, followed_ms: followedMs } = row;
  return {
    tenant: JSON.parse(String(tenant)) as Tenant, // Written above.
    name: String(name),
    epoch: Number(epoch),
    followedMs: Number(followedMs),
    ...(isText(first) && isText(last) && { lease: { bytes: Number(bytes), first, last } }),
  };
}
