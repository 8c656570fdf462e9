import { DurableObject } from 'cloudflare:workers';
import { type AuthorizationParts, createAuthorizationParts } from './authorization-parts.ts';
import { generateRandomHex } from '../src/lib/digest.ts';
import type { Account, AccountStanding } from '../src/authorization/people/account.ts';
import { createAccounts } from '../src/authorization/people/accounts.ts';
import { readAccountStanding } from '../src/authorization/people/standing.ts';
import { listKeptPayers, type PayersAsked, type PayersPage } from '../src/authorization/people/payers.ts';
import { type ClientSurvey, surveyClients } from '../src/authorization/clients/survey.ts';
import { recordMachineUse } from '../src/authorization/service-accounts/last-uses.ts';
import type { ClientDocument } from '../src/authorization/clients/client-document.ts';
import type { JwkSet } from '../src/authorization/service-accounts/client-assertion.ts';
import type { ClientNeed, KeysNeed } from '../src/authorization/clients/clients.ts';
import { CONSENT_NOT_KEPT } from '../src/authorization/people/consent.ts';
import type { OperatorCommands } from '../src/authorization/operators/commands.ts';
import type { OperatorAccounts } from '../src/authorization/operators/accounts.ts';
import { computeSecretEpoch } from '../src/authorization/operators/secret.ts';
import type { PeopleStore } from '../src/authorization/people/people.ts';
import type { SealingKey } from '../src/authorization/oauth/sealing-keys.ts';
import { sweepRows } from '../src/authorization/oauth/rows.ts';
import type {
  AuthorizationStoreObject,
  TokenOutcome,
  TokenRequest,
} from '../src/authorization/oauth/store-protocol.ts';
import type { RootObject } from '../src/authorization/shards/root.ts';
import { createTokenRouter, isAboutSealedToken, type TokenRouter } from '../src/authorization/shards/router.ts';
import { getShardName, hasSeal, isShardName, readSeal, sealToken } from '../src/authorization/shards/sealed-token.ts';
import type { ShardObject } from '../src/authorization/shards/shard.ts';
import type { ValidToken } from '../src/authorization/oauth/tokens.ts';

export type AuthorizationEnv = {
  BASE_URL: string;
  WEBHOOK_URL?: string;
  CONTROL_URL?: string;
  OPERATOR_SECRET?: string;
  AUTHORIZATION_STORE: DurableObjectNamespace<AuthorizationStore>;
};

type StoreObject = AuthorizationStoreObject & PeopleStore & RootObject & ShardObject;

/** Expired rows are deleted this often, and sooner again when there were more than one sweep takes. */
const SWEEP_EVERY_MS = 3_600_000;
const SWEEP_AGAIN_MS = 1_000;
const SWEEP_LIMIT = 5_000;
/** A shard that did not confirm a notice is asked again after this. */
const NOTICES_AGAIN_MS = 5_000;

/**
 * The store of the authorization server. The root, the object of this class that was there first, has accounts, clients,
 * consents and sessions; the shards have grants and tokens. Each operation that writes runs alone in its object, so that
 * a code is redeemed once and a refresh token rotates once, however many ask at the same time.
 */
export class AuthorizationStore extends DurableObject<AuthorizationEnv> implements StoreObject {
  readonly #parts: AuthorizationParts;
  /** For a caller that asks the root about what a shard holds. */
  readonly #router: TokenRouter;

