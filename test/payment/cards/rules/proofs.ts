import { expect } from 'vitest';
import { signEvent } from '../../../../local/stripe/webhooks.ts';
import { openStripe } from '../../../../src/payment/cards/stripe-client.ts';
import { type CardWorld, openCardWorld, SECRET_KEY, WEBHOOK_SECRET } from '../../../support/cards/card-world.ts';

const FIVE_USD = 5_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const lastEvent = (world: CardWorld) => {
  const event = world.standIn.books.events.at(-1);
  if (event === undefined) throw new Error('nothing happened at the stand-in');
  return event;
};
const lastSession = (world: CardWorld) => {
  const found = [...world.standIn.books.sessions.values()].at(-1);
  if (found === undefined) throw new Error('the stand-in has no session');
  return found;
};
const atS = (world: CardWorld): number => Math.floor(world.now() / 1000);

/** P1 */
export async function showsOwnOrder(): Promise<void> {
  const world = await openCardWorld();
  const { order } = await world.buy();
  expect(await world.desk.visit(order.id, 'a1')).toMatchObject({ id: order.id, state: 'paid' });
  expect(await world.desk.visit(order.id, 'a2')).toBeUndefined();
  expect(world.book.list({ account: 'a2', limit: 10 })).toEqual([]);
}

/** P4: the bank said no, and pays all the same; the session was over, and is paid. */
export async function believesLatePayment(): Promise<void> {
  const world = await openCardWorld();
  const { order, payment } = await world.buy('bank');
  await world.standIn.books.settle(payment, false);
  expect([world.state(order.id), world.balance()]).toEqual(['failed', 0]);
  await world.standIn.books.settle(payment, true);
  expect([world.state(order.id), world.balance()]).toEqual(['paid', FIVE_USD]);
  await world.standIn.books.settle(payment, false); // An event of before that comes late.
  expect([world.state(order.id), world.balance()]).toEqual(['paid', FIVE_USD]);
}

/** P9: the id of an event is used by the event alone; a stranger's visits ask Stripe nothing. */
export async function holdsNothing(): Promise<void> {
  const world = await openCardWorld();
  world.standIn.holdEvents(true);
  const { order } = await world.buy();
  const event = lastEvent(world);
  const forged = JSON.stringify({ ...event, data: { object: { ...Object(event.data.object), amount_total: 1 } } });
  expect(await world.deliver(forged, await signEvent(forged, ['whsec_guessed'], atS(world)))).toBe(400);
  let asked = 0;
  world.setNetwork((send) => {
    asked += 1;
    return send();
  });
  for (let visit = 0; visit < 40; visit += 1) {
    world.advance(31_000);
    expect(await world.desk.visit(order.id, 'stranger')).toBeUndefined();
  }
  expect(asked).toBe(0);
  expect(await world.desk.visit(order.id, 'a1')).toMatchObject({ state: 'paid' });
  await world.standIn.sendAgain(event);
  expect(world.received).toEqual(['repeat']);
  expect(world.balance()).toBe(FIVE_USD);
}

/** P12 */
export async function storesNoForgery(): Promise<void> {
  const world = await openCardWorld();
  world.standIn.holdEvents(true);
  const { order, payment } = await world.buy();
  const event = lastEvent(world);
  const body = JSON.stringify(event);
  const dispute = JSON.stringify({
    ...event,
    id: 'evt_dispute',
    type: 'charge.dispute.created',
    data: { object: { id: 'du_forged', amount: 500, status: 'lost', payment_intent: payment.id } },
  });
  const good = await signEvent(body, [WEBHOOK_SECRET], atS(world));
  const forgeries = [
    [body, ''],
    [body, await signEvent(body, ['whsec_other'], atS(world))],
    [body, await signEvent(body, [WEBHOOK_SECRET], atS(world) - 301)],
    [dispute, good],
    [body.replace('500', '501'), good],
  ] as const;
  for (const [sent, signature] of forgeries) expect(await world.deliver(sent, signature)).toBe(400);
  expect(world.received).toEqual([]);
  expect(world.rows.addEvent(event.id, world.now())).toBe(true); // It was new until now.
  expect(world.rows.reversal('du_forged')).toBeUndefined();
  expect([world.state(order.id), world.balance()]).toEqual(['open', 0]);
}

/** P14 */
export async function keepsOrderPrice(): Promise<void> {
  const world = await openCardWorld();
  const { order } = await world.buy('card', { cents: 400 });
  expect(world.state(order.id)).toBe('paid');
  expect(world.balance()).toBe(4_000_000);
}

/** P16: longer than Stripe lists events or sends them. */
export async function outlivesEvents(): Promise<void> {
  const world = await openCardWorld();
  const { order } = await world.buy();
  const event = lastEvent(world);
  world.advance(41 * DAY_MS);
  await world.desk.work();
  expect(world.state(order.id)).toBe('paid');
  await world.standIn.sendAgain(event);
  expect(world.received).toEqual(['applied', 'applied']);
  expect(world.balance()).toBe(FIVE_USD);
  expect(world.kinds()).toEqual(['card']);
}

