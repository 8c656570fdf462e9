import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import type { CardTarget } from '../credits/card-credits.ts';
import type { CardEvent } from './events.ts';
import type {
  CardList,
  CardPurchaseView,
  CardRefundRefusal,
  CardRefundRequest,
  CardsOwed,
  Checkout,
  Received,
} from './protocol.ts';
import {
  applySessionEvent,
  type CardOrder,
  type CardPurchase,
  isUnderWay,
  MAX_OPEN_PURCHASES,
  MICRO_USDC_PER_CENT,
  openPurchase,
  scheduleLook,
  startPurchase,
} from './purchases.ts';
import { mergeReversal, type RefundOrder, type Reversal, sumTaken, toDispute, toRefund } from './reversals.ts';
import type { CardRows } from './rows.ts';

/** Ids of events are remembered longer than Stripe lists them (30 days) or sends them (3 days). */
const EVENTS_KEPT_MS = 40 * DAY_MS;
/** Orders without a payment, and refunds of payments that are none of ours. */
const ENDED_KEPT_MS = 40 * DAY_MS;
/** Refunds that operators may order of one purchase. */
const MAX_REFUND_ORDERS = 20;
/** After a try whose outcome is not known. */
const REFUND_RETRY_MS = 2 * MINUTE_MS;
const MAX_LISTED = 100;

export type CardBook = ReturnType<typeof createCardBook>;

/** The purchases behind a table of rows. Each method is one synchronous step. */
export function createCardBook(rows: CardRows, now: () => number) {
  /** A purchase after something changed that its account may not have yet. */
  const bump = (purchase: CardPurchase): CardPurchase => {
    const bumped = { ...purchase, version: purchase.version + 1 };
    rows.writePurchase(bumped);
    return bumped;
  };
  return {
    ...createCheckoutSteps(rows, now),
    ...createRefundSteps(rows, now, bump),
    /** @returns the purchase that it changed, or why it changed none */
    receive: (event: CardEvent): { received: Received; purchase?: CardPurchase } => {
      if (!rows.addEvent(event.id, now())) return { received: 'repeat' };
      return event.about === 'session' ? receiveSession(rows, event, now()) : receiveReversal(rows, event, now(), bump);
    },
    purchase: (id: string) => rows.purchase(id),
    view: (id: string) => {
      const purchase = rows.purchase(id);
      return purchase && toView(rows, purchase);
    },
    list: ({ account, beforeMs = Number.MAX_SAFE_INTEGER, limit }: CardList): readonly CardPurchaseView[] =>
      rows
        .listPurchases({ ...(account === undefined ? {} : { account }), beforeMs, limit: Math.min(limit, MAX_LISTED) })
        .map((purchase) => toView(rows, purchase)),
    /** What the account should have of a purchase. */
    target: (purchase: CardPurchase): CardTarget => toTarget(rows, purchase),
    /** The account has written a version of it. */
    synced: (id: string, version: number, balanceMicroUsdc: number): void => {
      const purchase = rows.purchase(id);
      if (purchase !== undefined) recordBalance(rows, purchase, balanceMicroUsdc, now());
      if (purchase !== undefined && purchase.syncedVersion < version)
        rows.writePurchase({ ...purchase, syncedVersion: version });
    },
    /** By its own number, or what Stripe calls its session, payment, refund or dispute. */
    locate: (reference: string): CardPurchaseView | undefined => {
      const payment = rows.reversal(reference)?.paymentIntent ?? reference;
      const purchase = rows.purchase(reference) ?? rows.purchaseOfSession(reference) ?? rows.purchaseOfPayment(payment);
      return purchase && toView(rows, purchase);
    },
    paidOn: (fromDay: string, toDay: string) => rows.paidOn(fromDay, toDay),
    owed: (): CardsOwed => ({ overdrafts: rows.overdrafts(), openDisputes: rows.countOpenDisputes() }),
    unsynced: (limit: number) => rows.listUnsynced(limit),
    dueLooks: (limit: number) => rows.listDueLooks(now(), limit),
    dueRefunds: (limit: number) => rows.listDueRefunds(now(), limit),
    nextDueAtMs: () => rows.nextDueAtMs(),
    days: (sinceDay: string) => rows.days(sinceDay),
    prune: (): void => rows.prune({ eventsBeforeMs: now() - EVENTS_KEPT_MS, endedBeforeMs: now() - ENDED_KEPT_MS }),
  };
}

