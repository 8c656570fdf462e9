import { describe, expect, test } from 'vitest';
import { openCardWorld } from '../../support/cards/card-world.ts';

const HOUR_MS = 3_600_000;
const five = 5_000_000;

describe('P6: a pack bought by card', () => {
  test('is credited once the event says that it is paid, and to the account of our row', async () => {
    const world = await openCardWorld();
    const { order } = await world.buy();
    expect(world.received).toEqual(['applied']);
    expect(world.state(order.id)).toBe('paid');
    expect(world.balance()).toBe(five);
    expect(world.kinds()).toEqual(['card']);
    expect(world.credits('a1').entries().entries).toMatchObject([{ kind: 'card', capability: 'credits_5' }]);
  });

  test('is credited once, however often its event comes, or another of the same payment', async () => {
    const world = await openCardWorld();
    const { payment } = await world.buy();
    const [event] = world.standIn.books.events;
    if (event === undefined) throw new Error('no event');
    await world.standIn.sendAgain(event);
    await world.standIn.books.settle(payment, true);
    expect(world.received).toEqual(['applied', 'repeat', 'applied']);
    expect(world.balance()).toBe(five);
  });

  test('by a bank is credited days later, or never', async () => {
    const world = await openCardWorld();
    const good = await world.buy('bank');
    const bad = await world.buy('bank');
    expect(world.state(good.order.id)).toBe('processing');
    expect(world.balance()).toBe(0);
    world.advance(72 * HOUR_MS);
    await world.standIn.books.settle(good.payment, true);
    await world.standIn.books.settle(bad.payment, false);
    expect([world.state(good.order.id), world.state(bad.order.id)]).toEqual(['paid', 'failed']);
    expect(world.balance()).toBe(five);
  });

  test('counts although its events come in the wrong order', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const { order, sessionId } = await world.buy();
    const paid = world.standIn.books.events.at(-1);
    const found = world.standIn.books.sessions.get(sessionId);
    if (paid === undefined || found === undefined) throw new Error('no event');
    world.standIn.holdEvents(false);
    await world.standIn.books.announce('checkout.session.expired', { ...found.session, status: 'expired' });
    expect(world.state(order.id)).toBe('expired');
    await world.standIn.sendAgain(paid);
    expect(world.state(order.id)).toBe('paid');
    expect(world.balance()).toBe(five);
  });

  test('of another amount or currency is not credited', async () => {
    const world = await openCardWorld();
    for (const change of [{ amount_total: 100 }, { currency: 'eur' }, { amount_total: null }]) {
      const order = world.order();
      const begun = await world.begin(order);
      const found = [...world.standIn.books.sessions.values()].at(-1);
      if (!begun.ok || found === undefined) throw new Error('no session');
      const session = {
        ...found.session,
        payment_status: 'paid',
        status: 'complete',
        payment_intent: 'pi_1',
        ...change,
      };
      await world.standIn.books.announce('checkout.session.completed', session);
      expect(world.state(order.id)).toBe('mismatched');
    }
    expect(world.balance()).toBe(0);
    expect(world.logs.filter(({ event }) => event === 'card_amount_mismatch')).toHaveLength(3);
  });

  test('takes account, pack and price from our row, whatever the session says of them', async () => {
    const world = await openCardWorld();
    await world.begin(world.order());
    const found = [...world.standIn.books.sessions.values()].at(-1);
    if (found === undefined) throw new Error('no session');
    Object.assign(found.session, {
      client_reference_id: 'f'.repeat(32),
      metadata: { account: 'a2', pack: 'credits_100' },
    });
    await world.standIn.books.complete(found, 'card');
    expect([world.balance('a1'), world.balance('a2')]).toEqual([five, 0]);
  });

  test('of a session that we do not know changes nothing', async () => {
    const world = await openCardWorld();
    await world.standIn.books.announce('checkout.session.completed', {
      id: 'cs_test_foreign',
      payment_status: 'paid',
      amount_total: 500,
      currency: 'usd',
      payment_intent: 'pi_foreign',
    });
    expect(world.received).toEqual(['unknown_session']);
    expect(world.balance()).toBe(0);
  });

  test('completed without a payment is not credited', async () => {
    const world = await openCardWorld();
    const order = world.order();
    await world.begin(order);
    const found = [...world.standIn.books.sessions.values()].at(-1);
    await world.standIn.books.announce('checkout.session.completed', {
      ...found?.session,
      payment_status: 'no_payment_required',
    });
    expect(world.state(order.id)).toBe('open');
    expect(world.balance()).toBe(0);
  });

  test('reaches an account that did not answer, by the alarm', async () => {
    const world = await openCardWorld();
    world.setCreditsFail(true);
    const { order } = await world.buy();
    expect(world.balance()).toBe(0);
    expect(world.book.view(order.id)).toMatchObject({ state: 'paid', isSynced: false });
    expect(await world.desk.work()).toBe(true);
    world.setCreditsFail(false);
    expect(await world.desk.work()).toBe(false);
    expect(world.balance()).toBe(five);
    expect(world.book.view(order.id)).toMatchObject({ isSynced: true });
  });
});

