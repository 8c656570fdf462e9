import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { movableClock } from '../../../durable-objects/ledger-shard.ts';
import { buy, doneIn, engineWorld, EVENTS, type EngineWorld, following, until } from './engine-world.ts';
import { settleOnChain } from './settling-chain.ts';
import { problemOf, signedCredential, type World, world } from '../world.ts';

let seen: World;
let engine: EngineWorld;
beforeEach(() => {
  seen = world();
  engine = engineWorld();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const isUnderWay = (done: number): boolean => done >= 1 && done <= 29;

describe('progress is told while the prompts are answered', () => {
  test('to who buys: nothing done, then some, before the others are answered', async () => {
    engine.hold = true;
    const { events, ended } = following(await buy({ headers: EVENTS }));
    await until(() => doneIn(events()).length > 0);
    expect(events()).toEqual([{ event: 'progress', data: { done: 0, failed: 0, total: 30 } }]);
    await until(() => engine.sent.length === 30);
    await engine.deliver(6);
    await until(() => doneIn(events()).includes(6));
    expect(events().every(({ event }) => event === 'progress')).toBe(true);
    expect(engine.asked).toHaveLength(6);
    await engine.deliver();
    await ended;
    expect(doneIn(events()).at(-1)).toBe(30);
    expect(events().at(-1)).toMatchObject({ event: 'result', data: { mention_rate: { n: 30 } } });
  });

  test('to who attached: where the run is, then more, before the others are answered', async () => {
    engine.hold = true;
    const credential = await signedCredential('visibility_check');
    const first = buy({ credential });
    await until(() => engine.sent.length === 30);
    await engine.deliver(6);
    const { events, ended } = following(await buy({ credential, headers: EVENTS }));
    await until(() => doneIn(events()).length > 0);
    expect(events()).toEqual([{ event: 'progress', data: { done: 6, failed: 0, total: 30 } }]);
    await engine.deliver(6);
    await until(() => doneIn(events()).includes(12));
    expect(doneIn(events()).every(isUnderWay)).toBe(true);
    expect(engine.asked).toHaveLength(12);
    await engine.deliver();
    await ended;
    expect(doneIn(events()).at(-1)).toBe(30);
    expect(events().at(-1)).toEqual({ event: 'result', data: await (await first).json() });
    expect(seen.calls.settle).toHaveLength(1);
  });
});

test('P2, P11: who attached takes over a run whose Worker lost its lease while the run goes on, and is charged once', async () => {
  const clock = movableClock();
  engine.hold = true;
  const credential = await signedCredential('visibility_check');
  const first = buy({ credential });
  await until(() => engine.sent.length === 30);
  const { events, ended } = following(await buy({ credential, headers: EVENTS }));
  await until(() => doneIn(events()).length > 0); // It follows the run.
  expect(seen.calls.verify).toHaveLength(1);
  clock.advance(40_000); // A lease is 30 s, and its Worker had no time to renew it.
  await engine.deliver(6);
  await until(() => seen.calls.verify.length === 2); // It has claimed, with most of the prompts still waiting.
  expect([engine.asked.length, engine.sent.length]).toEqual([6, 30]);
  await engine.deliver();
  await ended;
  expect(events().at(-1)).toMatchObject({ event: 'result', data: { mention_rate: { n: 30 } } });
  expect(await problemOf(await first)).toEqual({ status: 409, code: 'payment_in_progress' });
  expect(engine.sent).toHaveLength(30);
  expect(seen.calls.settle).toHaveLength(1);
});