function createCheckoutSteps(rows: CardRows, now: () => number) {
  const change = (id: string, step: (purchase: CardPurchase) => CardPurchase): CardPurchase | undefined => {
    const purchase = rows.purchase(id);
    if (purchase === undefined) return undefined;
    const changed = step(purchase);
    rows.writePurchase(changed);
    return changed;
  };
  return {
    /** The row before anything is asked of Stripe; the same form again has the same row. */
    start: (order: CardOrder): { ok: true; purchase: CardPurchase } | Extract<Checkout, { ok: false }> => {
      const known = rows.purchase(order.id);
      if (known !== undefined) {
        const isSame = known.account === order.account && known.pack === order.pack && known.cents === order.cents;
        return isSame ? { ok: true, purchase: known } : { ok: false, reason: 'form_used' };
      }
      if (rows.countUnderWay(order.account) >= MAX_OPEN_PURCHASES) return { ok: false, reason: 'too_many_open' };
      const purchase = startPurchase(order, now());
      rows.writePurchase(purchase);
      return { ok: true, purchase };
    },
    opened: (id: string, session: { sessionId: string; url: string }) =>
      change(id, (purchase) => openPurchase(purchase, session)),
    /** Stripe made no session, and will not. */
    refused: (id: string) =>
      change(id, ({ nextLookAtMs: _next, ...purchase }) =>
        purchase.state === 'starting' ? { ...purchase, state: 'refused' } : purchase,
      ),
    /** Its session is over, unpaid. */
    expired: (id: string) =>
      change(id, ({ nextLookAtMs: _next, url: _url, ...purchase }) =>
        isUnderWay(purchase) ? { ...purchase, state: 'expired' } : purchase,
      ),
    /** Stripe was asked about it. */
    looked: (id: string, hasFailed: boolean) => change(id, (purchase) => scheduleLook(purchase, now(), hasFailed)),
    underWay: (account: string): readonly CardPurchase[] =>
      rows.listPurchases({ account, beforeMs: Number.MAX_SAFE_INTEGER, limit: MAX_LISTED }).filter(isUnderWay),
  };
}

/** Remembers an account below zero until a purchase of it is written again and it is not. */
function recordBalance(rows: CardRows, { id, account }: CardPurchase, balanceMicroUsdc: number, nowMs: number): void {
  if (balanceMicroUsdc >= 0) rows.dropOverdraft(account);
  else rows.writeOverdraft({ account, purchase: id, atMs: nowMs, owedMicroUsdc: -balanceMicroUsdc });
}

type Bump = (purchase: CardPurchase) => CardPurchase;

function createRefundSteps(rows: CardRows, now: () => number, bump: Bump) {
  const endOrder = (id: string, end: Pick<RefundOrder, 'state' | 'failure' | 'refundId'>): CardPurchase | undefined => {
    const order = rows.refundOrder(id);
    if (order === undefined || order.state === 'done' || order.state === 'failed') return undefined;
    const { nextTryAtMs: _next, ...rest } = order;
    rows.writeRefundOrder({ ...rest, ...end });
    const purchase = rows.purchase(order.purchaseId);
    return purchase && bump(purchase);
  };
  return {
    /** An order whose credits are not taken yet. */
    startRefund: (asked: CardRefundRequest): RefundStart => {
      const known = rows.refundOrder(asked.id);
      if (known !== undefined) {
        const isSame = known.purchaseId === asked.purchaseId && known.cents === asked.cents;
        return isSame ? { ok: true, order: known, isRepeat: true } : { ok: false, reason: 'form_used' };
      }
      const purchase = rows.purchase(asked.purchaseId);
      const refused = purchase === undefined ? 'not_found' : findRefundRefusal(rows, purchase, asked.cents);
      if (refused !== undefined || purchase === undefined) return { ok: false, reason: refused ?? 'not_found' };
      // Of a payment that credited nothing no credits are taken.
      const state = purchase.state === 'paid' ? 'wanted' : 'held';
      const order = { ...asked, atMs: now(), state, nextTryAtMs: now() + REFUND_RETRY_MS } as const;
      rows.writeRefundOrder(order);
      return { ok: true, order, isRepeat: false };
    },
    refundOrder: (id: string) => rows.refundOrder(id),
    /** The account gave the credits up. */
    holdRefund: (id: string): CardPurchase | undefined => {
      const order = rows.refundOrder(id);
      if (order?.state !== 'wanted') return undefined;
      rows.writeRefundOrder({ ...order, state: 'held' });
      const purchase = rows.purchase(order.purchaseId);
      return purchase && bump(purchase);
    },
    /** Its outcome is not known: the same is asked again later. */
    postponeRefund: (id: string): void => {
      const order = rows.refundOrder(id);
      if (order?.nextTryAtMs !== undefined) rows.writeRefundOrder({ ...order, nextTryAtMs: now() + REFUND_RETRY_MS });
    },
    /** Nothing was paid back: the credits are the account's again. */
    failRefund: (id: string, failure: string) => endOrder(id, { state: 'failed', failure }),
    /** Stripe has the refund. */
    finishRefund: (id: string, refund: Reversal): CardPurchase | undefined => {
      const merged = mergeReversal(rows.reversal(refund.id), refund);
      if (merged !== undefined) rows.writeReversal(merged);
      return endOrder(id, { state: 'done', refundId: refund.id });
    },
  };
}

