import {
  computeScopeUnion,
  exchangeAuthorization,
  OAuthError,
  type OAuthTokens,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { type AuthorizationAnswer, type Callback, listenForAnswer } from './callback.ts';
import { clientFor, type GivenClient } from './client.ts';
import { challengeOf, type Discovered, discover, mcpRequest } from './discovery.ts';
import type { LoginNet } from './net.ts';
import { LoginRefused, type LoginRefusal, orRefusal } from './refused.ts';
import { keepClient, type KeptClient, keepToken, type KeptToken, withTokens } from './token-store.ts';

/** Times one login asks for more scopes because the service wants them (C15). */
const MAX_STEP_UPS = 2;

export type LoginOrder = {
  /** Origin of the service, as `parseBaseUrl` gives it. */
  origin: string;
  client: GivenClient;
  /** Scopes to ask for beside those that the service names. */
  scope?: string;
};

export type LoginTools = {
  net: LoginNet;
  file: string;
  /** Shows the page where the user signs in. */
  show: (url: URL) => void;
  random: () => string;
  nowMs: () => number;
  /** How long the listener waits for the browser. */
  waitMs: number;
};

export type LoggedIn = { ok: true; issuer: string; resource: string; scope: string | undefined };

/**
 * Logs in to the protected MCP endpoint of a service by the authorization code flow on a loopback redirect, and keeps
 * the tokens. Follows the client requirements of MCP 2026-07-28 authorization (C1 to C18).
 */
export function login(order: LoginOrder, tools: LoginTools): Promise<LoggedIn | LoginRefusal> {
  return orRefusal(async () => {
    const found = await discover(order.origin, tools.net);
    let scope = computeScopeUnion(found.scope, order.scope);
    for (let stepUps = 0; ; stepUps += 1) {
      const token = await authorize({ ...found, scope }, order, tools);
      const missing = await missingScope(found.endpoint, token, tools.net);
      if (missing === undefined)
        return { ok: true, issuer: found.issuer, resource: found.resource, scope: token.scope };
      if (stepUps >= MAX_STEP_UPS)
        throw new LoginRefused('scope_refused', `${found.endpoint} still asks for the scopes ${missing}`);
      scope = computeScopeUnion(scope, token.scope, missing);
    }
  });
}

/** One trip through the browser: the issuer was recorded in `found` before it starts (C11). */
async function authorize(found: Discovered, order: LoginOrder, tools: LoginTools): Promise<KeptToken> {
  const state = tools.random();
  const callback = await listenForAnswer(state, tools.waitMs);
  try {
    const kept = await withTokens(tools.file, async (store) => ({ value: store }));
    const client = await clientFor(found, order.client, kept, callback.redirectUrl, tools.net);
    const { issuer, metadata, resource, scope } = found;
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      metadata,
      clientInformation: client,
      redirectUrl: callback.redirectUrl,
      state,
      resource,
      ...(scope === undefined ? {} : { scope }),
    });
    tools.show(authorizationUrl);
    const answer = await answerOrForget(callback, issuer, tools.file);
    const code = codeOf(answer, found);
    const tokens = await exchange(found, client, { code, codeVerifier, redirectUri: callback.redirectUrl }, tools.net);
    return await keep(tokens, found, client, tools);
  } finally {
    callback.stop();
  }
}

/** A server that forgot our registration shows the user an error and never answers us: the next login registers anew. */
async function answerOrForget(callback: Callback, issuer: string, file: string): Promise<AuthorizationAnswer> {
  try {
    return await callback.answer();
  } catch (error) {
    await withTokens(file, async (store) => ({ store: keepClient(store, issuer, undefined), value: undefined }));
    throw error;
  }
}

/**
 * The code of an answer whose `iss` is that of the server we asked (RFC 9207): compared to the letter, required where
 * the server says that it sends it. Of an answer that fails this nothing else is read, its error fields included (C11).
 */
function codeOf({ iss, code, error }: AuthorizationAnswer, { issuer, metadata }: Discovered): string {
  if (iss === undefined && metadata.authorization_response_iss_parameter_supported === true)
    throw new LoginRefused('issuer_mismatch', `the answer does not say that it is from ${issuer}`);
  if (iss !== undefined && iss !== issuer)
    throw new LoginRefused('issuer_mismatch', `the answer is not from ${issuer}`);
  if (error !== undefined) throw new LoginRefused('authorization_refused', `${issuer} answers ${error}`);
  if (code === undefined) throw new LoginRefused('authorization_refused', `${issuer} answers without a code`);
  return code;
}

type Redeemed = { code: string; codeVerifier: string; redirectUri: string };

async function exchange(
  { issuer, metadata, resource }: Discovered,
  client: KeptClient,
  { code, codeVerifier, redirectUri }: Redeemed,
  net: LoginNet,
): Promise<OAuthTokens> {
  try {
    return await exchangeAuthorization(issuer, {
      metadata,
      clientInformation: client,
      authorizationCode: code,
      iss: issuer, // Judged above by the same table; the client compares it once more.
      codeVerifier,
      redirectUri,
      resource,
      fetchFn: net.fetch,
    });
  } catch (error) {
    throw tokenRefusal(error, issuer);
  }
}

/** What went wrong at a token endpoint. Bodies are not shown: they may repeat what was sent. */
export function tokenRefusal(error: unknown, issuer: string): LoginRefused {
  if (error instanceof LoginRefused) return error;
  const code = error instanceof OAuthError ? error.code : 'an unreadable answer';
  return new LoginRefused('token_request_refused', `the token endpoint of ${issuer} gave ${code}`);
}

/** Printable ASCII without spaces: what may stand in an Authorization header and on a terminal. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** The tokens as they are kept. @throws LoginRefused for what cannot be sent as a Bearer token (C16). */
export function keptToken(tokens: OAuthTokens, found: Discovered, clientId: string, nowMs: number): KeptToken {
  if (tokens.token_type.toLowerCase() !== 'bearer' || !TOKEN.test(tokens.access_token))
    throw new LoginRefused('token_request_refused', `${found.issuer} gave a token that is not a Bearer token`);
  const scope = tokens.scope ?? found.scope;
  const expiresAtMs = Math.floor(nowMs + (tokens.expires_in ?? Number.NaN) * 1000);
  return {
    issuer: found.issuer,
    resource: found.resource,
    client_id: clientId,
    access_token: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refresh_token: tokens.refresh_token }),
    ...(Number.isSafeInteger(expiresAtMs) ? { expires_at_ms: expiresAtMs } : {}),
    ...(scope === undefined ? {} : { scope }),
  };
}

function keep(tokens: OAuthTokens, found: Discovered, client: KeptClient, tools: LoginTools): Promise<KeptToken> {
  const token = keptToken(tokens, found, client.client_id, tools.nowMs());
  return withTokens(tools.file, async (store) => ({
    store: keepToken(keepClient(store, found.issuer, client), token),
    value: token,
  }));
}

/** The scopes that the service wants besides; undefined when the token serves. @throws LoginRefused when it does not at all. */
async function missingScope(endpoint: string, token: KeptToken, net: LoginNet): Promise<string | undefined> {
  const answer = await net.fetch(endpoint, mcpRequest(token.access_token));
  if (answer.status === 401)
    throw new LoginRefused('token_refused', `${endpoint} does not accept the token it sent us for`);
  const { error, scope } = challengeOf(answer);
  return answer.status === 403 && error === 'insufficient_scope' ? scope : undefined;
}
