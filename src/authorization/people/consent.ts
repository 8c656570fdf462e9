import {
  AuthorizationError,
  authorizationErrorRedirect,
  type AuthRequest,
  type ConsentDescription,
} from '@cloudflare/workers-oauth-provider';
import type { Clients, IntroducedClient, LentClients } from '../clients/clients.ts';
import { isSameRedirectUri } from '../clients/redirect-uri.ts';
import type { OAuthProvider } from '../oauth/provider.ts';
import { getAccountResource, PATHS } from '../oauth/resources.ts';
import { BASE_SCOPE, CREDIT_SCOPE, parseScope, classifyScope } from '../oauth/scopes.ts';
import type { TokenProps } from '../oauth/tokens.ts';
import type { createCreditCaps, GrantNote, FirstConsents, MadeGrant, PlacedGrant } from './client-access.ts';
import { isFresh, type Session, type Sessions } from './sessions.ts';

/** `to` is where the client learns of it, `refused` what the person sees when it is not. */
type RequestError = { clientId: string; to: string; refused: { kind: 'refused'; code: string; detail: string } };

/**
 * Reads an authorization request: the request, an error that its client may learn by redirect, or a refusal that only
 * the person sees.
 * @throws what is no error of the request
 */
async function parseRequest(
  provider: Pick<OAuthProvider, 'api'>,
  { url, refusal }: { url: string; refusal?: { error: string; description: string } },
) {
  try {
    await checkRedirectUri(provider, new URL(url).searchParams);
    const request = await provider.api.parseAuthRequest(new Request(withCanonicalScope(url)));
    return refusal === undefined ? request : buildErrorRedirect(request, refusal);
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    if (error.redirectTo === undefined) return describeRequestError(error);
    const clientId = new URL(url).searchParams.get('client_id') ?? '';
    return { kind: 'error' as const, clientId, to: error.redirectTo, refused: describeRequestError(error) };
  }
}

/**
 * The library compares redirect URIs on loopback after parsing them, and so takes `http://127.1/` for
 * `http://127.0.0.1/`. OAuth 2.1, section 2.3.1, wants the text itself.
 */
