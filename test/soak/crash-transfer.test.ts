import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../local/chain/chain.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { codeOf, present, presentUntilDecided } from '../support/stack/presenting.ts';
import { prove } from '../support/stack/transfers.ts';

const PRICE = 60_000n;
const START_MICRO_USDC = 1_000_000n;
/** `npm run soak` takes more. */
const CRASHES = Number(process.env['CRASHES'] ?? 5);
/** A purchase on this machine takes some hundred milliseconds; the moments of death are spread over it. */
const SPREAD_MS = 400;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack.stop();
});

type Purchase = { buyer: Account; hash: Hex };

async function buyWhileTheWorkerDies(afterMs: number): Promise<Purchase> {
  const buyer = await stack.chain.freshAccount(START_MICRO_USDC);
  const hash = await stack.chain.transfer(buyer, stack.seller.address, PRICE);
  const dying = present(stack, {}, await prove(stack, buyer, hash)).catch(() => undefined); // The connection dies with the Worker.
  await sleep(afterMs);
  await stack.api.crash();
  await dying;
  return { buyer, hash };
}

test(`P2, P3: after ${CRASHES} deaths of the Worker during purchases by transfer every payer is served for its one payment`, async () => {
  const purchases: Purchase[] = [];
  for (let crash = 0; crash < CRASHES; crash += 1)
    purchases.push(await buyWhileTheWorkerDies((SPREAD_MS * crash) / CRASHES));

  const fresh = ({ buyer, hash }: Purchase): Promise<string> => prove(stack, buyer, hash);
  const answers = await Promise.all(purchases.map(async (one) => presentUntilDecided(stack, {}, await fresh(one))));
  expect(answers.map(({ status }) => status)).toEqual(purchases.map(() => 200));
  const results = await Promise.all(answers.map((answer) => answer.text()));
  const sales = results.map(
    (text) => JSON.parse(text) as { report_id: string; payment: { transaction: string; payer: string } },
  );
  expect(sales.map(({ payment }) => [payment.transaction, payment.payer])).toEqual(
    purchases.map(({ buyer, hash }) => [hash, buyer.address.toLowerCase()]),
  );
  expect(new Set(sales.map((sale) => sale.report_id)).size).toBe(CRASHES);

  // Served once: another proof gets the same bytes, and neither another body nor the bare hash gets anything.
  const again = await Promise.all(purchases.map(async (one) => (await present(stack, {}, await fresh(one))).text()));
  expect(again).toEqual(results);
  const other = { body: { url: stack.sites.poor } };
  const codes = await Promise.all(
    purchases.flatMap(({ buyer, hash }) => [
      present(stack, {}, hash).then(codeOf),
      prove(stack, buyer, hash, other)
        .then((proof) => present(stack, other, proof))
        .then(codeOf),
    ]),
  );
  expect(new Set(codes)).toEqual(new Set(['payment_already_used']));

  const left = await Promise.all(purchases.map(({ buyer }) => stack.chain.balance(buyer.address)));
  expect(left).toEqual(purchases.map(() => START_MICRO_USDC - PRICE));
  expect(await stack.chain.balance(stack.seller.address)).toBe(PRICE * BigInt(CRASHES));
}, 300_000);
