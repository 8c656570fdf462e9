import type { Rows } from '../oauth/rows.ts';
import type { Account } from './account.ts';

/** How a person can sign in to an account. `id` distinguishes it from all others of its kind, of every account. */
export type SignInWay = WalletWay | EmailWay | PasskeyWay;
/** `id`: the address, in lower case. */
export type WalletWay = { kind: 'wallet'; id: string; addedAtMs: number };
/** `id`: the hash of the address, which is what rows are found by. */
export type EmailWay = { kind: 'email'; id: string; email: string; addedAtMs: number };
/** `id`: of the credential, and `publicKey` its key in COSE form, both in base64url. `label`: the person's own word for it. */
export type PasskeyWay = {
  kind: 'passkey';
  id: string;
  publicKey: string;
  /** How often it signed, as its authenticator says; 0 always for those that do not count. */
  counter: number;
  transports: readonly string[];
  /** Whether it is stored beyond one device. */
  isSynced: boolean;
  label: string;
  addedAtMs: number;
  usedAtMs?: number;
};

export type WayKind = SignInWay['kind'];
export type WayName = Pick<SignInWay, 'kind' | 'id'>;

/** Ways of one account. */
export const MAX_WAYS = 20;

/** What of an account names its owner to people. Of a payer whose account was deleted, nothing. */
export type AccountIdentity = {
  /** Of its wallets, the oldest first. */
  addresses: readonly string[];
  /** The e-mail address that was added first. */
  email?: string;
};

const WAYS = 'own:account-ways:';

export const formatWaysRowKey = (accountId: string): string => `${WAYS}${accountId}`;

/** How a row names the account that a way opens. Wallets are as in stores of before there were other ways. */
export const formatWayName = ({ kind, id }: WayName): string => `${kind === 'wallet' ? 'payer' : kind}:${id}`;

export const isSameWay = (one: WayName, other: WayName): boolean => one.kind === other.kind && one.id === other.id;

/** The ways of an account. An account without a row of ways is that of one wallet, as all were at first. */
export function readWays(rows: Pick<Rows, 'get'>, account: Account): readonly SignInWay[] {
  return rows.get<SignInWay[]>(formatWaysRowKey(account.id)) ?? listFirstWay(account);
}

const listFirstWay = ({ address, createdAtMs }: Account): readonly SignInWay[] =>
  address === undefined ? [] : [{ kind: 'wallet', id: address, addedAtMs: createdAtMs }];

/** Writes the ways of an account, where its own row does not say them all. */
export function writeWays(
  rows: Rows,
  account: Account,
  ways: readonly SignInWay[],
  endsAtMs: number | undefined,
): void {
  const key = formatWaysRowKey(account.id);
  if (JSON.stringify(ways) === JSON.stringify(listFirstWay(account))) rows.delete(key);
  else rows.put(key, ways, endsAtMs);
}

/** The account with the address of its first wallet, which names it wherever one address does. */
export function setFirstAddress({ address: _before, ...account }: Account, ways: readonly SignInWay[]): Account {
  const wallet = ways.find(({ kind }) => kind === 'wallet');
  return wallet === undefined ? account : { ...account, address: wallet.id };
}

export function identifyWays(ways: readonly SignInWay[]): AccountIdentity {
  const email = ways.find((way) => way.kind === 'email')?.email;
  const addresses = ways.filter(({ kind }) => kind === 'wallet').map(({ id }) => id);
  return { addresses, ...(email === undefined ? {} : { email }) };
}
