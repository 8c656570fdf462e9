import { isObject, type JsonObject } from '../../lib/json.ts';
import type { PaymentAuthorization } from '../../payment/terms/authorization.ts';
import type { PaymentNetwork } from '../../payment/terms/networks-data.ts';

export type TriedPayment = { signature: string; authorization: PaymentAuthorization };

/** What a payment says of the terms that it answers, where that is not what was offered. */
export type ClaimedTerms = { amount?: string; chainId?: number };

/** One way to pay that can be tried: an EIP-3009 authorization over USDC of a network of ours. */
export type PayableWay = { network: PaymentNetwork; amount: bigint; payTo: string };

export type AttemptProtocol = 'x402' | 'mpp';

/** The terms of one unpaid answer, and how their protocol carries a payment. */
export type PayableOffer = PayableWay & {
  protocol: AttemptProtocol;
  /** The nonce that binds an authorization to these terms; undefined where the protocol leaves it to the buyer. */
  nonce: string | undefined;
  /** When these terms end, in Unix seconds; undefined where they name no end. */
  endsAtS: number | undefined;
  /** Headers of a payment on these terms. */
  carry: (payload: TriedPayment, claimed?: ClaimedTerms) => Record<string, string>;
};

/** The header that proves a sale, by protocol. */
export const RECEIPT_HEADERS = { x402: 'payment-response', mpp: 'payment-receipt' } as const;

/** Reads a way from its parts, as either protocol names them; undefined where it is none that can be tried. */
export function readPayableWay(
  network: PaymentNetwork | undefined,
  { asset, payTo, amount }: Readonly<Record<'asset' | 'payTo' | 'amount', unknown>>,
): PayableWay | undefined {
  if (network === undefined || typeof asset !== 'string' || asset.toLowerCase() !== network.usdcLower) return undefined;
  if (typeof payTo !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(payTo)) return undefined;
  if (typeof amount !== 'string' || !/^[1-9]\d{0,14}$/.test(amount)) return undefined;
  return { network, amount: BigInt(amount), payTo };
}

/** Whether a network is one that is paid on. */
export type IsPayable = (network: PaymentNetwork) => boolean;

/**
 * Why there was no payment: nothing that can be tried was offered, another network than the wallet was opened for, more than
 * the cap of the run, or the guarded signer refused.
 */
export type NotTriedReason = 'no_terms' | 'network_changed' | 'cap_reached' | 'spending_refused';
export type NotTried = { ok: false; reason: NotTriedReason; detail: string };

export const refuseChangedNetwork = (): NotTried => ({
  ok: false,
  reason: 'network_changed',
  detail: 'The seller offered another network later: not tried',
});

export const toMembers = (value: unknown): JsonObject => (isObject(value) ? value : {});
