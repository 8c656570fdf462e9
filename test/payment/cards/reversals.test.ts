import { describe, expect, test } from 'vitest';
import { formatUsdBalance } from '../../../src/payment/terms/constants.ts';
import { formatCreditsCsv } from '../../../src/web/account/credits.tsx';
import { type CardWorld, openCardWorld } from '../../support/cards/card-world.ts';

const five = 5_000_000;
const wish = (purchaseId: string, cents: number, id = 'f'.repeat(32)) => ({
  id,
  purchaseId,
  cents,
  reason: 'asked for it',
  by: 'operator-1',
});
const events = (world: CardWorld, type: string) => world.standIn.books.events.filter((event) => event.type === type);

describe('P6: money that goes back', () => {
  test('by a refund at Stripe takes unspent credits, and by a failed one gives them again', async () => {
    const world = await openCardWorld();
    const { payment } = await world.buy();
    const refund = await world.standIn.books.refund(payment, 200, {});
    expect(world.balance()).toBe(3_000_000);
    await world.standIn.books.failRefund(refund);
    expect(world.balance()).toBe(five);
    expect(world.kinds().toSorted()).toEqual(['card', 'refund', 'refund_undone']);
    const [created] = events(world, 'refund.created');
    if (created === undefined) throw new Error('no event');
    await world.standIn.books.announce('refund.updated', created.data.object ?? {}); // Late: the failure is the last word.
    expect(world.balance()).toBe(five);
  });

  test('freezes an account that has spent it, until credits make up for it', async () => {
    const world = await openCardWorld();
    const { payment } = await world.buy();
    expect(world.spend(4_000_000)).toBe('reserved');
    const dispute = await world.standIn.books.dispute(payment);
    expect(world.balance()).toBe(-4_000_000);
    expect(world.spend(0)).toBe('insufficient_credits');
    expect(formatUsdBalance(world.balance())).toBe('-4.000000');
    expect(formatCreditsCsv(world.credits('a1').lines({ limit: 1 }).lines)).toContain('-4.000000');
    await world.buy();
    expect(world.balance()).toBe(1_000_000);
    expect(world.spend(1_000_000)).toBe('reserved');
    await world.standIn.books.closeDispute(dispute, true);
    expect(world.balance()).toBe(five);
    expect(
      world
        .credits('a1')
        .entries()
        .entries.map(({ kind }) => kind),
    ).toContain('card_dispute_undone');
  });

  test('of a dispute that is lost stays gone, and an event of before changes nothing', async () => {
    const world = await openCardWorld();
    const { payment } = await world.buy();
    const dispute = await world.standIn.books.dispute(payment);
    const [created] = events(world, 'charge.dispute.created');
    await world.standIn.books.closeDispute(dispute, true);
    expect(world.balance()).toBe(five);
    await world.standIn.books.announce('charge.dispute.updated', created?.data.object ?? {});
    expect(world.balance()).toBe(five);
  });

  test('before its purchase is known is taken once that is', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const { order, payment } = await world.buy();
    await world.standIn.books.refund(payment, 500, {});
    const [completed, refunded] = world.standIn.books.events;
    if (completed === undefined || refunded === undefined) throw new Error('no events');
    await world.standIn.sendAgain(refunded);
    expect(world.balance()).toBe(0);
    await world.standIn.sendAgain(completed);
    expect(world.balance()).toBe(0);
    expect(world.book.view(order.id)).toMatchObject({ state: 'paid', refundedCents: 500 });
  });

  test('is never more than was paid', async () => {
    const world = await openCardWorld();
    const { payment } = await world.buy();
    await world.standIn.books.refund(payment, 400, {});
    await world.standIn.books.announce('charge.dispute.created', {
      id: 'du_1',
      amount: 500,
      status: 'needs_response',
      payment_intent: payment.id,
    });
    expect(world.balance()).toBe(0);
  });

  test('of an inquiry is not gone yet', async () => {
    const world = await openCardWorld();
    const { payment } = await world.buy();
    const inquiry = { id: 'du_1', amount: 500, status: 'warning_needs_response', payment_intent: payment.id };
    await world.standIn.books.announce('charge.dispute.created', inquiry);
    expect(world.balance()).toBe(five);
    await world.standIn.books.announce('charge.dispute.updated', { ...inquiry, status: 'needs_response' });
    expect(world.balance()).toBe(0);
  });
});

