import { encodeBase64url } from '../../lib/base64url.ts';
import { computeHmacSha256, computeSha256Hex, isSameText } from '../../lib/digest.ts';

/** What every token for counts begins with, so that a leaked one is recognised. */
export const COUNTS_TOKEN_PREFIX = 'sht_';
const SECRET_BYTES = 24;
const MAC_BYTES = 12;
/** 32 characters of randomness, 16 of the code that binds them to a host. */
const FORM = /^sht_([\w-]{32})([\w-]{16})$/;

/**
 * A token that sends counts of one host and does nothing else. Its end says which host it is for, under a secret of the
 * service, so that no object is asked about a made-up one.
 */
export async function generateCountsToken(host: string, secret: string): Promise<string> {
  const random = encodeBase64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  return `${COUNTS_TOKEN_PREFIX}${random}${await computeMac(host, random, secret)}`;
}

/** Whether we made a token for this host, under one of our secrets. Its object knows whether it still counts. */
export async function isTokenOfHost(token: string, host: string, secrets: readonly string[]): Promise<boolean> {
  const [, random, mac] = FORM.exec(token) ?? [];
  if (random === undefined || mac === undefined) return false;
  for (const secret of secrets) if (isSameText(await computeMac(host, random, secret), mac)) return true;
  return false;
}

/** What an object keeps of a token. */
export const hashCountsToken = (token: string): Promise<string> => computeSha256Hex(token);

async function computeMac(host: string, random: string, secret: string): Promise<string> {
  const mac = await computeHmacSha256(secret, `counts of ${host} ${random}`);
  return encodeBase64url(mac.slice(0, MAC_BYTES));
}
