import { MAX_TIMEOUT_S } from '../terms/constants.ts';
import { BASE } from '../terms/networks-data.ts';
import { type PricedOffer, refuseTerms, type TermsRefusal } from '../terms/terms.ts';
import type { Echo } from './x402-message.ts';

/** Whether what a client of x402 sends back fits the offer; undefined when it does. None of it is signed. */
export function checkEcho(
  { accepted, resourceUrl }: Pick<Echo, 'accepted' | 'resourceUrl'>,
  offer: PricedOffer,
): TermsRefusal | undefined {
  // The resource is not signed: it says what a client meant to buy (rule P23).
  if (resourceUrl !== undefined && resourceUrl !== offer.url && resourceUrl !== `mcp://tool/${offer.name}`) {
    return refuseTerms('wrong_route', `the payment names another resource than ${offer.url}`);
  }
  const network = offer.network ?? BASE;
  const { id } = network;
  const asset = 'usdcLower' in network ? network.usdcLower : network.usdc;
  const payTo = 'usdcLower' in network ? offer.payTo.toLowerCase() : offer.payTo;
  if (accepted.scheme !== 'exact' || accepted.network !== id || accepted.asset !== asset) {
    return refuseTerms('wrong_terms', `only scheme exact with USDC on ${id} is accepted`);
  }
  if (accepted.maxTimeoutSeconds !== MAX_TIMEOUT_S) {
    return refuseTerms('wrong_terms', `maxTimeoutSeconds is ${MAX_TIMEOUT_S}`);
  }
  if (accepted.payTo === payTo) return undefined;
  return refuseTerms('wrong_recipient', `accepted.payTo is not ${offer.payTo}`);
}
