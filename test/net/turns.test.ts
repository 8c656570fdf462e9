import { expect, test } from 'vitest';
import { createHeldBytes } from '../../src/net/held-bytes.ts';
import { createTurns } from '../../src/net/turns.ts';

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
