/**
 * Money of a payment that went back, or that the buyer's bank holds: one refund or one dispute, as Stripe last said. They are
 * stored by payment, which may not be known yet: a refund's event can come before that of its purchase.
 */
export type Reversal = {
  /** Of the refund or the dispute, as Stripe names it. */
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly paymentIntent: string;
  readonly cents: number;
  /** Whether the money is gone from us now. */
  readonly isTaken: boolean;
  /** Nothing that Stripe says of it later changes it: what is older may still arrive. */
  readonly isFinal: boolean;
  readonly atMs: number;
  /** The order of the console that made the refund. */
  readonly orderId?: string;
};

/** The states of a refund in which the money stays with us after all. */
const FAILED_REFUND: ReadonlySet<string> = new Set(['failed', 'canceled']);

export type RefundFacts = {
  id: string;
  paymentIntent: string;
  cents: number;
  status: string | null;
  orderId?: string | undefined;
};

export function toRefund({ id, paymentIntent, cents, status, orderId }: RefundFacts, nowMs: number): Reversal {
  const hasFailed = status !== null && FAILED_REFUND.has(status);
  return {
    id,
    kind: 'refund',
    paymentIntent,
    cents,
    isTaken: !hasFailed,
    isFinal: hasFailed,
    atMs: nowMs,
    ...(orderId === undefined ? {} : { orderId }),
  };
}

/** Of an inquiry, which holds no money; and of disputes that ended for us. */
const HARMLESS_DISPUTE: ReadonlySet<string> = new Set(['warning_needs_response', 'warning_under_review']);
const WON_DISPUTE: ReadonlySet<string> = new Set(['won', 'warning_closed', 'prevented']);

export type DisputeFacts = { id: string; paymentIntent: string; cents: number; status: string };

/** A state that we do not know takes the credits back: they can be given again, and spent ones cannot be taken. */
export function toDispute({ id, paymentIntent, cents, status }: DisputeFacts, nowMs: number): Reversal {
  const isWon = WON_DISPUTE.has(status);
  return {
    id,
    kind: 'dispute',
    paymentIntent,
    cents,
    isTaken: !isWon && !HARMLESS_DISPUTE.has(status),
    isFinal: isWon || status === 'lost',
    atMs: nowMs,
  };
}

/** What is stored once Stripe says something of a reversal; undefined: it is stored already. */
export function mergeReversal(known: Reversal | undefined, said: Reversal): Reversal | undefined {
  if (known === undefined) return said;
  if (known.isFinal) return undefined;
  const merged = { ...known, ...said, atMs: known.atMs };
  const isSame = known.isTaken === merged.isTaken && known.isFinal === merged.isFinal && known.cents === merged.cents;
  return isSame ? undefined : merged;
}

/** A refund that an operator ordered. Credits are taken from the account before Stripe is asked to pay them back. */
export type RefundOrder = {
  /** Of the form: the same form again is the same refund. */
  readonly id: string;
  readonly purchaseId: string;
  readonly cents: number;
  readonly reason: string;
  readonly by: string;
  readonly atMs: number;
  /** `wanted`: the account was not asked yet, or its answer was lost. `held`: the credits are taken. */
  readonly state: 'wanted' | 'held' | 'done' | 'failed';
  /** The refund at Stripe. */
  readonly refundId?: string;
  /** Why it failed. */
  readonly failure?: string;
  readonly nextTryAtMs?: number;
};

/** What of a payment is gone, in cents: never more than was paid. */
export type TakenCents = { refundedCents: number; disputedCents: number };

/**
 * What of a payment is gone. Orders whose credits are taken count as refunded before Stripe has answered.
 * @param withWanted whether orders count whose credits are not taken yet
 */
export function sumTaken(cents: number, { reversals, orders, withWanted = false }: TakenFacts): TakenCents {
  const ours = new Set(reversals.flatMap(({ orderId }) => orderId ?? []));
  const pending = orders.filter(
    ({ id, state }) => (state === 'held' || (withWanted && state === 'wanted')) && !ours.has(id),
  );
  const taken = reversals.filter(({ isTaken }) => isTaken);
  const refunds = sumCents(taken.filter(({ kind }) => kind === 'refund')) + sumCents(pending);
  const disputes = sumCents(taken.filter(({ kind }) => kind === 'dispute'));
  const refundedCents = Math.min(cents, refunds);
  return { refundedCents, disputedCents: Math.min(cents - refundedCents, disputes) };
}

type TakenFacts = { reversals: readonly Reversal[]; orders: readonly RefundOrder[]; withWanted?: boolean };

const sumCents = (amounts: readonly { cents: number }[]): number => amounts.reduce((sum, { cents }) => sum + cents, 0);
