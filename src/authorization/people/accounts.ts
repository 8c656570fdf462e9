import { DAY_MS } from '../../lib/time.ts';
import { canSubjectHold } from '../oauth/scopes.ts';
import type { Rows, StoreTools } from '../oauth/rows.ts';
import type { Account, AccountGrant, AccountKind } from './account.ts';

const ACCOUNT = 'own:account:';
const BY_NAME = 'own:account-name:';
/** Where the account ids of payers are, by address. */
export const PAYER_NAME_ROWS = `${BY_NAME}payer:`;
const GRANTS = 'own:account-grants:';
const ROOT = 'operator';
const ID_BYTES = 16;
/** An account that did nothing but sign in is forgotten after this: anyone can sign in with a new key. */
const VISITOR_MS = 30 * DAY_MS;
/**
 * The number of a deleted account stays with its address for this long: what the ledger knows of a payment for credits is
 * gone by then, so that it can never be credited again, to a new account.
 */
const DELETED_MS = 40 * DAY_MS;
/** Grants of one account. */
const MAX_GRANTS = 100;

export const formatAccountRowKey = (id: string): string => `${ACCOUNT}${id}`;

/** The keys of the rows that say who an account is, what it may do, and which account is the root operator's. */
export const listAccountRowKeys = (id: string): readonly string[] => [
  `${ACCOUNT}${id}`,
  `${GRANTS}${id}`,
  `${BY_NAME}${ROOT}`,
];

export type Accounts = ReturnType<typeof createAccounts>;

/** @param endsAtMs when it is forgotten; absent for never */
function saveAccount(rows: Rows, account: Account, name: string, endsAtMs: number | undefined): Account {
  rows.put(`${ACCOUNT}${account.id}`, account, endsAtMs);
  rows.put(`${BY_NAME}${name}`, account.id, endsAtMs);
  return account;
}

/** Accounts and their grants. Payers have the payer scopes by being payers and an empty grant table. */
export function createAccounts({ rows, now, random }: StoreTools) {
  const save = (account: Account, name: string, endsAtMs?: number): Account =>
    saveAccount(rows, account, name, endsAtMs);
  const make = (kind: AccountKind, address?: string): Account => {
    const made = { id: random(ID_BYTES), kind, createdAtMs: now() };
    return address ? { ...made, address } : made;
  };
  const create = (kind: AccountKind, name: string): Account => save(make(kind), name);
  const payerName = (address: string): string => `payer:${address}`;
  /** The account of an address, made when it is new; one that was kept for good stays so. */
  const payerUntil = (address: string, endsAtMs?: number): Account => {
    const lower = address.toLowerCase();
    const name = payerName(lower);
    const known = byName(name);
    const knownEndMs = known && endOf(known.id);
    if (known !== undefined && knownEndMs === null) return known;
    const latestMs = endsAtMs === undefined ? undefined : Math.max(endsAtMs, knownEndMs ?? 0);
    return save(known ?? make('payer', lower), name, latestMs);
  };
  /** When an account is forgotten; null for never. */
  const endOf = (id: string): number | null | undefined => rows.list(`${ACCOUNT}${id}`, 1)[0]?.expiresAtMs;
  const byName = (name: string): Account | undefined => {
    const id = rows.get<string>(`${BY_NAME}${name}`);
    return id === undefined ? undefined : rows.get<Account>(`${ACCOUNT}${id}`);
  };
  const grants = (id: string): readonly AccountGrant[] => rows.get<AccountGrant[]>(`${GRANTS}${id}`) ?? [];
  return {
    /** The account of an Ethereum address that pays, made when it is new and kept for good. Letter case does not matter. */
    payer: (address: string): Account => payerUntil(address),
    /** The same account for someone who signs in: kept 30 days from now, unless it is kept for good already. */
    visitor: (address: string): Account => payerUntil(address, now() + VISITOR_MS),
    /** Keeps a payer's account for good: it has granted a client access. */
    keep: (id: string): void => {
      const { address } = rows.get<Account>(`${ACCOUNT}${id}`) ?? {};
      if (address !== undefined) payerUntil(address);
    },
    /** Lets go of a payer's account: it ends by itself after 40 days, unless its address comes back before. */
    letGo: (id: string): void => {
      const account = rows.get<Account>(`${ACCOUNT}${id}`);
      if (account?.kind !== 'payer' || account.address === undefined) return;
      save(account, payerName(account.address), now() + DELETED_MS);
      rows.delete(`${GRANTS}${id}`);
    },
    /** The account of anyone who knows the operator secret; as every operator's, it may be given every scope. */
    operator: (): Account => byName(ROOT) ?? create('operator', ROOT),
    isRootOperator: (id: string): boolean => rows.get<string>(`${BY_NAME}${ROOT}`) === id,
    /** A new account for an operator with a secret of their own. */
    namedOperator: (name: string): Account => create('operator', `operator:${name}`),
    /** A new account for a service; what it may do is up to `setGrants`. */
    service: (name: string): Account => create('service', `service:${name}`),
    byId: (id: string): Account | undefined => rows.get<Account>(`${ACCOUNT}${id}`),
    grants,
    setGrants: (id: string, given: readonly AccountGrant[]): void => {
      if (given.length > MAX_GRANTS) throw new RangeError(`an account has at most ${MAX_GRANTS} grants`);
      rows.put(`${GRANTS}${id}`, given);
    },
    remove: (name: string): void => {
      const id = rows.get<string>(`${BY_NAME}${name}`);
      if (id === undefined) return;
      for (const key of [`${ACCOUNT}${id}`, `${GRANTS}${id}`, `${BY_NAME}${name}`]) rows.delete(key);
    },
    /**
     * Whether an account may be given a scope at all: payers the payer scopes, operators every known scope, service
     * accounts what is in their grant table. What the client may ask for is judged besides.
     */
    mayHold: (account: Account, scope: string): boolean =>
      canSubjectHold({ account, grants: grants(account.id) }, scope),
  };
}
