import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import type { Account } from '../src/authorization/people/account.ts';
import { createAccounts } from '../src/authorization/people/accounts.ts';
import type { ClientDocument } from '../src/authorization/clients/client-document.ts';
import type { JwkSet } from '../src/authorization/service-accounts/client-assertion.ts';
import {
  type ClientNeed,
  createClientDirectory,
  type KeysNeed,
  createLentClients,
} from '../src/authorization/clients/clients.ts';
import { createClientAccess } from '../src/authorization/people/client-access.ts';
import { selectGrantableScopes } from '../src/authorization/oauth/scopes.ts';
import { createMachineGrants } from '../src/authorization/service-accounts/machine.ts';
import type { OperatorCommands } from '../src/authorization/operators/commands.ts';
import { createOperatorCommands } from '../src/authorization/operators/desk.ts';
import { type Protocol, createOAuthProtocol } from '../src/authorization/oauth/protocol.ts';
import { createOperatorAccess } from '../src/authorization/operators/named-operators.ts';
import { type OperatorAccounts, createOperatorAccounts } from '../src/authorization/operators/accounts.ts';
import { computeSecretEpoch } from '../src/authorization/operators/secret.ts';
import { createProvider, type OAuthProvider } from '../src/authorization/oauth/provider.ts';
import { type OperatorEpochs, createPeopleStore, type PeopleStore } from '../src/authorization/people/people.ts';
import { normaliseResource, getIssuer, PATHS, listResources } from '../src/authorization/oauth/resources.ts';
import { type SealingKey, createSealingKeyring } from '../src/authorization/oauth/sealing-keys.ts';
import { createSqlRows, type StoreTools, sweepRows } from '../src/authorization/oauth/rows.ts';
import type {
  AuthorizationStoreObject,
  TokenOutcome,
  TokenRequest,
} from '../src/authorization/oauth/store-protocol.ts';
import type { ValidToken } from '../src/authorization/oauth/tokens.ts';

export type AuthorizationEnv = {
  BASE_URL: string;
  WEBHOOK_URL?: string;
  CONTROL_URL?: string;
  OPERATOR_SECRET?: string;
};

type StoreObject = AuthorizationStoreObject & PeopleStore;

/** Expired rows are deleted this often, and sooner again when there were more than one sweep takes. */
const SWEEP_EVERY_MS = 3_600_000;
const SWEEP_AGAIN_MS = 1_000;
const SWEEP_LIMIT = 5_000;

const getNowMs = (): number => Date.now();

/**
 * The one store of the authorization server: clients, grants, tokens, sessions. Each operation that writes runs alone,
 * so that a code is redeemed once and a refresh token rotates once, however many ask at the same time.
 */
export class AuthorizationStore extends DurableObject<AuthorizationEnv> implements StoreObject {
  readonly #tools: StoreTools;
  readonly #sealingKeys: () => readonly SealingKey[];
  readonly #provider: OAuthProvider;
  readonly #protocol: Protocol;
  readonly #operator: OperatorCommands;
  readonly #operators: OperatorAccounts;
  readonly #people: PeopleStore & OperatorEpochs;

