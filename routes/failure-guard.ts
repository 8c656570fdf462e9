import type { CreditReason, PaymentReason } from '../src/payment/reasons.ts';
import type { PurchaseAnswer } from './purchase/answer.ts';
import { createCounter, type Limiter } from './limits.ts';

/** Payments of a caller that may fail verification in a minute (rule P12); the shared limiter has the same number. */
const MAX_FAILED_PAYMENTS = 10;
/** Paid requests of a caller that may end without result and charge in an hour (rule P27). */
const MAX_UNCHARGED_FAILURES = 20;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Refusals for which a facilitator or the chain was asked, and payments that cannot be read: none passed the free limit. */
const FAILED_VERIFICATION: ReadonlySet<string> = new Set<PaymentReason>([
  'invalid_payload',
  'invalid_signature',
  'insufficient_funds',
  'payment_refused',
  'payer_proof_invalid',
  'transaction_not_found',
  'transaction_reverted',
  'no_matching_transfer',
  'transfer_source_refused',
  'transfer_is_settlement',
  'transfer_too_small',
  'transfer_too_old',
]);
/** Work that was done and could not be delivered, was called off, or was not paid for in the end. */
const UNCHARGED_FAILURE: ReadonlySet<string> = new Set<PaymentReason | CreditReason>([
  'cancelled',
  'call_superseded',
  'target_unreachable',
  'measurement_incomplete',
  'settlement_refused',
]);
/** Answers for which somebody was asked and nothing was sold: honest clients meet them, but not by the hundred. */
const MAX_UNSOLD_QUESTIONS = 60;
const UNSOLD_QUESTION: ReadonlySet<string> = new Set<PaymentReason>([
  'payment_pending',
  'payment_unverifiable',
  'payment_already_used',
  'ambiguous_transfer',
  'payer_proof_required',
  'too_many_in_flight',
  'target_busy',
]);

const failedPayments = createCounter(MINUTE_MS);
const unchargedFailures = createCounter(HOUR_MS);
const unsoldQuestions = createCounter(MINUTE_MS);

/** Why this caller must wait before it presents another payment; undefined when it need not. */
export function mustWait(caller: string, nowMs: number): 'too_many_failed_payments' | 'too_many_failures' | undefined {
  if (failedPayments.peek(caller, nowMs) >= MAX_FAILED_PAYMENTS) return 'too_many_failed_payments';
  if (unsoldQuestions.peek(caller, nowMs) >= MAX_UNSOLD_QUESTIONS) return 'too_many_failed_payments';
  return unchargedFailures.peek(caller, nowMs) >= MAX_UNCHARGED_FAILURES ? 'too_many_failures' : undefined;
}

/** Remembers how a caller's paid request ended. The shared limiter knows about its failures in other isolates too. */
export async function remember(caller: string, answer: PurchaseAnswer, nowMs: number, shared: Limiter): Promise<void> {
  const code = codeOf(answer);
  if (UNSOLD_QUESTION.has(code)) unsoldQuestions.count(caller, nowMs);
  if (UNCHARGED_FAILURE.has(code)) unchargedFailures.count(caller, nowMs);
  if (!FAILED_VERIFICATION.has(code)) return;
  failedPayments.count(caller, nowMs);
  if (await isWithin(shared, caller)) return;
  for (let count = 0; count < MAX_FAILED_PAYMENTS; count += 1) failedPayments.count(caller, nowMs);
}

/** Its failure lets the caller go on: it guards load, not money. */
async function isWithin(shared: Limiter, caller: string): Promise<boolean> {
  try {
    return (await shared.limit({ key: caller })).success;
  } catch {
    return true;
  }
}

const codeOf = (answer: PurchaseAnswer): string => {
  if (answer.kind === 'problem') return answer.problem.code;
  return answer.kind === 'pay_anew' ? answer.reason : '';
};
