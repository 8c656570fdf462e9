import { describe, expect, test } from 'vitest';
import { parseChannelId } from '../../../src/notifications/channels/channel-id.ts';
import type { ReceiverChannel } from '../../../src/notifications/core/protocol.ts';
import { CUSTOMER, down, HOUR_MS, MINUTE_MS, type RegistryWorld, registryWorld, START_MS } from './world.ts';

const LIFE_MS = 6 * HOUR_MS;
const GRACE_MS = 5 * MINUTE_MS;

/** Words of channels that inboxes were handed. */
const handed = ({ told }: RegistryWorld): readonly ReceiverChannel[] =>
  told.flatMap(({ command }) => (command.do === 'channel' ? [command.channel] : []));
const renewalOf = (world: RegistryWorld, id: string): number =>
  Number(world.rows(`SELECT renew_ms FROM channel WHERE id = '${id}'`)[0]?.['renew_ms']);

describe('the id that a channel is asked for with', () => {
  test('states the customer, and an end that no grant outlives', async () => {
    const world = registryWorld();
    const { id } = await world.opened();
    expect(world.watched[0]?.id).toBe(id);
    const claims = parseChannelId(id);
    expect(claims).toEqual({ customer: 'C1', acceptsUntilMs: START_MS + MINUTE_MS + LIFE_MS + GRACE_MS });
    expect(world.registry.lookup(id)?.acceptsUntilMs).toBeLessThanOrEqual(claims?.acceptsUntilMs ?? 0);
  });

  test('is so at the next renewal of a channel of before', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    const before = '7d4e3f57-0bd2-4f2b-8a0f-3f8d94f6f0c1';
    world.sql.exec('UPDATE channel SET id = ? WHERE id = ?', before, id);
    world.sql.exec('UPDATE watch SET current_id = ?1, latest_id = ?1', before);
    expect(world.registry.lookup(before)).toMatchObject({ id: before, watch, customer: 'C1' });
    await world.run(LIFE_MS);
    expect(world.states()).toEqual(['stopped', 'active']);
    expect(parseChannelId(world.watched[1]?.id ?? '')?.customer).toBe('C1');
  });
});

describe('how long an inbox may go by the word of a channel', () => {
  test('until its renewal, then a minute at a time, and to the end of its token where the renewal is late', async () => {
    const world = registryWorld();
    const { id } = await world.opened();
    const renewMs = renewalOf(world, id);
    const holdsUntil = (): number | undefined => world.registry.lookup(id)?.holdsUntilMs;
    expect(renewMs).toBeGreaterThan(START_MS + 4 * HOUR_MS);
    expect(holdsUntil()).toBe(renewMs);
    world.clock.nowMs = renewMs;
    expect(holdsUntil()).toBe(renewMs + MINUTE_MS);
    world.clock.nowMs = renewMs + 4 * MINUTE_MS - 1;
    expect(holdsUntil()).toBe(renewMs + 5 * MINUTE_MS - 1);
    world.clock.nowMs += 1;
    expect(holdsUntil()).toBe(START_MS + LIFE_MS + GRACE_MS);
  });

  test('not at all once a successor covers its watch', async () => {
    const world = registryWorld();
    const { id } = await world.opened();
    await world.run(renewalOf(world, id) - START_MS);
    world.registry.synced(world.watched[1]?.id ?? '', 'resource-1');
    expect([world.states()[0], world.registry.lookup(id)?.holdsUntilMs]).toEqual(['superseded', undefined]);
  });

  test('not at all while it is asked for: a grant may change its end', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => down);
    const { id } = await world.opened();
    world.registry.synced(id, 'resource-1');
    expect(world.registry.lookup(id)).toMatchObject({ resourceId: 'resource-1', holdsUntilMs: undefined });
  });

  test('one that is stopped while it is asked for is not held before it is granted', async () => {
    const world = registryWorld();
    world.answers.watch.push(() => down);
    const { id, watch } = await world.opened();
    world.registry.synced(id, 'resource-1');
    world.registry.stop(watch);
    expect(world.registry.lookup(id)).toMatchObject({ drops: true, holdsUntilMs: undefined });
  });
});

