import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { STACK_RAIL_IDS } from '../../payment/rails/rail-cases.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { codeOf, repeatUntilDecided } from '../../support/stack/presenting.ts';
import { railBuyers, type RailPurchase } from '../../support/stack/rail-buyers.ts';

const PRICE = 60_000n;
const START_MICRO_USDC = 1_000_000n;
/** Deaths of the Worker for each rail. `npm run soak` takes more. */
const CRASHES = Number(process.env['CRASHES'] ?? 2);
/** A purchase on this machine takes some hundred milliseconds; the moments of death are spread over it. */
const SPREAD_MS = 400;
/** Requests at once with one payment. */
const CROWD = budgetFor(50, 200);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack.stop();
});

type Sold = { report_id: string; payment: { payer: string } };

describe.each(STACK_RAIL_IDS)('%s', (id) => {
  const begin = async (): Promise<RailPurchase> =>
    railBuyers[id](stack, await stack.chain.freshAccount(START_MICRO_USDC), PRICE);
  const spentBy = async ({ buyer }: RailPurchase): Promise<bigint> =>
    START_MICRO_USDC - (await stack.chain.balance(buyer.address));
  const received = (): Promise<bigint> => stack.chain.balance(stack.seller.address);

  test(`P2, P3: after ${CRASHES} deaths of the Worker at any moment of a purchase every buyer is charged once and served once`, async () => {
    const before = await received();
    const purchases: RailPurchase[] = [];
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const purchase = await begin();
      const dying = purchase.send().catch(() => undefined); // The connection dies with the Worker.
      await sleep((SPREAD_MS * crash) / CRASHES);
      await stack.api.crash();
      await dying;
      purchases.push(purchase);
    }
    const answers = await Promise.all(purchases.map(({ send }) => repeatUntilDecided(send)));
    expect(answers.map(({ status }) => status)).toEqual(purchases.map(() => 200));
    const results = await Promise.all(answers.map((answer) => answer.text()));
    const sales = results.map((text) => JSON.parse(text) as Sold);
    expect(new Set(sales.map((sale) => sale.report_id)).size).toBe(CRASHES);
    expect(sales.map(({ payment }) => payment.payer)).toEqual(
      purchases.map(({ buyer }) => buyer.address.toLowerCase()),
    );
    // Served once: its payer gets the same bytes again, and nothing else for the same money.
    const again = await Promise.all(purchases.map(async ({ send }) => (await send()).text()));
    expect(again).toEqual(results);
    const other = { body: { url: stack.sites.poor } };
    const codes = await Promise.all(purchases.map(async ({ send }) => codeOf(await send(other))));
    expect(new Set(codes)).toEqual(new Set(['payment_already_used']));
    expect(await Promise.all(purchases.map(spentBy))).toEqual(purchases.map(() => PRICE));
    expect((await received()) - before).toBe(PRICE * BigInt(CRASHES));
  }, 300_000);

  test(`P2: ${CROWD} requests at once with one payment are one sale`, async () => {
    const before = await received();
    const purchase = await begin();
    const answers = await Promise.all(Array.from({ length: CROWD }, () => purchase.send()));
    const bodies = await Promise.all(
      answers.map(async (answer) => (await answer.json()) as Partial<Sold> & { code?: string }),
    );
    const refusals = new Set(bodies.flatMap(({ code }) => (code === undefined ? [] : [code])));
    expect([...refusals].filter((code) => code !== 'payment_in_progress')).toEqual([]);
    const last = (await (await repeatUntilDecided(purchase.send)).json()) as Sold;
    const sold = bodies.flatMap(({ report_id }) => report_id ?? []);
    expect(new Set([...sold, last.report_id])).toEqual(new Set([last.report_id]));
    expect(sold.length).toBeGreaterThan(0);
    expect(await spentBy(purchase)).toBe(PRICE);
    expect((await received()) - before).toBe(PRICE);
  }, 300_000);
});
