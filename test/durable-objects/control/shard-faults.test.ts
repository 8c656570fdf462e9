import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EntryStore } from '../../../durable-objects/entry-store.ts';
import type { Route } from '../../../src/management/log-store/order.ts';
import { RETRY_MS } from '../../../src/management/log-store/retry.ts';
import { MAX_SESSIONS } from '../../../src/management/log-store/tail/tail.ts';
import { DAY_MS, shardedTenant, toBucket } from './sharded-tenant.ts';

const toFiles: Route = {
  sink: 'projects/p/sinks/files',
  filter: '',
  exclusions: [],
  target: { kind: 'storage', bucket: 'kept' },
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a tail that a shard does not hear of fails, and leaves no session', async () => {
  const { write, store, tenant, callOf, reading } = shardedTenant({ isSpread: false });
  await write([{}]);
  const follow = async () => {
    const call = callOf('logging.entries.tail', { resourceNames: ['projects/p'], bufferWindow: '0s' });
    return await store.follow(tenant, call, { do: 'tail', ...reading() });
  };
  const fault = vi.spyOn(EntryStore.prototype, 'beFollowed').mockRejectedValue(new Error('down'));
  for (let time = 0; time <= MAX_SESSIONS; time += 1) await expect(follow()).rejects.toThrow('down');
  fault.mockRestore();
  const tail = await follow();
  if (!(tail instanceof ReadableStream)) throw new Error(JSON.stringify(tail));
  await tail.cancel();
});

/** How long until the object wakes up by itself. */
const waitOf = async (stub: DurableObjectStub): Promise<number> =>
  ((await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())) ?? Number.NaN) - Date.now();

describe('an alarm that another object does not answer', () => {
  test('of a shard comes again after some seconds, and deletes nothing until then', async () => {
    // No alarm comes by itself.
    vi.useFakeTimers({ now: Date.now() + DAY_MS, toFake: ['Date'] });
    const { write, stubOf, names, rowsOf } = shardedTenant({ isSpread: false });
    const [name = ''] = names;
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const down = {
      knownBuckets: vi.spyOn(EntryStore.prototype, 'knownBuckets'),
      takeRelayed: vi.spyOn(EntryStore.prototype, 'takeRelayed'),
    };
    for (const each of Object.values(down)) each.mockRejectedValue(new Error('down'));
    await write([{}], [toBucket, toFiles]);
    vi.setSystemTime(Date.now() + 31 * DAY_MS);
    for (let time = 1; time <= 3; time += 1) {
      await expect(runDurableObjectAlarm(stubOf(name))).rejects.toThrow('down');
      expect(down.knownBuckets).toHaveBeenCalledTimes(time);
      expect(await waitOf(stubOf(name))).toBe(RETRY_MS);
      vi.setSystemTime(Date.now() + RETRY_MS);
    }
    expect(await rowsOf(name)).toBe(1);
    for (const each of Object.values(down)) each.mockRestore();
    await runDurableObjectAlarm(stubOf(name));
    expect(await rowsOf(name)).toBe(0);
  });

  test('of a copy comes again after some seconds', async () => {
    const { write, store, stubOf, tenant, callOf, reading } = shardedTenant({ isSpread: false });
    await write([{}]);
    const rows = vi.spyOn(EntryStore.prototype, 'rows').mockRejectedValue(new Error('down'));
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    const copy = {
      do: 'copy',
      filter: '',
      bucket: 'copied',
      operation: 'projects/p/locations/global/operations/o',
    } as const;
    await store.run(tenant, callOf('', {}), { ...copy, ...reading() });
    for (let time = 1; time <= 3; time += 1) {
      await expect(runDurableObjectAlarm(stubOf(''))).rejects.toThrow('down');
      expect(rows).toHaveBeenCalledTimes(time);
      expect(await waitOf(stubOf(''))).toBe(RETRY_MS);
      vi.setSystemTime(Date.now() + RETRY_MS);
    }
    rows.mockRestore();
    await runDurableObjectAlarm(stubOf(''));
    const copied = await runInDurableObject(stubOf(''), (_, { storage }) =>
      storage.sql.exec('SELECT copied, failure FROM copy').toArray(),
    );
    expect(copied).toEqual([{ copied: 1, failure: null }]);
  });
});
