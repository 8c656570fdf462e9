import { describe, expect, test } from 'vitest';
import {
  type CardService,
  createRemoteEventJudge,
  createRemoteStripe,
} from '../../../src/payment/cards/remote-stripe.ts';
import { openCardWorld } from '../../support/cards/card-world.ts';

const HOUR_MS = 3_600_000;
const FIVE = 5_000_000;
const account = { secretKey: 'sk_test_card_world', isLive: false };
const terms = { secrets: ['whsec_1'], nowMs: 0 };
const fail = async (): Promise<never> => {
  throw new RangeError('no answer');
};
const broken: CardService = { callStripe: fail, judgeCardEvent: fail };

describe('P6: where the Worker that has the SDK of Stripe does not answer', () => {
  test.each([
    ['is not bound', undefined, 'models_not_bound'],
    ['fails', broken, 'models_RangeError'],
  ])('because it %s, what became of a call is not known, and no event is refused', async (_why, service, code) => {
    const stripe = createRemoteStripe(service, account);
    const unknown = { ok: false, reason: 'unknown', code };
    expect(await stripe.readSession('cs_1')).toEqual(unknown);
    expect(await stripe.createRefund({ paymentIntent: 'pi_1', cents: 1, orderId: 'o' })).toEqual(unknown);
    const judge = createRemoteEventJudge(service);
    expect(await judge(new Uint8Array(), undefined, terms)).toEqual({ verdict: 'unknown' });
  });

  test.each(['calls', 'answers'] as const)(
    'and its %s are lost, the same form opens the same session later',
    async (lost) => {
      const world = await openCardWorld();
      const order = world.order();
      world.lose(lost);
      expect(await world.begin(order)).toEqual({ ok: false, reason: 'unknown' });
      world.lose('nothing');
      const begun = await world.begin(order);
      if (!begun.ok) throw new Error(begun.reason);
      expect(world.standIn.books.sessions.size).toBe(1);
      await world.pay(begun.url);
      expect([world.state(order.id), world.balance()]).toEqual(['paid', FIVE]);
    },
  );

  test('a payment whose event never came is found by a look once it answers', async () => {
    const world = await openCardWorld();
    world.standIn.holdEvents(true);
    const { order } = await world.buy();
    for (const lost of ['calls', 'answers'] as const) {
      world.lose(lost);
      world.advance(HOUR_MS);
      await world.desk.work();
      expect([world.state(order.id), world.balance()]).toEqual(['open', 0]);
    }
    world.lose('nothing');
    world.advance(24 * HOUR_MS);
    await world.desk.work();
    expect([world.state(order.id), world.balance()]).toEqual(['paid', FIVE]);
  });

  test.each(['calls', 'answers'] as const)('and its %s are lost, a refund is made once', async (lost) => {
    const world = await openCardWorld();
    const { order } = await world.buy();
    world.standIn.holdEvents(true);
    world.lose(lost);
    const refund = { id: 'f'.repeat(32), purchaseId: order.id, cents: 500, reason: 'asked', by: 'operator' };
    expect(await world.desk.refund(refund)).toMatchObject({ ok: true, state: 'under_way' });
    world.lose('nothing');
    world.advance(HOUR_MS);
    await world.desk.work();
    expect(await world.desk.refund(refund)).toMatchObject({ ok: true, state: 'done', isRepeat: true });
    expect([...world.standIn.books.refunds.values()]).toHaveLength(1);
    expect(world.balance()).toBe(0);
  });
});
