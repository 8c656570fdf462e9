import { describe, expect, test } from 'vitest';
import { type CardDesk, type CardPorts, createCardDesk } from '../../../src/payment/cards/desk.ts';
import type { StripePort } from '../../../src/payment/cards/stripe-port.ts';
import { type CardWorld, openCardWorld, PLACES } from '../../support/cards/card-world.ts';

/** At least so many deaths; there is one before and one after each call that a purchase and its refund make. */
const KILLS = 20;
/** Longer than the first look at a purchase, and than a refund waits to be asked for again. */
const AFTER_DEATH_MS = 11 * 60_000;

type Death = { call: number; when: 'before' | 'after' };
const isDying = Symbol('the object is gone');

/**
 * A ledger that is gone at one of its calls: before what the call does, or right after it, when its answer reaches no one. Rows and
 * Stripe keep what was done; whatever the object held in memory is lost.
 */
function makeDyingDesk(world: CardWorld, death?: Death) {
  const calls: string[] = [];
  let isDead = false;
  const note = (name: string): { dieBefore: boolean; dieAfter: boolean } => {
    const at = calls.push(name) - 1;
    return {
      dieBefore: death?.call === at && death.when === 'before',
      dieAfter: death?.call === at && death.when === 'after',
    };
  };
  const end = (): never => {
    isDead = true;
    throw isDying;
  };
  const watch = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    if (isDead) throw isDying;
    const { dieBefore, dieAfter } = note(name);
    if (dieBefore) end();
    const answer = await call();
    return dieAfter ? end() : answer;
  };
  const watchStripe = (stripe: StripePort): StripePort => ({
    createSession: (...given) => watch('stripe.createSession', () => stripe.createSession(...given)),
    expireSession: (...given) => watch('stripe.expireSession', () => stripe.expireSession(...given)),
    readSession: (...given) => watch('stripe.readSession', () => stripe.readSession(...given)),
    listSessionEvents: (...given) => watch('stripe.listSessionEvents', () => stripe.listSessionEvents(...given)),
    createRefund: (...given) => watch('stripe.createRefund', () => stripe.createRefund(...given)),
    listRefunds: (...given) => watch('stripe.listRefunds', () => stripe.listRefunds(...given)),
  });
  const ports: CardPorts = {
    ...world.ports,
    step: (step) => {
      if (isDead) throw isDying;
      const { dieBefore, dieAfter } = note('step');
      if (dieBefore) end();
      const answer = world.ports.step(step);
      return dieAfter ? end() : answer;
    },
    stripe: async () => {
      const stripe = await world.ports.stripe();
      return stripe && watchStripe(stripe);
    },
    credits: (object) => {
      const { applyCard, holdCard } = world.ports.credits(object);
      return {
        applyCard: (...given) => watch('credits.applyCard', () => applyCard(...given)),
        holdCard: (...given) => watch('credits.holdCard', () => holdCard(...given)),
      };
    },
  };
  return { calls, desk: createCardDesk(ports), hasDied: () => isDead };
}

/** What a caller sees of an object that is gone: an error. */
const orDeath = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((error: unknown) => {
    if (error !== isDying) throw error;
  });
};

/** Buys, is paid and pays 2 of 5 USD back, by one desk that may die; each step that failed is done again by what comes after it. */
async function buyAndRefund(world: CardWorld, desk: CardDesk): Promise<{ id: string; refund: string }> {
  const order = world.order();
  const refund = { id: 'f'.repeat(32), purchaseId: order.id, cents: 200, reason: 'asked for it', by: 'operator' };
  world.receiveBy(desk);
  await orDeath(desk.begin(order, PLACES));
  const begun = await world.begin(order); // The buyer sends the form again, and the object is up again.
  if (!begun.ok) throw new Error(begun.reason);
  world.standIn.holdEvents(true);
  await world.pay(begun.url);
  const [paid] = world.standIn.books.events;
  if (paid === undefined) throw new Error('nothing was paid');
  await orDeath(world.standIn.sendAgain(paid));
  world.receiveBy(world.desk);
  world.advance(AFTER_DEATH_MS);
  await world.desk.work();
  await world.standIn.sendAgain(paid); // An event without an answer of 200 is sent again.
  await orDeath(desk.refund(refund));
  world.advance(AFTER_DEATH_MS);
  await world.desk.work();
  await world.desk.refund(refund);
  for (const event of world.standIn.books.events) await world.standIn.sendAgain(event);
  await world.desk.work();
  return { id: order.id, refund: refund.id };
}

describe('P3, P31: an object that is gone in the middle of a purchase', () => {
  test('is killed at each call: rows, Stripe and the account', async () => {
    const world = await openCardWorld();
    const dying = makeDyingDesk(world);
    await buyAndRefund(world, dying.desk);
    expect(new Set(dying.calls)).toEqual(
      new Set(['step', 'stripe.createSession', 'credits.applyCard', 'credits.holdCard', 'stripe.createRefund']),
    );
    expect(dying.calls.length * 2).toBeGreaterThanOrEqual(KILLS);
  });

  test('after each kill a purchase is credited once, its refund is paid back once, and nothing is lost', async () => {
    const rehearsal = await openCardWorld();
    const { calls, desk } = makeDyingDesk(rehearsal);
    await buyAndRefund(rehearsal, desk);
    const ends = [];
    for (const [call, name] of calls.entries())
      for (const when of ['before', 'after'] as const) {
        const world = await openCardWorld();
        const dying = makeDyingDesk(world, { call, when });
        const { id } = await buyAndRefund(world, dying.desk);
        const { state, refundedCents, isSynced, refunds } = world.book.view(id) ?? {};
        ends.push({
          at: `${call} ${name}, ${when}`,
          died: dying.hasDied(),
          balance: world.balance(),
          kinds: world.kinds().toSorted(),
          paidBack: [...world.standIn.books.refunds.values()].map(({ amount }) => amount),
          sessions: world.standIn.books.sessions.size,
          purchase: { state, refundedCents, isSynced, refunds: refunds?.map((refund) => refund.state) },
        });
      }
    expect(ends.length).toBeGreaterThanOrEqual(KILLS);
    const good = {
      died: true,
      balance: 3_000_000,
      kinds: ['card', 'refund'],
      paidBack: [200],
      sessions: 1,
      purchase: { state: 'paid', refundedCents: 200, isSynced: true, refunds: ['done'] },
    };
    expect(ends).toEqual(ends.map(({ at }) => ({ at, ...good })));
  });
});
