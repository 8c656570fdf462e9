import { AuthorizationError, authorizationErrorRedirect, type AuthRequest } from '@cloudflare/workers-oauth-provider';
import type { Provider } from '../oauth/provider.ts';
import { isSameRedirectUri } from '../clients/redirect-uri.ts';
import { parseScope } from '../oauth/scopes.ts';

/** `to` is where the client is told, `refused` what the person sees when it is not. */
export type RequestError = { clientId: string; to: string; refused: { kind: 'refused'; code: string; detail: string } };

/**
 * Reads an authorization request: the request, an error that its client may be told by redirect, or a refusal that only
 * the person sees.
 * @throws what is no error of the request
 */
export async function parseRequest(
  provider: Pick<Provider, 'api'>,
  { url, refusal }: { url: string; refusal?: { error: string; description: string } },
) {
  try {
    await checkRedirectUri(provider, new URL(url).searchParams);
    const request = await provider.api.parseAuthRequest(new Request(withCanonicalScope(url)));
    return refusal === undefined ? request : errorFor(request, refusal);
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    if (error.redirectTo === undefined) return refusedBy(error);
    const clientId = new URL(url).searchParams.get('client_id') ?? '';
    return { kind: 'error' as const, clientId, to: error.redirectTo, refused: refusedBy(error) };
  }
}

/**
 * The library compares redirect URIs on loopback after parsing them, and so takes `http://127.1/` for
 * `http://127.0.0.1/`. OAuth 2.1, section 2.3.1, wants the text itself.
 */
async function checkRedirectUri({ api }: Pick<Provider, 'api'>, query: URLSearchParams): Promise<void> {
  const client = await api.lookupClient(query.get('client_id') ?? '');
  const given = query.get('redirect_uri') ?? '';
  if (client !== null && !client.redirectUris.some((registered) => isSameRedirectUri(given, registered)))
    throw new AuthorizationError('invalid_request', { description: 'Invalid redirect URI' });
}

/** What is asked, agreed to and granted has one spelling. */
function withCanonicalScope(text: string): string {
  const url = new URL(text);
  const scope = url.searchParams.get('scope');
  if (scope !== null) url.searchParams.set('scope', parseScope(scope).join(' '));
  return url.href;
}

/** The library knows only some of the error codes, so the code is set afterwards. */
function errorFor(request: AuthRequest, { error, description }: { error: string; description: string }) {
  const to = new URL(authorizationErrorRedirect(request, 'invalid_request', description));
  to.searchParams.set('error', error);
  const refused = { kind: 'refused' as const, code: error, detail: description };
  return { kind: 'error' as const, clientId: request.clientId, to: to.href, refused };
}

/** What a person sees of an error of the request. */
export const refusedBy = ({ code, description }: AuthorizationError) => ({
  kind: 'refused' as const,
  code,
  detail: description,
});
