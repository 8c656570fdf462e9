import { listMcpUrls } from '../../capabilities/service.ts';
import { PRODUCT } from '../../lib/product.ts';
import {
  computeScopeUnion,
  exchangeAuthorization,
  OAuthError,
  type OAuthTokens,
  registerClient,
  RegistrationRejectedError,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readChallenge, discover, type Discovered, buildProbe } from './discovery.ts';
import { type LoginNet, type LoginRefusal, LoginRefused, returnRefusal } from './net.ts';
import {
  keepClient,
  keepToken,
  type StoredLoginClient,
  type StoredLoginToken,
  type TokenStore,
  withTokens,
} from './token-store.ts';

const LOOPBACK = '127.0.0.1';
const PATH = '/callback';
const MAX_URL_CHARS = 8_192;
/** Parameters of an authorization response; each may occur once (RFC 6749, section 3.1). */
const PARAMETERS = ['code', 'state', 'iss', 'error'] as const;

const PAGE = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`;
const RECEIVED = PAGE('Answer received', 'You may close this window and go back to the terminal.');
const NOT_OURS = PAGE('Not this login', 'This address waits for the answer to another login.');

/** What came back through the browser, with the right `state`. */
type AuthorizationAnswer = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

type Callback = {
  /** `http://127.0.0.1:<port>/callback` (RFC 8252, section 7.3). */
  redirectUrl: string;
  /** The one answer. @throws LoginRefused `no_answer` after `waitMs`. */
  answer: () => Promise<AuthorizationAnswer>;
  stop: () => void;
};

/**
 * Listens on this machine alone for one answer with `state` (C12, C13). Whatever else asks gets a static page and
 * changes nothing: any page of the browser may send requests here. Nothing of a request is echoed.
 */
