import { DAY_MS } from '../../lib/time.ts';
import { addTopUp, type CreditCall, type CreditState, getCapturedCall } from './credits.ts';

/** The most that one grant adds to an account, in micro-USDC: the largest pack. */
export const MAX_GRANT_MICRO_USDC = 100_000_000;
/** What operators may add to one account in 24 hours, grants and refunds together, in micro-USDC. */
export const MAX_ADJUSTED_A_DAY_MICRO_USDC = 500_000_000;
/** Adjustments of one account; they are stored for good. */
export const MAX_ADJUSTMENTS = 500;

/**
 * What an operator adds to an account, and why. `nonce` is of the form that asks: the same form again is the same
 * adjustment. A paid call and a payment are given back once, in full, whatever form asks.
 */
export type AdjustOrder = { nonce: string; reason: string; by: string } & (
  | { kind: 'grant'; amountMicroUsdc: number }
  | { kind: 'refund_call'; callId: string }
  /** `payment` is the id that the list of payments has; what it cost is the ledger's word. */
  | { kind: 'refund_payment'; payment: string; capability: string; amountMicroUsdc: number }
);

/** One adjustment as it is stored. `balanceMicroUsdc`: of the account right after it, what calls hold included. */
export type Adjustment = {
  /** What cannot be adjusted twice. */
  id: string;
  nonce: string;
  kind: AdjustOrder['kind'];
  amountMicroUsdc: number;
  reason: string;
  /** The operator's account. */
  by: string;
  atMs: number;
  balanceMicroUsdc: number;
  /** Of a refund: what was bought. */
  capability?: string;
};

export type AdjustRefusal =
  /** There is no such paid call, or it is forgotten. */
  | 'not_found'
  /** It was given back before. */
  | 'already_refunded'
  /** The form was used for another amount. */
  | 'form_used'
  | 'too_much'
  | 'day_limit'
  | 'too_many';

export type AdjustResult =
  | { ok: true; adjustment: Adjustment; isRepeat: boolean }
  | { ok: false; reason: AdjustRefusal };

/** What is known of an account when it is to be adjusted. */
export type AdjustFacts = {
  state: CreditState;
  /** The call that a refund names. */
  call: CreditCall | undefined;
  /** The adjustment of this id, if there is one. */
  known: Adjustment | undefined;
  /** How many there are, and what those of the last 24 hours came to. */
  count: number;
  lastDayMicroUsdc: number;
};

/** Since when adjustments count for the limit of a day. */
export const computeAdjustedSinceMs = (nowMs: number): number => nowMs - DAY_MS;

/** What an order cannot do twice: a form for grants, what is given back for refunds. */
export function formatAdjustmentId(order: AdjustOrder): string {
  switch (order.kind) {
    case 'grant':
      return `grant:${order.nonce}`;
    case 'refund_call':
      return `call:${order.callId}`;
    case 'refund_payment':
      return `payment:${order.payment}`;
  }
}

/** Decides an order; with `state` there is something to write. */
export function decideAdjustment(
  order: AdjustOrder,
  facts: AdjustFacts,
  nowMs: number,
): { result: AdjustResult; state?: CreditState } {
  const { state, known } = facts;
  const bought = findRefunded(order, facts.call);
  const amountMicroUsdc = order.kind === 'refund_call' ? bought?.amountMicroUsdc : order.amountMicroUsdc;
  if (known !== undefined) return { result: repeatAdjustment(order, known, amountMicroUsdc) };
  if (amountMicroUsdc === undefined) return refuseAdjustment('not_found');
  if (!Number.isSafeInteger(amountMicroUsdc) || amountMicroUsdc < 1 || amountMicroUsdc > MAX_GRANT_MICRO_USDC)
    return refuseAdjustment('too_much');
  if (facts.lastDayMicroUsdc + amountMicroUsdc > MAX_ADJUSTED_A_DAY_MICRO_USDC) return refuseAdjustment('day_limit');
  if (facts.count >= MAX_ADJUSTMENTS) return refuseAdjustment('too_many');
  const after = addTopUp(state, amountMicroUsdc);
  const { nonce, kind, reason, by } = order;
  const adjustment: Adjustment = {
    id: formatAdjustmentId(order),
    nonce,
    kind,
    amountMicroUsdc,
    reason,
    by,
    atMs: nowMs,
    balanceMicroUsdc: after.balanceMicroUsdc,
    ...(bought === undefined ? {} : { capability: bought.capability }),
  };
  return { result: { ok: true, adjustment, isRepeat: false }, state: after };
}

function findRefunded(order: AdjustOrder, call: CreditCall | undefined) {
  if (order.kind === 'grant') return undefined;
  if (order.kind === 'refund_payment') return { capability: order.capability, amountMicroUsdc: order.amountMicroUsdc };
  return call && getCapturedCall(call);
}

/** The same form again gets the same answer; nothing is added again. */
function repeatAdjustment(order: AdjustOrder, known: Adjustment, amountMicroUsdc: number | undefined): AdjustResult {
  if (known.nonce !== order.nonce) return { ok: false, reason: 'already_refunded' };
  const isSame = amountMicroUsdc === undefined || known.amountMicroUsdc === amountMicroUsdc;
  return isSame ? { ok: true, adjustment: known, isRepeat: true } : { ok: false, reason: 'form_used' };
}

const refuseAdjustment = (reason: AdjustRefusal): { result: AdjustResult } => ({ result: { ok: false, reason } });
