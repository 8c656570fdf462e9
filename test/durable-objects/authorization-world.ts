import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { getSealingKeys } from '../../routes/api/bindings/people-store.ts';
import { createAccounts } from '../../src/authorization/people/accounts.ts';
import { createClientDirectory } from '../../src/authorization/clients/clients.ts';
import { createProvider } from '../../src/authorization/oauth/provider.ts';
import { registerClient } from '../../src/authorization/clients/registration.ts';
import { getAccountResource, getIssuer, listResources } from '../../src/authorization/oauth/resources.ts';
import { openClient } from '../../src/authorization/clients/sealed-client.ts';
import { createSqlRows, type StoreTools } from '../../src/authorization/oauth/rows.ts';
import {
  AUTHORIZATION_STORE_NAME,
  type AuthorizationStoreObject,
  type WireAnswer,
} from '../../src/authorization/oauth/store-protocol.ts';
import { toHex } from '../../src/lib/digest.ts';
import type { TokenProps } from '../../src/authorization/oauth/tokens.ts';

export const ISSUER = getIssuer(env.BASE_URL);
export const MCP = getAccountResource(env.BASE_URL);
export const CONTROL = 'https://control.sightline.test';
export const WEBHOOK = 'https://webhook.sightline.test';
export const REDIRECT = 'https://app.example/callback';
/** RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const PAYER = '0x1111111111111111111111111111111111111111';

export const stub = () => env.AUTHORIZATION_STORE.getByName(AUTHORIZATION_STORE_NAME);
export const store = (): AuthorizationStoreObject => stub();

const random = (bytes: number): string => toHex(crypto.getRandomValues(new Uint8Array(bytes)));

/** Works inside the object, on its own rows. */
export function inside<T>(task: (tools: StoreTools) => T | Promise<T>): Promise<T> {
  return runInDurableObject(stub(), (_, state) =>
    task({ rows: createSqlRows(state.storage.sql, Date.now), now: Date.now, random }),
  );
}

const providerIn = (tools: StoreTools) =>
  createProvider({
    issuer: ISSUER,
    resources: listResources({ baseUrl: env.BASE_URL, webhookUrl: WEBHOOK, controlUrl: CONTROL }),
    tools,
    grantable: (_, __, scopes) => scopes,
    onRefusal: () => undefined,
  });

export const metadata = (over: Record<string, unknown> = {}) => ({
  client_name: 'Desk',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  ...over,
});

/** What the Worker does with a registration. */
export async function register(over: Record<string, unknown> = {}): Promise<WireAnswer> {
  const keys = await getSealingKeys(env);
  return (await registerClient(JSON.stringify(metadata(over)), keys, Date.now())).answer;
}

export const json = (answer: { body: string }): Record<string, unknown> =>
  JSON.parse(answer.body) as Record<string, unknown>;

export async function publicClient(over: Record<string, unknown> = {}): Promise<string> {
  return String(json(await register(over))['client_id']);
}

export type Consent = {
  clientId: string;
  scope?: string[];
  resource?: string;
  props?: TokenProps;
  redirectUri?: string;
  /** Of the payer who signs in. */
  address?: string;
};

/** What the consent page does when a payer approves: the code that goes to the client. */
export async function approve({
  clientId,
  scope = ['audit:run'],
  resource = MCP,
  redirectUri = REDIRECT,
  address = PAYER,
}: Consent) {
  const client = await openClient(clientId, await getSealingKeys(env), Date.now());
  return inside(async (tools) => {
    const account = createAccounts(tools).payer(address);
    createClientDirectory(tools).keep(clientId, client && { from: 'id', client });
    const request = {
      responseType: 'code',
      clientId,
      redirectUri,
      scope,
      state: '',
      codeChallenge: CHALLENGE,
      codeChallengeMethod: 'S256',
      resource,
      issuer: ISSUER,
    };
    const props: TokenProps = { kind: 'payer', address };
    const userId = account.id;
    const { redirectTo } = await providerIn(tools).api.completeAuthorization({
      request,
      userId,
      scope,
      props,
      metadata: {},
    });
    return { code: new URL(redirectTo).searchParams.get('code') ?? '', userId };
  });
}

/** A public client that another payer has consented to. */
export async function otherClient(): Promise<string> {
  const clientId = await publicClient({ client_name: 'Thief' });
  await approve({ clientId, address: `0x${'22'.repeat(20)}` });
  return clientId;
}

export const revokeGrant = (code: string): Promise<void> =>
  inside((tools) => {
    const [userId = '', grantId = ''] = code.split(':');
    return providerIn(tools).revokeGrant(grantId, userId);
  });

export type Form = Record<string, string>;

/** One POST to the token endpoint. */
export async function post(form: Form | string, authorization: string | null = null): Promise<WireAnswer> {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const contentType = 'application/x-www-form-urlencoded';
  const outcome = await store().token({ contentType, authorization, body });
  if (outcome.kind !== 'answer') throw new Error(`not an answer: ${outcome.kind}`);
  return outcome;
}

export const codeForm = (code: string, clientId: string, over: Form = {}): Form => ({
  grant_type: 'authorization_code',
  code,
  client_id: clientId,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
  resource: MCP,
  ...over,
});

export const refreshForm = (token: string, clientId: string, over: Form = {}): Form => ({
  grant_type: 'refresh_token',
  refresh_token: token,
  client_id: clientId,
  ...over,
});

export type Tokens = { access: string; refresh: string };

export function tokensOf(answer: WireAnswer): Tokens {
  const body = json(answer);
  return { access: String(body['access_token']), refresh: String(body['refresh_token']) };
}

/** A client with tokens, as after a whole consent. */
export async function signedIn(consent: Omit<Consent, 'clientId'> = {}) {
  const clientId = await publicClient();
  const { code, userId } = await approve({ clientId, ...consent });
  const answer = await post(codeForm(code, clientId, { resource: consent.resource ?? MCP }));
  return { clientId, code, userId, ...tokensOf(answer) };
}

export const isAlive = async (access: string, resource = MCP): Promise<boolean> =>
  (await store().validate(access, resource)) !== null;

/** Status and error code: what most refusals are about. */
export function verdict(answer: WireAnswer): string {
  const { error } = json(answer) as { error?: string };
  return `${answer.status} ${error ?? 'ok'}`;
}
