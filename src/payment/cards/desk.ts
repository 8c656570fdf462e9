import { HOUR_MS, SECOND_MS } from '../../lib/time.ts';
import type { CreditAccountObject } from '../credits/protocol.ts';
import type { CardBook } from './book.ts';
import type { CardEvent } from './events.ts';
import type {
  CardPurchaseView,
  CardRefundOutcome,
  CardRefundRequest,
  Checkout,
  CheckoutPlaces,
  Received,
} from './protocol.ts';
import { type CardOrder, type CardPurchase, isLookDue, MICRO_USDC_PER_CENT } from './purchases.ts';
import { type RefundOrder, toRefund } from './reversals.ts';
import type { StripePort } from './stripe-port.ts';

/** Of each kind, what one alarm does. */
const MAX_LOOKS = 20;
const MAX_REFUNDS = 20;
const MAX_SYNCS = 50;
/** Stripe remembers idempotency keys for 24 hours at least: after this a refund is looked for and not asked for again. */
const REFUND_KEY_MS = 20 * HOUR_MS;

export type CardPorts = {
  /** One synchronous transaction. */
  step: <T>(step: (book: CardBook) => T) => T;
  /** Undefined: no card buys credits here. */
  stripe: () => Promise<StripePort | undefined>;
  /** The credits of an account, by the name of their object. */
  credits: (object: string) => Pick<CreditAccountObject, 'applyCard' | 'holdCard'>;
  now: () => number;
  log: (level: 'info' | 'error', event: Record<string, unknown>) => void;
};

export type CardDesk = ReturnType<typeof createCardDesk>;

/** The order of the steps: a row before each call that leaves, and the same call again where its answer was lost. */
export function createCardDesk(ports: CardPorts) {
  return {
    begin: (order: CardOrder, places: CheckoutPlaces) => beginCheckout(ports, order, places),
    visit: (id: string, account: string) => openVisitedPurchase(ports, id, account),
    receive: (event: CardEvent) => receiveEvent(ports, event),
    refund: (asked: CardRefundRequest) => makeRefund(ports, asked),
    endOpen: (account: string) => endOpenSessions(ports, account),
    /** What an alarm does. @returns whether something is left that could not be done */
    work: () => runDueWork(ports),
  };
}

async function beginCheckout(ports: CardPorts, order: CardOrder, places: CheckoutPlaces): Promise<Checkout> {
  const stripe = await ports.stripe();
  if (stripe === undefined) return { ok: false, reason: 'off' };
  const started = ports.step((book) => book.start(order));
  if (!started.ok) return started;
  const { purchase } = started;
  if (purchase.state !== 'starting')
    return purchase.url === undefined ? { ok: false, reason: 'form_used' } : { ok: true, url: purchase.url };
  const made = await stripe.createSession(purchase, places);
  if (!made.ok) {
    ports.log('error', { event: 'card_session_not_made', reason: made.reason, code: made.code });
    if (made.reason === 'unknown') return { ok: false, reason: 'unknown' };
    ports.step((book) => book.refused(order.id));
    return { ok: false, reason: 'refused' };
  }
  const { sessionId } = made.value;
  try {
    const opened = ports.step((book) => book.opened(order.id, made.value));
    if (opened?.sessionId === sessionId) return { ok: true, url: made.value.url };
  } catch (error) {
    await stripe.expireSession(sessionId); // No one may pay what we would not know.
    throw error;
  }
  await stripe.expireSession(sessionId); // The order ended meanwhile.
  return { ok: false, reason: 'form_used' };
}

async function openVisitedPurchase(
  ports: CardPorts,
  id: string,
  account: string,
): Promise<CardPurchaseView | undefined> {
  const purchase = ports.step((book) => book.purchase(id));
  if (purchase?.account !== account) return undefined;
  if (isLookDue(purchase, ports.now())) await lookAtPurchase(ports, purchase);
  return ports.step((book) => book.view(id));
}

