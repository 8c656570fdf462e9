import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../local/stack.ts';
import { presentUntilDecided, present, sign } from '../support/presenting.ts';

const PRICE = 60_000n;
const CRASHES = 20;
/** A purchase on this machine takes some hundred milliseconds; the moments of death are spread over it. */
const SPREAD_MS = 400;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack.stop();
});

test(`P2, P3: after ${CRASHES} deaths of the Worker at any moment of a purchase every buyer is charged once and served`, async () => {
  const outcomes: { status: number; paid: bigint }[] = [];
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const buyer = await stack.chain.freshAccount(1_000_000n);
    const credential = await sign(stack, buyer);
    const first = present(stack, {}, credential).catch(() => undefined); // The connection dies with the Worker.
    await sleep((SPREAD_MS * crash) / CRASHES);
    await stack.api.crash();
    await first;
    const answer = await presentUntilDecided(stack, {}, credential);
    outcomes.push({ status: answer.status, paid: 1_000_000n - (await stack.chain.balance(buyer.address)) });
  }
  expect(outcomes).toEqual(Array.from({ length: CRASHES }, () => ({ status: 200, paid: PRICE })));
  expect(await stack.chain.balance(stack.seller.address)).toBe(PRICE * BigInt(CRASHES));
}, 600_000);
