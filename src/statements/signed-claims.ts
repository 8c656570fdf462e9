import { compactVerify, FlattenedSign } from 'jose';
import { decodeBase64url, encodeBase64url } from '../lib/base64url.ts';
import { getMember, isObject, isText, parseJson } from '../lib/json.ts';
import { formatJcs } from '../lib/jcs.ts';
import type { Ed25519PublicKey, SigningKey } from './signing-key.ts';

/** What a signature says it is over, in its protected header: one kind is never taken for another. */
export const statementTypes = ['result-statement', 'purchase-receipt', 'delivery-summary'] as const;
export type StatementType = (typeof statementTypes)[number];

/** As our keys sign, and as RFC 9864 names the same. */
const ALGORITHMS = ['EdDSA', 'Ed25519'];

/** Longest detached JWS that is read, in characters; ours has about 250. */
const MAX_JWS_CHARS = 2_000;

/**
 * Claims, and a detached JWS over them (RFC 7515, appendix F): what is signed is the UTF-8 text of the canonical JSON of
 * `claims` (RFC 8785), base64url-encoded as in any JWS.
 */
export type SignedClaims<C extends object = Readonly<Record<string, unknown>>> = { claims: C; jws: string };

/** Signed claims with at least these texts among them; undefined for anything else. Further claims are kept: they are signed too. */
export function readSigned<const Name extends string>(
  value: unknown,
  names: readonly Name[],
): SignedClaims<Record<Name, string> & Readonly<Record<string, unknown>>> | undefined {
  if (!isObject(value)) return undefined;
  const claims = getMember(value, 'claims');
  const jws = getMember(value, 'jws');
  if (claims === undefined || !isObject(claims) || !isText(jws) || jws.length > MAX_JWS_CHARS) return undefined;
  if (!names.every((name) => isText(getMember(claims, name)))) return undefined;
  return { claims: claims as Record<Name, string> & Readonly<Record<string, unknown>>, jws }; // Judged right above.
}

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
    await compactVerify(whole, { ...key, alg: head.alg }, { algorithms: ALGORITHMS });
    return { ok: true, kid };
  } catch {
    return { ok: false, fault: 'bad_signature', kid }; // Or a form that jose refuses: either way it proves nothing.
  }
}

type Header = { alg: string; kid: string; typ: string };

function readHeader(text: string): Header | undefined {
  const bytes = decodeBase64url(text);
  const head = bytes && parseJson(new TextDecoder().decode(bytes));
  if (head === undefined || !isObject(head)) return undefined;
  const [alg, kid, typ] = ['alg', 'kid', 'typ'].map((name) => getMember(head, name));
  const isKnown = isText(alg) && ALGORITHMS.includes(alg);
  return isKnown && isText(kid) && isText(typ) ? { alg, kid, typ } : undefined;
}
