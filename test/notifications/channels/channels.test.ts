import { describe, expect, test } from 'vitest';
import type { Registry } from '../../../src/notifications/channels/registry.ts';
import type { VendorFailure } from '../../../src/notifications/vendor/vendor.ts';
import { CUSTOMER, down, HOUR_MS, MINUTE_MS, registryWorld, START_MS } from './world.ts';

const DAY_MS = 24 * HOUR_MS;
const gone: VendorFailure = { ok: false, reason: 'not_found', detail: 'HTTP 404' };
const noAccess: VendorFailure = { ok: false, reason: 'credentials_refused', detail: 'HTTP 401' };

describe('W5: the resource id', () => {
  test('is learnt from the watch response, and must match then', async () => {
    const { registry, opened } = registryWorld();
    const { id } = await opened();
    expect(registry.lookup(id)?.resourceId).toBe('resource-1');
    expect(registry.synced(id, 'resource-2')).toBe('mismatch');
    expect(registry.synced(id, 'resource-1')).toBe('ok');
    expect(registry.synced(id, 'resource-1')).toBe('ok');
  });

  test('of a pending channel is not known before its sync, which may come before the watch response', async () => {
    const world = registryWorld();
    const seen: unknown[] = [];
    world.answers.watch.push((order) => {
      seen.push(world.registry.lookup(order.id)?.resourceId);
      seen.push(world.registry.synced(order.id, 'resource-early'));
      seen.push(world.registry.lookup(order.id)?.resourceId);
      seen.push(world.registry.synced(order.id, 'resource-other'));
      return down;
    });
    await world.opened();
    expect(seen).toEqual([undefined, 'ok', 'resource-early', 'mismatch']);
  });

  test('a sync before the watch response counts: the old channel is superseded with the grant', async () => {
    const world = registryWorld();
    const first = await world.opened();
    world.answers.watch.push((order) => {
      world.registry.synced(order.id, 'resource-1');
      return { ok: true, resourceId: 'resource-1', resourceUri: '', expiresAtMs: undefined, vendorNowMs: undefined };
    });
    await world.registry.renew(first.watch);
    expect(world.states()).toEqual(['superseded', 'active']);
  });

  test.each(['nobody', '', "' OR 1=1", '\u0000'])(
    'of a channel that we never opened is never learnt: %j',
    async (id) => {
      const { registry, opened } = registryWorld();
      await opened();
      expect([registry.synced(id, 'resource-1'), registry.lookup(id)]).toEqual(['unknown', null]);
    },
  );
});

describe('W4: the token of a channel', () => {
  test('is good until five minutes after its end', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.registry.stop(watch); // So that no successor is asked for.
    expect(world.registry.lookup(id)).toEqual({
      id,
      watch,
      customer: 'C1',
      resourceId: 'resource-1',
      acceptsUntilMs: START_MS + 6 * HOUR_MS + 5 * MINUTE_MS,
      drops: true,
      holdsUntilMs: START_MS + 6 * HOUR_MS + 5 * MINUTE_MS,
    });
  });

  test('that was stopped: messages are dropped for five minutes, then it is dead', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.clock.nowMs += HOUR_MS;
    world.registry.stop(watch);
    await world.run(0);
    expect(world.states()).toEqual(['stopped']);
    expect(world.registry.lookup(id)).toMatchObject({
      drops: true,
      acceptsUntilMs: START_MS + HOUR_MS + 5 * MINUTE_MS,
    });
    world.clock.nowMs += 5 * MINUTE_MS - 1;
    expect(world.registry.lookup(id)?.drops).toBe(true);
    world.clock.nowMs += 1;
    expect(world.registry.lookup(id)).toBeNull();
    expect(world.registry.synced(id, 'resource-1')).toBe('unknown');
  });

  test('that was superseded: messages are kept until it is stopped, then dropped', async () => {
    const world = registryWorld();
    const first = await world.opened();
    await world.registry.renew(first.watch);
    expect(world.registry.lookup(first.id)?.drops).toBe(false);
    world.registry.synced(world.watched[1]?.id ?? '', 'resource-1');
    expect(world.registry.lookup(first.id)?.drops).toBe(false);
    await world.run(MINUTE_MS);
    expect(world.registry.lookup(first.id)?.drops).toBe(true);
  });

  test('that the vendor refused is dead at once', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => noAccess);
    const { id } = await world.opened();
    expect(world.registry.lookup(id)).toBeNull();
  });

  test('whose answer was lost is good until five minutes after the life that was asked for', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => down);
    const { id } = await world.opened();
    await world.run(6 * HOUR_MS + 5 * MINUTE_MS - 1);
    expect(world.registry.lookup(id)).toMatchObject({ resourceId: undefined, drops: false });
    world.clock.nowMs += 1;
    expect(world.registry.lookup(id)).toBeNull();
    expect(world.registry.get(id)?.state).toBe('failed');
  });
});

