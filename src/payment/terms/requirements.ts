import type { PaymentRequirements } from '@x402/core/types';
import { PAYMENT_CLOCK_SKEW_S, MAX_TIMEOUT_S, NETWORK, OLD_PRICE_GRACE_S, USDC, USDC_DOMAIN } from './constants.ts';

/** What is for sale, to whom the money goes, and the price before the last change. Amounts are micro-USDC. */
export type PricedOffer = {
  /** Name of the capability. */
  name: string;
  description: string;
  /** Canonical URL of the route, from the configured base URL. */
  url: string;
  payTo: string;
  amountMicroUsdc: number;
  previous?: { amountMicroUsdc: number; changedAtMs: number };
};

/**
 * Our PaymentRequirements for an offer. This object, never the client's, goes to the facilitator (rule P7).
 * @param quote the 128-bit quote of a 402 as 32 hex digits; absent when a hand-made credential carries none.
 */
export function buildRequirements(offer: PricedOffer, amountMicroUsdc: number, quote?: string): PaymentRequirements {
  return {
    scheme: 'exact',
    network: NETWORK,
    amount: String(amountMicroUsdc),
    asset: USDC,
    payTo: offer.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_S,
    extra: { ...USDC_DOMAIN, ...(quote === undefined ? {} : { quote }) },
  };
}

/**
 * The amounts (micro-USDC) that pay for the offer when signed or mined at `atS` (Unix seconds): the price, and for an
 * hour after a change also the price before it (rule P14). A transfer of the old price that was mined before the
 * change is judged by the old price too.
 */
export function listAcceptedAmounts(offer: PricedOffer, atS: number): readonly number[] {
  const { previous, amountMicroUsdc } = offer;
  if (!previous) return [amountMicroUsdc];
  const graceEndsS = previous.changedAtMs / 1000 + OLD_PRICE_GRACE_S;
  return atS <= graceEndsS ? [amountMicroUsdc, previous.amountMicroUsdc] : [amountMicroUsdc];
}

/** Whether a time on another clock (a block's, a signer's) may count as past: up to a minute ahead is skew (rule P19). */
export const isNotAhead = (otherS: number, nowS: number): boolean => otherS <= nowS + PAYMENT_CLOCK_SKEW_S;
