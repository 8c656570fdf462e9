import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createChallenges, type PaymentChallenge } from '../../../../src/payment/rails/mpp/challenge.ts';
import { encodeJson } from '../../../../src/payment/rails/mpp/encoding.ts';
import { computeChallengeNonce } from '../../../../src/payment/rails/mpp/terms.ts';
import type { PricedOffer } from '../../../../src/payment/terms/terms.ts';
import { asHex, NOW_MS, NOW_S, OFFER, PAY_TO, USDC } from '../../terms/offer-cases.ts';

export const SECRET = 'test-ledger-secret-of-32-bytes-or-more';
export const BEFORE = 'the-ledger-secret-before-that-of-today';
export const REALM = 'sightline.test';

export const TERMS = {
  realm: REALM,
  chainId: 8453,
  currency: USDC,
  recipient: PAY_TO,
  amountMicroUsdc: OFFER.amountMicroUsdc,
};

/** What is sold by them, at the address of the offer. */
export const CHALLENGES = createChallenges([SECRET, BEFORE], OFFER.url, [TERMS]);
export const MPP_OFFER: PricedOffer = { ...OFFER, challenges: CHALLENGES };

/** A buyer whose key lives for one run. */
export const KEY = generatePrivateKey();
export const payer = privateKeyToAccount(KEY);

export async function issueOne(parts: Partial<typeof TERMS> = {}, secret = SECRET, nowMs = NOW_MS) {
  const { header, list } = (await createChallenges([secret], OFFER.url, [{ ...TERMS, ...parts }]).issue(nowMs)).fresh();
  const [challenge] = list;
  if (challenge === undefined) throw new TypeError('no challenge was issued');
  return { header, challenge };
}

type Json = Record<string, unknown>;

/** A credential as JSON that a client would make for a challenge, with parts replaced. */
export async function credentialJson(
  challenge: PaymentChallenge,
  parts: { challenge?: Json; payload?: Json; top?: Json } = {},
): Promise<Json> {
  const { id, realm, request } = challenge;
  const message = {
    from: payer.address,
    to: asHex(request.recipient),
    value: BigInt(request.amount),
    validAfter: 0n,
    validBefore: BigInt(NOW_S + 300),
    nonce: asHex(await computeChallengeNonce(id, realm)),
  };
  const { value, validAfter, validBefore, ...rest } = message;
  return {
    challenge: { ...challenge, request: encodeJson(request), ...parts.challenge },
    payload: {
      type: 'authorization',
      ...rest,
      value: String(value),
      validAfter: String(validAfter),
      validBefore: String(validBefore),
      signature: `0x${'1c'.repeat(65)}`,
      ...parts.payload,
    },
    source: `did:pkh:eip155:8453:${payer.address}`,
    ...parts.top,
  };
}

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
