import { isObject, type JsonObject } from '../../lib/json.ts';
import { encodeTextAsBase64 } from '../../payment/terms/bytes.ts';
import { PAYMENT_NETWORKS, type PaymentNetwork } from '../../payment/terms/networks-data.ts';
import type { X402Terms } from '../reading/x402-terms.ts';

/** An authorization of EIP-3009, as it is signed and sent. */
export type TriedAuthorization = {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
};

/** One way to pay that can be tried: `exact` with an EIP-3009 authorization over USDC of a network of ours. */
export type PayableWay = { way: JsonObject; network: PaymentNetwork; amount: bigint; payTo: string };

/** The first way to pay that can be tried. */
export function findPayableWay({ accepts, version }: X402Terms): PayableWay | undefined {
  if (version !== 2) return undefined;
  return accepts.map(readPayableWay).find((one) => one !== undefined);
}

function readPayableWay(way: JsonObject): PayableWay | undefined {
  const { scheme, network: id, amount, asset, payTo } = way;
  const network = Object.values(PAYMENT_NETWORKS).find((one) => one.id === id);
  const extra = isObject(way['extra']) ? way['extra'] : {};
  if (network === undefined || scheme !== 'exact' || (extra['assetTransferMethod'] ?? 'eip3009') !== 'eip3009')
    return undefined;
  if (typeof asset !== 'string' || asset.toLowerCase() !== network.usdcLower) return undefined;
  if (typeof payTo !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(payTo)) return undefined;
  if (typeof amount !== 'string' || !/^[1-9]\d{0,14}$/.test(amount)) return undefined;
  return { way, network, amount: BigInt(amount), payTo };
}

/** PAYMENT-SIGNATURE as the official client makes it: the terms are sent back, extensions included. */
export function encodeCredential(
  terms: X402Terms,
  accepted: JsonObject,
  payload: { signature: string; authorization: TriedAuthorization },
): string {
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