async function listenForAnswer(state: string, waitMs: number): Promise<Callback> {
  let settle: (answer: AuthorizationAnswer) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const received = new Promise<AuthorizationAnswer>((resolve, reject) => {
    settle = resolve;
    const late = new LoginRefused('no_answer', `no answer came within ${Math.round(waitMs / 1000)} s`);
    timer = setTimeout(() => reject(late), waitMs);
  });
  received.catch(() => undefined); // It may fail before anyone waits for it.
  const server = createServer((request, response) => {
    const answer = readAuthorizationAnswer(request, state);
    reply(response, answer === undefined ? 400 : 200, answer === undefined ? NOT_OURS : RECEIVED);
    if (answer !== undefined) settle(answer);
  });
  const port = await listen(server);
  const stop = (): void => {
    clearTimeout(timer);
    server.close();
  };
  return { redirectUrl: `http://${LOOPBACK}:${port}${PATH}`, answer: () => received, stop };
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

function readAuthorizationAnswer(
  { method, url = '' }: IncomingMessage,
  state: string,
): AuthorizationAnswer | undefined {
  if (method !== 'GET' || url.length > MAX_URL_CHARS || !URL.canParse(url, 'http://callback')) return undefined;
  const { pathname, searchParams } = new URL(url, 'http://callback');
  if (pathname !== PATH || PARAMETERS.some((name) => searchParams.getAll(name).length > 1)) return undefined;
  if (!isSameText(searchParams.get('state') ?? '', state)) return undefined;
  const given = PARAMETERS.map((name) => [name, searchParams.get(name)] as const).filter(([, value]) => value !== null);
  return Object.fromEntries(given);
}

function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function reply(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(page);
}

/** Who we are to an authorization server, where the user said so. */
export type ClientChoice = {
  /** A client that the operator registered for us. */
  clientId?: string;
  /** A hosted client id metadata document. */
  metadataUrl?: string;
};

/**
 * The client to log in with: the given one, then the hosted document where the server reads such, then the one we
 * registered with this very issuer before, then a new registration (C6). Nothing of another issuer is used (C5).
 * @throws LoginRefused
 */
async function selectClient(
  { issuer, resource, scope, metadata }: Discovered,
  given: ClientChoice,
  kept: TokenStore,
  redirectUrl: string,
  net: LoginNet,
): Promise<StoredLoginClient> {
  if (given.clientId !== undefined) return useChosenClient(given.clientId, issuer, resource, kept);
  if (given.metadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
    return { client_id: given.metadataUrl, origin: 'document', resource };
  const registered = Object.hasOwn(kept.clients, issuer) ? kept.clients[issuer] : undefined;
  if (registered?.origin === 'registered') return registered;
  if (metadata.registration_endpoint === undefined)
    throw new LoginRefused('no_registration', `${issuer} registers no clients: name one with --client-id`);
  const made = await register(issuer, metadata, redirectUrl, scope, net);
  const secret = made.client_secret === undefined ? {} : { client_secret: made.client_secret };
  return { client_id: made.client_id, ...secret, origin: 'registered', resource };
}

/** A client id is of one server: when the service names another, the user has to say again which client to be (C5). */
function useChosenClient(clientId: string, issuer: string, resource: string, kept: TokenStore): StoredLoginClient {
  const other = Object.entries(kept.clients).find(
    ([name, client]) =>
      name !== issuer && client.origin === 'given' && client.client_id === clientId && client.resource === resource,
  );
  if (other !== undefined)
    throw new LoginRefused(
      'client_of_other_issuer',
      `the client ${clientId} was given for ${other[0]}, and ${resource} now names ${issuer}`,
    );
  return { client_id: clientId, origin: 'given', resource };
}

async function register(
  issuer: string,
  metadata: Discovered['metadata'],
  redirectUrl: string,
  scope: string | undefined,
  fetcher: LoginNet,
) {
  try {
    return await registerClient(issuer, {
      metadata,
      clientMetadata: {
        client_name: `${PRODUCT} command line`,
        redirect_uris: [redirectUrl],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      ...(scope === undefined ? {} : { scope }),
      fetchFn: fetcher.fetch,
    });
  } catch (error) {
    if (error instanceof LoginRefused) throw error;
    const status = error instanceof RegistrationRejectedError ? ` (${error.status})` : '';
    throw new LoginRefused('registration_refused', `${issuer} did not register this client${status}`);
  }
}

/** Times one login asks for more scopes because the service wants them (C15). */
const MAX_STEP_UPS = 2;

export type LoginOrder = {
  /** Origin of the service, as `parseBaseUrl` gives it. */
  origin: string;
  /** What the token is for; the MCP endpoint of accounts when absent. */
  endpoint?: string;
  client: ClientChoice;
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
 * Logs in to a protected endpoint of a service by the authorization code flow on a loopback redirect, and keeps
 * the tokens. Follows the client requirements of MCP 2026-07-28 authorization (C1 to C18).
 */
export function logIn(order: LoginOrder, tools: LoginTools): Promise<LoggedIn | LoginRefusal> {
  return returnRefusal(async () => {
    const found = await discover(order.endpoint ?? listMcpUrls(order.origin).account, tools.net);
    let scope = computeScopeUnion(found.scope, order.scope);
    for (let stepUps = 0; ; stepUps += 1) {
      const token = await authorize({ ...found, scope }, order, tools);
      const missing = await findMissingScope(found.endpoint, token, tools.net);
      if (missing === undefined)
        return { ok: true, issuer: found.issuer, resource: found.resource, scope: token.scope };
      if (stepUps >= MAX_STEP_UPS)
        throw new LoginRefused('scope_refused', `${found.endpoint} still asks for the scopes ${missing}`);
      scope = computeScopeUnion(scope, token.scope, missing);
    }
  });
}

/** One trip through the browser: the issuer was recorded in `found` before it starts (C11). */
async function authorize(found: Discovered, order: LoginOrder, tools: LoginTools): Promise<StoredLoginToken> {
  const state = tools.random();
  const callback = await listenForAnswer(state, tools.waitMs);
  try {
    const kept = await withTokens(tools.file, async (store) => ({ value: store }));
    const client = await selectClient(found, order.client, kept, callback.redirectUrl, tools.net);
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
    const code = readAuthorizationCode(answer, found);
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
function readAuthorizationCode({ iss, code, error }: AuthorizationAnswer, { issuer, metadata }: Discovered): string {
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
  client: StoredLoginClient,
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
    throw refuseTokenError(error, issuer);
  }
}

/** What went wrong at a token endpoint. Bodies are not shown: they may repeat what was sent. */
export function refuseTokenError(error: unknown, issuer: string): LoginRefused {
  if (error instanceof LoginRefused) return error;
  const code = error instanceof OAuthError ? error.code : 'an unreadable answer';
  return new LoginRefused('token_request_refused', `the token endpoint of ${issuer} gave ${code}`);
}

/** Printable ASCII without spaces: safe in an Authorization header and on a terminal. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** The tokens as they are kept. @throws LoginRefused for what cannot be sent as a Bearer token (C16). */
export function toStoredToken(
  tokens: OAuthTokens,
  found: Discovered,
  clientId: string,
  nowMs: number,
): StoredLoginToken {
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

function keep(
  tokens: OAuthTokens,
  found: Discovered,
  client: StoredLoginClient,
  tools: LoginTools,
): Promise<StoredLoginToken> {
  const token = toStoredToken(tokens, found, client.client_id, tools.nowMs());
  return withTokens(tools.file, async (store) => ({
    store: keepToken(keepClient(store, found.issuer, client), token),
    value: token,
  }));
}

/** The scopes that the service wants besides; undefined when the token serves. @throws LoginRefused when it does not at all. */
async function findMissingScope(endpoint: string, token: StoredLoginToken, net: LoginNet): Promise<string | undefined> {
  const answer = await net.fetch(endpoint, buildProbe(endpoint, token.access_token));
  if (answer.status === 401)
    throw new LoginRefused('token_refused', `${endpoint} does not accept the token it sent us for`);
  const { error, scope } = readChallenge(answer);
  return answer.status === 403 && error === 'insufficient_scope' ? scope : undefined;
}
