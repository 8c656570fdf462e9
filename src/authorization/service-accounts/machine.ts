import { CLIENT_CREDENTIALS, JWT_BEARER } from '../oauth/resources.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { isControlScope, parseScope } from '../oauth/scopes.ts';
import type { WireAnswer } from '../oauth/store-protocol.ts';
import { ACCESS_TOKEN_S, MACHINE_TOKEN_PREFIX } from '../oauth/tokens.ts';
import { type Accounts, createAccounts } from '../people/accounts.ts';
import { createFirstUse } from './client-assertion.ts';
import { readAssertion, verifyServiceAssertion } from './assertion.ts';
import { createMachineClientAuth } from './client-auth.ts';
import { type MachineClients, createMachineClients } from './clients.ts';
import { type ServiceAccounts, createServiceAccounts } from './services.ts';
import {
  ANY_TENANT,
  DELEGATION,
  type MachineRequest,
  type MachineSettings,
  type MachineToken,
  createMachineTokens,
  MAX_SCOPE_CHARS,
  type Principal,
  refuseToken,
  type ServiceAccount,
  type TokenRefusal,
} from './shapes.ts';

type Recognized = { ok: true; principal: Principal } | TokenRefusal;

type Parts = {
  tools: StoreTools;
  settings: MachineSettings;
  accounts: Accounts;
  clients: MachineClients;
  services: ServiceAccounts;
};

/** Identifies who asks for a token: the two machine grants and no one else's. */
function createPrincipals({ tools, settings, accounts, clients, services }: Parts) {
  const { now } = tools;
  const isFirstUse = createFirstUse(tools);
  const own = [settings.tokenEndpoint, settings.issuer];
  const authenticated = createMachineClientAuth({ tools, clients, isFirstUse, audiences: own });
  const serviceAudiences = [...own, ...settings.otherAudiences];

  /** The users that a service account may act for are in its grant table. */
  const mayActFor = (account: ServiceAccount, user: string): boolean =>
    accounts.grants(account.id).some(({ scope, tenant }) => scope === DELEGATION && tenant === user);

  return {
    /** Which machine client sends a request, whatever it asks for. */
    authenticated,
    /** Who asks by `client_credentials` (RFC 6749 section 4.4). */
    client: async (request: MachineRequest): Promise<Recognized> => {
      const client = await authenticated(request);
      if ('ok' in client) return client;
      const { id, account, resources } = client;
      const asked = parseScopes(request.form.get('scope'));
      return { ok: true, principal: { client: id, account, resources, asked, props: { kind: 'service' } } };
    },
    /** Who asks by an assertion of a service account (RFC 7523 section 2.1, rule A2). */
    service: async ({ form, authorization }: MachineRequest): Promise<Recognized> => {
      const assertion = form.get('assertion');
      if (!assertion) return refuseToken('invalid_request', 'the parameter assertion is missing');
      if (authorization !== null || form.has('client_assertion') || form.has('client_secret'))
        return refuseToken('invalid_request', 'the assertion is the only credential of this grant');
      const hint = readAssertion(assertion);
      if (!hint.ok) return refuseToken('invalid_grant', hint.detail);
      if (hint.algorithm !== 'RS256') return refuseToken('invalid_grant', 'assertions are signed by RS256');
      const account = services.byEmail(hint.issuer);
      const key = account && hint.keyId !== undefined ? services.key(account.id, hint.keyId) : undefined;
      if (!account || !key) return refuseToken('invalid_grant', 'unknown issuer (iss) or key (kid)');
      const verified = await verifyServiceAssertion(assertion, key.publicKey, serviceAudiences, now());
      if (!verified.ok) return refuseToken('invalid_grant', verified.detail);
      const { claims } = verified;
      const user = [claims.sub, claims.prn].find((name) => name !== undefined && name !== account.email);
      if (user !== undefined && !mayActFor(account, user))
        return refuseToken('unauthorized_client', 'this service account may not act for others (sub)');
      if (!(await isFirstUse(account.id, claims)))
        return refuseToken('invalid_grant', 'this assertion was used before');
      const props = {
        kind: 'service' as const,
        ...(account.tenant === ANY_TENANT ? {} : { tenant: account.tenant }),
        ...(user === undefined ? {} : { actsFor: user }),
      };
      const asked = intersectScopes(parseScopes(claims.scope ?? null), parseScopes(form.get('scope')));
      const { id, resources } = account;
      const { control } = settings;
      const hasHome = control !== undefined && account.tenant !== ANY_TENANT && resources.includes(control);
      const home = hasHome ? { home: control } : {};
      return { ok: true, principal: { client: id, account: id, key: key.id, resources, ...home, asked, props } };
    },
  };
}

