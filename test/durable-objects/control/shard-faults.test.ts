import { afterEach, expect, test, vi } from 'vitest';
import { EntryStore } from '../../../durable-objects/entry-store.ts';
import { MAX_SESSIONS } from '../../../src/management/log-store/tail/tail.ts';
import { shardedTenant } from './sharded-tenant.ts';

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
