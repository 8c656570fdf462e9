import { isText, type JsonObject } from '../../lib/json.ts';
import { encodeTextAsBase64 } from '../../payment/terms/bytes.ts';
import { findEvmNetwork } from '../../payment/terms/networks-data.ts';
import type { X402Terms } from '../reading/x402-terms.ts';
import { type IsPayable, type PayableOffer, readPayableWay, type TriedPayment, toMembers } from './payable.ts';

/** The first way of x402 that can be tried: `exact`, by EIP-3009, on a network that is paid on. */
export function findX402Offer(terms: X402Terms, isPayable: IsPayable): PayableOffer | undefined {
  if (terms.version !== 2) return undefined;
  return terms.accepts.map((way) => readOffer(terms, way)).find((one) => one !== undefined && isPayable(one.network));
}

function readOffer(terms: X402Terms, way: JsonObject): PayableOffer | undefined {
  const { scheme, network, amount, asset, payTo } = way;
  if (scheme !== 'exact' || (toMembers(way['extra'])['assetTransferMethod'] ?? 'eip3009') !== 'eip3009')
    return undefined;
  const read = readPayableWay(isText(network) ? findEvmNetwork(network) : undefined, { asset, payTo, amount });
  if (read === undefined) return undefined;
  return {
    ...read,
    protocol: 'x402',
    nonce: undefined,
    endsAtS: undefined,
    carry: (payload, { amount: claimedAmount, chainId: claimedChain } = {}) => ({
      'payment-signature': encodePayment(
        terms,
        {
          ...way,
          ...(claimedAmount === undefined ? {} : { amount: claimedAmount }),
          ...(claimedChain === undefined ? {} : { network: `eip155:${claimedChain}` }),
        },
        payload,
      ),
    }),
  };
}

/** PAYMENT-SIGNATURE as the official client makes it: the terms are sent back, extensions included. */
function encodePayment(terms: X402Terms, accepted: JsonObject, payload: TriedPayment): string {
  const { resource, extensions } = terms.value;
  return encodeTextAsBase64(
    JSON.stringify({
      x402Version: 2,
      ...(resource === undefined ? {} : { resource }),
      accepted,
      payload,
      ...(extensions === undefined || extensions === null ? {} : { extensions }),
    }),
  );
}
