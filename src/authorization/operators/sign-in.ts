import { computeSha256Hex } from '../../lib/digest.ts';
import type { AttemptLimits } from '../people/attempts.ts';
import { isSameText } from '../oauth/constant-time.ts';

/** 32 random bytes as base64url have 43 characters. A shorter secret is no secret: sign-in of the operator is off. */
const USABLE_SECRET = /^[A-Za-z0-9_-]{43,1024}$/;
/** What is sent is not looked at beyond this. */
const MAX_GIVEN_CHARS = 1_024;

/** Failures within 15 minutes after which everyone, or one caller, has to wait (rule A4). */
export const OPERATOR_ATTEMPTS: AttemptLimits = { perCaller: 5, inAll: 20, windowMs: 15 * 60_000 };

export const isUsableSecret = (secret: string | undefined): secret is string =>
  secret !== undefined && USABLE_SECRET.test(secret);

/** SHA-256 of a secret that someone gave: by it the secrets of named operators are known. */
export const hashOperatorSecret = (given: string): Promise<string> =>
  computeSha256Hex(given.slice(0, MAX_GIVEN_CHARS + 1));

/** Compares by SHA-256 in constant time: neither length nor first difference of the secret shows. */
export async function isOperatorSecret(given: string, secret: string): Promise<boolean> {
  const [left, right] = await Promise.all([hashOperatorSecret(given), computeSha256Hex(secret)]);
  return isSameText(left, right);
}