async function receiveEvent(ports: CardPorts, event: CardEvent): Promise<Received> {
  const { received, purchase } = ports.step((book) => book.receive(event));
  if (received === 'unknown_session') ports.log('info', { event: 'card_session_unknown' });
  if (purchase?.state === 'mismatched') ports.log('error', { event: 'card_amount_mismatch', purchase: purchase.id });
  if (purchase !== undefined) await syncAccount(ports, purchase);
  return received;
}

/** Hands an account what it should have of a purchase; what fails is done again by the alarm. */
async function syncAccount(ports: CardPorts, { id }: CardPurchase): Promise<boolean> {
  const { purchase, target } = ports.step((book) => {
    const found = book.purchase(id);
    return { purchase: found, target: found && book.target(found) };
  });
  if (purchase === undefined || target === undefined || purchase.version === purchase.syncedVersion) return true;
  try {
    const { balanceMicroUsdc } = await ports.credits(purchase.creditObject).applyCard(target);
    ports.step((book) => book.synced(id, target.version, balanceMicroUsdc));
    // Money went back whose credits were spent: an operator has to know.
    if (balanceMicroUsdc < 0) ports.log('error', { event: 'card_account_overdrawn', purchase: id });
    return true;
  } catch (error) {
    ports.log('error', { event: 'card_credits_unreached', reason: describeError(error) });
    return false;
  }
}

const describeError = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Asks Stripe what became of a purchase whose event has not come. What credits is an event of its list, as if it had. */
async function lookAtPurchase(ports: CardPorts, { id, sessionId, atMs }: CardPurchase): Promise<void> {
  if (sessionId === undefined) {
    ports.step((book) => book.refused(id)); // No one was given the address of its session.
    return;
  }
  const stripe = await ports.stripe();
  const session = await stripe?.readSession(sessionId);
  if (stripe === undefined || session === undefined || (!session.ok && session.reason !== 'gone')) {
    ports.log('error', { event: 'card_look_failed', code: session?.ok === false ? session.code : 'off' });
    ports.step((book) => book.looked(id, true));
    return;
  }
  if (!session.ok || session.value.status === 'expired') {
    ports.step((book) => book.expired(id));
    return;
  }
  if (session.value.status === 'open') {
    ports.step((book) => book.looked(id, false));
    return;
  }
  const events = await stripe.listSessionEvents(sessionId, Math.floor(atMs / SECOND_MS));
  for (const event of events.ok ? events.value : []) await receiveEvent(ports, event);
  ports.step((book) => book.looked(id, !events.ok || events.value.length === 0));
}

async function makeRefund(ports: CardPorts, asked: CardRefundRequest): Promise<CardRefundOutcome> {
  if ((await ports.stripe()) === undefined) return { ok: false, reason: 'off' };
  const started = ports.step((book) => book.startRefund(asked));
  if (!started.ok) return started;
  const failed = await continueRefund(ports, asked.id);
  const order = ports.step((book) => book.refundOrder(asked.id)) ?? started.order;
  if (order.state === 'failed') return failed ?? { ok: false, reason: order.failure === 'spent' ? 'spent' : 'refused' };
  const { cents } = order;
  return { ok: true, state: order.state === 'done' ? 'done' : 'under_way', cents, isRepeat: started.isRepeat };
}

/** Takes the credits, then has Stripe pay them back; each step may have been done before. */
async function continueRefund(
  ports: CardPorts,
  id: string,
): Promise<Extract<CardRefundOutcome, { ok: false }> | undefined> {
  const { order, purchase } = ports.step((book) => {
    const found = book.refundOrder(id);
    return { order: found, purchase: found && book.purchase(found.purchaseId) };
  });
  if (order === undefined || purchase?.paymentIntent === undefined) return undefined;
  if (order.state === 'wanted') {
    const refused = await reserveRefund(ports, order, purchase);
    if (refused !== undefined) return refused.ok ? undefined : refused;
  }
  if (order.state === 'wanted' || order.state === 'held') await payBack(ports, order, purchase, purchase.paymentIntent);
  return undefined;
}

