import { MAX_CLIENT_ID_CHARS } from '../clients/clients.ts';
import { MAX_REDIRECT_URI_CHARS } from '../clients/redirect-uri.ts';
import { parseScope, classifyScope } from './scopes.ts';

/**
 * What is wrong with an authorization request. Unless it is `redirectable` the person sees a page; if it is, the error
 * goes to the redirect URI, once that one is known to belong to the client (RFC 6749, section 4.1.2.1).
 */
export type AuthorizeRefusal = { ok: false; error: string; description: string; redirectable: boolean };

const MAX_QUERY_CHARS = 8_192;
const MAX_PARAMETERS = 40;
const MAX_STATE_CHARS = 2_048;
const MAX_SCOPES = 50;
/** Base64url of a SHA-256 digest (RFC 7636, section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Asked for by clients that want a refresh token; every grant here has one, so it is no scope of its own. */
const IGNORED_SCOPE = 'offline_access';

/**
 * Judges the query of `/authorize` before the store is asked: what the provider library leaves unchecked (repeated
 * parameters, unknown scopes, weak challenges, request objects, other response modes) and what costs nothing to refuse.
 * It does not look at the client, whether the redirect URI is its own, or whether the resource exists.
 */
export function checkAuthorizeQuery(url: URL): { ok: true } | AuthorizeRefusal {
  const { searchParams: query } = url;
  const shape = shapeProblem(url);
  if (shape !== undefined) return { ok: false, error: 'invalid_request', description: shape, redirectable: false };
  for (const { error, description, found } of checks) {
    if (found(query)) return { ok: false, error, description, redirectable: true };
  }
  return { ok: true };
}

function shapeProblem({ search, searchParams: query }: URL): string | undefined {
  if (search.length > MAX_QUERY_CHARS || query.size > MAX_PARAMETERS) return 'The request is too long';
  if (new Set(query.keys()).size < query.size) return 'A parameter is given more than once';
  const clientId = query.get('client_id') ?? '';
  if (clientId === '' || clientId.length > MAX_CLIENT_ID_CHARS) return 'client_id is missing or too long';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (redirectUri === '' || redirectUri.length > MAX_REDIRECT_URI_CHARS) return 'redirect_uri is missing or too long';
  const state = query.get('state') ?? '';
  return state.length > MAX_STATE_CHARS || !PRINTABLE.test(state) ? 'state is too long or not plain text' : undefined;
}

type Check = { error: string; description: string; found: (query: URLSearchParams) => boolean };

/** In this order; the first that is found is reported. */
const checks: readonly Check[] = [
  {
    error: 'request_not_supported',
    description: 'Send the parameters themselves, not a request object',
    found: (query) => query.has('request'),
  },
  {
    error: 'request_uri_not_supported',
    description: 'Send the parameters themselves, not a request_uri',
    found: (query) => query.has('request_uri'),
  },
  {
    error: 'invalid_request',
    description: 'response_mode must be query',
    found: (query) => (query.get('response_mode') ?? 'query') !== 'query',
  },
  {
    error: 'invalid_request',
    description: 'response_type is missing',
    found: (query) => !query.get('response_type'),
  },
  {
    error: 'unsupported_response_type',
    description: 'response_type must be code',
    found: (query) => query.get('response_type') !== 'code',
  },
  {
    error: 'invalid_request',
    description: 'PKCE is required: code_challenge, 43 characters of base64url',
    found: (query) => !CHALLENGE.test(query.get('code_challenge') ?? ''),
  },
  {
    error: 'invalid_request',
    description: 'code_challenge_method must be S256',
    found: (query) => query.get('code_challenge_method') !== 'S256',
  },
  {
    error: 'invalid_target',
    description: 'resource is missing: a token is for one resource (RFC 8707)',
    found: (query) => !query.get('resource'),
  },
  {
    error: 'invalid_target',
    description: 'resource must be the identifier itself, without a query or fragment',
    found: (query) => /[?#]/.test(query.get('resource') ?? ''),
  },
  {
    error: 'invalid_scope',
    description: 'One of the scopes is unknown',
    found: (query) => !hasOnlyKnownScopes(parseScope(query.get('scope') ?? '')),
  },
];

const hasOnlyKnownScopes = (scopes: readonly string[]): boolean =>
  scopes.length <= MAX_SCOPES && scopes.every((scope) => scope === IGNORED_SCOPE || classifyScope(scope) !== undefined);
