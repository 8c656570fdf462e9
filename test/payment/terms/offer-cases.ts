import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseCredential } from '../../../src/payment/rails/x402-credential.ts';
import type { SignedCredential } from '../../../src/payment/rails/x402-evm/credential.ts';
import type { SignedAuthorization } from '../../../src/payment/terms/authorization.ts';
import type { PricedOffer } from '../../../src/payment/terms/terms.ts';

export const NOW_S = 1_790_000_000;
export const NOW_MS = NOW_S * 1000;
export const PAY_TO = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const QUOTE = '0123456789abcdef0123456789abcdef';

/** A buyer whose key lives for one run. */
export const buyer = privateKeyToAccount(generatePrivateKey());
export const BUYER = buyer.address.toLowerCase();

export const OFFER: PricedOffer = {
  name: 'check_health',
  description: 'Is the site reachable, and what does it send? "Quoted", ünïcode, 中文.',
  url: 'https://sightline.test/api/agent/check_health',
  payTo: PAY_TO,
  amountMicroUsdc: 60_000,
};

export const TRANSFER_TERMS = {
  maxAgeS: 86_400,
  confirmations: { small: 2, large: 'safe' },
  proofFromMicroUsdc: 1_000_000,
  proofSalt: `0x${'5a'.repeat(32)}`,
} as const;

export const ACCEPTED = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '60000',
  asset: USDC,
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2', quote: QUOTE },
};

export const AUTHORIZATION = {
  from: buyer.address,
  to: PAY_TO,
  value: '60000',
  validAfter: '0',
  validBefore: String(NOW_S + 300),
  nonce: `0x${'aB'.repeat(32)}`,
};

export const SIGNATURE = `0x${'1c'.repeat(65)}` as const;

export type Json = Record<string, unknown>;

/** A well-formed signed payload, as JSON, with parts replaced. */
export function signedJson(parts: { authorization?: Json; accepted?: Json; payload?: Json; top?: Json } = {}): Json {
  return {
    x402Version: 2,
    resource: { url: OFFER.url },
    accepted: { ...ACCEPTED, ...parts.accepted },
    payload: { signature: SIGNATURE, authorization: { ...AUTHORIZATION, ...parts.authorization }, ...parts.payload },
    ...parts.top,
  };
}

export const base64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

/** The credential that a well-formed payload parses to. */
export function signedCredential(parts: Parameters<typeof signedJson>[0] = {}): SignedCredential {
  const parsed = parseCredential(base64(signedJson(parts)));
  if (!parsed.ok || parsed.credential.kind !== 'signed') throw new Error('these parts make no signed credential');
  return parsed.credential;
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** The text of a request body; requests of these tests have no other. */
export const bodyText = (init: RequestInit | undefined): string => (typeof init?.body === 'string' ? init.body : '');

export const asHex = (value: string): `0x${string}` => `0x${value.slice(2)}`;

/** The buyer's real signature over an authorization. */
export function sign(authorization: SignedAuthorization): Promise<`0x${string}`> {
  return buyer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      from: asHex(authorization.from),
      to: asHex(authorization.to),
      nonce: asHex(authorization.nonce),
    },
  });
}