describe('a session at Stripe', () => {
  test('is one for a form, however often it is sent, also after an answer that was lost', async () => {
    const world = await openCardWorld();
    const order = world.order();
    world.setNetwork(async (send) => {
      await send();
      throw new TypeError('the connection broke');
    });
    expect(await world.begin(order)).toEqual({ ok: false, reason: 'unknown' });
    world.setNetwork((send) => send());
    const begun = await world.begin(order);
    expect(begun.ok).toBe(true);
    expect(await world.begin(order)).toEqual(begun);
    expect(world.standIn.books.sessions.size).toBe(1);
  });

  test('is refused for a form that was used for another pack, and beyond ten that wait', async () => {
    const world = await openCardWorld();
    const order = world.order();
    await world.begin(order);
    expect(await world.begin({ ...order, pack: 'credits_20', cents: 2_000 })).toEqual({
      ok: false,
      reason: 'form_used',
    });
    for (let more = 1; more < 10; more += 1) await world.begin(world.order());
    expect(await world.begin(world.order())).toEqual({ ok: false, reason: 'too_many_open' });
    expect((await world.begin(world.order({ account: 'a2' }))).ok).toBe(true);
  });

  test('is expired again where its row cannot be stored', async () => {
    const world = await openCardWorld();
    const failing = world.rows.writePurchase;
    let writes = 0;
    Object.assign(world.rows, {
      writePurchase: (purchase: Parameters<typeof failing>[0]) => {
        writes += 1;
        if (writes === 2) throw new Error('the disk is full');
        failing(purchase);
      },
    });
    await expect(world.begin(world.order())).rejects.toThrow('the disk is full');
    expect([...world.standIn.books.sessions.values()].map(({ session }) => session.status)).toEqual(['expired']);
  });

  test('that Stripe refuses, or without keys, is none', async () => {
    const world = await openCardWorld();
    const order = world.order({ cents: 1 });
    expect(await world.begin(order)).toEqual({ ok: false, reason: 'refused' });
    expect(world.state(order.id)).toBe('refused');
    world.turnOff();
    expect(await world.begin(world.order())).toEqual({ ok: false, reason: 'off' });
  });

  test.each([
    ['an error without a word of Stripe', () => Response.json({ message: 'bad gateway' }, { status: 502 })],
    ['a page', () => new Response('<h1>503</h1>', { status: 503 })],
    ['another place', () => Response.json({}, { status: 302, headers: { location: 'https://elsewhere.test' } })],
  ])('is not known where something in front of Stripe answers with %s', async (_what, answer) => {
    const world = await openCardWorld();
    const order = world.order();
    world.setNetwork(async () => answer());
    expect(await world.begin(order)).toEqual({ ok: false, reason: 'unknown' });
    expect(world.state(order.id)).toBe('starting');
    world.setNetwork((send) => send());
    expect((await world.begin(order)).ok).toBe(true);
  });

  test('is not paid by a card that is declined', async () => {
    const world = await openCardWorld();
    const order = world.order();
    const begun = await world.begin(order);
    if (!begun.ok) throw new Error(begun.reason);
    const answer = await world.pay(begun.url, 'card', '4000000000000002');
    expect([answer.status, world.state(order.id), world.balance()]).toEqual([402, 'open', 0]);
  });
});

