import type { ClaimResult, Sale } from '../../src/payment/ledger-protocol.ts';
import { type PaymentReason, reasonRow } from '../../src/payment/reasons.ts';
import { envelopePayment, paymentResponseHeader } from '../../src/payment/receipt.ts';
import { type ProblemInput, problemOfReason } from '../problem.ts';

/**
 * How a purchase ended. `sold` is 200 with the stored result and its payment; `pay_anew` is 402 with fresh terms
 * and the reason; everything else is a problem. 402 means "a new payment is the right next step" and nothing else.
 */
export type PurchaseAnswer =
  | { kind: 'sold'; body: string; headers: Readonly<Record<string, string>>; isRepeat: boolean }
  | { kind: 'pay_anew'; reason: PaymentReason; detail?: string; paymentResponse?: string }
  | { kind: 'problem'; problem: ProblemInput };

/**
 * The 200 answer: the stored result with `payment` added last. Deterministic: a repeat gets the same bytes.
 * `isRepeat`: the payment was presented before, so that whoever presents it now may be somebody else.
 */
export function sold(storedJson: string, sale: Sale, isRepeat: boolean): PurchaseAnswer {
  const payment = JSON.stringify(envelopePayment(sale));
  return {
    kind: 'sold',
    isRepeat,
    body: `${storedJson.slice(0, -1)},"payment":${payment}}`,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'private',
      'payment-response': paymentResponseHeader(sale),
    },
  };
}

/** The answer for a reason of the payment table; 402 reasons carry fresh terms, the others are problems. */
export function refusal(reason: PaymentReason, detail?: string, retryAfterS?: number): PurchaseAnswer {
  const row = reasonRow(reason);
  if (row.status === 402) return { kind: 'pay_anew', reason, ...(detail === undefined ? {} : { detail }) };
  return { kind: 'problem', problem: problemOfReason(reason, row, { detail, retryAfterS }) };
}

/** The answer for every claim that does not let the purchase go on. */
export function claimRefusal(
  claim: Exclude<ClaimResult, { outcome: 'claimed' | 'resume_settlement' | 'served' | 'authorization_late' }>,
): PurchaseAnswer {
  switch (claim.outcome) {
    case 'in_progress':
      return refusal('payment_in_progress', undefined, claim.retryAfterS);
    case 'settlement_unknown':
      return refusal('settlement_unknown', undefined, claim.retryAfterS);
    case 'refused':
      return { kind: 'pay_anew', reason: 'settlement_refused', detail: claim.reason };
    case 'already_used':
      return refusal('payment_already_used');
    case 'identifier_reused':
      return refusal('payment_identifier_reused');
    case 'transfer_too_old':
      return refusal('transfer_too_old');
    case 'too_many_in_flight':
      return refusal('too_many_in_flight', undefined, claim.retryAfterS);
    case 'too_many_failures':
      return refusal('too_many_failures', undefined, claim.retryAfterS);
  }
}
