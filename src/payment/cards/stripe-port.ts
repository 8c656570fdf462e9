import type { CardEvent } from './events.ts';
import type { CheckoutPlaces } from './protocol.ts';
import type { CardPurchase, SessionFacts } from './purchases.ts';
import type { RefundFacts } from './reversals.ts';

/** What Stripe answered. `refused`: it did not do it and will not; `unknown`: it may have done it. */
export type StripeAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; reason: 'refused' | 'gone' | 'unknown'; code: string };

/** The calls of Stripe's API that purchases by card need: what each takes, and what it answers. */
export type StripeCalls = {
  createSession: {
    args: [purchase: CardPurchase, places: CheckoutPlaces];
    value: { sessionId: string; url: string };
  };
  expireSession: { args: [sessionId: string]; value: undefined };
  readSession: { args: [sessionId: string]; value: { status: string | null; facts: SessionFacts } };
  /** What Stripe's own list has of a session since a time, oldest first. */
  listSessionEvents: { args: [sessionId: string, sinceS: number]; value: readonly CardEvent[] };
  /** Without `cents`: all that was paid, in the currency in which it was. */
  createRefund: {
    args: [refund: { paymentIntent: string; cents: number | undefined; orderId: string }];
    value: RefundFacts;
  };
  listRefunds: { args: [paymentIntent: string]; value: readonly RefundFacts[] };
};

export type StripeCall<Method extends keyof StripeCalls> = (
  ...args: StripeCalls[Method]['args']
) => Promise<StripeAnswer<StripeCalls[Method]['value']>>;

/** Stripe as purchases see it. No call throws for what Stripe or the network does. */
export type StripePort = { [Method in keyof StripeCalls]: StripeCall<Method> };

/** Whose purchases they are, and whether its cards are charged. */
export type StripeAccount = { secretKey: string; isLive: boolean };

/** `apiUrl`: another address of the API, which the local stack's stand-in alone has. */
export type StripeSettings = StripeAccount & { apiUrl?: string | undefined; fetch: typeof fetch };
