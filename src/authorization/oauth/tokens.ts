import { callWithTimeout } from '../../lib/concurrency.ts';
import { normaliseResource } from './resources.ts';
import { STORE_ANSWER_MS } from './store-wait.ts';

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

/** What the authorization server says of a token for the Worker at `url`, asked now. No answer in time is none. */
export async function validateToken(
  judge: TokenJudge,
  token: string,
  url: string,
): Promise<ValidToken | null | 'unreachable'> {
  const asked = await callWithTimeout(async () => judge.validate(token, normaliseResource(url)), STORE_ANSWER_MS);
  return asked.ok ? asked.value : 'unreachable'; // The other Worker is down or being deployed; the reason is in its own log.
}

/** The start of WWW-Authenticate of the Worker at `url` (RFC 6750, section 3; RFC 9728, section 5.1). */
export const buildBearerChallenge = (url: string): string =>
  `Bearer realm="sightline", resource_metadata="${new URL(url).origin}${METADATA_PATH}"`;

/** What a token says about its holder beside its scopes: nothing that a client could have made up. */
export type TokenProps = {
  kind: 'payer' | 'operator' | 'service';
  /** Lower case; payers only. */
  address?: string;
  /** What this client may spend of the credits in 24 hours, in micro-USDC (rule A5). */
  capMicroUsdc?: number;
  /** The tenant of management interfaces. */
  tenant?: string;
  /** The user that a service account acts for (delegation, rule A2). */
  actsFor?: string;
};

/** A token that is good for one resource, as a resource server sees it. `expiresAt` is in Unix seconds. */
export type ValidToken = {
  props: TokenProps;
  audience: string;
  expiresAt: number;
  scope: string[];
  /** The account: 128 random bits as hex. */
  userId: string;
  clientId: string;
};

/** Life of an access token and of a refresh token, in seconds. */
export const ACCESS_TOKEN_S = 3600;
export const REFRESH_TOKEN_S = 30 * 86_400;

/** Our own tokens of machine clients start with this; all others are the provider library's. */
export const MACHINE_TOKEN_PREFIX = 'slm_';

/**
 * Machine clients' tokens have 43 characters after it; the provider library's are an account, a grant and a secret. Then
 * comes the seal that says which shard holds the token; tokens of before there were shards have none.
 */
const FORM =
  /^(?:slm_[A-Za-z0-9_-]{43}|[0-9a-f]{32}:[A-Za-z0-9_-]{1,64}:[A-Za-z0-9_-]{1,1024})(?:\.[0-9a-f]{4}[A-Za-z0-9_-]{22})?$/;

/** Whether a text has the form of a token of ours. Any other is good for nothing, without asking. */
export const isTokenForm = (text: string): boolean => FORM.test(text);