async function checkRedirectUri({ api }: Pick<OAuthProvider, 'api'>, query: URLSearchParams): Promise<void> {
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
function buildErrorRedirect(request: AuthRequest, { error, description }: { error: string; description: string }) {
  const to = new URL(authorizationErrorRedirect(request, 'invalid_request', description));
  to.searchParams.set('error', error);
  const refused = { kind: 'refused' as const, code: error, detail: description };
  return { kind: 'error' as const, clientId: request.clientId, to: to.href, refused };
}

/** What a person sees of an error of the request. */
const describeRequestError = ({ code, description }: AuthorizationError) => ({
  kind: 'refused' as const,
  code,
  detail: description,
});

/** Why someone has to sign in before going on: not at all yet, too long ago, or as someone else. */
export type SignInNeed = 'needed' | 'stale' | 'operator';

/** What a consent page shows. Texts of the client are as it gave them: hostile. */
export type ConsentPage = {
  handle: string;
  client: Pick<ConsentDescription, 'clientName' | 'redirectUri' | 'redirectHost' | 'redirectIsLoopback'> & {
    /** The domain that publishes the client's metadata document; absent when no one vouches for its name. */
    domain?: string;
  };
  scopes: readonly string[];
  /** What the client asked for and cannot get. */
  withheld: readonly string[];
  session: Session;
};

/** `cookies` are Set-Cookie values of the answer. `sign_in` with `returnTo` goes back to that path afterwards. */
export type AuthorizeOutcome =
  | ({ kind: 'page'; cookies: readonly string[] } & ConsentPage)
  | { kind: 'sign_in'; why: SignInNeed; returnTo?: string }
  /** `placed` is the grant whose code is in `to`: the Worker writes its shard into the code. */
  | { kind: 'redirect'; to: string; cookies: readonly string[]; placed?: PlacedGrant }
  | { kind: 'wait'; retryAfterS: number }
  /** Not every store that has to know of the consent answered: there is none. */
  | { kind: 'not_kept' }
  /** Never a redirect: who asks is not known to be the client, or the form was not ours. */
  | { kind: 'refused'; code: string; detail: string };

/**
 * An authorization request: its full URL on our origin, and the session of the browser. `refusal` is what the Worker
 * found wrong with it already: the client learns it by redirect once client and redirect URI are known to be good.
 */
export type AuthorizeQuestion = {
  url: string;
  session: string;
  refusal?: { error: string; description: string };
  /** The client, when the store need not have it. */
  introduced?: IntroducedClient;
};

/** A posted consent form. `cookie` is the request's header; without `approved` the person declined. */
export type Decision = {
  session: string;
  /** Who sends the form, for limits. */
  caller: string;
  handle: string;
  cookie: string;
  approved?: { scopes: readonly string[]; capMicroUsdc: number };
};

export type ConsentParts = {
  issuer: string;
  provider: Pick<OAuthProvider, 'api'>;
  clients: Pick<Clients, 'known' | 'keep' | 'classOf' | 'renewDocument'>;
  lent: LentClients;
  /** Counts clients that get their first consent. */
  firstConsents: FirstConsents;
  sessions: Sessions;
  now: () => number;
  /** The scopes that this account may have through this client (rule A1). */
  grantable: (accountId: string, clientId: string, scopes: readonly string[]) => readonly string[];
  caps: Pick<ReturnType<typeof createCreditCaps>, 'set'>;
  /** Keeps the account for good: accounts that only signed in are forgotten. */
  keepAccount: (accountId: string) => void;
  /**
   * Puts a new grant into a shard; undefined: it could not, and the limit of credits is as before. Without this function
   * the grant stays here.
   */
  place?: (made: MadeGrant) => Promise<PlacedGrant | undefined>;
  /** Keeps the number of a client's grants within its limit. */
  trim: (accountId: string, clientId: string, newestId: string) => Promise<void>;
};

/**
 * Authorization requests and the consent to them. Every authorization asks: a remembered approval would let a page that
 * sends the browser here get a code without a click, and the cap of spending (rule A5) is chosen anew each time.
 */
export const createConsentFlow = (parts: ConsentParts) => ({
  /** What to answer `GET /authorize`. Approves nothing, whatever the URL says (N8). */
  authorize: (asked: AuthorizeQuestion): Promise<AuthorizeOutcome> => {
    const { introduced } = asked;
    if (introduced?.from === 'document') parts.clients.renewDocument(introduced.document);
    return parts.lent.during(introduced, () => authorize(parts, asked));
  },
  /** What a posted consent form leads to. Its handle is used up by either answer. */
  decide: (decision: Decision): Promise<AuthorizeOutcome> => decide(parts, decision),
});

async function authorize(parts: ConsentParts, asked: AuthorizeQuestion): Promise<AuthorizeOutcome> {
  const { provider, sessions } = parts;
  const session = sessions.find(asked.session);
  const parsed = await parseRequest(provider, asked);
  if ('kind' in parsed) return parsed.kind === 'error' ? answerRequestError(parts, parsed, session) : parsed;
  if (session === undefined) return { kind: 'sign_in', why: 'needed' };
  const offer = computeOffer(parts, parsed, session);
  if (offer.kind !== 'offer') return offer;
  const client = describeConsentClient(await provider.api.describeConsent(parsed));
  const { introduced } = asked;
  const carried: CarriedRequest = introduced === undefined ? parsed : { ...parsed, introduced };
  const { handle, headers } = await provider.api.beginConsent(carried);
  const { scopes, withheld } = offer;
  return { kind: 'page', handle, client, scopes, withheld, session, cookies: headers.getSetCookie() };
}

/** A request as the consent's own row keeps it, sealed with its handle: with the client that no row of its own keeps. */
type CarriedRequest = AuthRequest & { introduced?: IntroducedClient };

async function decide(parts: ConsentParts, decision: Decision): Promise<AuthorizeOutcome> {
  const session = parts.sessions.find(decision.session);
  if (session === undefined) return { kind: 'sign_in', why: 'needed' };
  try {
    if (decision.approved !== undefined) return await approve(parts, decision, decision.approved, session);
    const browser = buildBrowserRequest(parts.issuer, decision.cookie);
    const { redirectTo, headers } = await parts.provider.api.denyConsent(browser, decision.handle);
    return { kind: 'redirect', to: redirectTo, cookies: headers.getSetCookie() };
  } catch (error) {
    if (error instanceof AuthorizationError) return describeRequestError(error);
    throw error;
  }
}

async function approve(
  parts: ConsentParts,
  { handle, cookie, caller }: Decision,
  ticked: { scopes: readonly string[]; capMicroUsdc: number },
  session: Session,
): Promise<AuthorizeOutcome> {
  const { api } = parts.provider;
  const approval = await api.approveConsent(buildBrowserRequest(parts.issuer, cookie), handle);
  const { headers } = approval;
  const request: CarriedRequest = approval.request;
  const { clientId, introduced } = request;
  const cookies = headers.getSetCookie();
  const isKnown = parts.clients.known(clientId);
  if (!isKnown && introduced === undefined) return CLIENT_GONE;
  const offer = computeOffer(parts, request, session);
  if (offer.kind === 'redirect') return { ...offer, cookies };
  if (offer.kind === 'sign_in') return offer;
  const scopes = offer.scopes.filter((scope) => ticked.scopes.includes(scope));
  if (scopes.length === 0) return refuseConsent(request, 'No scope was approved', cookies);
  const { accountId, kind, address } = session;
  const wait = isKnown ? undefined : parts.firstConsents.waitS(accountId, caller);
  if (wait !== undefined) return { kind: 'wait', retryAfterS: wait };
  parts.clients.keep(clientId, introduced);
  const cap = scopes.includes(CREDIT_SCOPE) ? { capMicroUsdc: ticked.capMicroUsdc } : {};
  const props: TokenProps = { kind, ...(address === undefined ? {} : { address }), ...cap };
  const { clientName } = await api.describeConsent(request);
  const metadata: GrantNote = { clientName, ...cap };
  parts.keepAccount(accountId);
  const { redirectTo } = await api.completeAuthorization({
    request,
    userId: accountId,
    scope: scopes,
    props,
    metadata,
    revokeExistingGrants: false, // Another device with the same app keeps its access.
  });
  const grantId = readGrantId(redirectTo);
  const placed = await parts.place?.({ accountId, clientId, grantId, ...cap });
  if (parts.place !== undefined && placed === undefined) return CONSENT_NOT_KEPT;
  if (cap.capMicroUsdc !== undefined) parts.caps.set(accountId, clientId, cap.capMicroUsdc);
  await parts.trim(accountId, clientId, grantId);
  return { kind: 'redirect', to: redirectTo, cookies, ...(placed === undefined ? {} : { placed }) };
}

/** The store of the grant, or one that a limit of credits or the end of an older grant is for, did not answer: no code is given out. */
export const CONSENT_NOT_KEPT = { kind: 'not_kept' } as const;

/** The library's codes are `account:grant:secret`. */
function readGrantId(redirectTo: string): string {
  const [, grantId] = (new URL(redirectTo).searchParams.get('code') ?? '').split(':');
  if (grantId === undefined) throw new Error('a code without a grant');
  return grantId;
}

/** What this person can give this client now: asked when the page is made, and again when its form comes back. */
function computeOffer({ grantable, clients, issuer, now }: ConsentParts, request: AuthRequest, session: Session) {
  const asked = selectRequestedScopes(request, getAccountResource(issuer));
  const scopes = grantable(session.accountId, request.clientId, asked);
  const isOperators = clients.classOf(request.clientId) === 'operator' && asked.some(isOperatorScope);
  if (scopes.length === 0 && isOperators && session.kind !== 'operator')
    return { kind: 'sign_in' as const, why: 'operator' as const, returnTo: formatRequestPath(request) };
  if (scopes.length === 0) return refuseConsent(request, 'None of these scopes can be granted to this client', []);
  if (scopes.some(isOperatorScope) && !isFresh(session, now()))
    return { kind: 'sign_in' as const, why: 'stale' as const, returnTo: formatRequestPath(request) };
  return { kind: 'offer' as const, scopes, withheld: asked.filter((scope) => !scopes.includes(scope)) };
}

const isOperatorScope = (scope: string): boolean => classifyScope(scope) === 'operator';

const CLIENT_GONE: AuthorizeOutcome = {
  kind: 'refused',
  code: 'invalid_request',
  detail: 'This client is no longer registered: start again from the app',
};

/** A client that names no scope gets the least one of the protected endpoint, and nothing elsewhere. */
function selectRequestedScopes({ scope, resource }: AuthRequest, account: string): readonly string[] {
  if (scope.length === 0) return resource === account ? [BASE_SCOPE] : [];
  return [...new Set(scope)].filter((one) => classifyScope(one) !== undefined);
}

/**
 * The client learns about its error by redirect. One that anyone can register is so only through a browser that has
 * signed in: else a link to us would lead anyone who follows it to a place of a stranger's choice (RFC 9700, section
 * 4.11.2).
 */
function answerRequestError(
  { clients }: ConsentParts,
  error: RequestError,
  session: Session | undefined,
): AuthorizeOutcome {
  if (session === undefined && clients.classOf(error.clientId) !== 'operator') return error.refused;
  return { kind: 'redirect', to: error.to, cookies: [] };
}

const refuseConsent = (request: AuthRequest, description: string, cookies: readonly string[]) => ({
  kind: 'redirect' as const,
  to: authorizationErrorRedirect(request, 'access_denied', description),
  cookies,
});

/** The client as the page shows it. A metadata document is published by the host of its URL; no other name is vouched for. */
function describeConsentClient({
  clientId,
  clientName,
  redirectUri,
  redirectIsLoopback,
}: ConsentDescription): ConsentPage['client'] {
  const document = clientId.startsWith('https://') && URL.canParse(clientId) ? new URL(clientId).host : undefined;
  const redirectHost = new URL(redirectUri).host || redirectUri;
  return {
    clientName,
    redirectUri,
    redirectHost,
    redirectIsLoopback,
    ...(document === undefined ? {} : { domain: document }),
  };
}

/** The request again as a path of ours, from its checked parts. */
function formatRequestPath(request: AuthRequest): string {
  const parameters = {
    response_type: request.responseType,
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scope.join(' '),
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallengeMethod,
    resource: request.resource,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `${PATHS.authorize}?${String(new URLSearchParams(given))}`;
}

/** The library reads the browser's binding cookie from a request; ours reached the store as plain text. */
const buildBrowserRequest = (issuer: string, cookie: string): Request =>
  new Request(`${issuer}${PATHS.authorize}`, { method: 'POST', headers: { cookie } });
