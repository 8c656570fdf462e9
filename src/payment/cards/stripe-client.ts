import { Stripe } from 'stripe';
import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import {
  type CardEvent,
  parseRefund,
  parseSession,
  readCardEvent,
  REFUND_ORDER_KEY,
  SESSION_EVENT_TYPES,
} from './events.ts';
import type { CheckoutPlaces } from './protocol.ts';
import { CARD_CURRENCY, type CardPurchase, computeSessionEndS } from './purchases.ts';
import type { RefundFacts } from './reversals.ts';
import type { StripeAnswer, StripePort, StripeSettings } from './stripe-port.ts';

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

/** Stripe by its own SDK, which is nearly all that the bundle of its user grows by. */
export function openStripe({ secretKey, isLive, apiUrl, fetch: send }: StripeSettings): StripePort {
  const sdk = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(refuseStrangers(send)),
    timeout: CALL_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(apiUrl === undefined ? {} : parseApiAddress(apiUrl)),
  });
  const call = <T>(run: () => Promise<T>): Promise<StripeAnswer<T>> => answer(run, Stripe.errors.StripeError);
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

/**
 * The secret key is for Stripe's own host (rule P29), so redirects are not followed. What comes from something in front of Stripe, a
 * redirect or an error page, is no answer: the SDK would take JSON without an `error` for success, whatever its status.
 */
const refuseStrangers =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, { ...init, redirect: 'manual' });
    if (response.ok) return response;
    const text = await response.text();
    if (!isStripeError(text)) throw new TypeError('Stripe did not answer');
    const { status, headers } = response;
    return new Response(text, { status, headers });
  };

const stripeError = z.object({ error: z.looseObject({}) });

const isStripeError = (text: string): boolean => stripeError.safeParse(parseJson(text)).success;

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
