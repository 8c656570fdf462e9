import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  importJWK,
  type JWK,
  type JWTPayload,
  decodeProtectedHeader,
} from 'jose';
import * as z from 'zod';
import { CLIENT_ASSERTION_ALGORITHMS, ASSERTION_CLOCK_SKEW_S, MAX_ASSERTION_LIFE_S } from './client-assertion.ts';
import { MAX_ASSERTION_BYTES, MAX_SCOPE_CHARS, type PublicKey } from './shapes.ts';

const MAX_TEXT_CHARS = 256;

/** Signatures of service accounts (rule A2). */
const SERVICE_ALGORITHMS = ['RS256'];
/** Signatures of clients with keys of their own: asymmetric only, so that no public key can serve as a shared secret. */
const CLIENT_ALGORITHMS = [...CLIENT_ASSERTION_ALGORITHMS];

const text = z.string().min(1).max(MAX_TEXT_CHARS);
const claimsSchema = z.looseObject({
  iss: text,
  aud: z.union([text, z.array(text).length(1)]).transform((aud) => (typeof aud === 'string' ? aud : aud[0])),
  iat: z.number(),
  exp: z.number(),
  nbf: z.number().optional(),
  jti: text.optional(),
  sub: text.optional(),
  /** The older name of `sub` that one vendor library still sends beside it. */
  prn: text.optional(),
  scope: z.string().max(MAX_SCOPE_CHARS).optional(),
});

export type Claims = z.infer<typeof claimsSchema>;
export type AssertionRefusal = { ok: false; detail: string };

const refuse = (detail: string): AssertionRefusal => ({ ok: false, detail });

/** What an assertion says of itself, not verified: good for finding the key that must have signed it. */
export type AssertionHint = {
  ok: true;
  issuer: string;
  keyId: string | undefined;
  algorithm: string;
  /** Its `jti`. */
  id: string | undefined;
};

/** Reads an assertion without believing it. */
export function readAssertion(assertion: string): AssertionHint | AssertionRefusal {
  if (assertion.length > MAX_ASSERTION_BYTES) return refuse(`an assertion has at most ${MAX_ASSERTION_BYTES} bytes`);
  const parts = decodeUnverified(assertion);
  if (parts === undefined) return refuse('the assertion is not a signed JWT in compact form');
  const { header, payload } = parts;
  if (typeof payload.iss !== 'string') return refuse('the assertion names no issuer (iss)');
  const keyId = typeof header.kid === 'string' ? header.kid : undefined;
  const id = typeof payload.jti === 'string' ? payload.jti : undefined;
  return { ok: true, issuer: payload.iss, keyId, algorithm: String(header.alg), id };
}

/** Verifies an assertion under the one key of a service account that it names: RS256 and nothing else. */
export async function verifyServiceAssertion(
  assertion: string,
  key: PublicKey,
  audiences: readonly string[],
  nowMs: number,
): Promise<{ ok: true; claims: Claims } | AssertionRefusal> {
  const payload = await readSignedBytes(async () => {
    const publicKey = await importJWK({ kty: key.kty, n: key['n'] ?? '', e: key['e'] ?? '' }, 'RS256');
    return (await compactVerify(assertion, publicKey, { algorithms: SERVICE_ALGORITHMS })).payload;
  });
  return payload === undefined
    ? refuse('the signature is not of that key')
    : judgeAssertionClaims(payload, audiences, nowMs);
}

/** Verifies a client's assertion under one of its registered public keys (private_key_jwt, RFC 7523 section 3). */
export async function verifyClientAssertion(
  assertion: string,
  keys: readonly PublicKey[],
  audiences: readonly string[],
  nowMs: number,
): Promise<{ ok: true; claims: Claims } | AssertionRefusal> {
  const payload = await readSignedBytes(
    async () =>
      (
        await compactVerify(assertion, createLocalJWKSet({ keys: [...keys] as JWK[] }), {
          algorithms: CLIENT_ALGORITHMS,
        })
      ).payload,
  );
  return payload === undefined
    ? refuse('the signature is of no key of this client')
    : judgeAssertionClaims(payload, audiences, nowMs);
}

/** Every failure of verifying is the assertion's: a wrong algorithm, a key that does not fit, a broken signature. */
async function readSignedBytes(verify: () => Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

function decodeUnverified(
  assertion: string,
): { header: { alg?: unknown; kid?: unknown }; payload: JWTPayload } | undefined {
  try {
    return { header: decodeProtectedHeader(assertion), payload: decodeJwt(assertion) };
  } catch {
    return undefined; // Not a JWT: the caller says so.
  }
}

/** Audience and times of a verified payload. */
function judgeAssertionClaims(
  payload: Uint8Array,
  audiences: readonly string[],
  nowMs: number,
): { ok: true; claims: Claims } | AssertionRefusal {
  const parsed = claimsSchema.safeParse(parseJsonBytes(payload));
  if (!parsed.success) return refuse(`the claim ${String(parsed.error.issues[0]?.path[0] ?? '')} is missing or wrong`);
  const claims = parsed.data;
  const nowS = nowMs / 1000;
  if (claims.aud === undefined || !audiences.includes(claims.aud))
    return refuse('the audience (aud) is not this server');
  if (claims.exp <= claims.iat) return refuse('it expires (exp) before it was made (iat)');
  if (claims.exp - claims.iat > MAX_ASSERTION_LIFE_S) return refuse('it lives longer than an hour (exp - iat)');
  if (claims.exp + ASSERTION_CLOCK_SKEW_S <= nowS) return refuse('it has expired (exp)');
  if (claims.iat - ASSERTION_CLOCK_SKEW_S > nowS) return refuse('it was made in the future (iat)');
  if (claims.nbf !== undefined && claims.nbf - ASSERTION_CLOCK_SKEW_S > nowS)
    return refuse('it is not valid yet (nbf)');
  return { ok: true, claims };
}

function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
