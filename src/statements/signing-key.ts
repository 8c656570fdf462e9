import { calculateJwkThumbprint, type CryptoKey, exportJWK } from 'jose';
import { decodeBase64url } from '../lib/base64url.ts';
import { getMember, isObject, isText, type JsonObject, parseJson } from '../lib/json.ts';

/** An Ed25519 key pair: `kid` is the thumbprint of its public half (RFC 7638). */
export type SigningKey = { privateKey: CryptoKey; publicKey: Ed25519PublicKey; kid: string };

/** The key of results and receipts, and the origin of the service that signs with it. */
export type ResultSigner = { issuer: string; key: SigningKey };

/** The public half of an Ed25519 key (RFC 8037), and nothing else of a JWK. */
export type Ed25519PublicKey = { kty: 'OKP'; crv: 'Ed25519'; x: string };

const KEY_TEXT = /^[A-Za-z0-9_-]{43}$/;

/** The public half in a JWK; undefined for a key of another kind. */
export function readPublicKey(jwk: JsonObject): Ed25519PublicKey | undefined {
  const x = getMember(jwk, 'x');
  const isKind = getMember(jwk, 'kty') === 'OKP' && getMember(jwk, 'crv') === 'Ed25519';
  return isKind && isText(x) && KEY_TEXT.test(x) ? { kty: 'OKP', crv: 'Ed25519', x } : undefined;
}

export const computeThumbprint = ({ kty, crv, x }: Ed25519PublicKey): Promise<string> =>
  calculateJwkThumbprint({ kty, crv, x });

const SEED_BYTES = 32;

/**
 * The seed in the text of a setting: 32 bytes as base64url, or a private JWK, whose `d` it is. Undefined for anything else.
 */
export function parseSigningSeed(text: string): Uint8Array<ArrayBuffer> | undefined {
  const encoded = text.trimStart().startsWith('{') ? readPrivateMember(text) : text.trim();
  const seed = encoded === undefined ? undefined : decodeBase64url(encoded);
  return seed?.length === SEED_BYTES ? seed : undefined;
}

function readPrivateMember(text: string): string | undefined {
  const jwk = parseJson(text);
  if (!isObject(jwk) || jwk['kty'] !== 'OKP' || jwk['crv'] !== 'Ed25519') return undefined;
  const d = getMember(jwk, 'd');
  return isText(d) ? d : undefined;
}

/** What PKCS #8 puts before an Ed25519 seed (RFC 8410). */
const PKCS8_HEAD = Uint8Array.of(
  0x30,
  0x2e,
  0x02,
  0x01,
  0x00,
  0x30,
  0x05,
  0x06,
  0x03,
  0x2b,
  0x65,
  0x70,
  0x04,
  0x22,
  0x04,
  0x20,
);

export async function importSigningKey(seed: Uint8Array): Promise<SigningKey> {
  const pkcs8 = Uint8Array.of(...PKCS8_HEAD, ...seed);
  const imported = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, true, ['sign']);
  const open = readPublicKey(await exportJWK(imported));
  if (open === undefined) throw new Error('the platform exports the key in another form');
  return { privateKey: imported, publicKey: open, kid: await computeThumbprint(open) };
}

/**
 * The seed of another key, which nothing that the first one signs can reveal and which is not set apart: HKDF (RFC 5869)
 * of the first under the name of its purpose.
 */
export async function deriveSeed(seed: Uint8Array<ArrayBuffer>, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const base = await crypto.subtle.importKey('raw', seed, 'HKDF', false, ['deriveBits']);
  const info = new TextEncoder().encode(`sightline signing key, version 1: ${purpose}`);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, SEED_BYTES * 8));
}
