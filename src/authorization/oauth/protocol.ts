import { type Clients, createClientDirectory, isDocumentUrl, MAX_CLIENT_ID_CHARS } from '../clients/clients.ts';
import { createOperatorAccess } from '../operators/named-operators.ts';
import { findGrantClient, watchAccess } from './kv-facade.ts';
import { createCreditCaps } from '../people/client-access.ts';
import {
  readAssertedClientId,
  createAssertionCheck,
  CLIENT_ASSERTION_TYPE,
} from '../service-accounts/client-assertion.ts';
import type { MachineRequest } from '../service-accounts/shapes.ts';
import { MACHINE_GRANTS, PATHS } from './resources.ts';
import type { OAuthProvider } from './provider.ts';
import { createRefreshRotation } from './refresh.ts';
import type { StoreTools } from './rows.ts';
import {
  type AuthenticatedClient,
  buildOAuthError,
  readTokenForm,
  type TokenOutcome,
  type TokenRequest,
  type WireAnswer,
} from './store-protocol.ts';
import { MACHINE_TOKEN_PREFIX, type ValidToken } from './tokens.ts';

type Parts = {
  tools: StoreTools;
  provider: Pick<OAuthProvider, 'fetch' | 'revokeGrant'>;
  clients: Clients;
  machine: MachinePort | undefined;
  issuer: string;
};

/** The form as the provider library shall see it, or what to answer instead. */
type Authenticated = { ok: true; form: URLSearchParams } | { ok: false; outcome: TokenOutcome };

const KEPT_HEADERS = ['content-type', 'cache-control', 'pragma', 'www-authenticate', 'retry-after', 'allow'];

/**
 * Makes the token endpoint: codes, refresh tokens and revocation by the provider library, with the rules it lacks
 * around them; machine grants by their own module. Each call must run alone.
 */
function createTokenEndpoint({ tools, provider, clients, machine, issuer }: Parts) {
  const refresh = createRefreshRotation(tools, provider);
  const authenticate = createDocumentClientAuth(tools, clients, issuer);
  const token = async (request: TokenRequest): Promise<TokenOutcome> => {
    const read = readTokenForm(request);
    if (!read.ok) return respondWith(read.answer);
    const { authorization, authenticatedAs } = request;
    if (machine !== undefined && isMachineRequest(read.form)) {
      return respondWith(await machine.token({ form: read.form, authorization, authenticatedAs }));
    }
    const authenticated: Authenticated =
      authenticatedAs === undefined
        ? await authenticate(read.form, authorization)
        : { ok: true, form: asPublicClient(read.form, authenticatedAs) };
    if (!authenticated.ok) return authenticated.outcome;
    const { form } = authenticated;
    const run = async (): Promise<WireAnswer> =>
      readWireAnswer(await provider.fetch(buildFormRequest(issuer, form, authorization)));
    const endedOf = watchAccess(tools.rows, form);
    const answer =
      form.get('grant_type') === 'refresh_token' ? await refresh({ form, authorization, run }) : await run();
    const ended = endedOf();
    return { kind: 'answer', ...answer, ...(ended === undefined ? {} : { ended }) };
  };
  return {
    token,
    /**
     * Looks at the assertion of a client and uses it up, where its request is carried out by another store. Null when
     * it is none that is looked at here: the provider library says what is wrong with it.
     */
    authenticate: async (request: TokenRequest): Promise<TokenOutcome | AuthenticatedClient | null> => {
      const read = readTokenForm(request);
      if (!read.ok) return respondWith(read.answer);
      const { form } = read;
      const { authorization } = request;
      if (machine !== undefined && isMachineRequest(form)) {
        const client = await machine.authenticate({ form, authorization });
        return typeof client === 'string' ? { kind: 'authenticated', clientId: client } : respondWith(client);
      }
      const authenticated = await authenticate(form, authorization);
      if (!authenticated.ok) return authenticated.outcome;
      const { form: verified } = authenticated;
      return verified.has('client_assertion')
        ? null
        : { kind: 'authenticated', clientId: verified.get('client_id') ?? '' };
    },
  };
}

/** Whether a request is for the module of machine clients: its grants, and the revocation of its tokens. */
export function isMachineRequest(form: URLSearchParams): boolean {
  const grant = form.get('grant_type');
  if (grant !== null) return MACHINE_GRANTS.includes(grant);
  return form.get('token')?.startsWith(MACHINE_TOKEN_PREFIX) ?? false;
}

/**
 * Authenticates clients whose id is the URL of a metadata document. The provider library knows them as public clients:
 * a verified assertion is taken out of the form, and a client whose document offers assertions only gets no further
 * without one.
 */
