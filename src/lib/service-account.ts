import { parseJson } from './json.ts';
import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';

/** Life of an assertion, in seconds: it is used at once. */
const ASSERTION_LIFE_S = 300;

const keyFileSchema = z.object({
  type: z.literal('service_account'),
  private_key_id: z.string().min(1).max(200),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  client_email: z.string().min(1).max(320),
  token_uri: z.url({ protocol: /^https?$/ }),
});

/** What a service account's key file says, as the vendors write it. */
export type ServiceAccountKey = z.infer<typeof keyFileSchema>;

/** Reads a key file. A refusal names the field that is wrong (`''` for no JSON object), never its value. */
export function parseServiceAccountKey(
  text: string,
): { ok: true; key: ServiceAccountKey } | { ok: false; field: string } {
  const outcome = keyFileSchema.safeParse(parseJson(text));
  if (outcome.success) return { ok: true, key: outcome.data };
  return { ok: false, field: outcome.error.issues[0]?.path.join('.') ?? '' };
}

export type AssertionOrder = {
  /** Unix seconds. */
  nowS: number;
  /** Unique, so that it is taken once. */
  jti: string;
  /** Whom the account acts for. */
  subject?: string | undefined;
  /** Scopes, by spaces, as the vendors' libraries ask for them. */
  scope?: string | undefined;
};

/**
 * An assertion for the key file's `token_uri`, good for five minutes (RFC 7523, RS256); undefined where the private
 * key is no RSA key of 2048 bits or more in PKCS #8.
 */
export async function signServiceAssertion(
  { private_key, private_key_id: kid, client_email, token_uri }: ServiceAccountKey,
  { nowS, jti, subject, scope }: AssertionOrder,
): Promise<string | undefined> {
  const key = await importPKCS8(private_key, 'RS256').catch(() => undefined); // The error could quote the key.
  if (key === undefined) return undefined;
  const unsigned = new SignJWT(scope === undefined ? {} : { scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
    .setIssuer(client_email)
    .setAudience(token_uri)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + ASSERTION_LIFE_S)
    .setJti(jti);
  // A key that is too short fails only here.
  return (subject === undefined ? unsigned : unsigned.setSubject(subject)).sign(key).catch(() => undefined);
}
