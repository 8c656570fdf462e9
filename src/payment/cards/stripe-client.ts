import type { Stripe } from 'stripe';
import {
  type CardEvent,
  parseRefund,
  parseSession,
  readCardEvent,
  REFUND_ORDER_KEY,
  SESSION_EVENT_TYPES,
} from './events.ts';
import type { CheckoutPlaces } from './protocol.ts';
import { CARD_CURRENCY, type CardPurchase, computeSessionEndS, type SessionFacts } from './purchases.ts';
import type { RefundFacts } from './reversals.ts';

/** What Stripe answered. `refused`: it did not do it and will not; `unknown`: it may have done it. */
export type StripeAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; reason: 'refused' | 'gone' | 'unknown'; code: string };

/** The calls of Stripe's API that purchases by card need. None throws for what Stripe or the network does. */
export type StripePort = {
  createSession: (
    purchase: CardPurchase,
    places: CheckoutPlaces,
  ) => Promise<StripeAnswer<{ sessionId: string; url: string }>>;
  expireSession: (sessionId: string) => Promise<StripeAnswer<undefined>>;
  readSession: (sessionId: string) => Promise<StripeAnswer<{ status: string | null; facts: SessionFacts }>>;
  /** What Stripe's own list has of a session since a time, oldest first. */
  listSessionEvents: (sessionId: string, sinceS: number) => Promise<StripeAnswer<readonly CardEvent[]>>;
  createRefund: (refund: {
    paymentIntent: string;
    /** Undefined for all that was paid, in the currency in which it was. */
    cents: number | undefined;
    orderId: string;
  }) => Promise<StripeAnswer<RefundFacts>>;
  listRefunds: (paymentIntent: string) => Promise<StripeAnswer<readonly RefundFacts[]>>;
};

/** One call, and how often the SDK repeats one that did not come through: with the same idempotency key. */
const CALL_MS = 10_000;
const RETRIES = 1;
/** Events of a page, and pages that one look reads. */
const PAGE_EVENTS = 100;
const MAX_EVENT_PAGES = 10;
/** Refunds of one payment that are read. */
const MAX_REFUNDS = 100;
/** A clock may be ahead of Stripe's. */
const CLOCK_SKEW_S = 300;

type StripeSettings = {
  secretKey: string;
  isLive: boolean;
  /** Another address of the API: the local stack's stand-in alone has one. */
  apiUrl?: string | undefined;
  fetch: typeof fetch;
};

/** Stripe by its own SDK, which is loaded when it is first used: few requests need it. */
export async function openStripe({ secretKey, isLive, apiUrl, fetch: send }: StripeSettings): Promise<StripePort> {
  const { Stripe: StripeSdk } = await import('stripe');
  const sdk = new StripeSdk(secretKey, {
    httpClient: StripeSdk.createFetchHttpClient(send),
    timeout: CALL_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(apiUrl === undefined ? {} : parseApiAddress(apiUrl)),
  });
  const call = <T>(run: () => Promise<T>): Promise<StripeAnswer<T>> => answer(run, StripeSdk.errors.StripeError);
  return {
    createSession: (purchase, places) => call(() => createSession(sdk, purchase, places)),
    expireSession: (sessionId) =>
      call(async () => {
        await sdk.checkout.sessions.expire(sessionId);
        return undefined;
      }),
    readSession: (sessionId) =>
      call(async () => {
        const session = await sdk.checkout.sessions.retrieve(sessionId);
        const facts = parseSession(session);
        if (facts === undefined) throw new UnreadableAnswer('session');
        return { status: session.status, facts };
      }),
    listSessionEvents: (sessionId, sinceS) => call(() => listSessionEvents(sdk, { sessionId, sinceS, isLive })),
    createRefund: ({ paymentIntent, cents, orderId }) =>
      call(async () =>
        readRefundAnswer(
          await sdk.refunds.create(
            {
              payment_intent: paymentIntent,
              ...(cents === undefined ? {} : { amount: cents }),
              metadata: { [REFUND_ORDER_KEY]: orderId },
            },
            { idempotencyKey: `refund-${orderId}` },
          ),
        ),
      ),
    listRefunds: (paymentIntent) =>
      call(async () => {
        const { data } = await sdk.refunds.list({ payment_intent: paymentIntent, limit: MAX_REFUNDS });
        return data.map(readRefundAnswer);
      }),
  };
}

/** An answer of Stripe's that does not have what its documentation says. */
class UnreadableAnswer extends Error {
  override name = 'UnreadableAnswer';
}

function readRefundAnswer(value: unknown): RefundFacts {
  const facts = parseRefund(value);
  if (facts === undefined || facts === 'unreadable') throw new UnreadableAnswer('refund');
  return facts;
}

function parseApiAddress(apiUrl: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(apiUrl);
  return { host: hostname, port, protocol: protocol === 'https:' ? 'https' : 'http' };
}

/** Adaptive pricing is off: what is charged is what our row says, in our currency. */
async function createSession(
  sdk: Stripe,
  purchase: CardPurchase,
  { returnUrl, cancelUrl, title }: CheckoutPlaces,
): Promise<{ sessionId: string; url: string }> {
  const { id, url } = await sdk.checkout.sessions.create(
    {
      mode: 'payment',
      submit_type: 'pay',
      client_reference_id: purchase.id,
      line_items: [
        {
          quantity: 1,
          price_data: { currency: CARD_CURRENCY, unit_amount: purchase.cents, product_data: { name: title } },
        },
      ],
      adaptive_pricing: { enabled: false },
      expires_at: computeSessionEndS(purchase),
      success_url: returnUrl,
      cancel_url: cancelUrl,
    },
    { idempotencyKey: `checkout-${purchase.id}` },
  );
  if (url === null) throw new UnreadableAnswer('session');
  return { sessionId: id, url };
}

async function listSessionEvents(
  sdk: Stripe,
  { sessionId, sinceS, isLive }: { sessionId: string; sinceS: number; isLive: boolean },
): Promise<readonly CardEvent[]> {
  const found: CardEvent[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_EVENT_PAGES; page += 1) {
    const { data, has_more: hasMore } = await sdk.events.list({
      types: [...SESSION_EVENT_TYPES],
      created: { gte: sinceS - CLOCK_SKEW_S },
      limit: PAGE_EVENTS,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    for (const one of data) {
      const read = readCardEvent(one, isLive);
      if (read.ok && read.event.about === 'session' && read.event.session.sessionId === sessionId)
        found.push(read.event);
    }
    after = data.at(-1)?.id;
    if (!hasMore || after === undefined) break;
  }
  return found.toReversed();
}

const TOO_EARLY = 409;
const TOO_MANY = 429;
const NOT_FOUND = 404;

/** A 4xx says that nothing was done, but for a call with the same key under way and for one too many. */
async function answer<T>(
  run: () => Promise<T>,
  StripeError: typeof Stripe.errors.StripeError,
): Promise<StripeAnswer<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    if (error instanceof UnreadableAnswer) return { ok: false, reason: 'unknown', code: `unreadable_${error.message}` };
    if (!(error instanceof StripeError)) throw error;
    const { statusCode = 0, code = error.type } = error;
    if (statusCode === NOT_FOUND) return { ok: false, reason: 'gone', code };
    const isRefused = statusCode >= 400 && statusCode < 500 && statusCode !== TOO_EARLY && statusCode !== TOO_MANY;
    return { ok: false, reason: isRefused ? 'refused' : 'unknown', code };
  }
}
