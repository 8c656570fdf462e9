import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { type Fault, type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { codeOf, present, presentUntilDecided, repeatUntilDecided, sign } from '../../support/stack/presenting.ts';
import { railBuyers } from '../../support/stack/rail-buyers.ts';

const PRICE = 60_000n;
const CROWD = 200;
let stack: Stack;
let faults: FaultFacilitator;

beforeAll(async () => {
  stack = await startStack({
    facilitatorFor: async (url) => {
      faults = await startFaultFacilitator(url);
      return faults.url;
    },
  });
});
afterAll(async () => {
  await stack.stop();
  await faults.stop();
});

const fresh = (microUsdc = 10_000_000n): Promise<Account> => stack.chain.freshAccount(microUsdc);
const balances = async (buyer: Account) => ({
  buyer: await stack.chain.balance(buyer.address),
  seller: await stack.chain.balance(stack.seller.address),
});

/** How much moved from the buyer to the seller while `task` ran. */
async function moved(buyer: Account, task: () => Promise<void>): Promise<{ paid: bigint; received: bigint }> {
  const before = await balances(buyer);
  await task();
  const after = await balances(buyer);
  return { paid: before.buyer - after.buyer, received: after.seller - before.seller };
}

test.each([
  ['check_health', 60_000n],
  ['full_audit', 350_000n],
])('%s is bought by a signed payload: one payment on chain, one result', async (capability, price) => {
  const buyer = await fresh();
  const sum = await moved(buyer, async () => {
    const answer = await present(stack, { capability }, await sign(stack, buyer, { capability }));
    expect(answer.status).toBe(200);
    const { payment } = (await answer.json()) as {
      payment: { transaction: `0x${string}`; payer: string; method: string };
    };
    expect(payment).toMatchObject({ method: 'x402', payer: buyer.address.toLowerCase() });
    expect((await stack.chain.client.getTransactionReceipt({ hash: payment.transaction })).status).toBe('success');
  });
  expect(sum).toEqual({ paid: price, received: price });
});

test.each([
  ['check_health', 60_000n],
  ['full_audit', 350_000n],
])('%s is bought by a transaction hash: one payment on chain, one result', async (capability, price) => {
  const buyer = await fresh();
  const sum = await moved(buyer, async () => {
    const hash = await stack.chain.transfer(buyer, stack.seller.address, price);
    const answer = await present(stack, { capability }, hash);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      capability,
      payment: { method: 'transfer', transaction: hash, payer: buyer.address.toLowerCase(), amount: String(price) },
    });
    expect(await codeOf(await present(stack, { capability }, hash))).toBe('payment_already_used');
  });
  expect(sum).toEqual({ paid: price, received: price });
});

