import { normaliseResource } from './resources.ts';
import type { ValidToken } from './tokens.ts';

/** The path of the metadata of a resource that is a whole origin (RFC 9728, section 3.1). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** `Authorization` of the api Worker, over a service binding. */
export type TokenJudge = { validate: (token: string, resource: string) => Promise<ValidToken | null> };

const BEARER = /^bearer(?:[\t ]|$)/i;
const ONE_BEARER = /^bearer[\t ]{1,9}([^\s,]+)$/i;
/** No token of ours is longer; such text is not asked about. */
const MAX_TOKEN_CHARS = 4_096;

/** Whether a value of Authorization may be a bearer token (RFC 6750, section 2.1). */
export const hasBearer = (authorization: string | null | undefined): boolean => BEARER.test(authorization ?? '');

/** The one token in a value of Authorization; undefined where there is none that could be ours. */
export function readBearerToken(authorization: string | null): string | undefined {
  const [, token = ''] = ONE_BEARER.exec(authorization ?? '') ?? [];
  return token === '' || token.length > MAX_TOKEN_CHARS ? undefined : token;
}

/** What the authorization server says of a token for the Worker at `url`: asked each time, so that an ended token ends at once. */
export async function validateToken(
  judge: TokenJudge,
  token: string,
  url: string,
): Promise<ValidToken | null | 'unreachable'> {
  try {
    return await judge.validate(token, normaliseResource(url));
  } catch {
    return 'unreachable'; // The other Worker is down or being deployed; the reason is in its own log.
  }
}

/** The start of WWW-Authenticate of the Worker at `url` (RFC 6750, section 3; RFC 9728, section 5.1). */
export const buildBearerChallenge = (url: string): string =>
  `Bearer realm="sightline", resource_metadata="${new URL(url).origin}${METADATA_PATH}"`;
