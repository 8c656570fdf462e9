import { describe, expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../../src/lib/seeded-random.ts';
import type { EntryObject } from '../../../../src/management/log-store/entry-object.ts';
import { createShardDirectory } from '../../../../src/management/log-store/shards/directory.ts';
import { createShardLease } from '../../../../src/management/log-store/shards/lease.ts';
import { createShardMember } from '../../../../src/management/log-store/shards/member.ts';
import { formatEntryShard, WINDOW_MS } from '../../../../src/management/log-store/shards/placement.ts';
import { createRelayOutbox } from '../../../../src/management/log-store/shards/relay.ts';
import { type EntryState, MAX_ENTRY_BYTES_KEPT } from '../../../../src/management/log-store/store.ts';
import { TENANT } from '../../../support/management/management.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';

const MIB = 1_048_576;
const EMPTY_BYTES = 100_000;
const name = formatEntryShard(100, 3);
const address = { tenant: TENANT, name };
const log = (line: Record<string, unknown>): never => {
  throw new Error(JSON.stringify(line));
};

/** A shard and the directory that it asks, with what is on its way between them. */
function shardWithHome() {
  const [here, there] = [memorySqlite(), memorySqlite()];
  const directory = createShardDirectory(there.sql);
  const arriving: (() => void)[] = [];
  const arrive = (): Promise<void> => new Promise((resolve) => arriving.push(resolve));
  let nowMs = 100 * WINDOW_MS + 5_000;
  let bytes = EMPTY_BYTES;
  const now = (): number => nowMs;
  const lease = createShardLease({ sql: here.sql, databaseBytes: () => bytes, oldestOwn: () => ({}), now });
  const home = {
    lease: async (_tenant, ask) => {
      await arrive();
      const granted = directory.lease(ask, { most: MAX_ENTRY_BYTES_KEPT, home: 0 });
      await arrive();
      return granted === undefined ? null : { ...granted, followedUntilMs: 0 };
    },
    settle: async (_tenant, { isVoid, ...left }) => {
      await arrive();
      if (isVoid) directory.release(left.name, left.epoch);
      else directory.settle(left);
      await arrive();
    },
  } as Pick<EntryObject, 'lease' | 'settle'> as EntryObject;
  const member = createShardMember({
    lease,
    outbox: createRelayOutbox({ sql: here.sql, now, log }),
    entries: { oldestOwn: () => ({}), buckets: () => [] } as Partial<EntryState> as EntryState,
    isVoid: () => bytes <= EMPTY_BYTES,
    databaseBytes: () => bytes,
    home: () => home,
    now,
    log,
  });
  return {
    directory,
    member,
    arriving,
    write: (need: number) =>
      member.write(address, () => {
        lease.require({ bytes: need, isOwn: false });
        bytes += need;
      }),
    remove: (share: number): void => {
      bytes = EMPTY_BYTES + Math.floor((bytes - EMPTY_BYTES) * share);
    },
    /** What the directory asks of it to make room. */
    evict: async (): Promise<void> => {
      await arrive();
      const left = { name, epoch: lease.shrink(), bytes };
      await arrive();
      directory.settle(left);
    },
    later: (ms: number): void => {
      nowMs += ms;
    },
    bytes: () => bytes,
    /** What the shard may take without asking. */
    held: () =>
      Number(here.sql.exec('SELECT total(bytes) AS n FROM shard_lease WHERE first IS NOT NULL').toArray()[0]?.['n']),
  };
}

type Shard = ReturnType<typeof shardWithHome>;

/** Lets what is on its way arrive, in any order, until all is done. */
async function settleAll(works: readonly Promise<unknown>[], { arriving }: Shard, next = () => 0, check = () => {}) {
  const state = { isDone: false };
  const done = Promise.all(works).finally(() => {
    state.isDone = true;
  });
  while (!state.isDone) {
    await Promise.resolve();
    const [one] = arriving.splice(Math.floor(next() * arriving.length), 1);
    one?.();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    check();
  }
  await done;
}

describe('K9: a shard never takes more than the directory counts for it', () => {
  const seeds = Array.from({ length: 60 }, (_, at) => at);

  test.each(seeds)('in whichever order asking and giving back come about: %i', async (seed) => {
    const next = createRandomFromSeed(`lease ${seed}`);
    const shard = shardWithHome();
    const check = (): void => expect(shard.held()).toBeLessThanOrEqual(shard.directory.granted());
    const steps = [
      () => shard.write(Math.floor(next() * 6 * MIB)),
      () => shard.write(Math.floor(next() * 6 * MIB)),
      () => shard.member.settle(),
      () => shard.evict(),
      async () => shard.remove(next()),
    ];
    await settleAll([shard.write(1)], shard);
    for (let round = 0; round < 12; round += 1) {
      const works = Array.from({ length: 1 + Math.floor(next() * 4) }, async () =>
        steps[Math.floor(next() * steps.length)]?.(),
      );
      await settleAll(works, shard, next, check);
      shard.later(Math.floor(next() * 3));
    }
    expect(shard.bytes()).toBeGreaterThan(EMPTY_BYTES);
    await settleAll([shard.member.settle()], shard);
    expect(shard.directory.granted()).toBe(shard.bytes());
  });
});

test('a shard whose window is over is not given up while a write asks for its lease', async () => {
  const shard = shardWithHome();
  await settleAll([shard.write(0)], shard);
  shard.later(2 * WINDOW_MS);
  shard.remove(0);
  const written = shard.write(5 * MIB);
  const settled = shard.member.settle();
  await settleAll([written, settled], shard);
  expect([await settled, shard.directory.list('entries').length]).toEqual([false, 1]);
  expect(shard.bytes()).toBe(EMPTY_BYTES + 5 * MIB);
  expect(shard.held()).toBeLessThanOrEqual(shard.directory.granted());
});