describe(`${CROWD} concurrent presentations of one payment are one sale`, () => {
  test('signed payload', async () => {
    const buyer = await fresh();
    const credential = await sign(stack, buyer);
    const sum = await moved(buyer, async () => {
      const answers = await Promise.all(Array.from({ length: CROWD }, () => present(stack, {}, credential)));
      const results = await Promise.all(
        answers.filter((answer) => answer.status === 200).map((answer) => answer.text()),
      );
      const others = answers.filter((answer) => answer.status !== 200 && answer.status !== 409);
      expect(await Promise.all(others.map(codeOf))).toEqual([]);
      expect(new Set(results).size).toBe(1);
    });
    expect(sum).toEqual({ paid: PRICE, received: PRICE });
  });

  test('transaction hash', async () => {
    const buyer = await fresh();
    const hash = await stack.chain.transfer(buyer, stack.seller.address, PRICE);
    const answers = await Promise.all(Array.from({ length: CROWD }, () => present(stack, {}, hash)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(CROWD - 1);
  });
});

describe('a settlement that happened and was not reported', () => {
  test.each<Fault>(['reset_after', '500_json_after', 'bad_json_after', 'settlement_pending_after'])(
    'P4: %s ends with the buyer charged once and served once',
    async (fault) => {
      const buyer = await fresh();
      const credential = await sign(stack, buyer);
      faults.set('settle', fault);
      const sum = await moved(buyer, async () => {
        const answer = await presentUntilDecided(stack, {}, credential);
        faults.set('settle', 'none');
        expect(answer.status).toBe(200);
        const again = await present(stack, {}, credential);
        expect(await again.text()).toBe(await answer.text());
      });
      expect(sum).toEqual({ paid: PRICE, received: PRICE });
    },
  );

  test('P4: a facilitator that hangs ends with the buyer charged once and served once', async () => {
    const buyer = await fresh();
    const credential = await sign(stack, buyer);
    faults.set('settle', 'hang_after');
    const sum = await moved(buyer, async () => {
      const first = present(stack, {}, credential);
      const answer = await presentUntilDecided(stack, {}, credential); // A second presentation meanwhile is told to wait.
      faults.set('settle', 'none');
      expect(answer.status).toBe(200);
      expect((await first).status).toBe(200);
    });
    expect(sum).toEqual({ paid: PRICE, received: PRICE });
  });
});

describe('a settlement that did not happen', () => {
  test.each<Fault>(['503_text', '503_html', 'reset_before', 'accepted_202', 'redirect'])(
    'P13: %s is never answered 402, and the same payment sells once the facilitator is back',
    async (fault) => {
      const buyer = await fresh();
      const credential = await sign(stack, buyer);
      const sum = await moved(buyer, async () => {
        faults.set('settle', fault);
        const answer = await present(stack, {}, credential);
        expect([answer.status, await codeOf(answer)]).toEqual([503, 'settlement_unknown']);
        faults.set('settle', 'none');
        expect((await presentUntilDecided(stack, {}, credential)).status).toBe(200);
      });
      expect(sum).toEqual({ paid: PRICE, received: PRICE });
    },
  );

  test('P4: what the facilitator took and refuses when it is repeated is doubt, and is charged once and served once', async () => {
    const buyer = await fresh();
    const credential = await sign(stack, buyer);
    const sum = await moved(buyer, async () => {
      for (const fault of ['accepted_202', 'refused', 'refused'] as const) {
        faults.set('settle', fault);
        const answer = await present(stack, {}, credential);
        expect([fault, answer.status, await codeOf(answer)]).toEqual([fault, 503, 'settlement_unknown']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      faults.set('settle', 'none');
      expect((await presentUntilDecided(stack, {}, credential)).status).toBe(200);
    });
    expect(sum).toEqual({ paid: PRICE, received: PRICE });
  });

  test('P4: what the facilitator refuses at the first try is 402', async () => {
    const buyer = await fresh();
    faults.set('settle', 'refused');
    const answer = await present(stack, {}, await sign(stack, buyer));
    faults.set('settle', 'none');
    expect([answer.status, await codeOf(answer)]).toEqual([402, 'settlement_refused']);
  });

  test('P4: a payer that moves its money away meanwhile is refused with 402, charged nothing and gets nothing', async () => {
    const buyer = await fresh(PRICE);
    const elsewhere = await fresh(0n);
    const credential = await sign(stack, buyer);
    faults.set('settle', '503_text');
    expect((await present(stack, {}, credential)).status).toBe(503);
    await stack.chain.transfer(buyer, elsewhere.address, PRICE);
    faults.set('settle', 'none');
    const answer = await presentUntilDecided(stack, {}, credential);
    expect([answer.status, await codeOf(answer)]).toEqual([402, 'settlement_refused']);
    expect(answer.headers.get('payment-response')).toBeTruthy();
  });
});

describe('by MPP', () => {
  const pay = async (buyer: Account) => (await railBuyers.mpp(stack, buyer, PRICE)).send;

  test.each<Fault>(['reset_after', '500_json_after', 'bad_json_after', 'settlement_pending_after', 'hang_after'])(
    'P4: a settlement that happened and was not reported (%s) ends with the buyer charged once and served once',
    async (fault) => {
      const buyer = await fresh();
      const send = await pay(buyer);
      faults.set('settle', fault);
      const sum = await moved(buyer, async () => {
        const answer = await repeatUntilDecided(send);
        faults.set('settle', 'none');
        expect(answer.status).toBe(200);
        expect(await (await send()).text()).toBe(await answer.text());
      });
      expect(sum).toEqual({ paid: PRICE, received: PRICE });
    },
  );

  test.each<Fault>(['503_text', 'reset_before', 'accepted_202'])(
    'P13: a settlement that did not happen (%s) is never answered 402, and comes late by the same payment',
    async (fault) => {
      const buyer = await fresh();
      const send = await pay(buyer);
      const sum = await moved(buyer, async () => {
        faults.set('settle', fault);
        const answer = await send();
        expect([answer.status, await codeOf(answer)]).toEqual([503, 'settlement_unknown']);
        faults.set('settle', 'none');
        const late = await repeatUntilDecided(send);
        expect([late.status, late.headers.has('payment-receipt')]).toEqual([200, true]);
      });
      expect(sum).toEqual({ paid: PRICE, received: PRICE });
    },
  );

  test('P4: what the facilitator took and refuses when it is repeated is doubt, and is charged once and served once', async () => {
    const buyer = await fresh();
    const send = await pay(buyer);
    const sum = await moved(buyer, async () => {
      for (const fault of ['accepted_202', 'refused'] as const) {
        faults.set('settle', fault);
        const answer = await send();
        expect([fault, answer.status, await codeOf(answer)]).toEqual([fault, 503, 'settlement_unknown']);
      }
      faults.set('settle', 'none');
      const late = await repeatUntilDecided(send);
      expect([late.status, late.headers.has('payment-receipt')]).toEqual([200, true]);
    });
    expect(sum).toEqual({ paid: PRICE, received: PRICE });
  });

  test('P4: a payer that moves its money away meanwhile is refused with 402 and fresh challenges', async () => {
    const buyer = await fresh(PRICE);
    const elsewhere = await fresh(0n);
    const send = await pay(buyer);
    faults.set('settle', '503_text');
    expect((await send()).status).toBe(503);
    await stack.chain.transfer(buyer, elsewhere.address, PRICE);
    faults.set('settle', 'none');
    const answer = await repeatUntilDecided(send);
    expect([answer.status, await codeOf(answer)]).toEqual([402, 'settlement_refused']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Payment /);
  });
});

test('P26: a buyer that goes away while it is charged is charged once and finds its result', async () => {
  const buyer = await fresh();
  const credential = await sign(stack, buyer);
  const settled = faults.calls.settle;
  const sum = await moved(buyer, async () => {
    const leaving = new AbortController();
    const gone = present(stack, {}, credential, leaving.signal).catch((error: unknown) => error);
    await expect.poll(() => faults.calls.settle, { interval: 5, timeout: 20_000 }).toBe(settled + 1);
    leaving.abort();
    await gone;
    expect((await presentUntilDecided(stack, {}, credential)).status).toBe(200);
  });
  expect(sum).toEqual({ paid: PRICE, received: PRICE });
  expect(faults.calls.settle).toBe(settled + 1);
});

test('P4: an authorization that somebody else broadcast first buys its result, once', async () => {
  const buyer = await fresh();
  const credential = await sign(stack, buyer);
  const payload = JSON.parse(atob(credential)) as { accepted: unknown };
  const sum = await moved(buyer, async () => {
    const settled = await fetch(`${stack.facilitator.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted }),
    });
    const { success, transaction } = (await settled.json()) as { success: boolean; transaction: string };
    expect(success).toBe(true);
    expect(await codeOf(await present(stack, {}, transaction))).toBe('transfer_is_settlement');
    const answer = await present(stack, {}, credential);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ payment: { transaction, method: 'x402' } });
    expect(await codeOf(await present(stack, { capability: 'check_schema' }, credential))).toBe('wrong_route');
  });
  expect(sum).toEqual({ paid: PRICE, received: PRICE });
});