function createDocumentClientAuth(tools: StoreTools, clients: Clients, issuer: string) {
  const verify = createAssertionCheck(tools, [issuer, `${issuer}${PATHS.token}`]);
  return async (form: URLSearchParams, authorization: string | null): Promise<Authenticated> => {
    const assertion = form.get('client_assertion');
    const clientId = form.get('client_id') ?? (assertion === null ? undefined : readAssertedClientId(assertion));
    if (clientId === undefined || !isDocumentUrl(clientId)) return { ok: true, form };
    if (clientId.length > MAX_CLIENT_ID_CHARS) return refuseInvalidClient('The client id is too long');
    if (!clients.known(clientId)) {
      // A grant of an earlier version is the only sign that someone consented to its client.
      if (!clients.hasAccess(clientId) && findGrantClient(tools.rows, form) === clientId) clients.giveAccess(clientId);
      return clients.hasAccess(clientId)
        ? { ok: false, outcome: { kind: 'client_document_needed', clientId } }
        : refuseInvalidClient('No one has given this client access: send a person to the authorization endpoint first');
    }
    const { methods, keys } = clients.authentication(clientId) ?? { methods: ['none'] };
    if (assertion === null) {
      return methods.includes('none')
        ? { ok: true, form }
        : refuseInvalidClient('This client proves itself by private_key_jwt');
    }
    if (form.has('client_secret') || authorization !== null)
      return refuseInvalidClient('Use one way of authentication');
    if (form.get('client_assertion_type') !== CLIENT_ASSERTION_TYPE)
      return refuseInvalidClient('Unknown client_assertion_type');
    if (keys === undefined) return refuseInvalidClient('This client has no keys');
    const jwks = 'jwks' in keys ? keys.jwks : clients.fetchedKeys(clientId);
    if (jwks === undefined && 'jwksUri' in keys) {
      return { ok: false, outcome: { kind: 'client_keys_needed', clientId, jwksUri: keys.jwksUri } };
    }
    const verified = await verify(assertion, clientId, jwks ?? { keys: [] }, keys.algorithms);
    return verified
      ? { ok: true, form: asPublicClient(form, clientId) }
      : refuseInvalidClient('The assertion is not valid');
  };
}

function asPublicClient(form: URLSearchParams, clientId: string): URLSearchParams {
  const rewritten = new URLSearchParams(form);
  rewritten.delete('client_assertion');
  rewritten.delete('client_assertion_type');
  rewritten.set('client_id', clientId);
  return rewritten;
}

const refuseInvalidClient = (description: string): Authenticated => ({
  ok: false,
  outcome: respondWith(buildOAuthError(401, 'invalid_client', description)),
});

const respondWith = (answer: WireAnswer): TokenOutcome => ({ kind: 'answer', ...answer });

function buildFormRequest(issuer: string, form: URLSearchParams, authorization: string | null): Request {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  if (authorization !== null) headers.set('authorization', authorization);
  return new Request(`${issuer}${PATHS.token}`, { method: 'POST', headers, body: form.toString() });
}

/** An answer of the provider library as plain data, without the headers that the Worker decides about. */
async function readWireAnswer(response: Response): Promise<WireAnswer> {
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return { status: response.status, headers: { 'cache-control': 'no-store', ...headers }, body: await response.text() };
}

/** Machine clients beside the provider library: their grants, their tokens, and the revocation of those. */
export type MachinePort = {
  /** Answers a token or revocation request that `isMachineRequest` claims. */
  token: (request: MachineRequest) => Promise<WireAnswer>;
  /** The client that a request is from, or what to answer instead. */
  authenticate: (request: MachineRequest) => Promise<string | WireAnswer>;
  validate: (token: string, resource: string) => Promise<ValidToken | null> | ValidToken | null;
};

/** Longest token that is looked at: ours have about 120 characters. */
const MAX_TOKEN_CHARS = 512;

type JudgeParts = {
  tools: StoreTools;
  provider: Pick<OAuthProvider, 'validate'>;
  machine: Pick<MachinePort, 'validate'> | undefined;
  /** Whether an account is an operator's now. */
  isOperator: (accountId: string) => boolean;
};

/** What a token says, if it is good for a resource now. */
export function createTokenJudge({ tools, provider, machine, isOperator }: JudgeParts) {
  const caps = createCreditCaps(tools);
  return async (token: string, resource: string): Promise<ValidToken | null> => {
    if (token.length > MAX_TOKEN_CHARS) return null;
    if (token.startsWith(MACHINE_TOKEN_PREFIX)) return (await machine?.validate(token, resource)) ?? null;
    const valid = await provider.validate(resource, token);
    // An operator whose access has ended has no token, even while its grants are still being ended one by one.
    if (valid?.props.kind === 'operator' && !isOperator(valid.userId)) return null;
    const capMicroUsdc = valid === null ? undefined : caps.get(valid.userId, valid.clientId);
    return valid === null || capMicroUsdc === undefined ? valid : { ...valid, props: { ...valid.props, capMicroUsdc } };
  };
}

export type ProtocolParts = { tools: StoreTools; provider: OAuthProvider; machine?: MachinePort; issuer: string };

export type Protocol = ReturnType<typeof createOAuthProtocol>;

/**
 * The OAuth protocol over one store. Nothing here guards against two calls at once: the object runs each alone.
 */
export function createOAuthProtocol({ tools, provider, machine, issuer }: ProtocolParts) {
  const clients = createClientDirectory(tools);
  const operators = createOperatorAccess(tools);
  const isOperator = (accountId: string): boolean => operators.epochOf(accountId) !== undefined;
  return {
    clients,
    ...createTokenEndpoint({ tools, provider, clients, machine, issuer }),
    validate: createTokenJudge({ tools, provider, machine, isOperator }),
  };
}
