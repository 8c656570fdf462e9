import { OAuthAuthorizationServer, OAuthError, type OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { type LentClients, USED_CLIENT_S } from '../clients/clients.ts';
import { createKvFacade } from './kv-facade.ts';
import { PATHS } from './resources.ts';
import type { StoreTools } from './rows.ts';
import { serviceScopes } from './scopes.ts';
import { ACCESS_TOKEN_S, REFRESH_TOKEN_S, type ValidToken } from './tokens.ts';

/** The part of the provider library that the protocol modules use: what a test can replace. */
export type OAuthProvider = {
  /** Answers the token and revocation endpoints. The request's URL must be below the issuer. */
  fetch: (request: Request) => Promise<Response>;
  /** Null for a token that is not good for this resource, and for a resource that is none of ours. */
  validate: (resource: string, token: string) => Promise<ValidToken | null>;
  /** Ends a grant: its refresh tokens and all its access tokens. */
  revokeGrant: (grantId: string, userId: string) => Promise<void>;
  /** Authorization requests, consent and grants. */
  api: OAuthHelpers;
};

export type ProviderOptions = {
  issuer: string;
  resources: readonly string[];
  tools: StoreTools;
  /** Clients that no row keeps. */
  lent?: LentClients;
  /** The scopes that this account may have through this client now (rule A1): asked at every issuance. */
  grantable: (userId: string, clientId: string, scopes: readonly string[]) => readonly string[];
  /** Receives every refusal: stable words, no tokens and no secrets. */
  onRefusal: (refusal: { category: string; reason: string; status: number }) => void;
};

/**
 * The provider library over strongly consistent rows. Its own fetching of client metadata documents stays off: it
 * follows redirects and knows no special-use hosts, so the Worker fetches them through `src/net` and stores the client.
 */
export function createProvider({
  issuer,
  resources,
  tools,
  lent,
  grantable,
  onRefusal,
}: ProviderOptions): OAuthProvider {
  const env = { OAUTH_KV: createKvFacade(tools.rows, tools.now, lent?.find) as never }; // The part the library uses.
  const server = new OAuthAuthorizationServer<typeof env>({
    issuer,
    resources: [...resources],
    authorizeEndpoint: PATHS.authorize,
    tokenEndpoint: PATHS.token,
    clientRegistrationEndpoint: PATHS.register,
    clientIdMetadataDocumentEnabled: false,
    accessTokenTTL: ACCESS_TOKEN_S,
    refreshTokenTTL: REFRESH_TOKEN_S,
    clientRegistrationTTL: USED_CLIENT_S,
    scopesSupported: Object.keys(serviceScopes),
    tokenExchangeCallback: ({ userId, clientId, requestedScope }) => {
      const accessTokenScope = [...grantable(userId, clientId, requestedScope)];
      if (accessTokenScope.length > 0) return { accessTokenScope };
      throw new OAuthError('invalid_grant', { description: 'The account no longer has any of these scopes' });
    },
    onError: ({ status, internal }) => {
      onRefusal({ category: internal?.category ?? 'unknown', reason: internal?.reason ?? 'unknown', status });
    },
  });
  return {
    fetch: (request) => server.fetch(request, env, NO_CONTEXT),
    validate: async (resource, token) =>
      resources.includes(resource) ? ((await server.validateToken(resource, token, env)) as ValidToken | null) : null,
    revokeGrant: (grantId, userId) => server.getOAuthApi(env).revokeGrant(grantId, userId),
    api: server.getOAuthApi(env),
  };
}

/** The authorization-server role hands nothing to a context. */
const NO_CONTEXT = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
  props: {},
} as unknown as Parameters<OAuthAuthorizationServer['fetch']>[2];
