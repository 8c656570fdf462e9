import {
  type CheckedTerms,
  listAcceptedAmounts,
  type PricedOffer,
  refuseTerms,
  type TermsClock,
  type TermsRefusal,
} from '../../terms/terms.ts';
import { checkPayee, checkStart, completeTerms, restoreAuthorizedTerms } from '../eip3009-terms.ts';
import { checkEcho } from '../x402-terms.ts';
import type { SignedCredential } from './credential.ts';

/**
 * Whether a signed payload is for this offer and can still be settled when the work is done. Local and cheap:
 * neither the signature nor the payer's balance is looked at, that is the facilitator's part.
 */
export function checkTerms(credential: SignedCredential, offer: PricedOffer, clock: TermsClock): CheckedTerms {
  const { authorization, quote } = credential;
  const amounts = listAcceptedAmounts(offer, Math.floor(clock.nowMs / 1000));
  const refused =
    checkEcho(credential, offer) ??
    checkPayee(authorization, offer) ??
    checkAmount(credential, offer, amounts) ??
    checkStart(authorization, clock);
  return refused ?? completeTerms(authorization, { offer, quote, clock });
}

/** The terms that a payload was sold by. Call it only for one that the ledger has. */
export const restoreTerms = (
  { authorization, quote }: SignedCredential,
  offer: PricedOffer,
): CheckedTerms & { ok: true } => restoreAuthorizedTerms(authorization, { offer, quote });

function checkAmount(
  { accepted, authorization }: SignedCredential,
  offer: PricedOffer,
  amounts: readonly number[],
): TermsRefusal | undefined {
  if (!amounts.some((amount) => String(amount) === accepted.amount)) {
    return refuseTerms('wrong_amount', `accepted.amount is not ${offer.amountMicroUsdc}`);
  }
  if (String(authorization.value) === accepted.amount) return undefined;
  return refuseTerms('wrong_amount', 'authorization.value is not accepted.amount');
}