describe('a channel whose watch response was lost', () => {
  test('is followed by another with a new id; when its sync tells of it, it is stopped', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => down);
    const { id, state, next_try_at } = await world.opened();
    expect({ state, next_try_at }).toEqual({ state: 'pending', next_try_at: '2026-11-21T00:00:15.000Z' });
    await world.run(MINUTE_MS);
    expect(world.states()).toEqual(['pending', 'active']);
    expect(world.registry.synced(id, 'resource-1')).toBe('ok');
    await world.run(0);
    expect(world.states()).toEqual(['stopped', 'active']);
    expect(world.stopped).toEqual([{ id, resourceId: 'resource-1' }]);
  });

  test('whose sync came before another is granted stays open until then', async () => {
    const world = registryWorld();
    world.answers.watch.push((order) => {
      world.registry.synced(order.id, 'resource-1');
      return down;
    });
    await world.opened();
    expect([world.states(), world.stopped]).toEqual([['pending'], []]);
    await world.run(MINUTE_MS);
    expect(world.states()).toEqual(['stopped', 'active']);
  });

  test('is one whose answer came, but was not written down before the object went away', async () => {
    const world = registryWorld();
    const first = await world.opened();
    world.clock.nowMs += 304 * MINUTE_MS;
    world.answers.watch.push(() => new Promise(() => undefined)); // It goes away with this call on its way.
    void world.registry.pass();
    const after: Registry = world.another();
    await after.pass();
    expect(world.states()).toEqual(['renewing', 'pending']);
    world.clock.nowMs += MINUTE_MS;
    await after.pass();
    expect(world.states()).toEqual(['renewing', 'pending', 'active']);
    const orphan = world.watched[1]?.id ?? '';
    expect(after.lookup(orphan)).toMatchObject({ resourceId: undefined, drops: false });
    after.synced(orphan, 'resource-1');
    await after.pass();
    expect(world.stopped).toEqual([{ id: orphan, resourceId: 'resource-1' }]);
    expect(after.get(first.id)?.state).toBe('renewing');
  });

  test('that is granted late, after another took its place, is stopped', async () => {
    const world = registryWorld();
    let answer: (() => void) | undefined;
    world.answers.watch.push(
      ({ id }) =>
        new Promise((resolve) => {
          answer = () =>
            resolve({
              ok: true,
              resourceId: `of-${id}`,
              resourceUri: '',
              expiresAtMs: undefined,
              vendorNowMs: undefined,
            });
        }),
    );
    const late = world.registry.open(CUSTOMER);
    world.clock.nowMs += 2 * MINUTE_MS;
    const second = world.another();
    await second.pass();
    expect(world.states()).toEqual(['pending', 'active']);
    answer?.();
    await late;
    await second.pass();
    expect(world.states()).toEqual(['stopped', 'active']);
    expect(world.stopped).toHaveLength(1);
  });
});

describe('stop', () => {
  test('ends the watch: all its open channels, and nothing is asked for any more', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened({ ...CUSTOMER, subject: 'admin@example.com' });
    expect(world.registry.lookup(id)?.subject).toBe('admin@example.com');
    await world.registry.renew(watch);
    expect(world.registry.stop(id)).toMatchObject({ ok: true, channel: { id, state: 'stopping' } });
    await world.run(10 * DAY_MS);
    expect(world.states()).toEqual(['stopped', 'stopped']);
    expect(world.stopped.map(({ subject }) => subject)).toEqual(['admin@example.com', 'admin@example.com']);
    expect(world.watched).toHaveLength(2);
  });

  test('twice is refused, and so is a renewal after it', async () => {
    const world = registryWorld();
    const { id } = await world.opened();
    world.registry.stop(id);
    expect(world.registry.stop(id)).toMatchObject({ ok: false, reason: 'not_open' });
    expect(await world.registry.renew(id)).toMatchObject({ ok: false, reason: 'not_open' });
  });

  test('of a channel that is still asked for: what is granted is stopped', async () => {
    const world = registryWorld();
    world.answers.watch.push((order) => {
      world.registry.stop(order.id);
      return { ok: true, resourceId: 'resource-1', resourceUri: '', expiresAtMs: undefined, vendorNowMs: undefined };
    });
    await world.opened();
    await world.run(MINUTE_MS);
    expect([world.states(), world.stopped.length]).toEqual([['stopped'], 1]);
    expect(world.words()).toEqual([]);
  });

  test.each([
    ['that the vendor knows no longer is done', [gone], 1, 'stopped'],
    ['that failed is tried again', [down, down], 3, 'stopped'],
    ['with credentials that are refused is tried again later', [noAccess], 2, 'stopped'],
    [
      'that fails for ever ends with the life of the channel',
      Array.from({ length: 200 }, () => down),
      undefined,
      'expired',
    ],
  ])('%s', async (_what, answers, calls, state) => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.answers.stop.push(...answers);
    world.registry.stop(watch);
    await world.run(7 * HOUR_MS);
    expect(world.states()).toEqual([state]);
    if (calls === undefined) expect(world.stopped.length).toBeLessThan(200);
    else expect(world.stopped).toHaveLength(calls);
  });
});

