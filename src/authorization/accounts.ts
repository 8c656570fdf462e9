import { subjectMayHold } from './grantable-scopes.ts';
import type { StoreTools } from './rows.ts';

/** Who can hold tokens: somebody who pays, the operator, or a service account the operator made. */
export type AccountKind = 'payer' | 'operator' | 'service';

/** `id` is 128 random bits: tokens carry it in the clear, so it says nothing about anybody. `address` is lower case. */
export type Account = { id: string; kind: AccountKind; address?: string; createdAtMs: number };

/** One line of the grant table (rule A1): a scope that an account may be given, for one tenant or (`*`) any. */
export type AccountGrant = { scope: string; tenant: string };

const ACCOUNT = 'own:account:';
const BY_NAME = 'own:account-name:';
const GRANTS = 'own:account-grants:';
const ID_BYTES = 16;
/** Grants of one account. */
const MAX_GRANTS = 100;

export type Accounts = ReturnType<typeof accountsOf>;

/** Accounts and their grants. Payers have the payer scopes by being payers and an empty grant table. */
export function accountsOf({ rows, now, random }: StoreTools) {
  const create = (kind: AccountKind, name: string, address?: string): Account => {
    const account: Account = { id: random(ID_BYTES), kind, createdAtMs: now(), ...(address ? { address } : {}) };
    rows.put(`${ACCOUNT}${account.id}`, account);
    rows.put(`${BY_NAME}${name}`, account.id);
    return account;
  };
  const byName = (name: string): Account | undefined => {
    const id = rows.get<string>(`${BY_NAME}${name}`);
    return id === undefined ? undefined : rows.get<Account>(`${ACCOUNT}${id}`);
  };
  const grants = (id: string): readonly AccountGrant[] => rows.get<AccountGrant[]>(`${GRANTS}${id}`) ?? [];
  return {
    /** The account of an Ethereum address, made when it is new. Letter case does not matter. */
    payer: (address: string): Account => {
      const lower = address.toLowerCase();
      return byName(`payer:${lower}`) ?? create('payer', `payer:${lower}`, lower);
    },
    /** The operator's account; it may be given every scope of its class. */
    operator: (): Account => byName('operator') ?? create('operator', 'operator'),
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
     * Whether an account may be given a scope at all: payers the payer scopes, the operator every known scope, service
     * accounts what stands in their grant table. What the client may ask for is judged besides.
     */
    mayHold: (account: Account, scope: string): boolean =>
      subjectMayHold({ account, grants: grants(account.id) }, scope),
  };
}
