import { expect, test } from 'vitest';
import type { InboxState } from '../../../src/notifications/inbox/inbox-state.ts';
import type { UserEffect } from '../../../src/notifications/sinks/sink.ts';
import { messageOf } from '../inbox/messages.ts';
import { CUSTOMER, failure, sinkOf, userOf, world } from './world.ts';

const USERS = 40;
const CHANGES = 400;
const MAX_RUNS = 5_000;

/** Numbers in [0, 1) that are the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Crash extends Error {
  override name = 'Crash';
}

/** A state whose object dies now and then: before a call, or after it and before its caller hears of it. */
function mortal(state: InboxState, dice: () => number): InboxState {
  return new Proxy(state, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (dice() < 0.01) throw new Crash();
        const result: unknown = Reflect.apply(value, target, given);
        if (dice() < 0.01) throw new Crash();
        return result;
      };
    },
  });
}

/**
 * A directory that fails, sinks that fail before or after they took an effect, messages that come twice, batches that are
 * handed in again, an object that dies: and in the end each receiver, which drops what it had by its id, knows the model.
 */
test.each([1, 2, 3, 4, 5, 6, 7, 8])('nothing is lost and nothing is doubled by its id (seed %i)', async (seed) => {
  const dice = seeded(seed);
  let isCalm = false;
  const unlucky = (part: number) => !isCalm && dice() < part;
  const answer = () => {
    if (unlucky(0.2)) throw new Error('receiver');
    return { ok: true } as const;
  };
  const receivers = [sinkOf('audit', answer), sinkOf('webhook', answer)];
  const here = world({ sinks: receivers.map(({ sink }) => sink) });
  const { readUser } = here.vendor;
  here.vendor.readUser = async (asked) => {
    if (unlucky(0.1)) throw new TypeError('network');
    return unlucky(0.1) ? failure('unavailable') : readUser(asked);
  };
  const work = async () => {
    try {
      await here.work((state) => (isCalm ? state : mortal(state, dice)));
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      here.restart();
    }
  };
  const concerned = new Set<string>();
  const change = (version: number) => {
    const id = `user${Math.floor(dice() * USERS)}`;
    concerned.add(id);
    if (dice() < 0.2) here.users.delete(id);
    else here.users.set(id, userOf(id, { orgUnitPath: `/v${version}`, suspended: dice() < 0.2 }));
    const message = messageOf(id, version, { state: here.users.has(id) ? 'update' : 'delete' });
    const batch = unlucky(0.1) ? [message, message] : [message];
    here.keep(...batch);
    if (unlucky(0.1)) here.keep(...batch); // The vendor, or a queue, brings it again.
  };
  for (let version = 1; version <= CHANGES; version += 1) {
    change(version);
    if (dice() < 0.7) continue;
    await work();
    here.clock.nowMs += Math.floor(dice() * 20_000);
  }
  const left = () => here.state().status();
  for (let run = 0; left().waiting + left().delivering + left().dead > 0 && run < MAX_RUNS; run += 1) {
    isCalm = run > 200;
    here.passToDue();
    await work();
    if (left().waiting + left().delivering === 0) here.state().replay({});
  }
  expect(left()).toMatchObject({ waiting: 0, delivering: 0, dead: 0 });
  expect(concerned.size).toBeGreaterThan(USERS / 2);
  for (const { delivered } of receivers) {
    const effects = delivered.filter((effect): effect is UserEffect => effect.type === 'user');
    const byId = new Map(effects.map((effect) => [effect.id, effect]));
    // Told again is told the same.
    for (const effect of effects) expect(effect).toEqual(byId.get(effect.id));
    const last = new Map<string, UserEffect>();
    for (const effect of byId.values())
      if (effect.stamp > (last.get(effect.userId)?.stamp ?? 0)) last.set(effect.userId, effect);
    const knows = [...last].map(([id, { seen }]) => [id, seen.state === 'gone' ? null : seen.user]);
    const model = [...concerned].map((id) => [id, here.users.get(id) ?? null]);
    expect(new Map(knows as [string, unknown][])).toEqual(new Map(model as [string, unknown][]));
    expect(byId.size).toBeLessThanOrEqual(CHANGES);
    expect(effects.length).toBeGreaterThan(byId.size); // Faults there were.
  }
  const messages = here.state().messages({ limit: 1_000, channel: 'channel-1' }).items;
  expect(messages.map(({ state }) => state)).toEqual(Array.from({ length: CHANGES }, () => 'worked'));
  expect([...(receivers[0]?.delivered ?? [])].every((effect) => effect.customer === CUSTOMER)).toBe(true);
});