describe('views', () => {
  test('a channel is found by its id and by that of its watch, by those who may see its customer', async () => {
    const { registry, opened } = registryWorld();
    const { id, watch } = await opened();
    expect([registry.get(id)?.id, registry.get(watch)?.id, registry.get(id, 'C1')?.id]).toEqual([id, id, id]);
    expect([registry.get(id, 'C2'), registry.get('nobody'), registry.get('')]).toEqual([null, null, null]);
    expect(registry.stop(id, 'C2')).toMatchObject({ ok: false, reason: 'not_found' });
    expect(await registry.renew(watch, 'C2')).toMatchObject({ ok: false, reason: 'not_found' });
  });

  test('the list goes from page to page, newest first, each once', async () => {
    const { registry, opened } = registryWorld();
    const asked: string[] = [];
    for (let serial = 0; serial < 7; serial += 1) asked.push((await opened({ target: { customer: `C${serial}` } })).id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = registry.list({ limit: 3, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(asked.toReversed());
  });

  test.each([
    [{ customer: 'C1' }, 2],
    [{ customer: 'C1', state: 'active' }, 1],
    [{ state: 'active' }, 2],
    [{ state: 'nonsense' }, 0],
    [{ watch: '00000000000000000000000000000001' }, 2],
    [{ watch: '00000000000000000000000000000001', customer: 'C2' }, 0],
    [{ cursor: 'nonsense' }, 3],
  ])('the list holds what is asked for: %j', async (query, count) => {
    const { registry, opened } = registryWorld();
    const { watch } = await opened();
    await registry.renew(watch);
    await opened({ target: { customer: 'C2' } });
    expect(registry.list({ limit: 10, ...query }).items).toHaveLength(count);
  });

  test('of many channels that ended the last 20 of each watch are shown', async () => {
    const world = registryWorld();
    const [{ watch }, other] = [await world.opened(), await world.opened({ target: { customer: 'C2' } })];
    await world.run(13 * DAY_MS);
    const ended = (of: string) =>
      world.registry.list({ watch: of, limit: 500 }).items.filter(({ ended_at }) => ended_at !== null);
    const asked = world.watched.filter(({ address }) => address.endsWith(watch)).map(({ id }) => id);
    expect(asked.length).toBeGreaterThan(60);
    expect(ended(watch).map(({ id }) => id)).toEqual(asked.slice(-21, -1).toReversed());
    expect(ended(other.watch)).toHaveLength(20);
  });

  test('one whose token is still good is kept however many ended after it', async () => {
    const world = registryWorld({ endedKept: 2, drainMs: 0 });
    const { id, watch } = await world.opened();
    const renewed = async (): Promise<void> => {
      await world.registry.renew(watch);
      world.registry.synced(world.watched.at(-1)?.id ?? '', 'resource-1');
      await world.registry.pass();
    };
    for (let times = 0; times < 5; times += 1) await renewed();
    expect(world.states()).toEqual(['stopped', 'stopped', 'stopped', 'stopped', 'stopped', 'active']);
    expect(world.registry.lookup(id)?.drops).toBe(true);
    world.clock.nowMs += 5 * MINUTE_MS;
    expect(world.registry.lookup(id)).toBeNull();
    await renewed();
    expect(world.states()).toEqual(['stopped', 'stopped', 'active']);
  });

  test('the last attempt is kept however many ended after it: it stands for its watch', async () => {
    const world = registryWorld({ endedKept: 1 });
    world.answers.watch.push(
      () => down,
      () => down,
      () => down,
      () => noAccess,
    );
    const { watch } = await world.opened({ ...CUSTOMER, ttlSeconds: 600 });
    for (let times = 0; times < 3; times += 1) await world.registry.renew(watch);
    world.sql.exec('UPDATE watch SET due_ms = ?', world.clock.nowMs + DAY_MS);
    await world.run(HOUR_MS);
    expect(world.registry.get(watch)).toMatchObject({ id: world.watched[3]?.id, state: 'failed' });
  });

  test('what ended is shown for 14 days; a stopped watch is forgotten a day later', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.registry.stop(watch);
    await world.run(14 * DAY_MS - 1);
    expect(world.registry.get(id)?.state).toBe('stopped');
    await world.run(1);
    expect(world.registry.get(id)).toBeNull();
    await world.run(DAY_MS);
    expect([world.rows('SELECT id FROM watch'), world.registry.nextDueMs()]).toEqual([[], undefined]);
  });
});
