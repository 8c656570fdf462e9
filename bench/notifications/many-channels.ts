import { randomBytes } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { InboxCommand, StateTools } from '../../src/notifications/core/protocol.ts';
import { openRegistry, type Registry } from '../../src/notifications/channels/registry.ts';
import type { Sql } from '../../src/lib/sqlite.ts';
import type { Granted, Vendor, VendorFailure, WatchOrder } from '../../src/notifications/vendor/vendor.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
const CUSTOMERS = 1_000;
const DOMAINS = 20;
const EVENTS = ['add', 'delete', 'makeAdmin', 'undelete', 'update'] as const;
const START_MS = Date.parse('2026-11-22T00:00:00Z');
/** Errands of a fill are told by the way. */
const PASS_EVERY = 400;

export type World = {
  registry: Registry;
  /** Moves the clock and does what is due; syncs of what was granted come before this returns. */
  passAt: (nowMs: number) => Promise<void>;
  now: () => number;
  /** All are open: from now on the vendor takes its time. */
  filled: () => void;
  /** While it is out, the vendor answers 503. */
  setOut: (isOut: boolean) => void;
  /** Watch calls that were answered, since this was last asked. */
  takeCalls: () => { granted: number; failed: number };
  /** CPU of the last pass, all threads of the process, in milliseconds. */
  lastPassMs: () => number;
  /** Watches that lapsed, and those that failed and were not granted since. */
  lapsed: ReadonlySet<string>;
  failing: ReadonlySet<string>;
  /** Customers whose users were ordered to be read again. */
  resynced: Set<string>;
  customerOf: (watch: string) => string;
};

/** A registry in a SQLite file with a vendor that answers at once, and a clock that is moved by hand. */
export function newWorld(file: string): World {
  let nowMs = START_MS;
  let isOut = false;
  let isFilling = true;
  let calls = { granted: 0, failed: 0 };
  let lastPassMs = 0;
  const unsynced: { id: string; resourceId: string }[] = [];
  const lapsed = new Set<string>();
  const failing = new Set<string>();
  const resynced = new Set<string>();
  const customers = new Map<string, string>();

  const watch = async (order: WatchOrder): Promise<Granted | VendorFailure> => {
    if (!isFilling) await turn(); // The answer comes in another turn, as from a network.
    const id = order.address.slice(order.address.lastIndexOf('/') + 1);
    customers.set(id, order.target.customer);
    if (isOut) {
      calls.failed += 1;
      failing.add(id);
      return { ok: false, reason: 'unavailable', detail: '503' };
    }
    calls.granted += 1;
    failing.delete(id);
    const resourceId = `resource-${id}`;
    unsynced.push({ id: order.id, resourceId });
    const expiresAtMs = nowMs + order.ttlSeconds * SECOND_MS;
    return { ok: true, resourceId, resourceUri: '', expiresAtMs, vendorNowMs: nowMs };
  };
  const command = async (customer: string, { ...delivered }: InboxCommand): Promise<void> => {
    if (delivered.do === 'resync') resynced.add(customer);
    if (delivered.do === 'alert' && delivered.alert.kind === 'channel_lapsed') lapsed.add(delivered.alert.subject);
  };
  const vendor: Vendor = {
    watch,
    stop: async () => {
      await turn();
      return isOut ? { ok: false, reason: 'unavailable', detail: '503' } : { ok: true };
    },
    readUser: async () => ({ ok: true, user: null }),
    listUsers: async () => ({ ok: true, users: [], nextPageToken: undefined }),
  };
  const registry = openRegistry({
    ...fileSqlite(file),
    now: () => nowMs,
    random: (bytes) => randomBytes(bytes).toString('hex'),
    vendor,
    keys: [{ number: 1, secret: new TextEncoder().encode('the-channel-secret-of-the-benchmark') }],
    origin: 'https://webhook.test',
    ttlSeconds: 6 * 3_600,
    command,
    log: () => undefined,
    uuid: () => crypto.randomUUID(),
  });
  const passAt = async (atMs: number): Promise<void> => {
    nowMs = Math.max(nowMs, atMs);
    const before = process.cpuUsage();
    await registry.pass();
    const { user, system } = process.cpuUsage(before);
    lastPassMs = (user + system) / 1_000;
    for (const { id, resourceId } of unsynced.splice(0)) registry.synced(id, resourceId);
  };
  return {
    registry,
    passAt,
    now: () => nowMs,
    filled: () => {
      isFilling = false;
    },
    setOut: (out) => {
      isOut = out;
    },
    takeCalls: () => {
      const taken = calls;
      calls = { granted: 0, failed: 0 };
      return taken;
    },
    lastPassMs: () => lastPassMs,
    lapsed,
    failing,
    resynced,
    customerOf: (id) => customers.get(id) ?? '',
  };
}

/** Opens `count` channels of one life, spread evenly over a time. @returns the watches */
export async function fill(
  { registry, passAt, now }: World,
  { count, first, ttlS, spreadMs }: { count: number; first: number; ttlS: number; spreadMs: number },
): Promise<readonly string[]> {
  const watches: string[] = [];
  const startMs = now();
  const openOne = async (): Promise<void> => {
    const answer = await registry.open({ ...placeOf(first + watches.length), ttlSeconds: ttlS });
    if (!answer.ok || answer.channel.state !== 'active') throw new Error(`not opened: ${JSON.stringify(answer)}`);
    watches.push(answer.channel.watch);
  };
  while (watches.length < count) {
    await passAt(startMs + (spreadMs * watches.length) / count);
    for (let opened = 0; opened < PASS_EVERY && watches.length < count; opened += 1) await openOne();
  }
  await passAt(startMs + spreadMs);
  return watches;
}

/** Every number is another target: customers, their domains, and each kind of event. */
function placeOf(number: number) {
  const customer = `C${number % CUSTOMERS}`;
  const domain = `${Math.floor(number / CUSTOMERS) % DOMAINS}.example`;
  return { target: { customer, domain }, event: EVENTS[Math.floor(number / CUSTOMERS / DOMAINS)] };
}

export const hours = (count: number): number => count * HOUR_MS;

/**
 * As a Durable Object has it: a write-ahead log, each statement compiled once, and what is written in one turn of the
 * event loop committed together. Nobody waits for the disk, whose time is no CPU.
 */
function fileSqlite(file: string): Pick<StateTools, 'sql' | 'transaction'> {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  const compiled = new Map<string, StatementSync>();
  let isOpen = false;
  const open = (): void => {
    if (isOpen) return;
    isOpen = true;
    database.exec('BEGIN');
    setImmediate(() => {
      isOpen = false;
      database.exec('COMMIT');
    });
  };
  const sql: Sql = {
    exec: (query, ...bindings) => {
      open();
      const statement = compiled.get(query) ?? database.prepare(query);
      compiled.set(query, statement);
      const rows = statement.all(...bindings);
      return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
    },
  };
  const transaction = <T>(work: () => T): T => {
    open();
    database.exec('SAVEPOINT one');
    try {
      const result = work();
      database.exec('RELEASE one');
      return result;
    } catch (error) {
      database.exec('ROLLBACK TO one; RELEASE one');
      throw error;
    }
  };
  return { sql, transaction };
}
