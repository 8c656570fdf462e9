import type { PaymentRequirements } from '@x402/core/types';
import { MAX_TIMEOUT_S, PAYMENT_CLOCK_SKEW_S, OLD_PRICE_GRACE_S } from './constants.ts';
import type { Challenges } from '../rails/mpp/challenge.ts';
import { BASE, type SaleNetwork } from './networks-data.ts';
import type { PaymentReason } from './reasons.ts';

/** What is for sale, to whom the money goes, and the price before the last change. Amounts are micro-USDC. */
export type PricedOffer = {
  /** Name of the capability. */
  name: string;
  description: string;
  /** Canonical URL of the route, from the configured base URL. */
  url: string;
  payTo: string;
  /** Where it is paid; Base where none is named. */
  network?: SaleNetwork;
  /** Who pays the fees of its settlement, where the payer's message must name that (Solana). */
  feePayer?: string;
  amountMicroUsdc: number;
  previous?: { amountMicroUsdc: number; changedAtMs: number };
  /** Its challenges of the scheme `Payment`; absent where it is not sold by MPP. */
  challenges?: Challenges;
};

/**
 * Our PaymentRequirements for an offer. This object, never the client's, goes to the facilitator (rule P7).
 * @param quote the 128-bit quote of a 402 as 32 hex digits; absent when a hand-made credential carries none.
 */
export function buildRequirements(offer: PricedOffer, amountMicroUsdc: number, quote?: string): PaymentRequirements {
  const network = offer.network ?? BASE;
  const { id, usdc } = network;
  const extra = 'domain' in network ? network.domain : { feePayer: offer.feePayer };
  return {
    scheme: 'exact',
    network: id,
    amount: String(amountMicroUsdc),
    asset: usdc,
    payTo: offer.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_S,
    extra: { ...extra, ...(quote === undefined ? {} : { quote }) },
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

export type TermsReason = Extract<
  PaymentReason,
  | 'challenge_invalid'
  | 'wrong_route'
  | 'wrong_terms'
  | 'wrong_amount'
  | 'wrong_recipient'
  | 'authorization_expired'
  | 'authorization_expires_too_soon'
  | 'authorization_expires_too_late'
  | 'authorization_not_yet_valid'
>;

export type TermsRefusal = { ok: false; reason: TermsReason; detail: string };

export type CheckedTerms =
  /**
   * `requirements` is ours, with the quote the client sent back: what the facilitator gets (rule P7). `late`: the
   * authorization cannot be settled any more, so it buys nothing new; what it bought before is for the ledger to say.
   */
  | {
      ok: true;
      amountMicroUsdc: number;
      validBeforeS: number;
      requirements: PaymentRequirements;
      late: TermsRefusal | undefined;
    }
  | TermsRefusal;

/** `worstCaseS`: the longest that the work of the row takes, in seconds. */
export type TermsClock = { nowMs: number; worstCaseS: number };

/** Whether the payload may have been sold by terms of before: the price, the payee or the secret of challenges was another one. */
export const isOfEarlierTerms = ({ reason }: TermsRefusal): boolean => CHANGEABLE.has(reason);

const CHANGEABLE: ReadonlySet<TermsReason> = new Set(['wrong_amount', 'wrong_recipient', 'challenge_invalid']);

export const refuseTerms = (reason: TermsReason, detail: string): TermsRefusal => ({ ok: false, reason, detail });
