import { MINUTE_MS, HOUR_MS } from '../lib/time.ts';
import type { CreditReason, PaymentReason } from '../payment/terms/reasons.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import { type Counter, createCounter, type Limiter } from '../rate-limits/caller-counts.ts';

/** Payments that may fail verification in a minute (rule P12); the shared limiter has the same number. */
const MAX_FAILED_PAYMENTS = 10;
/** Paid requests that may end without result and charge in an hour (rule P27). */
const MAX_UNCHARGED_FAILURES = 20;
/** Answers for which the chain or the facilitator was asked and nothing was sold: honest clients meet them, but not by the hundred. */
const MAX_UNSOLD_QUESTIONS = 60;

/** Refusals of a payment that was looked at. They count only when a facilitator or the chain was asked for them. */
const FAILED_VERIFICATION: ReadonlySet<string> = new Set<PaymentReason>([
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
  'nothing_to_generate',
  'settlement_refused',
]);
/** From here on the payers of an address show their balance before the facilitator is asked: keys without money cost nothing. */
const MAX_POOR_PAYERS = 20;
const UNSOLD_QUESTION: ReadonlySet<string> = new Set<PaymentReason>([
  'payment_pending',
  'payment_unverifiable',
  'payment_already_used',
  'ambiguous_transfer',
  'payer_proof_required',
  'too_many_in_flight',
  'target_busy',
]);

const POOR: PaymentReason = 'insufficient_funds';

/**
 * Whom a request is counted on: the account of a token, the payer whose signature a payment carries, a transaction hash
 * that was good before, and only for want of those the caller's address, which others may share.
 */
export type Who = { kind: 'account' | 'payer' | 'hash' | 'address'; id: string };

const createCounters = (windowMs: number): Record<Who['kind'], Counter> => ({
  account: createCounter(windowMs),
  payer: createCounter(windowMs),
  hash: createCounter(windowMs),
  address: createCounter(windowMs),
});

// Kinds are kept apart, so that a flood of one makes nothing of another be forgotten.
const failedPayments = createCounters(MINUTE_MS);
const unsoldQuestions = createCounters(MINUTE_MS);
const unchargedFailures = createCounters(HOUR_MS);
const goodHashes = createCounter(HOUR_MS);
/** Contract wallets whose signature was found good from an address. */
const goodWallets = createCounter(HOUR_MS);
/** Payers of an address that signed for more than they hold. */
const poorPayers = createCounter(MINUTE_MS);

/** Why to wait, and for how long: the seconds until what was counted is forgotten. */
export type PaymentWait = { reason: 'too_many_failed_payments' | 'too_many_failures'; retryAfterS: number };

/** Why this one must wait before anything is asked for it again; undefined when it need not. */
export function findPaymentWait({ kind, id }: Who, nowMs: number): PaymentWait | undefined {
  const limits = [
    { counter: failedPayments, most: MAX_FAILED_PAYMENTS, reason: 'too_many_failed_payments' },
    { counter: unsoldQuestions, most: MAX_UNSOLD_QUESTIONS, reason: 'too_many_failed_payments' },
    { counter: unchargedFailures, most: MAX_UNCHARGED_FAILURES, reason: 'too_many_failures' },
  ] as const;
  const waits = limits
    .filter(({ counter, most }) => counter[kind].peek(id, nowMs) >= most)
    .map(({ counter, reason }) => ({ reason, retryAfterS: counter[kind].waitS(id, nowMs) }));
  return waits.toSorted((a, b) => b.retryAfterS - a.retryAfterS)[0];
}

/** Remembers how a request ended, and whether a service was asked. The shared limiter covers other isolates too. */
export async function rememberPaymentOutcome(
  { kind, id }: Who,
  answer: PurchaseAnswer,
  { wasAsked, nowMs, shared }: { wasAsked: boolean; nowMs: number; shared: Limiter },
): Promise<void> {
  const code = getAnswerCode(answer);
  if (UNCHARGED_FAILURE.has(code)) unchargedFailures[kind].count(id, nowMs);
  if (!wasAsked) return;
  if (UNSOLD_QUESTION.has(code)) unsoldQuestions[kind].count(id, nowMs);
  if (!FAILED_VERIFICATION.has(code)) return;
  failedPayments[kind].count(id, nowMs);
  if (await isWithin(shared, kind === 'address' ? id : `${kind}:${id}`)) return;
  for (let count = 0; count < MAX_FAILED_PAYMENTS; count += 1) failedPayments[kind].count(id, nowMs);
}