/** P17 */
export async function boundsSession(): Promise<void> {
  const world = await openCardWorld();
  const order = world.order();
  world.setNetwork(async (send) => {
    await send();
    throw new TypeError('the connection broke');
  });
  await world.begin(order);
  world.setNetwork((send) => send());
  world.advance(60_000);
  const begun = await world.begin(order);
  if (!begun.ok) throw new Error(begun.reason);
  const { session } = lastSession(world);
  expect(world.standIn.books.sessions.size).toBe(1);
  expect(session.expires_at - session.created).toBe(HOUR_MS / 1000);
  world.advance(HOUR_MS);
  await world.pay(begun.url);
  expect([world.state(order.id), world.balance()]).toEqual(['expired', 0]);
}

/** P21: the API may write out what it names. */
export async function readsBothForms(): Promise<void> {
  const world = await openCardWorld();
  world.standIn.holdEvents(true);
  const { order, payment } = await world.buy();
  const completed = lastEvent(world);
  world.standIn.holdEvents(false);
  const session = Object(completed.data.object);
  await world.standIn.books.announce(completed.type, { ...session, payment_intent: { id: payment.id, object: 'x' } });
  await world.standIn.books.announce('charge.dispute.created', {
    id: 'du_1',
    amount: 500,
    status: 'needs_response',
    payment_intent: payment.id,
  });
  expect(world.book.view(order.id)).toMatchObject({ state: 'paid', disputedCents: 500 });
  expect(world.balance()).toBe(0);
}

/** P22 */
export async function scopesForm(): Promise<void> {
  const world = await openCardWorld();
  const { order } = await world.buy();
  expect(await world.begin({ ...order, account: 'a2', creditObject: 'a2' })).toEqual({
    ok: false,
    reason: 'form_used',
  });
  expect(await world.begin(order)).toEqual({ ok: false, reason: 'form_used' }); // It was paid: another form is another order.
  expect(world.standIn.books.sessions.size).toBe(1);
  expect([world.balance('a1'), world.balance('a2')]).toEqual([FIVE_USD, 0]);
}

/** P24 */
export async function refusesSecondPayment(): Promise<void> {
  const world = await openCardWorld();
  const { order } = await world.buy();
  const { session } = lastSession(world);
  await world.standIn.books.announce('checkout.session.completed', { ...session, payment_intent: 'pi_second' });
  await world.standIn.books.announce('refund.created', { id: 're_1', amount: 500, payment_intent: 'pi_second' });
  expect(world.book.view(order.id)).toMatchObject({ state: 'paid', refundedCents: 0 });
  expect(world.balance()).toBe(FIVE_USD);
}

/** P28 */
export async function sendsNoBuyer(): Promise<void> {
  const world = await openCardWorld();
  const account = 'f'.repeat(32);
  const sent: string[] = [];
  world.setNetwork(async (send, request) => {
    sent.push(`${request.url} ${await request.clone().text()}`);
    return send();
  });
  const { order, sessionId } = await world.buy('card', { account, creditObject: account });
  await world.desk.refund({ id: 'e'.repeat(32), purchaseId: order.id, cents: 100, reason: 'asked', by: 'operator-7' });
  world.setCreditsFail(true);
  world.setNetwork(async () => new Response('{}', { status: 500 }));
  await world.begin(world.order());
  await world.desk.refund({ id: 'd'.repeat(32), purchaseId: order.id, cents: 100, reason: 'asked', by: 'operator-7' });
  expect(sent.length).toBeGreaterThan(1);
  for (const secret of [account, 'operator-7', 'asked']) expect(sent.join('\n')).not.toContain(secret);
  expect(world.logs.map(({ event }) => event)).toEqual(['card_session_not_made', 'card_hold_unknown']);
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET, sessionId, account])
    expect(JSON.stringify(world.logs)).not.toContain(secret);
}

/** P29: neither an answer of a redirect nor what it leads to counts. */
export async function followsNoRedirect(): Promise<void> {
  const asked: string[] = [];
  const stripe = await openStripe({
    secretKey: SECRET_KEY,
    isLive: false,
    fetch: async (input, init) => {
      const { redirect, url } = new Request(input, init);
      asked.push(`${redirect} ${new URL(url).host}`);
      return Response.json(
        { id: 'cs_elsewhere', status: 'complete', payment_status: 'paid' },
        { status: 307, headers: { location: 'https://elsewhere.test/v1/checkout/sessions' } },
      );
    },
  });
  expect(await stripe.readSession('cs_test_1')).toMatchObject({ ok: false, reason: 'unknown' });
  expect(await stripe.createRefund({ paymentIntent: 'pi_1', cents: 1, orderId: 'o' })).toMatchObject({
    ok: false,
    reason: 'unknown',
  });
  expect(new Set(asked)).toEqual(new Set(['manual api.stripe.com']));
}

/** P30: the address that the buyer comes back to can be typed. */
export async function readsStripe(): Promise<void> {
  const world = await openCardWorld();
  const order = world.order();
  await world.begin(order);
  expect(await world.desk.visit(order.id, 'a1')).toMatchObject({ state: 'open' });
  // Where the session is said to be complete, and Stripe lists no event that says it is paid, nothing is credited either.
  Object.assign(lastSession(world).session, { status: 'complete', payment_status: 'unpaid' });
  world.advance(31_000);
  expect(await world.desk.visit(order.id, 'a1')).toMatchObject({ state: 'open' });
  expect(world.balance()).toBe(0);
}
