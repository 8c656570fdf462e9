import type { PaymentAuthorization } from '../../../payment/terms/authorization.ts';
import { AUTHORIZATION_TYPES } from '../../../payment/terms/constants.ts';
import { BASE } from '../../../payment/terms/networks-data.ts';
import type { PageNetwork } from '../../../payment/terms/wallet-chain-data.ts';

/** One entry of a 402's `accepts`. What else it holds (the quote) goes back as it came. */
export type Terms = {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
} & Readonly<Record<string, unknown>>;

/** The authorization that pays `accepted`, as the official client makes it. */
export const buildAuthorization = (accepted: Terms, from: string, nowS: number): PaymentAuthorization => ({
  from,
  to: accepted.payTo,
  value: accepted.amount,
  validAfter: '0',
  validBefore: String(nowS + accepted.maxTimeoutSeconds),
  nonce: generateRandomBytes32(),
});

function generateRandomBytes32(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** EIP-712 typed data as `eth_signTypedData_v4` takes it: JSON, with the domain's own type. */
export type SignableTypedData = {
  domain: Readonly<Record<string, string | number>>;
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  primaryType: string;
  message: Readonly<Record<string, string>>;
};

/** What the wallet signs. Domain and types are ours, whatever the service said. */
export const buildAuthorizationTypedData = (
  authorization: PaymentAuthorization,
  { domain, chainId, usdc }: PageNetwork = BASE,
): SignableTypedData => ({
  domain: { ...domain, chainId, verifyingContract: usdc },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    ...AUTHORIZATION_TYPES,
  },
  primaryType: 'TransferWithAuthorization',
  message: authorization,
});

/** A PAYMENT-SIGNATURE value: base64 of the payload with the terms it accepts. */
export const formatPaymentHeader = (payment: {
  resource?: { url: string };
  accepted: Terms;
  payload: object;
}): string => encodeJsonBase64({ x402Version: 2, ...payment });

export function encodeJsonBase64(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa([...bytes].map((byte) => String.fromCodePoint(byte)).join(''));
}

/** Undefined for what is neither base64 nor JSON. */
export function parseBase64Json(text: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined; // The caller says that it cannot be read.
  }
}
