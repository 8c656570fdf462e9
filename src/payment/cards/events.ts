import * as z from 'zod';
import type { SessionEventKind, SessionFacts } from './purchases.ts';
import type { DisputeFacts, RefundFacts } from './reversals.ts';

/** In the metadata of refunds that the console orders: it says which order a refund is of, and nothing of whose it is. */
export const REFUND_ORDER_KEY = 'sightline_refund';

/** An event of Stripe, as far as it concerns credits. Its signature was verified, or Stripe's own list has it. */
export type CardEvent = { id: string; createdS: number } & (
  | { about: 'session'; kind: SessionEventKind; session: SessionFacts }
  | { about: 'refund'; refund: RefundFacts }
  | { about: 'dispute'; dispute: DisputeFacts }
);

export type ReadEvent =
  | { ok: true; event: CardEvent }
  /** Of a kind that we do not read, or of a payment that is none of a checkout. */
  | { ok: false; reason: 'not_ours' }
  | { ok: false; reason: 'unreadable' }
  /** Of the other mode, or of a connected account. */
  | { ok: false; reason: 'wrong_mode' | 'other_account' };

const SESSION_KINDS: Readonly<Record<string, SessionEventKind>> = {
  'checkout.session.completed': 'completed',
  'checkout.session.async_payment_succeeded': 'async_payment_succeeded',
  'checkout.session.async_payment_failed': 'async_payment_failed',
  'checkout.session.expired': 'expired',
};
/** What credits, or says that nothing will. */
export const SESSION_EVENT_TYPES: readonly string[] = Object.keys(SESSION_KINDS);
const REFUND_TYPES: ReadonlySet<string> = new Set(['refund.created', 'refund.updated', 'refund.failed']);
const DISPUTE_TYPES: ReadonlySet<string> = new Set([
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
]);

/** Every kind that an endpoint has to be sent. */
export const CARD_EVENT_TYPES: readonly string[] = [...SESSION_EVENT_TYPES, ...REFUND_TYPES, ...DISPUTE_TYPES];

const id = z.string().min(1).max(255);
/** An id, or the object where it was expanded. */
const reference = z
  .union([id, z.object({ id }).transform((found) => found.id)])
  .nullable()
  .default(null);
const cents = z.int().min(0).max(100_000_000);

const envelope = z.object({
  id,
  type: z.string().max(255),
  created: z.int().min(0),
  livemode: z.boolean(),
  account: z.string().optional(),
  data: z.object({ object: z.unknown() }),
});

const session = z.object({
  id,
  payment_status: z.string().max(64),
  amount_total: z.number().nullable().default(null),
  currency: z.string().max(8).nullable().default(null),
  payment_intent: reference,
});
const refund = z.object({
  id,
  amount: cents,
  status: z.string().max(64).nullable().default(null),
  payment_intent: reference,
  metadata: z.record(z.string(), z.string()).nullable().default(null),
});
const dispute = z.object({ id, amount: cents, status: z.string().max(64), payment_intent: reference });

/**
 * Reads the members that count; whatever else a version of Stripe's API has is left alone.
 * @param isLive whether this deployment charges cards: events of the other mode are none of its money
 */
export function readCardEvent(value: unknown, isLive: boolean): ReadEvent {
  const read = envelope.safeParse(value);
  if (!read.success) return { ok: false, reason: 'unreadable' };
  const { id: eventId, type, created: createdS, livemode, account, data } = read.data;
  if (livemode !== isLive) return { ok: false, reason: 'wrong_mode' };
  if (account !== undefined) return { ok: false, reason: 'other_account' };
  const about = readSubject(type, data.object);
  if (about === undefined || about === 'unreadable')
    return { ok: false, reason: about === undefined ? 'not_ours' : about };
  return { ok: true, event: { id: eventId, createdS, ...about } };
}

type Subject<Event = CardEvent> = Event extends unknown ? Omit<Event, 'id' | 'createdS'> : never;

function readSubject(type: string, value: unknown): Subject | 'unreadable' | undefined {
  const kind = Object.hasOwn(SESSION_KINDS, type) ? SESSION_KINDS[type] : undefined;
  if (kind !== undefined) {
    const facts = parseSession(value);
    return facts === undefined ? 'unreadable' : { about: 'session', kind, session: facts };
  }
  if (REFUND_TYPES.has(type)) return readRefund(value);
  return DISPUTE_TYPES.has(type) ? readDispute(value) : undefined;
}

/** A session as Stripe writes it. */
export function parseSession(value: unknown): SessionFacts | undefined {
  const read = session.safeParse(value);
  if (!read.success) return undefined;
  const { id: sessionId, payment_status, amount_total, currency, payment_intent } = read.data;
  return {
    sessionId,
    paymentStatus: payment_status,
    amountTotal: amount_total,
    currency,
    paymentIntent: payment_intent,
  };
}

/** A refund as Stripe writes it; undefined for one of a payment that no checkout made. */
export function parseRefund(value: unknown): RefundFacts | 'unreadable' | undefined {
  const read = refund.safeParse(value);
  if (!read.success) return 'unreadable';
  const { id: refundId, amount, status, payment_intent: paymentIntent, metadata } = read.data;
  if (paymentIntent === null) return undefined;
  return { id: refundId, paymentIntent, cents: amount, status, orderId: metadata?.[REFUND_ORDER_KEY] };
}

function readRefund(value: unknown): Subject | 'unreadable' | undefined {
  const facts = parseRefund(value);
  return facts === undefined || facts === 'unreadable' ? facts : { about: 'refund', refund: facts };
}

function readDispute(value: unknown): Subject | 'unreadable' | undefined {
  const read = dispute.safeParse(value);
  if (!read.success) return 'unreadable';
  const { id: disputeId, amount, status, payment_intent: paymentIntent } = read.data;
  return paymentIntent === null
    ? undefined
    : { about: 'dispute', dispute: { id: disputeId, paymentIntent, cents: amount, status } };
}
