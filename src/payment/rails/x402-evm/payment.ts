import { presentAuthorization } from '../eip3009.ts';
import type { AuthorizedPayment } from '../rail.ts';
import type { SignedCredential } from './credential.ts';
import { checkTerms, restoreTerms } from './terms.ts';

/** A signed payload of x402 as the sale goes on with it. */
export const presentSigned = (credential: SignedCredential): AuthorizedPayment =>
  presentAuthorization(credential, {
    rail: 'x402-evm',
    networkId: credential.accepted.network,
    hasSecret: credential.quote !== undefined || credential.identifier !== undefined,
    identifier: credential.identifier,
    checkTerms: async (offer, clock) => checkTerms(credential, offer, clock),
    restoreTerms: (offer) => restoreTerms(credential, offer),
  });
