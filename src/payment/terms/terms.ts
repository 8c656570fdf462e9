import type { PaymentRequirements } from '@x402/core/types';
import {
  MAX_TIMEOUT_S,
  MAX_VALID_AHEAD_S,
  SETTLE_MARGIN_S,
  PAYMENT_CLOCK_SKEW_S,
  OLD_PRICE_GRACE_S,
} from './constants.ts';
import type { SignedCredential, TransferCredential } from './credential.ts';
import { BASE, type PaymentNetwork } from './networks-data.ts';
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
  network?: PaymentNetwork;
  amountMicroUsdc: number;
  previous?: { amountMicroUsdc: number; changedAtMs: number };
};

/**
 * Our PaymentRequirements for an offer. This object, never the client's, goes to the facilitator (rule P7).
 * @param quote the 128-bit quote of a 402 as 32 hex digits; absent when a hand-made credential carries none.
 */
export function buildRequirements(offer: PricedOffer, amountMicroUsdc: number, quote?: string): PaymentRequirements {
  const { id, usdc, domain } = offer.network ?? BASE;
  return {
    scheme: 'exact',
    network: id,
    amount: String(amountMicroUsdc),
    asset: usdc,
    payTo: offer.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_S,
    extra: { ...domain, ...(quote === undefined ? {} : { quote }) },
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

/**
 * Whether a signed payload is for this offer and can still be settled when the work is done. Local and cheap:
 * neither the signature nor the payer's balance is looked at, that is the facilitator's part.
 */
export function checkTerms(credential: SignedCredential, offer: PricedOffer, clock: TermsClock): CheckedTerms {
  const { authorization, quote } = credential;
  const nowS = Math.floor(clock.nowMs / 1000);
  const amounts = listAcceptedAmounts(offer, nowS);
  const refused =
    checkEcho(credential, offer) ?? checkAuthorized(credential, offer, amounts) ?? checkStart(credential, nowS);
  if (refused) return refused;
  const amountMicroUsdc = Number(authorization.value); // One of our prices, so it is exact.
  return {
    ok: true,
    amountMicroUsdc,
    validBeforeS: Number(authorization.validBefore), // At most an hour ahead, so it is exact.
    requirements: buildRequirements(offer, amountMicroUsdc, quote),
    late: checkEnd(credential, nowS, clock.worstCaseS),
  };
}

/** Whether the payload may have been sold by terms of before: the price or the payee was another one. */
export const isOfEarlierTerms = ({ reason }: TermsRefusal): boolean => CHANGEABLE.has(reason);

const CHANGEABLE: ReadonlySet<TermsReason> = new Set(['wrong_amount', 'wrong_recipient']);

/** The terms that a payload was sold by. Call it only for one that the ledger has: it was checked when it was claimed. */
export function restoreTerms(credential: SignedCredential, offer: PricedOffer): CheckedTerms & { ok: true } {
  const { authorization, quote } = credential;
  const amountMicroUsdc = Number(authorization.value); // It was one of our prices, so it is exact.
  return {
    ok: true,
    amountMicroUsdc,
    validBeforeS: Number(authorization.validBefore),
    requirements: buildRequirements({ ...offer, payTo: authorization.to }, amountMicroUsdc, quote),
    late: undefined,
  };
}

/**
 * Whether what a client sends back with a transfer proof fits the offer; undefined when it does. Its amount is not
 * looked at: what was paid is read from the chain and judged by the price of its day (rule P14).
 */
export function checkProvenTerms(
  credential: Extract<TransferCredential, { proof: object }>,
  offer: PricedOffer,
): TermsRefusal | undefined {
  return checkEcho(credential, offer);
}

type Echoed = Pick<SignedCredential, 'accepted' | 'resourceUrl'>;

function checkEcho({ accepted, resourceUrl }: Echoed, offer: PricedOffer): TermsRefusal | undefined {
  // The resource is not signed: it says what a client meant to buy (rule P23).
  if (resourceUrl !== undefined && resourceUrl !== offer.url && resourceUrl !== `mcp://tool/${offer.name}`) {
    return refuse('wrong_route', `the payment names another resource than ${offer.url}`);
  }
  const { id, usdcLower } = offer.network ?? BASE;
  if (accepted.scheme !== 'exact' || accepted.network !== id || accepted.asset !== usdcLower) {
    return refuse('wrong_terms', `only scheme exact with USDC on ${id} is accepted`);
  }
  if (accepted.maxTimeoutSeconds !== MAX_TIMEOUT_S) {
    return refuse('wrong_terms', `maxTimeoutSeconds is ${MAX_TIMEOUT_S}`);
  }
  if (accepted.payTo === offer.payTo.toLowerCase()) return undefined;
  return refuse('wrong_recipient', `accepted.payTo is not ${offer.payTo}`);
}

function checkAuthorized(
  { accepted, authorization }: SignedCredential,
  offer: PricedOffer,
  amounts: readonly number[],
): TermsRefusal | undefined {
  if (authorization.to !== offer.payTo.toLowerCase()) {
    return refuse('wrong_recipient', `authorization.to is not ${offer.payTo}`);
  }
  if (!amounts.some((amount) => String(amount) === accepted.amount)) {
    return refuse('wrong_amount', `accepted.amount is not ${offer.amountMicroUsdc}`);
  }
  if (String(authorization.value) === accepted.amount) return undefined;
  return refuse('wrong_amount', 'authorization.value is not accepted.amount');
}

/** Rule P17: what is signed must outlive the work and its settlement. */
function checkEnd({ authorization }: SignedCredential, nowS: number, worstCaseS: number): TermsRefusal | undefined {
  const { validBefore } = authorization;
  const now = BigInt(nowS);
  if (validBefore <= now) return refuse('authorization_expired', 'authorization.validBefore has passed');
  const neededS = BigInt(Math.ceil(worstCaseS) + SETTLE_MARGIN_S);
  if (validBefore - now < neededS) {
    return refuse('authorization_expires_too_soon', `authorization.validBefore must be at least ${neededS} s from now`);
  }
  return undefined;
}

/** Rule P17: an unknown outcome must end some day. */
function checkStart({ authorization }: SignedCredential, nowS: number): TermsRefusal | undefined {
  const { validAfter, validBefore } = authorization;
  const now = BigInt(nowS);
  if (validBefore > now + BigInt(MAX_VALID_AHEAD_S)) {
    return refuse(
      'authorization_expires_too_late',
      `authorization.validBefore must be at most ${MAX_VALID_AHEAD_S} s from now`,
    );
  }
  if (validAfter > now) return refuse('authorization_not_yet_valid', 'authorization.validAfter is in the future');
  return undefined;
}

const refuse = (reason: TermsReason, detail: string): TermsRefusal => ({ ok: false, reason, detail });