describe('a stop is announced to the inbox', () => {
  test('at once where an operator stops the watch, and again with its end once the vendor stopped it', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.clock.nowMs += HOUR_MS;
    world.registry.stop(watch);
    await world.registry.deliver('C1');
    expect(handed(world)).toMatchObject([{ id, drops: true, acceptsUntilMs: START_MS + LIFE_MS + GRACE_MS }]);
    await world.run(0);
    expect(handed(world)).toMatchObject([
      { id, drops: true },
      { id, drops: true, acceptsUntilMs: START_MS + HOUR_MS + GRACE_MS, holdsUntilMs: START_MS + HOUR_MS + GRACE_MS },
    ]);
  });

  test('of all its channels, and of no other watch', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    await world.opened({ target: { customer: 'C1', domain: 'a.example' } });
    await world.registry.renew(watch);
    world.registry.stop(watch);
    await world.registry.deliver('C1');
    expect(handed(world).map((word) => word.id)).toEqual([id, world.watched[2]?.id]);
  });

  test('where an operator renews it before its time', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    await world.registry.renew(watch);
    await world.run(10 * MINUTE_MS);
    expect(world.states()).toEqual(['stopped', 'active']);
    expect(handed(world)).toMatchObject([{ id, drops: true }]);
  });

  test('not where it was renewed in its time: no inbox goes by its word any longer', async () => {
    const world = registryWorld();
    const { id } = await world.opened();
    await world.run(LIFE_MS);
    expect(world.states()).toEqual(['stopped', 'active']);
    expect(world.stopped.map((stop) => stop.id)).toEqual([id]);
    expect(handed(world)).toEqual([]);
  });

  test('also where its watch is stopped while the vendor is asked to stop it', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.answers.stop.push(async () => {
      world.registry.stop(watch);
      return { ok: true };
    });
    await world.run(LIFE_MS);
    const words = handed(world).filter((word) => word.id === id);
    expect(words.map(({ drops }) => drops)).toEqual([true, true]);
    const [first, last] = words;
    expect(last?.acceptsUntilMs).toBeLessThan(first?.acceptsUntilMs ?? 0);
  });

  test('and kept for an inbox that does not take it', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    await world.run(0);
    world.inbox.isAway = true;
    world.registry.stop(watch);
    await world.registry.deliver('C1');
    expect(handed(world)).toEqual([]);
    world.inbox.isAway = false;
    await world.run(MINUTE_MS);
    expect(handed(world).map((word) => word.id)).toContain(id);
  });
});

test('W4: no word outlives a stop that is not announced, whenever it was given and however renewals fail', async () => {
  let [unannounced, announced] = [0, 0];
  for (let round = 0; round < 12; round += 1) {
    const world = registryWorld();
    const { watch } = await world.opened({ ...CUSTOMER, ttlSeconds: 3_600 + 1_213 * round });
    const longest = new Map<string, number>();
    const seen = new Set<string>();
    const fails = Array.from({ length: round % 8 }, () => () => down);
    for (let step = 0; step < 350; step += 1) {
      if (step === 40) world.answers.watch.push(...fails);
      if (step === 100 + 3 * round) await world.registry.renew(watch);
      await world.run(41_000 + 1_500 * round);
      if (round % 2 === 0) world.registry.synced(world.watched.at(-1)?.id ?? '', 'resource-1');
      for (const row of world.rows('SELECT id, state, ended_ms FROM channel')) {
        const id = String(row['id']);
        const word = world.registry.lookup(id);
        if (row['state'] === 'stopped' && !seen.has(id)) {
          seen.add(id);
          const wasTold = handed(world).some((one) => one.id === id);
          if (!wasTold) expect(longest.get(id) ?? 0).toBeLessThanOrEqual(Number(row['ended_ms']));
          [unannounced, announced] = wasTold ? [unannounced, announced + 1] : [unannounced + 1, announced];
        } else if (word !== null && !seen.has(id))
          longest.set(id, Math.max(longest.get(id) ?? 0, word.holdsUntilMs ?? 0));
      }
    }
  }
  expect([unannounced > 20, announced > 10]).toEqual([true, true]);
});

describe('what is taken to an inbox at once', () => {
  test('is what is due for this customer, in order, and no other', async () => {
    const world = registryWorld();
    await world.opened();
    await world.opened({ target: { customer: 'C2' } });
    await world.registry.deliver('C1');
    expect(world.words()).toEqual(['C1 resync first_channel']);
    await world.registry.deliver('C1');
    await world.registry.deliver('nobody');
    expect(world.words()).toEqual(['C1 resync first_channel']);
  });

  test('waits for what a pass has in hand, and is not taken twice', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened(CUSTOMER);
    let early: number | undefined;
    world.inbox.answers.push(async () => {
      world.registry.stop(watch);
      await world.registry.deliver('C1');
      early = handed(world).length;
    });
    await world.run(0);
    expect([early, world.words()]).toEqual([0, ['C1 resync first_channel']]);
    expect(handed(world).map((word) => word.id)).toEqual([id, id]); // When it was stopped here, and at the vendor.
  });
});