describe('a refund that an operator orders', () => {
  test('goes to the card, takes the credits once, and is one for its form', async () => {
    const world = await openCardWorld();
    const { order } = await world.buy();
    const done = { ok: true, state: 'done', cents: 300 };
    expect(await world.desk.refund(wish(order.id, 300))).toEqual({ ...done, isRepeat: false });
    expect(await world.desk.refund(wish(order.id, 300))).toEqual({ ...done, isRepeat: true });
    expect(await world.desk.refund(wish(order.id, 100))).toEqual({ ok: false, reason: 'form_used' });
    expect(world.standIn.books.refunds.size).toBe(1);
    expect(world.balance()).toBe(2_000_000);
    expect(world.kinds().toSorted()).toEqual(['card', 'refund']);
    expect(world.book.view(order.id)).toMatchObject({ refundedCents: 300, isSynced: true });
  });

  test('is at most what is unspent and not held by a running call', async () => {
    const world = await openCardWorld();
    const { order } = await world.buy();
    world.spend(1_000_000);
    world.credits('a1').reserve({
      id: 'running',
      fingerprint: 'f',
      capability: 'check_health',
      clientId: 'c',
      amountMicroUsdc: 1_000_000,
      capMicroUsdc: five,
      authorizedAtMs: world.now(),
    });
    expect(await world.desk.refund(wish(order.id, 301))).toEqual({
      ok: false,
      reason: 'spent',
      unspentMicroUsdc: 3_000_000,
    });
    expect((await world.desk.refund(wish(order.id, 300, 'e'.repeat(32)))).ok).toBe(true);
    expect(world.standIn.books.refunds.size).toBe(1);
    expect(world.balance()).toBe(0);
  });

  test.each([
    ['another amount', { amount_total: 100 }, 100],
    ['another currency', { currency: 'eur' }, 500],
  ])('of a payment of %s gives back all that was paid, once, and touches no credits', async (_name, change, paid) => {
    const world = await openCardWorld();
    const order = world.order();
    await world.begin(order);
    const found = [...world.standIn.books.sessions.values()].at(-1);
    if (found === undefined) throw new Error('no session');
    const payment = { id: 'pi_other', object: 'payment_intent', amount: paid, currency: 'usd', status: 'succeeded' };
    world.standIn.books.payments.set(payment.id, payment as never);
    const session = {
      ...found.session,
      payment_status: 'paid',
      status: 'complete',
      payment_intent: payment.id,
      ...change,
    };
    await world.standIn.books.announce('checkout.session.completed', session);
    expect(world.state(order.id)).toBe('mismatched');
    expect(await world.desk.refund(wish(order.id, 300))).toEqual({ ok: false, reason: 'too_much' });
    expect(await world.desk.refund(wish(order.id, 500))).toMatchObject({ ok: true, state: 'done' });
    expect([...world.standIn.books.refunds.values()].map(({ amount }) => amount)).toEqual([paid]);
    expect(await world.desk.refund(wish(order.id, 500, 'e'.repeat(32)))).toEqual({ ok: false, reason: 'too_much' });
    expect([world.balance(), world.kinds()]).toEqual([0, []]);
  });

  test('is refused beyond what was paid, while it is disputed, and for what is not paid', async () => {
    const world = await openCardWorld();
    const { order, payment } = await world.buy();
    await world.buy();
    expect(await world.desk.refund(wish(order.id, 501))).toEqual({ ok: false, reason: 'too_much' });
    expect(await world.desk.refund(wish(order.id, 0))).toEqual({ ok: false, reason: 'too_much' });
    expect(await world.desk.refund(wish('a'.repeat(32), 100))).toEqual({ ok: false, reason: 'not_found' });
    const open = world.order();
    await world.begin(open);
    expect(await world.desk.refund(wish(open.id, 100))).toEqual({ ok: false, reason: 'not_paid' });
    await world.standIn.books.dispute(payment);
    expect(await world.desk.refund(wish(order.id, 100))).toEqual({ ok: false, reason: 'disputed' });
  });

  test('whose answer is lost is asked for again with the same key, and made once', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const { order } = await world.buy();
    await world.desk.visit(order.id, 'a1');
    world.setNetwork(async (send, request) => {
      await send();
      if (new URL(request.url).pathname === '/v1/refunds') throw new TypeError('the connection broke');
      return send();
    });
    expect(await world.desk.refund(wish(order.id, 500))).toMatchObject({ ok: true, state: 'under_way' });
    expect(world.balance()).toBe(0);
    world.setNetwork((send) => send());
    world.advance(120_000);
    await world.desk.work();
    expect(world.standIn.books.refunds.size).toBe(1);
    expect(world.book.view(order.id)).toMatchObject({ refundedCents: 500, refunds: [{ state: 'done' }] });
    expect(world.balance()).toBe(0);
  });

  test('is found by its order once its key is too old; one that was never made gives the credits back', async () => {
    for (const wasMade of [true, false]) {
      const world = await openCardWorld();
      world.standIn.holdEvents(true);
      const { order } = await world.buy();
      await world.desk.visit(order.id, 'a1');
      world.setNetwork(async (send) => {
        if (wasMade) await send();
        throw new TypeError('the connection broke');
      });
      await world.desk.refund(wish(order.id, 500));
      world.setNetwork((send) => send());
      world.advance(21 * 3_600_000);
      await world.desk.work();
      expect(world.book.view(order.id)).toMatchObject({ refunds: [{ state: wasMade ? 'done' : 'failed' }] });
      expect(world.balance()).toBe(wasMade ? 0 : five);
      expect(world.standIn.books.refunds.size).toBe(wasMade ? 1 : 0);
    }
  });

  test('that Stripe refuses gives the credits back', async () => {
    const world = await openCardWorld();
    const { order } = await world.buy();
    world.setNetwork(async () =>
      Response.json({ error: { type: 'invalid_request_error', code: 'charge_expired_for_capture' } }, { status: 400 }),
    );
    expect(await world.desk.refund(wish(order.id, 500))).toEqual({ ok: false, reason: 'refused' });
    expect(world.balance()).toBe(five);
    expect(world.kinds().toSorted()).toEqual(['card', 'refund', 'refund_undone']);
  });

  test('takes nothing twice where the account did not answer at first', async () => {
    const world = await openCardWorld();
    const { order } = await world.buy();
    world.setCreditsFail(true);
    expect(await world.desk.refund(wish(order.id, 500))).toMatchObject({ ok: true, state: 'under_way' });
    expect(world.standIn.books.refunds.size).toBe(0);
    world.setCreditsFail(false);
    world.advance(120_000);
    await Promise.all([world.desk.work(), world.desk.work()]);
    expect(world.standIn.books.refunds.size).toBe(1);
    expect(world.balance()).toBe(0);
    expect(world.kinds().toSorted()).toEqual(['card', 'refund']);
  });
});

test('what was paid and what went back is counted by day and pack', async () => {
  const world = await openCardWorld();
  const { payment } = await world.buy();
  await world.buy('card', { pack: 'credits_20', cents: 2_000 });
  world.advance(24 * 3_600_000);
  await world.standIn.books.refund(payment, 200, {});
  expect(world.book.days('2026-11-01')).toEqual([
    { day: '2026-11-29', kind: 'refund', pack: 'credits_5', count: 1, cents: 200 },
    { day: '2026-11-28', kind: 'paid', pack: 'credits_20', count: 1, cents: 2_000 },
    { day: '2026-11-28', kind: 'paid', pack: 'credits_5', count: 1, cents: 500 },
  ]);
});
