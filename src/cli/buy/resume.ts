import { NETWORK } from '../../payment/terms/constants.ts';
import {
  buildPaidRequest,
  buildServiceRefusal,
  type BuyerTools,
  type LocatedOrder,
  type Purchase,
  readPurchase,
} from './order.ts';
import { describeEarlierTransfer } from './network.ts';
import { presentHash, type ProvablePurchase } from './present-transfer.ts';
import { MAX_EARLIER_PAYMENTS, type PaymentMark, type SavedPayment } from './saved-order.ts';
import { sendTransfer } from './send-transfer.ts';
import { present, readServiceProblem } from './service.ts';

/** An order that may have been paid before. `rpcUrl`: where a transfer of it is sent again if it never arrived. */
export type RepeatablePurchase = ProvablePurchase & { rpcUrl?: string };

/** The order is to be paid. `replaced`: the open payment that the new one comes before, until either has its result. */
export type ToPay = { toPay: true; replaced: PaymentMark | undefined };

const TO_PAY: ToPay = { toPay: true, replaced: undefined };

export const isToPay = (resumed: Purchase | ToPay): resumed is ToPay => 'toPay' in resumed;

/**
 * Sends the payment that an earlier run of this order saved, if there is one: a repeat after a crash, a timeout or a
 * refusal is never paid twice. The order is to be paid where there is no payment of it, where the service says that it was
 * not taken (402, rule P13), and where the buyer wants another one.
 */
export async function resumeOrder(
  order: RepeatablePurchase,
  place: LocatedOrder,
  tools: BuyerTools,
): Promise<Purchase | ToPay> {
  for (let tried = 0; tried <= MAX_EARLIER_PAYMENTS; tried += 1) {
    const found = await tools.orders.find(place.key, tools.nowMs());
    if (!found.ok) return { ...found, signed: false };
    if (found.order === undefined) return TO_PAY;
    const { payment, savedAtMs } = found.order;
    if (order.isNew === true) return { toPay: true, replaced: payment };
    const purchase = await (payment.by === 'x402'
      ? presentSigned(place, payment.credential, tools)
      : presentSent(order, place, payment, tools));
    if (purchase !== undefined) return purchase.ok ? { ...purchase, paidAtMs: savedAtMs } : purchase;
    await tools.orders.withdraw(place.key, payment);
  }
  return TO_PAY;
}

/** Another process saved a payment of this order meanwhile: that one is presented, and ours is not sent. */
export async function resumeOther(
  order: RepeatablePurchase,
  place: LocatedOrder,
  tools: BuyerTools,
): Promise<Purchase> {
  const resumed = await resumeOrder({ ...order, isNew: false }, place, tools);
  return isToPay(resumed)
    ? { ok: false, reason: 'order_interrupted', detail: ORDER_INTERRUPTED, signed: false }
    : resumed;
}

const ORDER_INTERRUPTED = 'another process began the same order, and its payment was not taken';

async function presentSigned(
  place: LocatedOrder,
  credential: string,
  tools: BuyerTools,
): Promise<Purchase | undefined> {
  const answer = await present(place.origin, buildPaidRequest(place, credential), tools);
  if (!answer.ok) return { ...answer, signed: true };
  if (answer.status === 402) return undefined;
  return answer.status === 200
    ? readPurchase(answer, { by: 'x402', credential })
    : buildServiceRefusal(answer, readServiceProblem(answer), true);
}

/** A transfer moved the money once it is in a block: whatever the service says, another one would be a second payment. */
async function presentSent(
  order: RepeatablePurchase,
  place: LocatedOrder,
  payment: Extract<SavedPayment, { by: 'transfer' }>,
  tools: BuyerTools,
): Promise<Purchase | undefined> {
  const { transaction, accepted } = payment;
  const sender = order.account.address;
  // The chain that was named is of the network that was chosen now.
  const isElsewhere = accepted.network !== (order.network ?? NETWORK);
  const rpcUrl = isElsewhere ? undefined : order.rpcUrl;
  const sent = rpcUrl === undefined ? undefined : await sendTransfer(rpcUrl, payment, { sender, isRepeat: true });
  if (sent?.ok === false) {
    const { isGone, ...refusal } = sent;
    return isGone ? undefined : { ...refusal, signed: true, transaction };
  }
  // A bare hash is answered once; with its payer's proof the stored result comes again (rule P1).
  const purchase = await presentHash({ ...order, prove: true }, place, payment, tools);
  return purchase.ok || !isElsewhere
    ? purchase
    : { ...purchase, detail: `${purchase.detail}. ${describeEarlierTransfer(accepted.network)}` };
}