  constructor(ctx: DurableObjectState, env: AuthorizationEnv) {
    super(ctx, env);
    const issuer = getIssuer(env.BASE_URL);
    const { BASE_URL: baseUrl, WEBHOOK_URL: webhookUrl, CONTROL_URL: controlUrl } = env;
    const resources = listResources({ baseUrl, webhookUrl, controlUrl });
    this.#tools = {
      rows: createSqlRows(ctx.storage.sql, getNowMs),
      now: getNowMs,
      random: generateRandomHex,
    };
    this.#sealingKeys = createSealingKeyring(this.#tools);
    const lent = createLentClients();
    this.#provider = createProvider({
      issuer,
      resources,
      tools: this.#tools,
      lent,
      grantable: (userId, clientId, scopes) => this.#grantable(userId, clientId, scopes),
      onRefusal: (refusal) => console.log(JSON.stringify({ event: 'oauth_refused', ...refusal })),
    });
    const machine = createMachineGrants(this.#tools, {
      issuer,
      tokenEndpoint: `${issuer}${PATHS.token}`,
      resources,
      control: controlUrl ? normaliseResource(controlUrl) : undefined,
      otherAudiences: this.otherAudiences,
    });
    this.#protocol = createOAuthProtocol({ tools: this.#tools, provider: this.#provider, machine, issuer });
    this.#operators = createOperatorAccounts({
      tools: this.#tools,
      accounts: createAccounts(this.#tools),
      revokeAll: createClientAccess(this.#provider).revokeAll,
      log: (line) => console.log(JSON.stringify(line)),
    });
    this.#operator = createOperatorCommands({
      tools: this.#tools,
      machine,
      provider: this.#provider,
      registered: this.#protocol.clients,
      operators: this.#operators,
    });
    this.#people = createPeopleStore({
      tools: this.#tools,
      accounts: createAccounts(this.#tools),
      provider: this.#provider,
      clients: this.#protocol.clients,
      lent,
      issuer,
      grantable: (accountId, clientId, scopes) => this.#grantable(accountId, clientId, scopes),
    });
    void ctx.blockConcurrencyWhile(async () => {
      await this.#people.adoptOperatorEpoch(await computeSecretEpoch(env.OPERATOR_SECRET));
      if ((await ctx.storage.getAlarm()) === null) await ctx.storage.setAlarm(Date.now() + SWEEP_EVERY_MS);
    });
  }

  /** Audiences of service-account assertions besides our own; the local stack's object has some (rule A2). */
  protected get otherAudiences(): readonly string[] {
    return [];
  }

  async validate(token: string, resource: string): Promise<ValidToken | null> {
    return this.#protocol.validate(token, resource);
  }

  async token(request: TokenRequest): Promise<TokenOutcome> {
    return this.#alone(() => this.#protocol.token(request));
  }

  async sealingKeys(): Promise<readonly SealingKey[]> {
    return this.#sealingKeys();
  }

  async clientNeed(clientId: string, caller: string): Promise<ClientNeed> {
    return this.#protocol.clients.need(clientId, caller);
  }

  async putClientDocument(document: ClientDocument): Promise<void> {
    this.#protocol.clients.renewDocument(document);
  }

  async keysNeed(jwksUri: string): Promise<KeysNeed> {
    return this.#protocol.clients.keysNeed(jwksUri);
  }

  async keysFailed(jwksUri: string): Promise<void> {
    this.#protocol.clients.keysFailed(jwksUri);
  }

  async putClientKeys(clientId: string, jwks: JwkSet, expiresAtMs: number): Promise<void> {
    this.#protocol.clients.putKeys(clientId, jwks, expiresAtMs);
  }

  async payerAccount(address: string): Promise<Account> {
    return createAccounts(this.#tools).payer(address);
  }

  async operate(...args: Parameters<OperatorCommands>): ReturnType<OperatorCommands> {
    return this.#alone(() => this.#operator(...args));
  }

  async directoryUserGone(directoryUserId: string): ReturnType<OperatorAccounts['directoryUserGone']> {
    return this.#alone(() => this.#operators.directoryUserGone(directoryUserId));
  }

  // People: sign-in, consent, the account page.
  async takeNonce(...args: Parameters<PeopleStore['takeNonce']>): ReturnType<PeopleStore['takeNonce']> {
    return this.#alone(() => this.#people.takeNonce(...args));
  }

  async mayAskContract(...args: Parameters<PeopleStore['mayAskContract']>): ReturnType<PeopleStore['mayAskContract']> {
    return this.#alone(() => this.#people.mayAskContract(...args));
  }

  async signInPayer(...args: Parameters<PeopleStore['signInPayer']>): ReturnType<PeopleStore['signInPayer']> {
    return this.#alone(() => this.#people.signInPayer(...args));
  }

  async signInOperator(...args: Parameters<PeopleStore['signInOperator']>): ReturnType<PeopleStore['signInOperator']> {
    return this.#alone(() => this.#people.signInOperator(...args));
  }

  async hasNamedOperators(): Promise<boolean> {
    return this.#people.hasNamedOperators();
  }

  async session(...args: Parameters<PeopleStore['session']>): ReturnType<PeopleStore['session']> {
    return this.#people.session(...args);
  }

  async signOut(...args: Parameters<PeopleStore['signOut']>): ReturnType<PeopleStore['signOut']> {
    return this.#alone(() => this.#people.signOut(...args));
  }

  async signInConsole(...args: Parameters<PeopleStore['signInConsole']>): ReturnType<PeopleStore['signInConsole']> {
    return this.#alone(() => this.#people.signInConsole(...args));
  }

  async consoleSession(...args: Parameters<PeopleStore['consoleSession']>): ReturnType<PeopleStore['consoleSession']> {
    return this.#people.consoleSession(...args);
  }

  async signOutConsole(...args: Parameters<PeopleStore['signOutConsole']>): ReturnType<PeopleStore['signOutConsole']> {
    return this.#alone(() => this.#people.signOutConsole(...args));
  }

  async authorize(...args: Parameters<PeopleStore['authorize']>): ReturnType<PeopleStore['authorize']> {
    return this.#alone(() => this.#people.authorize(...args));
  }

  async decideConsent(...args: Parameters<PeopleStore['decideConsent']>): ReturnType<PeopleStore['decideConsent']> {
    return this.#alone(() => this.#people.decideConsent(...args));
  }

  async clientAccess(...args: Parameters<PeopleStore['clientAccess']>): ReturnType<PeopleStore['clientAccess']> {
    return this.#people.clientAccess(...args);
  }

  async revokeAccess(...args: Parameters<PeopleStore['revokeAccess']>): ReturnType<PeopleStore['revokeAccess']> {
    return this.#alone(() => this.#people.revokeAccess(...args));
  }

  override async alarm(): Promise<void> {
    const swept = sweepRows(this.ctx.storage.sql, Date.now(), SWEEP_LIMIT);
    await this.ctx.storage.setAlarm(Date.now() + (swept === SWEEP_LIMIT ? SWEEP_AGAIN_MS : SWEEP_EVERY_MS));
  }

  #grantable(userId: string, clientId: string, scopes: readonly string[]): readonly string[] {
    const accounts = createAccounts(this.#tools);
    const account = accounts.byId(userId);
    if (account === undefined) return [];
    if (account.kind === 'operator' && createOperatorAccess(this.#tools).epochOf(userId) === undefined) return [];
    return selectGrantableScopes(
      { account, grants: accounts.grants(userId) },
      createClientDirectory(this.#tools).classOf(clientId),
      scopes,
    );
  }

  /** Runs a task while no other call of the object runs. A throw reaches the caller and does not reset the object. */
  async #alone<T>(task: () => Promise<T>): Promise<T> {
    const outcome = await this.ctx.blockConcurrencyWhile(async () => {
      try {
        return { ok: true as const, value: await task() };
      } catch (error) {
        return { ok: false as const, error };
      }
    });
    if (outcome.ok) return outcome.value;
    throw outcome.error;
  }
}
