import { DAY_MS } from '../../lib/time.ts';
import { canSubjectHold } from '../oauth/scopes.ts';
import type { StoreTools } from '../oauth/rows.ts';
import type { Account, AccountGrant, AccountKind } from './account.ts';
import { createAccountRows, formatAccountNameKey, formatAccountRowKey } from './account-rows.ts';
import { createAccountWays } from './account-ways.ts';
import { type AccountIdentity, identifyWays, type SignInWay } from './ways.ts';

const GRANTS = 'own:account-grants:';
const ROOT = 'operator';
/** An account that did nothing but sign in is forgotten after this: anyone can sign in with a new key. */
const VISITOR_MS = 30 * DAY_MS;
/** Grants of one account. */
const MAX_GRANTS = 100;

const formatGrantsKey = (id: string): string => `${GRANTS}${id}`;

/** The keys of the rows that say who an account is, what it may do, and which account is the root operator's. */
export const listAccountRowKeys = (id: string): readonly string[] => [
  formatAccountRowKey(id),
  formatGrantsKey(id),
  formatAccountNameKey(ROOT),
];

export type Accounts = ReturnType<typeof createAccounts>;

/** Accounts and their grants. Payers have the payer scopes by being payers and an empty grant table. */
export function createAccounts(tools: StoreTools) {
  const { rows, now } = tools;
  const stored = createAccountRows(tools);
  const { open, dropNames, ...ways } = createAccountWays(tools, stored);
  const create = (kind: AccountKind, name: string): Account => {
    const account = stored.make(kind);
    rows.put(formatAccountRowKey(account.id), account);
    rows.put(formatAccountNameKey(name), account.id);
    return account;
  };
  const wallet = (address: string): SignInWay => ({ kind: 'wallet', id: address.toLowerCase(), addedAtMs: now() });
  const grants = (id: string): readonly AccountGrant[] => rows.get<AccountGrant[]>(formatGrantsKey(id)) ?? [];
  return {
    ...ways,
    /** The account of an Ethereum address that pays, made when it is new and kept for good. Letter case does not matter. */
    payer: (address: string): Account => open(wallet(address)),
    /** The same account for someone who signs in: kept 30 days from now, unless it is kept for good already. */
    visitor: (address: string): Account => open(wallet(address), now() + VISITOR_MS),
    /** The account of any way, for someone who has just proven it. */
    enter: (way: SignInWay): Account => open(way, now() + VISITOR_MS),
    /** What names a payer's account to people, with the address of its first wallet. */
    identify: (id: string): AccountIdentity & { address?: string } => {
      const identity = identifyWays(ways.ways(id));
      const [address] = identity.addresses;
      return { ...identity, ...(address === undefined ? {} : { address }) };
    },
    /** Keeps a payer's account for good: it bought something, or granted a client access. False where no one can open it. */
    keep: (id: string): boolean => {
      const account = stored.byId(id);
      if (account?.kind !== 'payer' || ways.ways(id).length === 0) return false;
      stored.prolong(account);
      return true;
    },
    /**
     * Lets go of a payer's account: what names its owner goes at once. Its number ends by itself after 40 days, unless one
     * of its wallets comes back before. One that was removed earlier does not open it again.
     */
    letGo: (id: string): void => {
      const account = stored.byId(id);
      if (account?.kind !== 'payer') return;
      dropNames(account);
      rows.delete(formatGrantsKey(id));
    },
    /** The account of anyone who knows the operator secret; as every operator's, it may be given every scope. */
    operator: (): Account => stored.byName(ROOT) ?? create('operator', ROOT),
    isRootOperator: (id: string): boolean => rows.get<string>(formatAccountNameKey(ROOT)) === id,
    /** A new account for an operator with a secret of their own. */
    namedOperator: (name: string): Account => create('operator', `operator:${name}`),
    /** A new account for a service; what it may do is up to `setGrants`. */
    service: (name: string): Account => create('service', `service:${name}`),
    byId: stored.byId,
    grants,
    setGrants: (id: string, given: readonly AccountGrant[]): void => {
      if (given.length > MAX_GRANTS) throw new RangeError(`an account has at most ${MAX_GRANTS} grants`);
      rows.put(formatGrantsKey(id), given);
    },
    remove: (name: string): void => {
      const id = rows.get<string>(formatAccountNameKey(name));
      if (id === undefined) return;
      for (const key of [formatAccountRowKey(id), formatGrantsKey(id), formatAccountNameKey(name)]) rows.delete(key);
    },
    /**
     * Whether an account may be given a scope at all: payers the payer scopes, operators every known scope, service
     * accounts what is in their grant table. What the client may ask for is judged besides.
     */
    mayHold: (account: Account, scope: string): boolean =>
      canSubjectHold({ account, grants: grants(account.id) }, scope),
  };
}
