import type { SignedAuthorization } from '../terms/authorization.ts';
import { MAX_VALID_AHEAD_S, SETTLE_MARGIN_S } from '../terms/constants.ts';
import {
  buildRequirements,
  type CheckedTerms,
  type PricedOffer,
  refuseTerms,
  type TermsClock,
  type TermsRefusal,
} from '../terms/terms.ts';

/** Whether what is signed goes to our payee; undefined when it does. */
export const checkPayee = ({ to }: SignedAuthorization, { payTo }: PricedOffer): TermsRefusal | undefined =>
  to === payTo.toLowerCase() ? undefined : refuseTerms('wrong_recipient', `authorization.to is not ${payTo}`);

/** Rule P17: an unknown outcome must end some day. */
export function checkStart(
  { validAfter, validBefore }: SignedAuthorization,
  { nowMs }: TermsClock,
): TermsRefusal | undefined {
  const now = BigInt(Math.floor(nowMs / 1000));
  if (validBefore > now + BigInt(MAX_VALID_AHEAD_S)) {
    return refuseTerms(
      'authorization_expires_too_late',
      `authorization.validBefore must be at most ${MAX_VALID_AHEAD_S} s from now`,
    );
  }
  if (validAfter > now) return refuseTerms('authorization_not_yet_valid', 'authorization.validAfter is in the future');
  return undefined;
}

/** The terms of an authorization that is for this offer, and whether it ends too soon for them. */
export function completeTerms(
  authorization: SignedAuthorization,
  { offer, quote, clock }: { offer: PricedOffer; quote: string | undefined; clock: TermsClock },
): CheckedTerms & { ok: true } {
  const amountMicroUsdc = Number(authorization.value); // One of our prices, so it is exact.
  return {
    ok: true,
    amountMicroUsdc,
    validBeforeS: Number(authorization.validBefore), // At most an hour ahead, so it is exact.
    requirements: buildRequirements(offer, amountMicroUsdc, quote),
    late: checkEnd(authorization, clock),
  };
}

/** The terms that an authorization was sold by: it was checked when it was claimed, and went to the payee of that day. */
export function restoreAuthorizedTerms(
  authorization: SignedAuthorization,
  { offer, quote }: { offer: PricedOffer; quote: string | undefined },
): CheckedTerms & { ok: true } {
  const amountMicroUsdc = Number(authorization.value); // It was one of our prices, so it is exact.
  return {
    ok: true,
    amountMicroUsdc,
    validBeforeS: Number(authorization.validBefore),
    requirements: buildRequirements({ ...offer, payTo: authorization.to }, amountMicroUsdc, quote),
    late: undefined,
  };
}

/** Rule P17: what is signed must outlive the work and its settlement. */
function checkEnd({ validBefore }: SignedAuthorization, { nowMs, worstCaseS }: TermsClock): TermsRefusal | undefined {
  const now = BigInt(Math.floor(nowMs / 1000));
  if (validBefore <= now) return refuseTerms('authorization_expired', 'authorization.validBefore has passed');
  const neededS = BigInt(Math.ceil(worstCaseS) + SETTLE_MARGIN_S);
  if (validBefore - now < neededS) {
    return refuseTerms(
      'authorization_expires_too_soon',
      `authorization.validBefore must be at least ${neededS} s from now`,
    );
  }
  return undefined;
}
