import { loadKeccak } from '../../../lib/ethereum.ts';
import { BASE, requireEvm } from '../../terms/networks-data.ts';
import {
  type CheckedTerms,
  listAcceptedAmounts,
  type PricedOffer,
  refuseTerms,
  type TermsClock,
  type TermsRefusal,
} from '../../terms/terms.ts';
import { checkPayee, checkStart, completeTerms, restoreAuthorizedTerms } from '../eip3009-terms.ts';
import type { MppCredential } from './credential.ts';

/** Whether a payment whose challenge was found good is for this offer and can still be settled when the work is done. */
export function checkMppTerms(credential: MppCredential, offer: PricedOffer, clock: TermsClock): CheckedTerms {
  const { authorization } = credential;
  const refused =
    checkNetwork(credential, offer) ??
    checkPayee(authorization, offer) ??
    checkAmount(credential, offer, clock) ??
    checkStart(authorization, clock);
  if (refused) return refused;
  const terms = completeTerms(authorization, { offer, quote: undefined, clock });
  return { ...terms, late: terms.late ?? checkChallengeEnd(credential, clock) };
}

/** The terms that it was sold by. Call it only for a payment that the ledger has. */
export const restoreMppTerms = ({ authorization }: MppCredential, offer: PricedOffer): CheckedTerms & { ok: true } =>
  restoreAuthorizedTerms(authorization, { offer, quote: undefined });

/** Whether the challenge is one of ours for this very route, and what is signed is bound to it; undefined when it is. */
export async function checkChallenge(
  { challenge, authorization, source }: MppCredential,
  { challenges }: PricedOffer,
): Promise<TermsRefusal | undefined> {
  const { id, realm, expiresS, request } = challenge;
  const { amount, currency, recipient } = request;
  const { chainId } = request.methodDetails;
  const terms = { realm, chainId, currency, recipient, amountMicroUsdc: Number(amount) };
  if (!(await challenges?.isOurs(id, terms, expiresS)))
    return refuseTerms('challenge_invalid', 'it was not issued here for this address');
  if (authorization.nonce !== (await computeChallengeNonce(id, realm)))
    return refuseTerms('challenge_invalid', 'payload.nonce is not the hash of its id and realm');
  if (authorization.to !== recipient.toLowerCase())
    return refuseTerms('challenge_invalid', 'payload.to is not its recipient');
  if (source !== undefined && source.toLowerCase() !== `did:pkh:eip155:${chainId}:${authorization.from}`)
    return refuseTerms('challenge_invalid', 'source is not payload.from on its network');
  return undefined;
}

function checkNetwork({ challenge: { request } }: MppCredential, offer: PricedOffer): TermsRefusal | undefined {
  const { id, chainId, usdcLower } = requireEvm(offer.network ?? BASE);
  if (request.methodDetails.chainId === chainId && request.currency.toLowerCase() === usdcLower) return undefined;
  return refuseTerms('wrong_terms', `only USDC on ${id} is accepted`);
}

function checkAmount(
  { challenge, authorization }: MppCredential,
  offer: PricedOffer,
  { nowMs }: TermsClock,
): TermsRefusal | undefined {
  const { amount } = challenge.request;
  if (!listAcceptedAmounts(offer, Math.floor(nowMs / 1000)).some((one) => String(one) === amount))
    return refuseTerms('wrong_amount', `the amount of the challenge is not ${offer.amountMicroUsdc}`);
  if (String(authorization.value) === amount) return undefined;
  return refuseTerms('wrong_amount', 'payload.value is not the amount of the challenge');
}

/** An authorization may be valid for longer than what it answers. */
function checkChallengeEnd({ challenge }: MppCredential, { nowMs }: TermsClock): TermsRefusal | undefined {
  if (nowMs < challenge.expiresS * 1000) return undefined;
  return refuseTerms('authorization_expired', 'the challenge has expired');
}

/** The EIP-3009 nonce of a payment for a challenge, as the method `evm` has it. */
export async function computeChallengeNonce(id: string, realm: string): Promise<string> {
  const { hashText } = await loadKeccak();
  return `0x${hashText(`${id}${realm}`)}`;
}