/** Scopes that are asked for; an empty text asks for nothing in particular. */
const parseScopes = (text: string | null): readonly string[] | undefined => {
  const scopes = parseScope(text ?? '');
  return scopes.length === 0 ? undefined : scopes;
};

/** What both ask for, where both ask. */
const intersectScopes = (left: readonly string[] | undefined, right: readonly string[] | undefined) =>
  left === undefined || right === undefined ? (left ?? right) : left.filter((scope) => right.includes(scope));

export type Machine = ReturnType<typeof createMachineGrants>;

/**
 * Everything of clients without a person: what the operator makes (`clients`, `services`), the two grants that turn
 * their credentials into tokens, and those tokens. Does no network I/O.
 */
export function createMachineGrants(tools: StoreTools, settings: MachineSettings) {
  const accounts = createAccounts(tools);
  const clients = createMachineClients(tools, settings, accounts);
  const services = createServiceAccounts(tools, settings, accounts);
  const principals = createPrincipals({ tools, settings, accounts, clients, services });
  const lives = ({ client, account, key }: MachineToken): boolean =>
    key === undefined
      ? clients.get(client) !== undefined
      : services.get(account) !== undefined && services.key(account, key) !== undefined;
  const tokens = createMachineTokens(tools, lives);

  /** Scopes never exceed what the account was given; none in common is a refusal, not a token for nothing. */
  const scopeOf = ({ account, asked }: Principal): readonly string[] => {
    const holder = accounts.byId(account);
    if (holder === undefined) return [];
    const granted = accounts.grants(account).map(({ scope }) => scope);
    return (asked ?? granted).filter((scope) => accounts.mayHold(holder, scope));
  };

  const grant = async (principal: Principal, form: URLSearchParams): Promise<WireAnswer> => {
    const scope = scopeOf(principal);
    const audience = selectAudience(form, principal, scope, settings);
    if (typeof audience !== 'string') return refuseTokenRequest(audience);
    if (scope.length === 0)
      return refuseTokenRequest(refuseToken('invalid_scope', 'none of these scopes is granted to this account'));
    const { client, account, key, props } = principal;
    const expiresAt = Math.floor(tools.now() / 1000) + ACCESS_TOKEN_S;
    const held = { client, account, scope, audience, props, expiresAt, ...(key === undefined ? {} : { key }) };
    const body = { token_type: 'Bearer', expires_in: ACCESS_TOKEN_S, scope: scope.join(' ') };
    const keyEndsAtMs = key === undefined ? undefined : services.key(account, key)?.expiresAtMs;
    return answer(200, { access_token: await tokens.issue(held, keyEndsAtMs), ...body });
  };

  /**
   * RFC 7009, section 2.1: a client with credentials shows them to end its token, and another's token stays as it is.
   * Service accounts have none beside their tokens: who holds one may end it. Unknown tokens are no error.
   */
  const revoke = async (token: string, request: MachineRequest): Promise<WireAnswer> => {
    const held = await tokens.find(token);
    if (held === undefined) return answer(200, {});
    if (held.key === undefined) {
      const client = await identifyClient(request, principals);
      if (typeof client !== 'string') return refuseTokenRequest(client);
      if (client !== held.client) return answer(200, {});
    }
    await tokens.revoke(token);
    return answer(200, {});
  };

  return {
    clients,
    services,
    validate: tokens.validate,
    authenticate: (request: MachineRequest) => identifyOrRefuseClient(request, principals),
    /**
     * Answers a token request whose `grant_type` is `client_credentials` or the JWT bearer grant, and the revocation of
     * a machine token (RFC 7009). JSON that must not be stored (RFC 6749, section 5). Never throws on what it is sent.
     */
    token: async (request: MachineRequest): Promise<WireAnswer> => {
      const ended = findRevokedToken(request.form);
      if (ended !== undefined) return revoke(ended, request);
      const malformed = findMalformedParameter(request.form);
      if (malformed) return refuseTokenRequest(malformed);
      const recognized = await identifyRequester(request, principals);
      return recognized.ok ? grant(recognized.principal, request.form) : refuseTokenRequest(recognized);
    },
  };
}

