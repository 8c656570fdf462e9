import {
  buildRequirements,
  type CheckedTerms,
  listAcceptedAmounts,
  type PricedOffer,
  refuseTerms,
  type TermsClock,
  type TermsRefusal,
} from '../../terms/terms.ts';
import { checkEcho } from '../x402-terms.ts';
import type { SvmCredential } from './credential.ts';
import type { SvmMessage } from './message.ts';
import { deriveTokenAccount } from './token-account.ts';

/** A credential with what its transaction says. */
export type SvmPayment = SvmCredential & { message: SvmMessage };

/**
 * Longest life of a message, in seconds: its recent block is known for 150 blocks, which is 60 to 90 seconds. What has not
 * been carried out by then, and a while later, never will be.
 */
const MESSAGE_LIFE_S = 300;

/**
 * Whether a transaction pays for this offer, and does nothing else: amount, token, and the account that our payee's address
 * leads to. When its recent block ends no one says before the chain is asked; until then its life counts from now.
 */
export async function checkSvmTerms(
  credential: SvmPayment,
  offer: PricedOffer,
  { nowMs }: TermsClock,
): Promise<CheckedTerms> {
  const { message, quote } = credential;
  const amounts = listAcceptedAmounts(offer, Math.floor(nowMs / 1000));
  const refused =
    checkEcho(credential, offer) ?? checkAmount(credential, offer, amounts) ?? checkFees(credential, offer);
  if (refused) return refused;
  const destination = await deriveTokenAccount(offer.payTo, message.mint);
  if (message.destination !== destination)
    return refuseTerms('wrong_recipient', `the transfer does not go to the token account of ${offer.payTo}`);
  const amountMicroUsdc = Number(message.amount); // One of our prices, so it is exact.
  return {
    ok: true,
    amountMicroUsdc,
    validBeforeS: Math.floor(nowMs / 1000) + MESSAGE_LIFE_S,
    requirements: buildRequirements(offer, amountMicroUsdc, quote),
    late: undefined,
  };
}

/** The terms that a transaction was sold by. Call it only for one that the ledger has: it was checked when it was claimed. */
export function restoreSvmTerms({ message, quote }: SvmPayment, offer: PricedOffer): CheckedTerms & { ok: true } {
  const amountMicroUsdc = Number(message.amount);
  const requirements = buildRequirements({ ...offer, feePayer: message.feePayer }, amountMicroUsdc, quote);
  return { ok: true, amountMicroUsdc, validBeforeS: 0, requirements, late: undefined };
}

function checkAmount(
  { accepted, message }: SvmPayment,
  offer: PricedOffer,
  amounts: readonly number[],
): TermsRefusal | undefined {
  if (!amounts.some((amount) => String(amount) === accepted.amount))
    return refuseTerms('wrong_amount', `accepted.amount is not ${offer.amountMicroUsdc}`);
  return String(message.amount) === accepted.amount
    ? undefined
    : refuseTerms('wrong_amount', 'the amount of the transfer is not accepted.amount');
}

function checkFees({ accepted, message }: SvmPayment, { feePayer }: PricedOffer): TermsRefusal | undefined {
  if (message.mint !== accepted.asset) return refuseTerms('wrong_terms', 'the transfer is of another token than USDC');
  if (feePayer === undefined) return refuseTerms('wrong_terms', 'it is not sold on this network');
  return message.feePayer === feePayer ? undefined : refuseTerms('wrong_terms', `the fee payer is not ${feePayer}`);
}
