import { expect, test, vi } from 'vitest';
import { createHeldBytes } from '../../src/net/held-bytes.ts';
import { createTurns, callWithTimeout, loadOnce } from '../../src/lib/concurrency.ts';

test('one works at a time, the others in their order', async () => {
  const turns = createTurns(8);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    [0, 1, 2, 3].map(async (index) => {
      const turn = await turns.take();
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      order.push(index);
      running -= 1;
      turn?.end();
    }),
  );
  expect([order, most]).toEqual([[0, 1, 2, 3], 1]);
});

test('who holds the turn and is gone without a word makes nobody wait for ever', async () => {
  let nowMs = 0;
  const turns = createTurns(8, () => nowMs);
  await turns.take(); // Its request was cancelled: neither `isAlive` nor `end` is called.
  const next = turns.take();
  nowMs = 6_000;
  expect(await next).toBeDefined();
});

test('beyond the most that may wait, nobody else does', async () => {
  const turns = createTurns(1);
  const first = await turns.take();
  const second = turns.take();
  expect(await turns.take()).toBeUndefined();
  first?.end();
  expect(await second).toBeDefined();
});

test('bytes that a cancelled request never gave back are free after three minutes', () => {
  let nowMs = 0;
  const held = createHeldBytes(100, 40, 0, () => nowMs);
  expect(held.take('purchase', 60)).toBeDefined();
  expect(held.take('purchase', 60)).toBeUndefined();
  nowMs = 180_000;
  expect(held.take('purchase', 60)).toBeDefined();
  expect(held.held()).toBe(60);
});

test('those who are gone wait for nothing: as many wait as may, and no more', async () => {
  vi.useFakeTimers();
  try {
    let nowMs = 0;
    const turns = createTurns(4, () => nowMs);
    const running = await turns.take();
    const ahead = turns.take();
    const real = globalThis.setTimeout;
    // The request of the next one is cancelled: its timer never comes back.
    vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce((() => 0) as unknown as typeof real);
    void turns.take();
    for (let passed = 0; passed < 6_000; passed += 100) {
      nowMs += 100;
      running?.isAlive();
      await vi.advanceTimersByTimeAsync(100);
    }
    let refused = 0;
    for (let count = 0; count < 100; count += 1)
      void turns.take().then((turn) => {
        if (turn === undefined) refused += 1;
        return turn;
      });
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toBe(97); // One waited already.
    void ahead;
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
});

test('a call that answers in time is its answer', async () => {
  expect(await callWithTimeout(async () => 7, 1_000)).toEqual({ ok: true, value: 7 });
});

class WithSecret extends Error {
  override name = 'WithSecret';
}

test.each([
  ['rejects', () => Promise.reject(new WithSecret('token=abc')), 'WithSecret'],
  [
    'throws before it returns',
    () => {
      throw new TypeError('token=abc');
    },
    'TypeError',
  ],
  ['rejects with a text', () => Promise.reject('token=abc'), 'string'], // oxlint-disable-line prefer-promise-reject-errors
  ['never settles', () => new Promise<never>(() => undefined), 'Late'],
])('of a call that %s only the name of the failure is kept', async (_how, call, name) => {
  expect(await callWithTimeout(call, 20)).toEqual({ ok: false, name });
});

test('what is loaded is kept; a failure is not', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('not yet');
    return { loads };
  });
  await expect(load()).rejects.toThrow('not yet');
  expect([await load(), await load(), loads]).toEqual([{ loads: 2 }, { loads: 2 }, 2]);
});

test('a use does not wait for the load that another one began', async () => {
  const pending = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
  let loads = 0;
  const load = loadOnce(() => pending[loads++]?.promise ?? Promise.reject(new Error('loaded too often')));
  void load();
  const second = load();
  pending[1]?.resolve({ from: 'its own' });
  expect(await second).toEqual({ from: 'its own' });
});