/** The client that a request is from, by what it shows or by what was found elsewhere. */
async function identifyClient(
  request: MachineRequest,
  { authenticated }: ReturnType<typeof createPrincipals>,
): Promise<string | TokenRefusal> {
  if (request.authenticatedAs !== undefined) return request.authenticatedAs;
  const client = await authenticated(request);
  return 'ok' in client ? client : client.id;
}

/** Which client a request is from, by its assertion or its secret; or what to answer instead. */
async function identifyOrRefuseClient(
  request: MachineRequest,
  principals: ReturnType<typeof createPrincipals>,
): Promise<string | WireAnswer> {
  const client = await identifyClient(request, principals);
  return typeof client === 'string' ? client : refuseTokenRequest(client);
}

function identifyRequester(
  request: MachineRequest,
  { client, service }: ReturnType<typeof createPrincipals>,
): Promise<Recognized> | TokenRefusal {
  const type = request.form.get('grant_type');
  if (type === CLIENT_CREDENTIALS) return client(request);
  return type === JWT_BEARER ? service(request) : refuseToken('invalid_request', 'no grant type of machine clients');
}

/** The machine token that a revocation request names. */
function findRevokedToken(form: URLSearchParams): string | undefined {
  const token = form.get('token');
  return !form.has('grant_type') && token?.startsWith(MACHINE_TOKEN_PREFIX) ? token : undefined;
}

/** Parameters come once (RFC 6749 section 3.2), but for `resource`, whose repetition has an error of its own. */
function findMalformedParameter(form: URLSearchParams): TokenRefusal | undefined {
  const names = [...form.keys()].filter((name) => name !== 'resource');
  if (new Set(names).size !== names.length)
    return refuseToken('invalid_request', 'a parameter is given more than once');
  if ((form.get('scope') ?? '').length > MAX_SCOPE_CHARS) return refuseToken('invalid_scope', 'the scope is too long');
  return undefined;
}

/**
 * The one resource that the token is for (RFC 8707); an empty parameter counts as none. The vendors' libraries name none:
 * then it is the account's home where no scopes are named and some are for it, or all that are named are.
 */
function selectAudience(
  form: URLSearchParams,
  { resources, home, asked: named }: Principal,
  scope: readonly string[],
  settings: Pick<MachineSettings, 'resources'>,
): string | TokenRefusal {
  const asked = form.getAll('resource').filter((resource) => resource !== '');
  if (asked.length > 1) return refuseToken('invalid_target', 'a token is for one resource');
  const isForHome = named === undefined ? scope.some(isControlScope) : scope.length > 0 && scope.every(isControlScope);
  const own = home !== undefined && isForHome ? home : resources[0];
  const audience = asked[0] ?? own ?? '';
  const isOffered = resources.includes(audience) && settings.resources.includes(audience);
  return isOffered ? audience : refuseToken('invalid_target', 'tokens for this resource are not given to this client');
}

function refuseTokenRequest({ error, detail }: TokenRefusal): WireAnswer {
  const body = { error, error_description: detail };
  return error === 'invalid_client'
    ? answer(401, body, { 'www-authenticate': 'Basic realm="sightline"' })
    : answer(400, body);
}

const answer = (status: number, body: Record<string, unknown>, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
  body: JSON.stringify(body),
});
