import { compactVerify, FlattenedSign } from 'jose';
import * as z from 'zod';
import { encodeBase64url } from '../lib/base64url.ts';
import { formatJcs } from '../lib/jcs.ts';
import type { Ed25519PublicKey, SigningKey } from './signing-key.ts';

/** What a signature says it is over, in its protected header: one kind is never taken for another. */
export const statementTypes = ['result-statement', 'purchase-receipt', 'delivery-summary'] as const;
export type StatementType = (typeof statementTypes)[number];

/** As our keys sign, and as RFC 9864 names the same. */
const ALGORITHMS = ['EdDSA', 'Ed25519'] as const;

/** Longest detached JWS that is read, in characters; ours has about 250. */
const MAX_JWS_CHARS = 2_000;

/**
 * Claims, and a detached JWS over them (RFC 7515, appendix F): what is signed is the UTF-8 text of the canonical JSON of
 * `claims` (RFC 8785), base64url-encoded as in any JWS.
 */
export const signedClaims = z.object({
  claims: z.looseObject({ issuer: z.string() }),
  jws: z.string().max(MAX_JWS_CHARS),
});

export type SignedClaims<C extends object = Readonly<Record<string, unknown>>> = { claims: C; jws: string };

const encoder = new TextEncoder();
const encodePayload = (claims: object): Uint8Array => encoder.encode(formatJcs(claims));

/** Signs claims. The same claims by the same key give the same bytes: Ed25519 has no chance in it. */
export async function signClaims<C extends object>(
  claims: C,
  type: StatementType,
  { privateKey, kid }: SigningKey,
): Promise<SignedClaims<C>> {
  const signed = await new FlattenedSign(encodePayload(claims))
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: type })
    .sign(privateKey);
  return { claims, jws: `${signed.protected ?? ''}..${signed.signature}` };
}

/** Why claims are not what their signature says. */
export type ClaimsFault = 'malformed' | 'unknown_key' | 'wrong_type' | 'bad_signature';

/** @param keys public keys that the reader trusts, by thumbprint; what the claims bring along is never one */
export async function verifyClaims(
  { claims, jws }: SignedClaims,
  type: StatementType,
  keys: ReadonlyMap<string, Ed25519PublicKey>,
): Promise<{ ok: true; kid: string } | { ok: false; fault: ClaimsFault; kid?: string }> {
  const [header, payload, signature, ...more] = jws.split('.');
  const head = payload === '' && more.length === 0 ? readHeader(header ?? '') : undefined;
  if (head === undefined || signature === undefined) return { ok: false, fault: 'malformed' };
  const { kid, typ } = head;
  if (typ !== type) return { ok: false, fault: 'wrong_type', kid };
  const key = keys.get(kid);
  if (key === undefined) return { ok: false, fault: 'unknown_key', kid };
  const whole = `${header}.${encodeBase64url(encodePayload(claims))}.${signature}`;
  try {
    await compactVerify(whole, { ...key, alg: head.alg }, { algorithms: [...ALGORITHMS] });
    return { ok: true, kid };
  } catch {
    return { ok: false, fault: 'bad_signature', kid }; // Or a form that jose refuses: either way it proves nothing.
  }
}

const protectedHeader = z.object({ alg: z.enum(ALGORITHMS), kid: z.string(), typ: z.string() });

function readHeader(text: string): z.infer<typeof protectedHeader> | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    return protectedHeader.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined; // Neither base64url nor JSON.
  }
}