/** Undefined: the credits are taken. `ok`: that is not known. */
async function reserveRefund(
  ports: CardPorts,
  { id, cents }: RefundOrder,
  purchase: CardPurchase,
): Promise<CardRefundOutcome | undefined> {
  const hold = { id, purchase: purchase.id, amountMicroUsdc: cents * MICRO_USDC_PER_CENT };
  try {
    const held = await ports.credits(purchase.creditObject).holdCard(hold);
    const changed = ports.step((book) => (held.ok ? book.holdRefund(id) : book.failRefund(id, held.reason)));
    if (changed !== undefined) await syncAccount(ports, changed);
    return held.ok ? undefined : held;
  } catch (error) {
    ports.log('error', { event: 'card_hold_unknown', reason: describeError(error) });
    ports.step((book) => book.postponeRefund(id));
    return { ok: true, state: 'under_way', cents, isRepeat: false };
  }
}

async function payBack(
  ports: CardPorts,
  { id, cents, atMs }: RefundOrder,
  { state }: CardPurchase,
  paymentIntent: string,
): Promise<void> {
  const amount = state === 'mismatched' ? undefined : cents;
  const stripe = await ports.stripe();
  const isKeyGood = ports.now() - atMs < REFUND_KEY_MS;
  const made =
    stripe === undefined
      ? undefined
      : isKeyGood
        ? await stripe.createRefund({ paymentIntent, cents: amount, orderId: id })
        : await findRefund(stripe, paymentIntent, id);
  if (made === undefined || (!made.ok && made.reason === 'unknown')) {
    ports.log('error', { event: 'card_refund_unknown', code: made?.ok === false ? made.code : 'off' });
    ports.step((book) => book.postponeRefund(id));
    return;
  }
  const refund = made.ok ? toRefund({ ...made.value, orderId: id }, ports.now()) : undefined;
  const failure = made.ok ? (made.value.status ?? 'failed') : made.code;
  const changed = ports.step((book) =>
    refund?.isTaken === true ? book.finishRefund(id, refund) : book.failRefund(id, failure),
  );
  if (changed !== undefined) await syncAccount(ports, changed);
}

/** The refund of an order whose idempotency key is too old to ask with; `gone` where Stripe made none. */
async function findRefund(stripe: StripePort, paymentIntent: string, orderId: string) {
  const listed = await stripe.listRefunds(paymentIntent);
  if (!listed.ok) return { ok: false, reason: 'unknown', code: listed.code } as const;
  const value = listed.value.find((refund) => refund.orderId === orderId);
  return value === undefined
    ? ({ ok: false, reason: 'gone', code: 'never_made' } as const)
    : ({ ok: true, value } as const);
}

/** For an account that ends: a session that is still open can be paid. */
async function endOpenSessions(ports: CardPorts, account: string): Promise<boolean> {
  for (const { id, state, sessionId } of ports.step((book) => book.underWay(account))) {
    if (state === 'processing') return false;
    if (sessionId === undefined) {
      ports.step((book) => book.refused(id));
      continue;
    }
    const stripe = await ports.stripe();
    const ended = await stripe?.expireSession(sessionId);
    // Stripe does not end one that was paid or is over: a look says which.
    const purchase = ports.step((book) => (ended?.ok === true ? book.expired(id) : book.purchase(id)));
    if (ended?.ok !== true && purchase !== undefined) await lookAtPurchase(ports, purchase);
  }
  return ports.step((book) => book.underWay(account)).length === 0;
}

async function runDueWork(ports: CardPorts): Promise<boolean> {
  for (const purchase of ports.step((book) => book.dueLooks(MAX_LOOKS))) await lookAtPurchase(ports, purchase);
  for (const { id } of ports.step((book) => book.dueRefunds(MAX_REFUNDS))) await continueRefund(ports, id);
  let isLeft = false;
  for (const purchase of ports.step((book) => book.unsynced(MAX_SYNCS)))
    isLeft = !(await syncAccount(ports, purchase)) || isLeft;
  ports.step((book) => book.prune());
  return isLeft;
}
