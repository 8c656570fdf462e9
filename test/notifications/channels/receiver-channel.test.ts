import { describe, expect, test } from 'vitest';
import { parseChannelId } from '../../../src/notifications/channels/channel-id.ts';
import type { InboxCommand, ReceiverChannel } from '../../../src/notifications/core/protocol.ts';
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
  test('an hour at a time until its renewal, then a minute, and an hour again where the renewal is late', async () => {
    const world = registryWorld();
    const { id } = await world.opened();
    const renewMs = renewalOf(world, id);
    const holdsUntil = (): number | undefined => world.registry.lookup(id)?.holdsUntilMs;
    expect(renewMs).toBeGreaterThan(START_MS + 4 * HOUR_MS);
    expect(holdsUntil()).toBe(START_MS + HOUR_MS); // A stop under an earlier version of the code is not announced.
    world.clock.nowMs = renewMs - 1_000;
    expect(holdsUntil()).toBe(renewMs);
    world.clock.nowMs = renewMs;
    expect(holdsUntil()).toBe(renewMs + MINUTE_MS);
    world.clock.nowMs = renewMs + 4 * MINUTE_MS - 1;
    expect(holdsUntil()).toBe(renewMs + 5 * MINUTE_MS - 1);
    world.clock.nowMs += 1;
    const endMs = START_MS + LIFE_MS + GRACE_MS;
    expect(holdsUntil()).toBe(Math.min(endMs, renewMs + 4 * MINUTE_MS + HOUR_MS));
    world.clock.nowMs = endMs - 30 * MINUTE_MS;
    expect(holdsUntil()).toBe(endMs);
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
    expect(handed(world).map((word) => word.id)).toEqual([world.watched[2]?.id, id]);
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
  test('is the words of this customer, and nothing else', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    const other = await world.opened({ target: { customer: 'C2' } });
    world.registry.stop(watch);
    world.registry.stop(other.watch);
    await world.registry.deliver('C1');
    await world.registry.deliver('C-unknown');
    expect([handed(world).map((word) => word.id), world.words()]).toEqual([[id], []]);
    await world.registry.deliver('C1');
    expect(handed(world)).toHaveLength(1);
  });

  test('W4: does not wait for a command that the inbox did not take before', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.inbox.isAway = true;
    await world.run(10 * MINUTE_MS); // The resync is tried every five minutes by now.
    world.inbox.isAway = false;
    world.registry.stop(watch);
    await world.registry.deliver('C1');
    expect([handed(world), world.words()]).toMatchObject([[{ id, drops: true }], []]);
  });

  test('W4: nor for commands that a pass has in hand', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    let early: readonly ReceiverChannel[] = [];
    world.inbox.answers.push(async () => {
      world.registry.stop(watch);
      await world.registry.deliver('C1');
      early = handed(world);
    });
    await world.run(0);
    expect(early).toMatchObject([{ id, drops: true }]);
    expect(world.words()).toEqual(['C1 resync first_channel']);
    expect(handed(world).map((word) => word.id)).toEqual([id, id]); // When it was stopped here, and at the vendor.
  });

  test('W4: nor for words that were not taken before, which it takes along', async () => {
    const world = registryWorld();
    const first = await world.opened();
    const second = await world.opened({ target: { customer: 'C1', domain: 'a.example' } });
    world.inbox.isAway = true;
    world.registry.stop(first.watch);
    await world.registry.deliver('C1');
    world.inbox.isAway = false;
    world.registry.stop(second.watch);
    await world.registry.deliver('C1');
    expect(handed(world).map((word) => word.id)).toEqual([second.id, first.id]);
  });

  test('leaves the order of other commands alone, where a pass has some of them in hand', async () => {
    const world = registryWorld({ commands: 2 });
    world.answers.watch.push(() => ({ ok: false, reason: 'credentials_refused', detail: 'HTTP 403' }));
    const { watch } = await world.opened();
    await world.registry.renew(watch); // Granted: the alert is over.
    world.inbox.answers.push(async () => {
      world.registry.stop(watch);
      await world.registry.deliver('C1');
    });
    await world.run(0);
    expect(world.words().filter((line) => line.includes('credentials'))).toEqual([
      'C1 alert credentials_refused C1',
      'C1 over credentials_refused C1',
    ]);
  });
});

describe('a word that an inbox did not take', () => {
  test('W4: is tried again within a minute of the last time, though the inbox was away for long', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.inbox.isAway = true;
    world.registry.stop(watch);
    await world.registry.deliver('C1');
    await world.run(16 * MINUTE_MS);
    world.inbox.isAway = false;
    await world.run(MINUTE_MS);
    expect(handed(world).map((word) => word.id)).toContain(id);
  });

  test('that never ends: the stop is answered, and the word is tried again', async () => {
    const world = registryWorld({ commandMs: 5 });
    const { id, watch } = await world.opened();
    await world.run(0);
    world.inbox.answers.push(() => new Promise(() => undefined));
    world.registry.stop(watch);
    await world.registry.deliver('C1');
    expect(handed(world)).toEqual([]);
    expect(world.log).toContainEqual({ event: 'errand_not_taken', do: 'channel', tries: 1, error: 'Late' });
    await world.run(5_000);
    expect(handed(world).map((word) => word.id)).toContain(id);
  });

  test('is where an earlier version, which knows no such command, does not find it', async () => {
    const world = registryWorld();
    const { watch } = await world.opened();
    world.inbox.isAway = true;
    world.registry.stop(watch);
    await world.registry.deliver('C1');
    const kinds = world
      .rows('SELECT body FROM errand')
      .map(({ body }) => (JSON.parse(String(body)) as InboxCommand).do);
    expect(kinds).toEqual(['resync']);
  });

  test('is taken when it was put off by a clock that was ahead', async () => {
    const world = registryWorld();
    const { id, watch } = await world.opened();
    world.clock.nowMs += 5 * HOUR_MS;
    world.inbox.isAway = true;
    world.registry.stop(watch);
    await world.run(MINUTE_MS);
    world.inbox.isAway = false;
    world.clock.nowMs -= 5 * HOUR_MS;
    await world.registry.pass(); // The cron's.
    await world.run(0);
    expect(handed(world).map((word) => word.id)).toContain(id);
  });
});

test('commands that another worker has in hand are left to it when an earlier claim ends', async () => {
  const world = registryWorld();
  const { watch } = await world.opened();
  const refused = () => ({ ok: false, reason: 'credentials_refused', detail: 'HTTP 403' }) as const;
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  let later: Promise<unknown> = Promise.resolve();
  world.inbox.answers.push(
    async () => {
      world.answers.watch.push(refused);
      await world.registry.renew(watch); // An alert is left meanwhile.
      world.clock.nowMs += 2 * MINUTE_MS; // The claim is over: another worker takes both.
      later = world.another().pass();
      await expect.poll(() => world.inbox.answers).toEqual([]);
    },
    () => held,
  );
  await world.registry.pass();
  await world.registry.pass();
  end();
  await later;
  expect(world.words().filter((line) => line.includes('credentials'))).toEqual(['C1 alert credentials_refused C1']);
});
