import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { getSealingKeys } from '../../routes/api/bindings/people-store.ts';
import { getTokenRouter, sealCode } from '../../routes/api/bindings/token-router.ts';
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
import { createNotices } from '../../src/authorization/shards/notices.ts';
import { createRoot, watchRootRows } from '../../src/authorization/shards/root.ts';
import { getShardName } from '../../src/authorization/shards/sealed-token.ts';
import type { AdoptedGrant } from '../../src/authorization/shards/shard.ts';
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

const root = () => env.AUTHORIZATION_STORE.getByName(AUTHORIZATION_STORE_NAME);
const shardStub = (shard: number) => env.AUTHORIZATION_STORE.getByName(getShardName(shard));

/** Whether grants are in shards, as they are since there are shards; else in the root, as those of before. */
let isSharded = false;
/** The shards that hold grants of this test, the newest last. */
const used: number[] = [];

/** From now on new grants are in shards, or in the root. */
export function useShards(use: boolean): void {
  isSharded = use;
  used.length = 0;
}

/** The object that holds the newest grant. */
export const stub = () => {
  const shard = used.at(-1);
  return shard === undefined ? root() : shardStub(shard);
};

/** What the Worker asks. */
export function store(): AuthorizationStoreObject {
  if (!isSharded) return root();
  const { token, validate } = getTokenRouter(env);
  return new Proxy(root(), {
    get: (target, name) =>
      name === 'token' ? token : name === 'validate' ? validate : (Reflect.get(target, name) as unknown),
  });
}

const random = (bytes: number): string => toHex(crypto.getRandomValues(new Uint8Array(bytes)));

/** Works inside the root, on its own rows. */
const insideRoot = <T>(task: (tools: StoreTools) => T | Promise<T>): Promise<T> =>
  runInDurableObject(root(), (_, state) =>
    task({ rows: createSqlRows(state.storage.sql, Date.now), now: Date.now, random }),
  );

/** Works inside each object that the test has to do with, on its own rows; what the root says counts. */
export async function inside<T>(task: (tools: StoreTools) => T | Promise<T>): Promise<T> {
  for (const shard of new Set(used)) {
    await runInDurableObject(shardStub(shard), (_, state) =>
      task({ rows: createSqlRows(state.storage.sql, Date.now), now: Date.now, random }),
    );
  }
  return insideRoot(task);
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
  const made = await insideRoot(async (tools) => {
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
    const [, grantId = ''] = readCode(redirectTo).split(':');
    if (!isSharded) return { redirectTo, userId, shard: undefined };
    const adopt = (to: number, grant: AdoptedGrant) => shardStub(to).adoptGrant(grant);
    const placed = await createRoot({ tools, notices: createNotices(tools), adopt }).place({
      accountId: userId,
      clientId,
      grantId,
    });
    return { redirectTo, userId, shard: placed?.shard };
  });
  const { userId, redirectTo, shard } = made;
  if (shard === undefined) return { code: readCode(redirectTo), userId };
  used.push(shard);
  return { code: readCode(await sealCode(env, redirectTo, shard)), userId };
}

const readCode = (redirectTo: string): string => new URL(redirectTo).searchParams.get('code') ?? '';

/** A public client that another payer has consented to. */
export async function otherClient(): Promise<string> {
  const clientId = await publicClient({ client_name: 'Thief' });
  await approve({ clientId, address: `0x${'22'.repeat(20)}` });
  return clientId;
}

export const revokeGrant = (code: string): Promise<void> =>
  insideRoot(async (tools) => {
    const [userId = '', grantId = ''] = code.split(':');
    const notices = createNotices(tools);
    await providerIn({ ...tools, rows: watchRootRows(tools.rows, notices) }).revokeGrant(grantId, userId);
    await notices.deliver((shard, waiting) => shardStub(shard).heed(waiting));
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
