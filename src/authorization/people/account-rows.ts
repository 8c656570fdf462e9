import type { Rows, StoreTools } from '../oauth/rows.ts';
import type { Account, AccountKind } from './account.ts';
import {
  formatWayName,
  isSameWay,
  setFirstAddress,
  readWays,
  type SignInWay,
  type WayName,
  writeWays,
} from './ways.ts';

const ACCOUNT = 'own:account:';
const BY_NAME = 'own:account-name:';
/** Where the account ids of payers are, by address. */
export const PAYER_NAME_ROWS = `${BY_NAME}payer:`;
const ID_BYTES = 16;

export const formatAccountRowKey = (id: string): string => `${ACCOUNT}${id}`;
export const formatAccountNameKey = (name: string): string => `${BY_NAME}${name}`;

export type AccountRows = ReturnType<typeof createAccountRows>;

/** Rows of accounts: each by its id, and its id by each way that opens it. `endsAtMs`: when it is forgotten; absent for never. */
export function createAccountRows({ rows, now, random }: StoreTools) {
  const byId = (id: string): Account | undefined => rows.get<Account>(formatAccountRowKey(id));
  /** When an account is forgotten; null for never. */
  const endOf = (id: string): number | null | undefined => rows.list(formatAccountRowKey(id), 1)[0]?.expiresAtMs;
  const save = (account: Account, ways: readonly SignInWay[], endsAtMs?: number): Account => {
    const named = setFirstAddress(account, ways);
    rows.put(formatAccountRowKey(account.id), named, endsAtMs);
    writeWays(rows, named, ways, endsAtMs);
    for (const way of ways) rows.put(formatAccountNameKey(formatWayName(way)), account.id, endsAtMs);
    return named;
  };
  return {
    make: (kind: AccountKind): Account => ({ id: random(ID_BYTES), kind, createdAtMs: now() }),
    byId,
    byName: (name: string): Account | undefined => {
      const id = rows.get<string>(formatAccountNameKey(name));
      return id === undefined ? undefined : byId(id);
    },
    save,
    /** Writes other ways, with the end that the account has. */
    rewrite: (account: Account, ways: readonly SignInWay[]): Account =>
      save(account, ways, endOf(account.id) ?? undefined),
    /** Has an account last until then at least; one that is stored for good stays so. */
    prolong: (account: Account, endsAtMs?: number): Account => {
      const endMs = endOf(account.id);
      if (endMs === null) return account;
      const latestMs = endsAtMs === undefined ? undefined : Math.max(endsAtMs, endMs ?? 0);
      return save(account, readWays(rows, account), latestMs);
    },
  };
}

/** Whether an account is opened by a way now. */
export const hasWay = (rows: Pick<Rows, 'get'>, account: Account, way: WayName): boolean =>
  readWays(rows, account).some((one) => isSameWay(one, way));
