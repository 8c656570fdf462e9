import { beforeEach, describe, expect, test } from 'vitest';
import {
  createShardDirectory,
  type LeaseAsk,
  MAX_GRANT_BYTES,
  MAX_TENANT_SHARDS,
  type ShardDirectory,
} from '../../../../src/management/log-store/shards/directory.ts';
import { decideLease } from '../../../../src/management/log-store/shards/home.ts';
import { createShardLease, LeaseNeeded } from '../../../../src/management/log-store/shards/lease.ts';
import { formatEntryShard, WINDOW_MS } from '../../../../src/management/log-store/shards/placement.ts';
import { MAX_ENTRY_BYTES_KEPT, OWN_BYTES_KEPT } from '../../../../src/management/log-store/store.ts';
import { TENANT } from '../../../support/management/management.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';

const MOST = MAX_ENTRY_BYTES_KEPT;
const MIB = 1_048_576;
let directory: ShardDirectory;
let database: ReturnType<typeof memorySqlite>;

beforeEach(() => {
  database = memorySqlite();
  directory = createShardDirectory(database.sql);
});

const ask = (changes: Partial<LeaseAsk> = {}): LeaseAsk => ({
  name: 'entries/1/0',
  epoch: 1,
  bytes: 100_000,
  need: 500,
  isOwn: false,
  first: 'a',
  last: 'b',
  ...changes,
});
const lease = (changes: Partial<LeaseAsk> = {}, home = 0) => directory.lease(ask(changes), { most: MOST, home });

describe('K9: all shards of a tenant together take what one tenant may', () => {
  test('a lease is for more than is needed, less where less is left, and never beyond what is left', () => {
    expect(lease()?.bytes).toBe(100_500 + MAX_GRANT_BYTES);
    const nearlyFull = lease({ name: 'entries/1/1' }, MOST - directory.granted() - 100_500 - 1_000);
    expect(nearlyFull?.bytes).toBe(100_500 + 1_000);
    expect(lease({ name: 'entries/1/2' }, MOST - directory.granted())).toBeUndefined();
  });

  test('shards that write until each is refused keep less than the tenant may, by what a lease has to spare at most', () => {
    const parts = 8;
    const used = Array.from({ length: parts }, () => 120_000);
    const granted = used.map(() => 0);
    let refused = 0;
    for (let write = 0; refused < parts; write += 1) {
      if (write > MOST / 50_000) throw new Error('No write is refused');
      const part = write % parts;
      const bytes = used[part] ?? 0;
      const before = granted[part] ?? 0;
      const need = 50_000;
      if (bytes + need > before) {
        const got = lease({ name: `entries/1/${part}`, bytes, need });
        refused = got === undefined ? refused + 1 : 0;
        granted[part] = got?.bytes ?? before;
        if (got === undefined) continue;
      }
      used[part] = bytes + need;
    }
    const all = used.reduce((sum, bytes) => sum + bytes);
    expect(all).toBeLessThanOrEqual(MOST);
    expect(all).toBeGreaterThan(MOST - parts * MAX_GRANT_BYTES);
  });

  test('what a shard gives back others may have', () => {
    lease({ bytes: MOST - 5 * MIB });
    expect(lease({ name: 'entries/1/1', need: 6 * MIB })).toBeUndefined();
    directory.settle({ name: 'entries/1/0', epoch: 1, bytes: 200_000 });
    expect(lease({ name: 'entries/1/1', need: 6 * MIB })).toBeDefined();
  });

  test('a tenant has so many shards at most', () => {
    for (let at = 0; at < MAX_TENANT_SHARDS; at += 1) lease({ name: `entries/${at}/0`, bytes: 0, need: 1 });
    expect(lease({ name: 'entries/x/0', bytes: 0, need: 1 })).toBeUndefined();
    expect(lease({ name: 'entries/7/0', bytes: 0, need: 2 })).toBeDefined();
  });
});

describe('the directory', () => {
  test('has what it had when its object starts again, with times that only widen', () => {
    lease({ first: 'c', last: 'd' });
    lease({ first: 'b', last: 'c' });
    lease({ name: 'spans/8/1', first: '', last: '~' });
    const again = createShardDirectory(database.sql);
    expect(again.list('entries')).toEqual([{ name: 'entries/1/0', first: 'b', last: 'd' }]);
    expect(again.list('spans')).toEqual([{ name: 'spans/8/1', first: '', last: '~' }]);
    expect(again.granted()).toBe(directory.granted());
  });

  test('does not lose a shard that has begun again by word of its end', () => {
    lease({ epoch: 1 });
    lease({ epoch: 2 });
    directory.release('entries/1/0', 1);
    expect(directory.list('entries')).toHaveLength(1);
    directory.release('entries/1/0', 2);
    expect([directory.has(), directory.granted()]).toEqual([false, 0]);
  });
});

