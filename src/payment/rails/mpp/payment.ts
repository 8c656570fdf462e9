import { presentAuthorization } from '../eip3009.ts';
import type { AuthorizedPayment } from '../rail.ts';
import type { MppCredential } from './credential.ts';
import { checkMppTerms, restoreMppTerms } from './terms.ts';

/**
 * A payment by the scheme `Payment` as the sale goes on with it: the authorization is that of x402, so shown both ways it is
 * one sale. Its challenge is no secret, so a repeat takes a proof of the payer (rule P1).
 */
export const presentMpp = (credential: MppCredential): AuthorizedPayment =>
  presentAuthorization(credential, {
    rail: 'mpp',
    hasSecret: false,
    repeatsByProof: true,
    identifier: undefined,
    challengeId: credential.challenge.id,
    checkTerms: (offer, clock) => checkMppTerms(credential, offer, clock),
    restoreTerms: (offer) => restoreMppTerms(credential, offer),
  });
