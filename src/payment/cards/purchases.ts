import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts';

/** What a card is charged in. */
export const CARD_CURRENCY = 'usd';
export const MICRO_USDC_PER_CENT = 10_000;

/** A session of the hosted page ends so long after it was made: Stripe takes 30 minutes to 24 hours. */
const SESSION_MS = HOUR_MS;
/** Purchases of one account that may wait for their buyer at once. */
export const MAX_OPEN_PURCHASES = 10;

/**
 * One purchase of a pack by card. Account, pack and price are these and no one else's word. `url` and `sessionId` are there
 * once Stripe made the session.
 */
export type CardPurchase = {
  /** 128 random bits of the form that ordered it: also the idempotency key of the session. */
  readonly id: string;
  readonly account: string;
  /** The name of the object with the account's credits. */
  readonly creditObject: string;
  readonly pack: string;
  readonly cents: number;
  readonly atMs: number;
  readonly state: CardPurchaseState;
  readonly sessionId?: string;
  readonly url?: string;
  /** Names the payment in refunds and disputes; known once it was made. */
  readonly paymentIntent?: string;
  readonly paidAtMs?: number;
  /** When Stripe was asked last, how often, and when it is asked next; without `nextLookAtMs` never. */
  readonly lookedAtMs?: number;
  readonly looks: number;
  readonly nextLookAtMs?: number;
  /** Grows with each change of what the account should have; `syncedVersion` is what its object has written. */
  readonly version: number;
  readonly syncedVersion: number;
};

/**
 * `starting`: Stripe has not answered with a session yet. `processing`: the buyer is done, and the bank is not.
 * `mismatched`: Stripe was paid another amount or currency than the order says, so nothing is credited.
 */
export type CardPurchaseState =
  | 'starting'
  | 'open'
  | 'processing'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'refused'
  | 'mismatched';

export type CardOrder = Pick<CardPurchase, 'id' | 'account' | 'creditObject' | 'pack' | 'cents'>;

/** What an event of a session says of it. */
export type SessionFacts = {
  sessionId: string;
  paymentStatus: string;
  amountTotal: number | null;
  currency: string | null;
  paymentIntent: string | null;
};

export type SessionEventKind = 'completed' | 'async_payment_succeeded' | 'async_payment_failed' | 'expired';

export const startPurchase = (order: CardOrder, nowMs: number): CardPurchase => ({
  ...order,
  atMs: nowMs,
  state: 'starting',
  looks: 0,
  nextLookAtMs: nowMs + FIRST_LOOK_MS,
  version: 0,
  syncedVersion: 0,
});

/** When the session of a purchase ends, in Unix seconds: the same in each try, as idempotency wants it. */
export const computeSessionEndS = ({ atMs }: Pick<CardPurchase, 'atMs'>): number =>
  Math.floor((atMs + SESSION_MS) / 1000);

export const openPurchase = (
  purchase: CardPurchase,
  { sessionId, url }: { sessionId: string; url: string },
): CardPurchase => (purchase.state === 'starting' ? { ...purchase, state: 'open', sessionId, url } : purchase);

/**
 * What an event of its session makes of a purchase. Events may come twice, late and in any order: what was paid stays paid,
 * and a payment counts although another event said before that the session was over.
 */
export function applySessionEvent(
  purchase: CardPurchase,
  kind: SessionEventKind,
  facts: SessionFacts,
  nowMs: number,
): CardPurchase {
  if (purchase.state === 'paid' || purchase.state === 'mismatched') return purchase;
  const isPaid = kind === 'async_payment_succeeded' || (kind === 'completed' && facts.paymentStatus === 'paid');
  if (isPaid) return payPurchase(purchase, facts, nowMs);
  if (kind === 'completed' && facts.paymentStatus === 'unpaid' && purchase.state !== 'failed')
    return { ...withPayment(purchase, facts), state: 'processing' };
  if (kind === 'async_payment_failed') return withoutLooks({ ...withPayment(purchase, facts), state: 'failed' });
  if (kind === 'expired' && (purchase.state === 'open' || purchase.state === 'starting'))
    return withoutLooks({ ...purchase, state: 'expired' });
  return purchase;
}

function payPurchase(purchase: CardPurchase, facts: SessionFacts, nowMs: number): CardPurchase {
  const isOurs = facts.amountTotal === purchase.cents && facts.currency === CARD_CURRENCY;
  const paid = withoutLooks({ ...withPayment(purchase, facts), paidAtMs: nowMs });
  return isOurs ? { ...paid, state: 'paid', version: paid.version + 1 } : { ...paid, state: 'mismatched' };
}

const withPayment = ({ url: _url, ...purchase }: CardPurchase, { paymentIntent }: SessionFacts): CardPurchase =>
  paymentIntent === null ? purchase : { ...purchase, paymentIntent };

const withoutLooks = ({ nextLookAtMs: _next, url: _url, ...purchase }: CardPurchase): CardPurchase => purchase;

/** An event that is late by so much is asked for. */
const FIRST_LOOK_MS = 10 * MINUTE_MS;
/** After the end of its session. */
const END_LOOK_MS = SESSION_MS + 5 * MINUTE_MS;
/** A bank may take two weeks. */
const PROCESSING_LOOK_MS = 6 * HOUR_MS;
/** Stripe lists events for 30 days: what is not known then is for an operator. */
const LOOKS_END_MS = 30 * DAY_MS;
/** After a look that failed, or whose event is not listed yet. */
const RETRY_LOOK_MS = 10 * MINUTE_MS;
/** Between two looks of visits to the page of the purchase. */
export const VISIT_LOOK_MS = 30_000;
/** Looks that visits may cause; the others come by time. */
const MAX_VISIT_LOOKS = 20;

/** The same purchase after a look that said nothing new: when the next one is due. */
export function scheduleLook(purchase: CardPurchase, nowMs: number, hasFailed: boolean): CardPurchase {
  const looked = { ...purchase, lookedAtMs: nowMs, looks: purchase.looks + 1 };
  if (!isUnderWay(purchase)) return withoutLooks(looked);
  if (nowMs >= purchase.atMs + LOOKS_END_MS) return withoutLooks(looked);
  return { ...looked, nextLookAtMs: computeNextLookMs(purchase, nowMs, hasFailed) };
}

function computeNextLookMs({ state, atMs }: CardPurchase, nowMs: number, hasFailed: boolean): number {
  if (hasFailed) return nowMs + RETRY_LOOK_MS;
  if (state === 'processing') return nowMs + PROCESSING_LOOK_MS;
  return Math.max(atMs + END_LOOK_MS, nowMs + RETRY_LOOK_MS);
}

/** Whether a visit to the page of a purchase asks Stripe, because no event came yet. */
export const isLookDue = (purchase: CardPurchase, nowMs: number): boolean =>
  purchase.sessionId !== undefined &&
  isUnderWay(purchase) &&
  purchase.looks < MAX_VISIT_LOOKS &&
  nowMs - (purchase.lookedAtMs ?? 0) >= VISIT_LOOK_MS;

export const isUnderWay = ({ state }: Pick<CardPurchase, 'state'>): boolean =>
  state === 'starting' || state === 'open' || state === 'processing';
