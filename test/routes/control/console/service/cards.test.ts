import { beforeEach, describe, expect, test } from 'vitest';
import type {
  CardActsPort,
  CardFactsPort,
  CardPurchasePage,
  CardsOwedNow,
} from '../../../../../src/console-api/cards.ts';
import { saidAfter, serviceWorld } from './world.ts';

let tenants = 0;
let own: Record<string, unknown> = {};
beforeEach(() => {
  tenants += 1;
  own = { OPERATOR_TENANT: `C000cards${tenants}`, OPERATOR_PROJECT: `cards-${tenants}` };
});

const ID = 'a'.repeat(32);
const ACCOUNT = 'c'.repeat(32);
const HOSTILE = '<img src=x onerror=alert(1)>';
const page: CardPurchasePage = {
  purchase: {
    id: ID,
    account: ACCOUNT,
    pack: 'credits_20',
    cents: 2_000,
    atMs: Date.UTC(2026, 10, 1),
    paidAtMs: Date.UTC(2026, 10, 1),
    state: 'paid',
    refundedCents: 500,
    disputedCents: 0,
    isSynced: true,
    refunds: [
      { id: 'b'.repeat(32), cents: 500, state: 'failed', atMs: 1, reason: HOSTILE, by: 'operator', failure: HOSTILE },
    ],
  },
  credits: { read: true, balanceMicroUsdc: 12_345_678, reservedMicroUsdc: 0, pendingMicroUsdc: 0, clients: [] },
};
const owed: CardsOwedNow = { overdrafts: [], openDisputes: 0, isPartial: false };
const facts: CardFactsPort = {
  cardsOwed: async () => owed,
  cardPurchases: async () => ({ purchases: [page.purchase], next: 5 }),
  cardPurchase: async ({ id }) => (id === ID ? page : null),
};

function acting(outcome: Awaited<ReturnType<CardActsPort['refundCard']>>) {
  const orders: unknown[] = [];
  const refundCard: CardActsPort['refundCard'] = async (_session, order) => {
    orders.push(order);
    return outcome;
  };
  return { orders, refundCard };
}

describe('the cards page of the console', () => {
  test('lists purchases and says what can go back of one: what is left of it, and unspent', async () => {
    const world = await serviceWorld({ facts, bindings: own });
    expect(await world.text('/console/cards')).toContain(ACCOUNT);
    const text = await world.text(`/console/cards/purchase?id=${ID}`);
    expect(text).toContain('12.34 USD');
    expect(text).not.toContain('<img src=x');
    const file = await world.text('/console/cards.csv');
    expect(file).toContain('paid,credits_20,20.00,5.00,0.00');
    for (const path of ['/console/cards?account=x', '/console/cards?before=x'])
      expect((await world.get(path)).status).toBeGreaterThanOrEqual(400);
    expect((await world.get(`/console/cards/purchase?id=${'d'.repeat(32)}`)).status).toBe(404);
  });

  test('refunds after a reason, in whole cents, and says what came of it', async () => {
    const { orders, refundCard } = acting({ ok: true, state: 'done', cents: 1_050, isRepeat: false });
    const world = await serviceWorld({ facts, acts: { refundCard }, bindings: own });
    const nonce = 'e'.repeat(32);
    const path = `/console/cards/refund?id=${ID}&usd=10.5&nonce=${nonce}`;
    expect(await saidAfter(world, await world.confirm(path, ' '))).toContain('Say why');
    expect(orders).toEqual([]);
    expect(await saidAfter(world, await world.confirm(path, 'not used'))).toContain('10.50 USD go back to the card');
    expect(orders).toEqual([{ id: nonce, purchaseId: ID, cents: 1_050, reason: 'not used' }]);
  });

  test.each([
    ['spent', 'has spent these credits'],
    ['sign_in_too_old', 'sign in again'],
    ['disputed', 'disputed'],
    ['refused', 'Stripe refused it'],
  ] as const)('says that nothing was changed: %s', async (reason, said) => {
    const { refundCard } = acting({ ok: false, reason });
    const world = await serviceWorld({ facts, acts: { refundCard }, bindings: own });
    const answer = await world.confirm(`/console/cards/refund?id=${ID}&usd=1&nonce=${'e'.repeat(32)}`, 'why');
    const shown = await saidAfter(world, answer);
    expect(shown).toContain('Nothing was changed.');
    expect(shown).toContain(said);
  });

  test('refuses amounts that are none, before anything is asked', async () => {
    const world = await serviceWorld({ facts, bindings: own });
    for (const usd of ['0', '0.001', '-1', '1e3', '', '1,5'])
      expect((await world.get(`/console/cards/refund?id=${ID}&usd=${usd}&nonce=${'e'.repeat(32)}`)).status).toBe(400);
  });

  test('names accounts that spent credits whose money went back, and open disputes, here and on the overview', async () => {
    const overdraft = { account: ACCOUNT, purchase: ID, atMs: Date.UTC(2026, 10, 2), owedMicroUsdc: 4_000_000 };
    const cardsOwed = async () => ({ overdrafts: [overdraft], openDisputes: 2, isPartial: true });
    const world = await serviceWorld({ facts: { ...facts, cardsOwed }, bindings: own });
    const cards = await world.text('/console/cards');
    expect(cards).toContain(`href="/console/customers/account?account=${ACCOUNT}"`);
    expect(cards).toContain('2 disputes are open');
    expect(cards).toMatch(/4\.00\s*<\/td>/);
    const overview = await world.text('/console/');
    expect(overview).toContain('1 account is below zero by 4.00 USD');
    expect(overview).toContain('Could not read some of the accounts');
    const calm = await serviceWorld({ facts, bindings: own });
    expect(await calm.text('/console/')).toContain('No account is below zero.');
    expect(await calm.text('/console/cards')).not.toContain('below zero');
  });

  test('says so where the api Worker is of before', async () => {
    const world = await serviceWorld({ bindings: own });
    expect(await world.text('/console/cards')).toContain('This version of the api Worker cannot say');
  });
});