describe('an event that never came', () => {
  test('is found by the visit of the buyer, once in half a minute', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const { order } = await world.buy();
    expect(world.state(order.id)).toBe('open');
    expect(await world.desk.visit(order.id, 'a2')).toBeUndefined();
    expect(await world.desk.visit(order.id, 'a1')).toMatchObject({ state: 'paid', isSynced: true });
    expect(world.balance()).toBe(five);
    const [event] = world.standIn.books.events;
    if (event === undefined) throw new Error('no event');
    await world.standIn.sendAgain(event);
    expect(world.received).toEqual(['repeat']);
    expect(world.balance()).toBe(five);
  });

  test('asks Stripe no more than twenty times for one purchase, by visits', async () => {
    const world = await openCardWorld();
    const order = world.order();
    await world.begin(order);
    let asked = 0;
    world.setNetwork((send) => {
      asked += 1;
      return send();
    });
    await world.desk.visit(order.id, 'a1');
    await world.desk.visit(order.id, 'a1');
    expect(asked).toBe(1);
    for (let visit = 0; visit < 40; visit += 1) {
      world.advance(31_000);
      await world.desk.visit(order.id, 'a1');
    }
    expect(asked).toBe(20);
  });

  test('is found by the alarm, which also ends what was not paid', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const paid = await world.buy();
    const left = world.order();
    await world.begin(left);
    world.advance(10 * 60_000);
    await world.desk.work();
    expect([world.state(paid.order.id), world.state(left.id)]).toEqual(['paid', 'open']);
    world.advance(2 * HOUR_MS);
    await world.desk.work();
    expect(world.state(left.id)).toBe('expired');
    expect(world.book.nextDueAtMs()).toBeUndefined();
  });

  test('of a bank is asked for until the bank has said it', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const { order, payment } = await world.buy('bank');
    world.advance(HOUR_MS);
    await world.desk.work();
    expect(world.state(order.id)).toBe('processing');
    await world.standIn.books.settle(payment, true);
    for (let look = 0; look < 3; look += 1) {
      world.advance(6 * HOUR_MS);
      await world.desk.work();
    }
    expect(world.state(order.id)).toBe('paid');
    expect(world.balance()).toBe(five);
  });

  test('is asked for again where Stripe does not answer, and is given up after 30 days', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const { order } = await world.buy();
    world.setNetwork(async () => new Response('{}', { status: 503 }));
    world.advance(HOUR_MS);
    await world.desk.work();
    expect(world.state(order.id)).toBe('open');
    expect(world.book.nextDueAtMs()).toBe(world.now() + 600_000);
    world.advance(31 * 24 * HOUR_MS);
    await world.desk.work();
    expect(world.book.nextDueAtMs()).toBeUndefined();
    expect(world.book.view(order.id)).toMatchObject({ state: 'open' });
  });
});

test('an account that ends has its open sessions ended, and waits for a payment that is under way', async () => {
  const world = await openCardWorld();
  const open = world.order();
  await world.begin(open);
  expect(await world.desk.endOpen('a1')).toBe(true);
  expect(world.state(open.id)).toBe('expired');
  const { payment } = await world.buy('bank');
  expect(await world.desk.endOpen('a1')).toBe(false);
  await world.standIn.books.settle(payment, false);
  expect(await world.desk.endOpen('a1')).toBe(true);
});
