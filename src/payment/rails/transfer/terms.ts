import type { PricedOffer, TermsRefusal } from '../../terms/terms.ts';
import { checkEcho } from '../x402-terms.ts';
import type { TransferCredential } from './credential.ts';

/**
 * Whether what a client sends back with a transfer proof fits the offer; undefined when it does. Its amount is not
 * looked at: what was paid is read from the chain and judged by the price of its day (rule P14).
 */
export const checkProvenTerms = (
  credential: Extract<TransferCredential, { proof: object }>,
  offer: PricedOffer,
): TermsRefusal | undefined => checkEcho(credential, offer);
