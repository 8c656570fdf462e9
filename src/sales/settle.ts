import type { PaymentRequirements } from '@x402/core/types';
import { ChainUnreachable } from '../payment/chain/chain.ts';
import { FINAL_FROM_MICRO_USDC, MAX_VALID_AHEAD_S } from '../payment/terms/constants.ts';
import { LedgerUnavailable } from '../payment/ledger/protocol.ts';
import type { AuthorizedPayment, OpenSettlement } from '../payment/rails/rail.ts';
import { rails } from '../payment/rails/rails.ts';
import type { SaleNetwork } from '../payment/terms/networks-data.ts';
import { type PurchaseAnswer, refusePayment, buildSoldAnswer, type SoldBy } from './answer.ts';
import type { Owned } from './deliver.ts';
import type { PurchaseTools } from './tools.ts';

/** Waits before each look at the chain after an unknown settlement, in milliseconds; then the buyer must come back. */
const LOOK_AFTER_MS = [0, 500, 1500] as const;

/** A signed payment with our terms for it. `network`: where it is paid. */
export type SignedPurchasePayment = {
  signed: AuthorizedPayment;
  network: SaleNetwork;
  requirements: PaymentRequirements;
  amountMicroUsdc: number;
  /** The transaction that paid already, when a third party broadcast the authorization. */
  paidBy?: string | undefined;
};

/** A payment in state `settling`, and its stored result. `isRepeat`: an earlier request made the result. */
export type Settlement = { owned: Owned; payment: SignedPurchasePayment; json: string; isRepeat: boolean };

/**
 * Settles a payment whose result is stored, and answers. Whatever the facilitator says, the buyer is charged at most
 * once: the chain decides what it leaves open, and a refusal is believed only when the authorization is unused after
 * it (rule P4). From 1 USD on the receipt is read before delivery, and for every sale while the facilitator is not
 * believed (rule P30).
 */
export async function settlePurchase(tools: PurchaseTools, settlement: Settlement): Promise<PurchaseAnswer> {
  try {
    return await charge(tools, settlement);
  } catch (error) {
    // From here on money may have moved: the ledger's alarm or a repeat finds it on chain.
    if (error instanceof LedgerUnavailable) return refusePayment('settlement_unknown');
    throw error;
  }
}

async function charge(tools: PurchaseTools, settlement: Settlement): Promise<PurchaseAnswer> {
  const { payment, owned } = settlement;
  if (payment.paidBy !== undefined) return finish(tools, settlement, payment.paidBy);
  const outcome = await payment.signed.settle(tools, payment.requirements);
  if (outcome.kind === 'settled' && payment.amountMicroUsdc < FINAL_FROM_MICRO_USDC) {
    return finishSmall(tools, settlement, outcome.transaction);
  }
  if (outcome.kind !== 'settled') tools.log({ event: 'settlement_open', kind: outcome.kind, shard: owned.shard });
  return outcome.kind === 'refused'
    ? reconcileRefusedSettlement(tools, settlement, outcome.reason, outcome.transaction)
    : reconcileUnknownSettlement(tools, settlement, outcome.transaction);
}

/** Below 1 USD the facilitator's word is enough, as long as what it said before was found on chain. */
async function finishSmall(tools: PurchaseTools, settlement: Settlement, transaction: string): Promise<PurchaseAnswer> {
  if (!(await tools.trust.readsEveryReceipt())) return finish(tools, settlement, transaction);
  const answer = await reconcileUnknownSettlement(tools, settlement, transaction);
  if (answer.kind === 'sold') tools.waitUntil(tools.trust.foundOnChain());
  return answer;
}

async function finish(tools: PurchaseTools, settlement: Settlement, transaction: string): Promise<PurchaseAnswer> {
  const { ledger, key, attempt } = settlement.owned;
  const sale = await ledger.settled(key, attempt, transaction);
  if (!sale) return refusePayment('payment_in_progress'); // Another attempt owns the payment by now: its answer is the answer.
  tools.log({
    event: 'sold',
    method: sale.method,
    capability: sale.capability,
    amount_micro_usdc: sale.amountMicroUsdc,
  });
  return buildSoldAnswer(tools, settlement.json, sale, {
    ...getSellingRail(settlement.payment),
    isRepeat: settlement.isRepeat,
  });
}

/** A refusal is believed when the authorization is unused or gone after it; used means it was our settlement after all. */
async function reconcileRefusedSettlement(
  tools: PurchaseTools,
  settlement: Settlement,
  word: string,
  named: string | undefined,
): Promise<PurchaseAnswer> {
  const { ledger, key, attempt } = settlement.owned;
  const { signed, network } = settlement.payment;
  const open = { ...openSettlement(tools, settlement.payment, settlement.isRepeat), named };
  const judged = await askChain(tools, () => signed.judgeRefusal(tools, open));
  if (judged?.outcome === 'settled') return finish(tools, settlement, judged.transaction);
  if (judged?.outcome !== 'refused') return recordUnknownSettlement(tools, settlement, named);
  if (!(await ledger.refuse(key, attempt, word))) return refusePayment('payment_in_progress');
  const paymentResponse = rails[signed.rail].proveRefusal(word, signed.payer, network);
  return {
    kind: 'pay_anew',
    reason: 'settlement_refused',
    detail: word,
    ...(paymentResponse === undefined ? {} : { paymentResponse }),
  };
}

async function reconcileUnknownSettlement(
  tools: PurchaseTools,
  settlement: Settlement,
  named: string | undefined,
): Promise<PurchaseAnswer> {
  for (const waitMs of LOOK_AFTER_MS) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const { payment } = settlement;
    const open = { ...openSettlement(tools, payment), named };
    const seen = await askChain(tools, () => payment.signed.reconcile(tools, open));
    if (seen?.outcome === 'settled') return finish(tools, settlement, seen.transaction);
  }
  return recordUnknownSettlement(tools, settlement, named);
}

async function recordUnknownSettlement(
  tools: PurchaseTools,
  settlement: Settlement,
  named: string | undefined,
): Promise<PurchaseAnswer> {
  const { ledger, key, attempt } = settlement.owned;
  await ledger.doubt(key, attempt, named);
  return refusePayment('settlement_unknown');
}

/** By what rail and where a payment was sold. */
export const getSellingRail = ({ signed: { rail, challengeId }, network }: SignedPurchasePayment): SoldBy => ({
  rail: rails[rail],
  network,
  challengeId,
});

/** What the chain is asked about a payment. */
export function openSettlement(tools: PurchaseTools, payment: SignedPurchasePayment, wasTried = false): OpenSettlement {
  const nowS = Math.floor(tools.now() / 1000);
  return {
    payTo: payment.requirements.payTo,
    amountMicroUsdc: payment.amountMicroUsdc,
    sinceS: Math.max(tools.seller.paymentsSinceS, nowS - MAX_VALID_AHEAD_S),
    nowS,
    wasTried,
  };
}

/** An answer of the chain; undefined when it cannot be read: the payment is then kept in doubt. */
export async function askChain<T>(tools: PurchaseTools, question: () => Promise<T>): Promise<T | undefined> {
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    tools.log({ event: 'chain_unreadable' });
    return undefined;
  }
}