/**
 * The limits that one paid request meets. What costs nothing is answered without them; before the chain or the facilitator
 * is asked, a step says whom the request counts on.
 */
export type PaymentGuard = {
  /** The address that the request came from, as limits know it. */
  readonly address: Who;
  /** Counts the request on `who` from now on: the answer when it must wait. */
  admit: (who: Who) => PurchaseAnswer | undefined;
  /** The same for a bare hash, which has no signer: by address, unless it was good before. */
  admitHash: (hash: string) => PurchaseAnswer | undefined;
  /** The same for a payload that may be a contract wallet's: by address, unless this wallet paid well from it before. */
  admitWallet: (payer: string) => PurchaseAnswer | undefined;
  /** Whether so many payers of this address had no money that a balance is read before the facilitator is asked. */
  readsBalanceFirst: () => boolean;
  /** Counts the request on `who` from now on, whom verification has named; undefined: the ledger counts it on its payer. */
  countOn: (who: Who | undefined) => void;
  /** A hash that the chain has found good: later failures count against this hash, not against its shared address. */
  foundGood: (hash: string) => void;
  /** A contract wallet whose signature the facilitator has found good. */
  foundGoodWallet: (payer: string) => void;
  /** Notes that the chain or the facilitator is asked. */
  asks: () => void;
  /** Counts how the request ended. */
  ended: (answer: PurchaseAnswer) => Promise<void>;
};

export function createPaymentGuard(caller: string, shared: Limiter, now: () => number): PaymentGuard {
  const address: Who = { kind: 'address', id: caller };
  let counted: Who | undefined = address;
  let wasAsked = false;
  // From elsewhere others may present it as they like.
  const itself = (hash: string): Who => ({ kind: 'hash', id: `${hash} ${caller}` });
  const wallet = (payer: string): Who => ({ kind: 'payer', id: `${payer} ${caller}` });
  const admit = (who: Who): PurchaseAnswer | undefined => {
    counted = who;
    return refuseWait(findPaymentWait(who, now()));
  };
  return {
    address,
    admit,
    admitHash: (hash) => admit(goodHashes.peek(hash, now()) > 0 ? itself(hash) : address),
    admitWallet: (payer) => admit(goodWallets.peek(wallet(payer).id, now()) > 0 ? wallet(payer) : address),
    readsBalanceFirst: () => poorPayers.peek(caller, now()) >= MAX_POOR_PAYERS,
    countOn: (who) => {
      counted = who;
    },
    foundGood: (hash) => {
      goodHashes.count(hash, now());
      counted = itself(hash);
    },
    foundGoodWallet: (payer) => {
      goodWallets.count(wallet(payer).id, now());
      counted = undefined;
    },
    asks: () => {
      wasAsked = true;
    },
    ended: async (answer) => {
      if (getAnswerCode(answer) === POOR) poorPayers.count(caller, now());
      if (counted) await rememberPaymentOutcome(counted, answer, { wasAsked, nowMs: now(), shared });
    },
  };
}

export const refuseWait = (wait: PaymentWait | undefined): PurchaseAnswer | undefined =>
  wait && refusePayment(wait.reason, undefined, wait.retryAfterS);

/** Its failure lets the caller go on: it guards load, not money. */
async function isWithin(shared: Limiter, key: string): Promise<boolean> {
  try {
    return (await shared.limit({ key })).success;
  } catch {
    return true;
  }
}

const getAnswerCode = (answer: PurchaseAnswer): string => {
  if (answer.kind === 'problem') return answer.problem.code;
  return answer.kind === 'pay_anew' ? answer.reason : '';
};
