import { refreshAuthorization } from '@modelcontextprotocol/client';
import { discover } from './discovery.ts';
import type { LoginNet } from './net.ts';
import { LoginRefused, type LoginRefusal, orRefusal } from './refused.ts';
import { keptToken, tokenRefusal } from './login.ts';
import { keepToken, type KeptToken, type TokenStore, withTokens } from './token-store.ts';

/** A token that lives shorter than this is renewed before it is handed out. */
const MIN_LEFT_MS = 60_000;

export type RefreshTools = { net: LoginNet; file: string; nowMs: () => number };

/**
 * The access token kept for `<origin>/mcp-account`, renewed when it is about to end. Runs at the same time wait for one
 * another: a refresh token is used once, and what it gave is what the others get (C17).
 */
export function freshToken(
  endpoint: string,
  tools: RefreshTools,
): Promise<{ ok: true; accessToken: string } | LoginRefusal> {
  return orRefusal(async () => {
    const token = await withTokens(tools.file, async (store) => {
      const kept = tokenOf(store, endpoint);
      if (isFresh(kept, tools.nowMs())) return { value: kept };
      const renewed = await renew(kept, store, endpoint, tools);
      return { store: keepToken(store, renewed), value: renewed };
    });
    return { ok: true, accessToken: token.access_token };
  });
}

const isFresh = ({ expires_at_ms: expiresAtMs }: KeptToken, nowMs: number): boolean =>
  expiresAtMs === undefined || expiresAtMs - nowMs >= MIN_LEFT_MS;

/** A resource is the endpoint itself, or its origin where the metadata at the root says so. */
function tokenOf(store: TokenStore, endpoint: string): KeptToken {
  const { origin } = new URL(endpoint);
  const kept = [endpoint, origin].map((name) => store.tokens.find(({ resource }) => resource === name));
  const token = kept.find((found) => found !== undefined);
  if (token === undefined) throw new LoginRefused('not_logged_in', `no token is kept for ${endpoint}`);
  return token;
}

/** Discovers again: a refresh token goes to the server that gave it, and only while the service still names that one. */
async function renew(kept: KeptToken, store: TokenStore, endpoint: string, tools: RefreshTools): Promise<KeptToken> {
  const { refresh_token: refreshToken, issuer, resource } = kept;
  if (refreshToken === undefined)
    throw new LoginRefused('no_refresh_token', `the token for ${resource} ended and no refresh token was given`);
  const found = await discover(new URL(endpoint).origin, tools.net);
  if (found.issuer !== issuer || found.resource !== resource)
    throw new LoginRefused('authorization_server_changed', `${endpoint} now names ${found.issuer}, not ${issuer}`);
  const client = Object.hasOwn(store.clients, issuer) ? store.clients[issuer] : undefined;
  if (client?.client_id !== kept.client_id)
    throw new LoginRefused('not_logged_in', `the client of the token for ${resource} is no longer kept`);
  try {
    const tokens = await refreshAuthorization(issuer, {
      metadata: found.metadata,
      clientInformation: client,
      refreshToken,
      resource,
      fetchFn: tools.net.fetch,
    });
    const { scope } = kept;
    return keptToken(tokens, { ...found, scope }, client.client_id, tools.nowMs());
  } catch (error) {
    throw tokenRefusal(error, issuer);
  }
}