  constructor(ctx: DurableObjectState, env: AuthorizationEnv) {
    super(ctx, env);
    const { otherAudiences } = this;
    const getShard = (shard: number): ShardObject => this.#getShard(shard);
    this.#parts = createAuthorizationParts({ sql: ctx.storage.sql, addresses: env, otherAudiences, getShard });
    this.#router = createTokenRouter({
      root: this,
      shardOf: getShard,
      open: readSeal,
      seal: (text, shard) => sealToken(text, shard, this.#parts.root.tokenKeys().keys, Date.now()),
      random: generateRandomHex,
      mayBeOld: () => true,
    });
    void ctx.blockConcurrencyWhile(async () => {
      const { people, notices } = this.#parts;
      if (!isShardName(ctx.id.name)) await people.adoptOperatorEpoch(await computeSecretEpoch(env.OPERATOR_SECRET));
      if (notices.isWaiting()) await ctx.storage.setAlarm(Date.now() + NOTICES_AGAIN_MS);
      else if ((await ctx.storage.getAlarm()) === null) await ctx.storage.setAlarm(Date.now() + SWEEP_EVERY_MS);
    });
  }

  /** Audiences of service-account assertions besides our own; the local stack's object has some (rule A2). */
  protected get otherAudiences(): readonly string[] {
    return [];
  }

  /** Workers ask the shard themselves; for a caller that asks the root, the root does. */
  async validate(token: string, resource: string): Promise<ValidToken | null> {
    return hasSeal(token) ? this.#router.validate(token, resource) : this.#parts.protocol.validate(token, resource);
  }

  async token(request: TokenRequest): Promise<TokenOutcome> {
    return isAboutSealedToken(request)
      ? this.#router.token(request)
      : this.#alone(() => this.#parts.protocol.token(request));
  }

  async sealingKeys(): Promise<readonly SealingKey[]> {
    return this.#parts.sealingKeys();
  }

  async tokenKeys(): ReturnType<RootObject['tokenKeys']> {
    return this.#parts.root.tokenKeys();
  }

  async readFacts(request: TokenRequest): ReturnType<RootObject['readFacts']> {
    return this.#parts.root.readFacts(request);
  }

  async forgetGrant(...args: Parameters<RootObject['forgetGrant']>): ReturnType<RootObject['forgetGrant']> {
    return this.#parts.root.forgetGrant(...args);
  }

  async confirmOperator(accountId: string, grantId: string): Promise<boolean> {
    return this.#parts.root.confirmOperator(accountId, grantId);
  }

  async renewClient(clientId: string): Promise<void> {
    this.#parts.root.renewClient(clientId);
  }

  // What a shard does.
  async adoptGrant(...args: Parameters<ShardObject['adoptGrant']>): Promise<void> {
    return this.#alone(() => this.#parts.shard.adoptGrant(...args));
  }

  async shardToken(...args: Parameters<ShardObject['shardToken']>): ReturnType<ShardObject['shardToken']> {
    return this.#alone(() => this.#parts.shard.shardToken(...args));
  }

  async shardAuthenticate(
    ...args: Parameters<ShardObject['shardAuthenticate']>
  ): ReturnType<ShardObject['shardAuthenticate']> {
    return this.#alone(() => this.#parts.shard.shardAuthenticate(...args));
  }

  async shardValidate(token: string, resource: string): Promise<ValidToken | null> {
    return this.#parts.shard.shardValidate(token, resource);
  }

  async heed(...args: Parameters<ShardObject['heed']>): Promise<void> {
    return this.#alone(() => this.#parts.shard.heed(...args));
  }

  async clientNeed(clientId: string, caller: string): Promise<ClientNeed> {
    return this.#parts.protocol.clients.need(clientId, caller);
  }

  async putClientDocument(document: ClientDocument): Promise<void> {
    this.#parts.protocol.clients.renewDocument(document);
  }

  async keysNeed(jwksUri: string): Promise<KeysNeed> {
    return this.#parts.protocol.clients.keysNeed(jwksUri);
  }

  async keysFailed(jwksUri: string): Promise<void> {
    this.#parts.protocol.clients.keysFailed(jwksUri);
  }

  async putClientKeys(clientId: string, jwks: JwkSet, expiresAtMs: number): Promise<void> {
    this.#parts.protocol.clients.putKeys(clientId, jwks, expiresAtMs);
  }

  async payerAccount(address: string): Promise<Account | undefined> {
    const accounts = createAccounts(this.#parts.tools);
    return accounts.isShutOut({ kind: 'wallet', id: address.toLowerCase() }) ? undefined : accounts.payer(address);
  }

  async accountStanding(accountId: string, clientId: string): Promise<AccountStanding> {
    return readAccountStanding(this.#parts.tools, accountId, clientId);
  }

  async operate(...args: Parameters<OperatorCommands>): ReturnType<OperatorCommands> {
    const { value, unreached } = await this.#decide(() => this.#parts.operator(...args));
    return value.ok && unreached > 0 ? { ...value, unreached } : value;
  }

  async operateConsole(...args: Parameters<OperatorCommands>): ReturnType<OperatorCommands> {
    const { value, unreached } = await this.#decide(() => this.#parts.consoleOperator(...args));
    return value.ok && unreached > 0 ? { ...value, unreached } : value;
  }

  async listRegisteredClients(after?: string): Promise<ClientSurvey> {
    return surveyClients(this.#parts.tools.rows, after);
  }

  async listPayers(asked: PayersAsked): Promise<PayersPage> {
    return listKeptPayers(this.#parts.tools.rows, asked);
  }

  async noteMachineUse(credential: string): Promise<void> {
    recordMachineUse(this.#parts.tools, credential);
  }

  /** @throws Error while a shard has not heard of it: the caller asks again, which is no harm */
  async directoryUserGone(directoryUserId: string): ReturnType<OperatorAccounts['directoryUserGone']> {
    const { value, unreached } = await this.#decide(() => this.#parts.operators.directoryUserGone(directoryUserId));
    if (unreached > 0) throw new Error(`${unreached} shards have not confirmed the end of an operator's access`);
    return value;
  }

  // People: sign-in, consent, the account page.
  async takeNonce(...args: Parameters<PeopleStore['takeNonce']>): ReturnType<PeopleStore['takeNonce']> {
    return this.#alone(() => this.#parts.people.takeNonce(...args));
  }

  async mayAskContract(...args: Parameters<PeopleStore['mayAskContract']>): ReturnType<PeopleStore['mayAskContract']> {
    return this.#alone(() => this.#parts.people.mayAskContract(...args));
  }

  async signInPayer(...args: Parameters<PeopleStore['signInPayer']>): ReturnType<PeopleStore['signInPayer']> {
    return this.#alone(() => this.#parts.people.signInPayer(...args));
  }

  async askEmailLink(...args: Parameters<PeopleStore['askEmailLink']>): ReturnType<PeopleStore['askEmailLink']> {
    return this.#alone(() => this.#parts.people.askEmailLink(...args));
  }

  async lookAtEmailLink(
    ...args: Parameters<PeopleStore['lookAtEmailLink']>
  ): ReturnType<PeopleStore['lookAtEmailLink']> {
    return this.#parts.people.lookAtEmailLink(...args);
  }

  async useEmailLink(...args: Parameters<PeopleStore['useEmailLink']>): ReturnType<PeopleStore['useEmailLink']> {
    return this.#alone(() => this.#parts.people.useEmailLink(...args));
  }

  async findPasskey(...args: Parameters<PeopleStore['findPasskey']>): ReturnType<PeopleStore['findPasskey']> {
    return this.#parts.people.findPasskey(...args);
  }

  async signInPasskey(...args: Parameters<PeopleStore['signInPasskey']>): ReturnType<PeopleStore['signInPasskey']> {
    return this.#alone(() => this.#parts.people.signInPasskey(...args));
  }

  async signUpPasskey(...args: Parameters<PeopleStore['signUpPasskey']>): ReturnType<PeopleStore['signUpPasskey']> {
    return this.#alone(() => this.#parts.people.signUpPasskey(...args));
  }

  async listWays(...args: Parameters<PeopleStore['listWays']>): ReturnType<PeopleStore['listWays']> {
    return this.#parts.people.listWays(...args);
  }

  async mayChangeWays(...args: Parameters<PeopleStore['mayChangeWays']>): ReturnType<PeopleStore['mayChangeWays']> {
    return this.#parts.people.mayChangeWays(...args);
  }

  async addWay(...args: Parameters<PeopleStore['addWay']>): ReturnType<PeopleStore['addWay']> {
    return this.#alone(() => this.#parts.people.addWay(...args));
  }

  async removeWay(...args: Parameters<PeopleStore['removeWay']>): ReturnType<PeopleStore['removeWay']> {
    return this.#alone(() => this.#parts.people.removeWay(...args));
  }

  async isWalletShutOut(
    ...args: Parameters<PeopleStore['isWalletShutOut']>
  ): ReturnType<PeopleStore['isWalletShutOut']> {
    return this.#parts.people.isWalletShutOut(...args);
  }

  async keepAccount(...args: Parameters<PeopleStore['keepAccount']>): ReturnType<PeopleStore['keepAccount']> {
    return this.#alone(() => this.#parts.people.keepAccount(...args));
  }

  async accountIdentity(
    ...args: Parameters<PeopleStore['accountIdentity']>
  ): ReturnType<PeopleStore['accountIdentity']> {
    return this.#parts.people.accountIdentity(...args);
  }

  async signInOperator(...args: Parameters<PeopleStore['signInOperator']>): ReturnType<PeopleStore['signInOperator']> {
    return this.#alone(() => this.#parts.people.signInOperator(...args));
  }

  async hasNamedOperators(): Promise<boolean> {
    return this.#parts.people.hasNamedOperators();
  }

  async session(...args: Parameters<PeopleStore['session']>): ReturnType<PeopleStore['session']> {
    return this.#parts.people.session(...args);
  }

  async signOut(...args: Parameters<PeopleStore['signOut']>): ReturnType<PeopleStore['signOut']> {
    return this.#alone(() => this.#parts.people.signOut(...args));
  }

  async signInConsole(...args: Parameters<PeopleStore['signInConsole']>): ReturnType<PeopleStore['signInConsole']> {
    return this.#alone(() => this.#parts.people.signInConsole(...args));
  }

  async consoleSession(...args: Parameters<PeopleStore['consoleSession']>): ReturnType<PeopleStore['consoleSession']> {
    return this.#parts.people.consoleSession(...args);
  }

  async signOutConsole(...args: Parameters<PeopleStore['signOutConsole']>): ReturnType<PeopleStore['signOutConsole']> {
    return this.#alone(() => this.#parts.people.signOutConsole(...args));
  }

  async authorize(...args: Parameters<PeopleStore['authorize']>): ReturnType<PeopleStore['authorize']> {
    return this.#alone(() => this.#parts.people.authorize(...args));
  }

  async decideConsent(...args: Parameters<PeopleStore['decideConsent']>): ReturnType<PeopleStore['decideConsent']> {
    const { value, unreached } = await this.#decide(() => this.#parts.people.decideConsent(...args));
    if (unreached === 0) return value;
    const placed = value.kind === 'redirect' ? value.placed : undefined;
    if (placed !== undefined) await this.#alone(async () => this.#parts.root.takeBack(placed));
    await this.ctx.storage.setAlarm(Date.now() + NOTICES_AGAIN_MS);
    return CONSENT_NOT_KEPT;
  }

  async clientAccess(...args: Parameters<PeopleStore['clientAccess']>): ReturnType<PeopleStore['clientAccess']> {
    return this.#parts.people.clientAccess(...args);
  }

  async revokeAccess(...args: Parameters<PeopleStore['revokeAccess']>): ReturnType<PeopleStore['revokeAccess']> {
    const { value, unreached } = await this.#decide(() => this.#parts.people.revokeAccess(...args));
    return value.ok && unreached > 0 ? { ...value, unreached } : value;
  }

  async revokeAllAccess(
    ...args: Parameters<PeopleStore['revokeAllAccess']>
  ): ReturnType<PeopleStore['revokeAllAccess']> {
    const { value, unreached } = await this.#decide(() => this.#parts.people.revokeAllAccess(...args));
    return value.ok && unreached > 0 ? { ...value, unreached } : value;
  }

  async signOutEverywhere(
    ...args: Parameters<PeopleStore['signOutEverywhere']>
  ): ReturnType<PeopleStore['signOutEverywhere']> {
    return this.#alone(() => this.#parts.people.signOutEverywhere(...args));
  }

  async deleteAccount(...args: Parameters<PeopleStore['deleteAccount']>): ReturnType<PeopleStore['deleteAccount']> {
    const { value, unreached } = await this.#decide(() => this.#parts.people.deleteAccount(...args));
    return value.ok && unreached > 0 ? { ...value, unreached } : value;
  }

  override async alarm(): Promise<void> {
    const swept = sweepRows(this.ctx.storage.sql, Date.now(), SWEEP_LIMIT);
    if (this.#parts.notices.isWaiting())
      await this.#parts.notices.deliver((shard, notices) => this.#getShard(shard).heed(notices));
    await this.#setNextAlarm(swept === SWEEP_LIMIT ? SWEEP_AGAIN_MS : SWEEP_EVERY_MS);
  }

  async #setNextAlarm(afterMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + (this.#parts.notices.isWaiting() ? NOTICES_AGAIN_MS : afterMs));
  }

  #getShard(shard: number): ShardObject {
    return this.env.AUTHORIZATION_STORE.getByName(getShardName(shard));
  }

  /**
   * Runs a task alone, then says to the shards what it ended. `unreached`: the shards that have not confirmed it,
   * whatever other decisions wait for; they are asked again until they do. While it runs alone, only a new grant waits for
   * a shard, and not for long. No shard asks the root.
   */
  async #decide<T>(task: () => Promise<T>): Promise<{ value: T; unreached: number }> {
    const { value, before, upTo } = await this.#alone(async () => {
      const number = this.#parts.notices.getNumber();
      return { before: number, value: await task(), upTo: this.#parts.notices.getNumber() };
    });
    if (!this.#parts.notices.isWaiting()) return { value, unreached: 0 };
    await this.ctx.storage.setAlarm(Date.now() + NOTICES_AGAIN_MS);
    await this.#parts.notices.deliver((shard, notices) => this.#getShard(shard).heed(notices));
    await this.#setNextAlarm(SWEEP_EVERY_MS);
    return { value, unreached: this.#parts.notices.countUnreached(before, upTo) };
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