describe('a shard', () => {
  const startMs = 100 * WINDOW_MS;
  const usual = (ms: number): string => new Date(startMs + ms).toISOString().replace('Z', '000000Z');
  const open = (bytes = () => 0) =>
    createShardLease({ sql: database.sql, databaseBytes: bytes, oldestOwn: () => ({}), now: () => startMs });
  const address = { tenant: TENANT, name: formatEntryShard(100, 3) };

  test('asks before its first write, and not again for entries of its window while it has bytes', () => {
    let bytes = 0;
    const held = open(() => bytes);
    held.become(address);
    const asked = { bytes: 500, isOwn: false, first: usual(0), last: usual(5_000) };
    expect(() => held.require(asked)).toThrow(LeaseNeeded);
    const granted = directory.lease(held.buildAsk(asked), { most: MOST, home: 0 });
    if (granted === undefined) throw new Error('No lease');
    held.accept({ ...granted, followedUntilMs: 0 });
    held.require(asked);
    held.require({ ...asked, first: usual(WINDOW_MS), last: usual(WINDOW_MS) });
    bytes = granted.bytes;
    expect(() => held.require(asked)).toThrow(LeaseNeeded);
    expect(open(() => 0).address()).toMatchObject(address);
  });

  test('asks for times outside of its window by the day', () => {
    const held = open();
    held.become(address);
    const old = '1969-02-03T04:05:06.000000000Z';
    expect(held.buildAsk({ bytes: 1, isOwn: false, first: old, last: old })).toMatchObject({
      first: '1969-02-03T00:00:00.000000000Z',
      last: usual(WINDOW_MS + 600_000),
    });
  });
});

describe('room for what the service writes itself', () => {
  /** Shards with own entries of so many times each, a MiB for each time. */
  function ring(shards: Record<string, { passing: string[]; lasting?: string[] }>, here: string[] = []) {
    const gone: string[] = [];
    const left = ({ passing, lasting = [] }: { passing: string[]; lasting?: string[] }) => ({
      ...(passing[0] !== undefined && { passing: passing[0] }),
      ...(lasting[0] !== undefined && { lasting: lasting[0] }),
    });
    const bytesOf = ({ passing, lasting = [] }: { passing: string[]; lasting?: string[] }): number =>
      (passing.length + lasting.length) * MIB;
    for (const [name, held] of Object.entries(shards)) {
      lease({ name, bytes: bytesOf(held), need: 0, ...left(held) });
      directory.settle({ name, epoch: 1, bytes: bytesOf(held), ...left(held) });
    }
    const tools = {
      directory,
      entries: {
        evict: () => (gone.push(`here ${here.shift()}`), 1),
        oldestOwn: () => (here[0] === undefined ? {} : { passing: here[0] }),
      },
      evict: async (name: string) => {
        const held = shards[name] ?? { passing: [] };
        const ts = held.passing.shift() ?? held.lasting?.shift();
        if (ts !== undefined) gone.push(`${name} ${ts}`);
        return { count: ts === undefined ? 0 : 1, epoch: 1, bytes: bytesOf(held), ...left(held) };
      },
      databaseBytes: () => here.length * MIB,
      most: () => directory.granted() + here.length * MIB - OWN_BYTES_KEPT,
    };
    const most = tools.most();
    let bytes = 0;
    const write = async (isOwn: boolean) => {
      const need = MIB;
      const granted = await decideLease(ask({ name: 'entries/9/9', bytes, need, isOwn }), {
        ...tools,
        most: () => most,
      });
      bytes += granted === undefined ? 0 : need;
      return granted;
    };
    return { write, gone };
  }

  test('is made by the oldest, wherever they are: those below NOTICE first', async () => {
    const { write, gone } = ring(
      {
        'entries/1/0': { passing: ['3'], lasting: ['0'] },
        'entries/1/1': { passing: ['2', '4'] },
        'entries/2/0': { passing: [] },
      },
      ['1'],
    );
    for (let time = 0; time < 5; time += 1) expect(await write(true)).toBeDefined();
    expect(gone).toEqual(['here 1', 'entries/1/1 2', 'entries/1/0 3', 'entries/1/1 4', 'entries/1/0 0']);
    expect(await write(true)).toBeUndefined();
  });

  test('is not made for what callers write', async () => {
    const { write, gone } = ring({ 'entries/1/0': { passing: ['1', '2'] } });
    expect(await write(false)).toBeUndefined();
    expect(gone).toEqual([]);
  });
});
