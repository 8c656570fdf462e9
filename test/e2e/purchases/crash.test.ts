import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { presentUntilDecided, present, sign } from '../../support/stack/presenting.ts';

const PRICE = 60_000n;
const START_MICRO_USDC = 1_000_000n;
/** `npm run soak` takes more. */
const CRASHES = Number(process.env['CRASHES'] ?? 2);
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
  const purchases: { buyer: Account; credential: string }[] = [];
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const buyer = await stack.chain.freshAccount(START_MICRO_USDC);
    const credential = await sign(stack, buyer);
    const dying = present(stack, {}, credential).catch(() => undefined); // The connection dies with the Worker.
    await sleep((SPREAD_MS * crash) / CRASHES);
    await stack.api.crash();
    await dying;
    purchases.push({ buyer, credential });
  }
  const answers = await Promise.all(purchases.map(({ credential }) => presentUntilDecided(stack, {}, credential)));
  expect(answers.map((answer) => answer.status)).toEqual(purchases.map(() => 200));
  const spent = await Promise.all(
    purchases.map(async ({ buyer }) => START_MICRO_USDC - (await stack.chain.balance(buyer.address))),
  );
  expect(spent).toEqual(purchases.map(() => PRICE));
  expect(await stack.chain.balance(stack.seller.address)).toBe(PRICE * BigInt(CRASHES));
}, 300_000);
