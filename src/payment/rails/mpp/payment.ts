import type { PricedOffer, TermsRefusal } from '../../terms/terms.ts';
import { presentAuthorization } from '../eip3009.ts';
import type { AuthorizedPayment } from '../rail.ts';
import type { MppCredential } from './credential.ts';
import { checkChallenge, checkMppTerms, restoreMppTerms } from './terms.ts';

/**
 * A payment by the scheme `Payment` as the sale goes on with it: the authorization is that of x402, so shown both ways it is
 * one sale. Its challenge is no secret, so a repeat takes a proof of the payer (rule P1).
 */
export function presentMpp(credential: MppCredential): AuthorizedPayment {
  let checked: { offer: PricedOffer; refused: TermsRefusal | undefined } | undefined;
  return presentAuthorization(credential, {
    rail: 'mpp',
    networkId: `eip155:${credential.challenge.request.methodDetails.chainId}`,
    hasSecret: false,
    repeatsByProof: true,
    identifier: undefined,
    challengeId: credential.challenge.id,
    // Terms are judged several times in a sale, since time passes; a challenge stays what it is.
    async checkTerms(offer, clock) {
      if (checked?.offer !== offer) checked = { offer, refused: await checkChallenge(credential, offer) };
      return checked.refused ?? checkMppTerms(credential, offer, clock);
    },
    restoreTerms: (offer) => restoreMppTerms(credential, offer),
  });
}
