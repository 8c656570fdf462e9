import { calculateJwkThumbprint } from 'jose';
import { decodeBase64url } from '../lib/base64url.ts';

/** Bytes of the secret that a key is made of: an Ed25519 seed (RFC 8032, section 5.1.5). */
const SEED_BYTES = 32;
/** What comes before a seed in PKCS #8 (RFC 8410, section 7): the only form with a private key alone that WebCrypto takes. */
const PKCS8_HEAD = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/** A key of the auditor as the directory lists it; `kid` is its JWK thumbprint (RFC 7638, RFC 8037 appendix A.3). */
export type PublicBotKey = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; alg: 'ed25519'; use: 'sig' };

/** A key with its private part, which leaves this module only as a signature. */
export type BotKey = { listed: PublicBotKey; sign: (data: string) => Promise<Uint8Array> };

/**
 * Makes the key of a secret: 32 random bytes in base64url. Undefined where it is not that; the settings have said so then.
 */
export async function readBotKey(secret: string): Promise<BotKey | undefined> {
  const seed = decodeBase64url(secret);
  if (seed?.byteLength !== SEED_BYTES) return undefined;
  const pkcs8 = new Uint8Array([...PKCS8_HEAD, ...seed]);
  const pair = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { x } = (await crypto.subtle.exportKey('jwk', pair)) as { x?: string };
  if (x === undefined) throw new Error('an Ed25519 key has no public part');
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  return {
    listed: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'ed25519', use: 'sig' },
    sign: async (data) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(data))),
  };
}

const known = new Map<string, Promise<BotKey | undefined>>();
/** Secrets that an isolate remembers the keys of: the present one, and the one before it, while settings change. */
const MAX_KNOWN = 4;

/** The same, made once in an isolate. */
export function loadBotKey(secret: string): Promise<BotKey | undefined> {
  const found = known.get(secret);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const making = readBotKey(secret);
  known.set(secret, making);
  return making;
}
