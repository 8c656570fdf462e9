import { expect, test } from 'vitest';
import { readCardEvent } from '../../../src/payment/cards/events.ts';
import type { StandInEvent } from '../../../local/stripe/books.ts';
import { type CardWorld, openCardWorld } from '../../support/cards/card-world.ts';

/** One payment, announced by so many requests at the same time. */
const CROWD = 200;
const FIVE_USD = 5_000_000;

/** A paid session whose event is at Stripe still. */
async function payUnannounced(world: CardWorld) {
  world.standIn.holdEvents(true);
  const bought = await world.buy();
  const event = world.standIn.books.events.at(-1);
  if (event === undefined) throw new Error('no event');
  return { ...bought, event };
}

const countApplied = (world: CardWorld): number => world.received.filter((received) => received === 'applied').length;

function expectOneCredit(world: CardWorld, id: string): void {
  expect(world.balance()).toBe(FIVE_USD);
  expect(world.kinds()).toEqual(['card']);
  expect(world.book.view(id)).toMatchObject({ state: 'paid', isSynced: true });
}

test(`${CROWD} presentations of one event, with visits and alarms between them, are one credit`, async () => {
  const world = await openCardWorld();
  const { order, event } = await payUnannounced(world);
  const all = Array.from({ length: CROWD }, (_, at) => [
    world.standIn.sendAgain(event),
    ...(at % 20 === 0 ? [world.desk.visit(order.id, 'a1'), world.desk.work()] : []),
  ]).flat();
  await Promise.all(all);
  expect(world.received).toHaveLength(CROWD);
  expect(countApplied(world)).toBeLessThanOrEqual(1); // A look may have been the first.
  await world.desk.work();
  expectOneCredit(world, order.id);
});

test(`${CROWD} events with ids of their own, of one session, are one credit`, async () => {
  const world = await openCardWorld();
  const { order, event } = await payUnannounced(world);
  const others = Array.from({ length: CROWD }, (_, at): StandInEvent => {
    const type = at % 2 === 0 ? 'checkout.session.completed' : 'checkout.session.async_payment_succeeded';
    return { ...event, id: `evt_other_${at}`, type };
  });
  await Promise.all(others.map((other) => world.standIn.sendAgain(other)));
  expect(countApplied(world)).toBe(CROWD);
  expectOneCredit(world, order.id);
});

test(`${CROWD} sendings of one form are one session, and as many orders of one refund one refund`, async () => {
  const world = await openCardWorld();
  const order = world.order();
  const begun = await Promise.all(Array.from({ length: CROWD }, () => world.begin(order)));
  expect(world.standIn.books.sessions.size).toBe(1);
  const [url] = begun.flatMap((one) => (one.ok ? [one.url] : []));
  await world.pay(url ?? '');
  const wish = { id: 'f'.repeat(32), purchaseId: order.id, cents: 500, reason: 'asked for it', by: 'operator' };
  const refunded = await Promise.all(Array.from({ length: CROWD }, () => world.desk.refund(wish)));
  world.advance(120_000);
  await world.desk.work();
  expect(new Set(refunded.map(({ ok }) => ok))).toEqual(new Set([true]));
  expect(world.standIn.books.refunds.size).toBe(1);
  expect(world.balance()).toBe(0);
  expect(world.kinds().toSorted()).toEqual(['card', 'refund']);
});

test(`a dispute and its end, each told ${CROWD} times and mixed, leave what the end says`, async () => {
  const world = await openCardWorld();
  const { payment } = await world.buy();
  world.standIn.holdEvents(true);
  const dispute = await world.standIn.books.dispute(payment);
  await world.standIn.books.closeDispute(dispute, true);
  const [created, closed] = world.standIn.books.events.slice(-2);
  if (created === undefined || closed === undefined) throw new Error('no events');
  const events = Array.from({ length: CROWD }, (_, at) => ({
    ...(at % 2 === 0 ? created : closed),
    id: `evt_mixed_${at}`,
  }));
  for (const event of events) expect(readCardEvent(event, false).ok).toBe(true);
  await Promise.all(events.map((event) => world.standIn.sendAgain(event)));
  await world.desk.work();
  expect(world.balance()).toBe(FIVE_USD);
});