type RefundStart = { ok: true; order: RefundOrder; isRepeat: boolean } | { ok: false; reason: CardRefundRefusal };

function findRefundRefusal(rows: CardRows, purchase: CardPurchase, cents: number): CardRefundRefusal | undefined {
  const isWhole = purchase.state === 'mismatched';
  if ((purchase.state !== 'paid' && !isWhole) || purchase.paymentIntent === undefined) return 'not_paid';
  const orders = rows.refundOrdersOf(purchase.id);
  if (orders.length >= MAX_REFUND_ORDERS) return 'too_many';
  const reversals = rows.reversalsOf(purchase.paymentIntent);
  const { refundedCents, disputedCents } = sumTaken(purchase.cents, { reversals, orders, withWanted: true });
  if (disputedCents > 0) return 'disputed';
  // Stripe alone knows how much it is, and in which currency: it goes back as a whole, once.
  if (isWhole && (refundedCents > 0 || cents !== purchase.cents)) return 'too_much';
  return Number.isSafeInteger(cents) && cents >= 1 && refundedCents + cents <= purchase.cents ? undefined : 'too_much';
}

type SessionEvent = Extract<CardEvent, { about: 'session' }>;

function receiveSession(rows: CardRows, { kind, session }: SessionEvent, nowMs: number) {
  const known = rows.purchaseOfSession(session.sessionId);
  if (known === undefined) return { received: 'unknown_session' } as const;
  const purchase = applySessionEvent(known, kind, session, nowMs);
  if (purchase !== known) rows.writePurchase(purchase);
  return { received: 'applied', purchase } as const;
}

type ReversalEvent = Extract<CardEvent, { about: 'refund' | 'dispute' }>;

/** Stored whether or not its payment is known: the event of the purchase may come later. */
function receiveReversal(rows: CardRows, event: ReversalEvent, nowMs: number, bump: Bump) {
  const said = event.about === 'refund' ? toRefund(event.refund, nowMs) : toDispute(event.dispute, nowMs);
  const known = rows.reversal(said.id);
  const merged =
    known !== undefined && known.paymentIntent !== said.paymentIntent ? undefined : mergeReversal(known, said);
  if (merged === undefined) return { received: 'applied' } as const;
  rows.writeReversal(merged);
  const purchase = rows.purchaseOfPayment(merged.paymentIntent);
  if (purchase === undefined) return { received: 'applied' } as const;
  endOwnOrder(rows, purchase, merged);
  return { received: 'applied', purchase: bump(purchase) } as const;
}

/** An event can be faster than the answer to the call that made its refund. */
function endOwnOrder(rows: CardRows, purchase: CardPurchase, { id: refundId, orderId }: Reversal): void {
  const order = orderId === undefined ? undefined : rows.refundOrder(orderId);
  if (order?.purchaseId !== purchase.id || order.state !== 'held') return;
  const { nextTryAtMs: _next, ...rest } = order;
  rows.writeRefundOrder({ ...rest, state: 'done', refundId });
}

function readTaken(rows: CardRows, purchase: CardPurchase) {
  const reversals = purchase.paymentIntent === undefined ? [] : rows.reversalsOf(purchase.paymentIntent);
  const orders = rows.refundOrdersOf(purchase.id);
  return { ...sumTaken(purchase.cents, { reversals, orders }), orders };
}

function toTarget(rows: CardRows, purchase: CardPurchase): CardTarget {
  const { refundedCents, disputedCents, orders } = readTaken(rows, purchase);
  const isPaid = purchase.state === 'paid';
  return {
    purchase: purchase.id,
    pack: purchase.pack,
    version: purchase.version,
    creditedMicroUsdc: isPaid ? purchase.cents * MICRO_USDC_PER_CENT : 0,
    refundedMicroUsdc: isPaid ? refundedCents * MICRO_USDC_PER_CENT : 0,
    disputedMicroUsdc: isPaid ? disputedCents * MICRO_USDC_PER_CENT : 0,
    endedHolds: orders.filter(({ state }) => state !== 'wanted').map(({ id }) => id),
  };
}

function toView(rows: CardRows, purchase: CardPurchase): CardPurchaseView {
  const { id, account, pack, cents, atMs, state, paidAtMs, url, version, syncedVersion } = purchase;
  const { refundedCents, disputedCents, orders } = readTaken(rows, purchase);
  return {
    id,
    account,
    pack,
    cents,
    atMs,
    state,
    ...(paidAtMs === undefined ? {} : { paidAtMs }),
    ...(url === undefined ? {} : { url }),
    refundedCents,
    disputedCents,
    isSynced: version === syncedVersion,
    refunds: orders.map(({ id: order, cents: amount, state: at, atMs: orderedAtMs, reason, by, failure }) => ({
      id: order,
      cents: amount,
      state: at,
      atMs: orderedAtMs,
      reason,
      by,
      ...(failure === undefined ? {} : { failure }),
    })),
  };
}
