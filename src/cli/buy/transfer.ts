import type { PaymentRequirements } from '@x402/core/types';
import type { Hex } from 'viem';
import {
  buildUnpaidRequest,
  type BuyerTools,
  locateOrder,
  openOrder,
  type OpenOrder,
  type LocatedOrder,
  type Purchase,
  selectAcceptedTerms,
} from './order.ts';
import { presentHash, type ProvablePurchase } from './present-transfer.ts';
import { isToPay, resumeOrder, resumeOther } from './resume.ts';
import { sendTransfer, signTransfer } from './send-transfer.ts';
import { readServiceProblem, request } from './service.ts';

export type TransferOrder = ProvablePurchase & {
  /** JSON-RPC of the chain that the transfer is sent to. */
  rpcUrl: string;
};

/**
 * Buys `order` by a plain USDC transfer: reads the terms, signs the transfer, saves it, sends it, waits for the receipt
 * and presents the hash. After the transfer every outcome names its `transaction`, and a repeat of the order presents it
 * again instead of sending another one.
 */
export async function buyWithTransfer(order: TransferOrder, tools: BuyerTools): Promise<Purchase> {
  const place = await locateOrder(order);
  if (!place.ok) return place;
  const resumed = await resumeOrder(order, place, tools);
  if (!isToPay(resumed)) return resumed;
  const asked = await askTerms(order, place, tools);
  if (!asked.ok) return asked;
  const { open, terms } = asked;
  const amount = BigInt(terms.amount);
  const counted = await tools.counter.reserve(amount, open.allowance.maxMicroUsdcPerDay, tools.nowMs());
  if (!counted.ok) return { ...counted, signed: false };
  const signed = await signTransfer(order, open.allowance, amount);
  if (!signed.ok) return { ...signed, signed: false };
  const { transaction, raw } = signed;
  const payment = { by: 'transfer', transaction, raw, accepted: terms } as const;
  const saved = await tools.orders.save(place.key, { savedAtMs: tools.nowMs(), payment }, resumed.replaced);
  if (!saved.ok) return { ...saved, signed: false };
  if (!saved.isFirst) return resumeOther(order, place, tools);
  const sent = await sendTransfer(order.rpcUrl, signed, { sender: order.account.address, isRepeat: false });
  if (sent.ok) return presentOwn(proveOn(open, order), place, payment, tools);
  const { isGone, ...refusal } = sent;
  if (isGone) await tools.orders.withdraw(place.key, payment);
  return isGone ? { ...refusal, signed: false } : { ...refusal, signed: true, transaction };
}

/** A bare hash is of the first network of a service: on every other one the payer's proof names the chain. */
const proveOn = <T extends ProvablePurchase>({ isFirst }: OpenOrder, order: T): T =>
  isFirst ? order : { ...order, prove: true };

/** Presents a transfer of this wallet: with its proof too, where the service takes no bare hash for this order. */
async function presentOwn(
  order: TransferOrder,
  place: LocatedOrder,
  payment: { transaction: Hex; accepted: PaymentRequirements },
  tools: BuyerTools,
): Promise<Purchase> {
  const purchase = await presentHash(order, place, payment, tools);
  const needsProof = !purchase.ok && purchase.reason === 'payer_proof_required' && order.prove !== true;
  return needsProof ? presentHash({ ...order, prove: true }, place, payment, tools) : purchase;
}

/** Presents a transfer that was made before, e.g. by another wallet. Pays nothing. */
export async function presentTransfer(order: ProvablePurchase, transaction: Hex, tools: BuyerTools): Promise<Purchase> {
  const place = await locateOrder(order);
  if (!place.ok) return place;
  const asked = await askTerms(order, place, tools);
  return asked.ok
    ? presentHash(proveOn(asked.open, order), place, { transaction, accepted: asked.terms }, tools)
    : { ...asked, transaction };
}

type TransferRequest = { ok: true; open: OpenOrder; terms: PaymentRequirements } | (Purchase & { ok: false });

/** Asks without payment and judges the terms that come back. */
async function askTerms(order: ProvablePurchase, place: LocatedOrder, tools: BuyerTools): Promise<TransferRequest> {
  const open = await openOrder(order, place, tools);
  if (!open.ok) return open;
  const answer = await request(open.origin, buildUnpaidRequest(open), tools.fetch);
  if (!answer.ok) return { ...answer, signed: false };
  if (answer.status !== 402) {
    const { code, detail } = readServiceProblem(answer);
    return { ok: false, reason: code, detail, status: answer.status, signed: false };
  }
  const terms = selectAcceptedTerms(answer.headers.get('payment-required'), open.allowance);
  return terms.ok ? { ok: true, open, terms: terms.terms } : { ...terms, signed: false };
}
