import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { computeSha256Hex } from '../../lib/digest.ts';
import type { StoreTools } from '../oauth/rows.ts';

/** Longest life that an assertion may give itself, and what clocks may differ by, in seconds (rule A2). */
export const MAX_ASSERTION_LIFE_S = 3600;
export const ASSERTION_CLOCK_SKEW_S = 60;

const JTI = 'own:assertion:jti:';

/** The key of the row that says that an assertion of this issuer was used. */
export const formatUsedAssertionKey = async (issuer: string, jti: string): Promise<string> =>
  `${JTI}${await computeSha256Hex(`${issuer} ${jti}`)}`;

/** Whether an assertion of this issuer comes for the first time; one without an id (`jti`) always does. */
export type FirstUse = (issuer: string, claims: { jti?: string | undefined; exp: number }) => Promise<boolean>;

/** Remembers the ids of assertions, of machine clients, service accounts and clients with documents alike, until they have ended (rule A2). Nothing awaits between the look and the write. */
export function createFirstUse({ rows }: StoreTools): FirstUse {
  return async (issuer, { jti, exp }) => {
    if (jti === undefined) return true;
    const key = await formatUsedAssertionKey(issuer, jti);
    if (rows.get(key) !== undefined) return false;
    rows.put(key, true, (exp + ASSERTION_CLOCK_SKEW_S) * 1000);
    return true;
  };
}

/** RFC 7523, section 2.2. */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Signatures of clients, as the metadata of the server names them: asymmetric only. */
export const CLIENT_ASSERTION_ALGORITHMS = ['RS256', 'ES256'] as const;
export type ClientAssertionAlgorithm = (typeof CLIENT_ASSERTION_ALGORITHMS)[number];

const MAX_ASSERTION_CHARS = 8_192;
const MAX_JTI_CHARS = 256;

/** Who an assertion says it is from, not verified: it selects the client's keys. */
export function readAssertedClientId(assertion: string): string | undefined {
  if (assertion.length > MAX_ASSERTION_CHARS) return undefined;
  try {
    return decodeJwt(assertion).iss;
  } catch {
    return undefined; // Not a JWT.
  }
}

/**
 * Makes the check of `private_key_jwt` (RFC 7523, section 3): signed by a key of the client, issuer and subject the
 * client, audience this server, at most an hour to live, and each `jti` once.
 * @param audiences the issuer and the token endpoint.
 */
export function createAssertionCheck(tools: StoreTools, audiences: readonly string[]) {
  const { now } = tools;
  const isFirstUse = createFirstUse(tools);
  return async (
    assertion: string,
    clientId: string,
    jwks: JwkSet,
    algorithms: readonly ClientAssertionAlgorithm[],
  ): Promise<boolean> => {
    const claims = await verifyClaims(assertion, jwks, {
      algorithms: [...algorithms],
      issuer: clientId,
      subject: clientId,
      audience: [...audiences],
      clockTolerance: ASSERTION_CLOCK_SKEW_S,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'jti'],
    });
    if (claims?.exp === undefined || claims.exp - now() / 1000 > MAX_ASSERTION_LIFE_S) return false;
    const { jti, exp } = claims;
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_CHARS) return false;
    return isFirstUse(clientId, { jti, exp });
  };
}

/** Every failure of verifying is the assertion's: a wrong algorithm, no fitting key, a broken signature, a false claim. */
async function verifyClaims(assertion: string, jwks: JwkSet, options: Parameters<typeof jwtVerify>[2]) {
  if (assertion.length > MAX_ASSERTION_CHARS) return undefined;
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(jwks as unknown as JSONWebKeySet), options);
    return payload;
  } catch {
    return undefined;
  }
}

/** A JSON Web Key Set of public keys. */
export type JwkSet = { keys: readonly Record<string, unknown>[] };
