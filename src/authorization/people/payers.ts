import type { Rows } from '../oauth/rows.ts';
import { formatAccountNameKey, formatAccountRowKey, hasWay, PAYER_NAME_ROWS } from './account-rows.ts';
import type { Account } from './account.ts';
import { formatWayName, identifyWays, readWays, type WayKind } from './ways.ts';

/** Rows that one page looks at: most accounts of visitors are forgotten after a month, and are no payers. */
const LOOKED_AT = 500;

type PageAsked = { search: string; limit: number; after?: string };
/**
 * A page of accounts, or those of these addresses. `search`: the beginning of an address in lower case; '' for all.
 * `after`: the last address of the page before.
 */
export type PayersAsked =
  | PageAsked
  | { addresses: readonly string[] }
  /** One account, also of someone who only signed in: by its number, or by the hash of its e-mail address. */
  | { account: string }
  | { emailHash: string };
/** `email` and `ways` where one account was asked for. */
export type KnownPayer = Account & { email?: string; ways?: readonly WayKind[] };
/** `next` with fewer payers than asked for: so many rows were looked at, and further ones were not. */
export type PayersPage = { payers: KnownPayer[]; next?: string };

/** Accounts of payers: a page of those that are stored for good, by address, who paid for credits or gave a client access; or those that are named. */
export function listKeptPayers(rows: Pick<Rows, 'get' | 'list'>, asked: PayersAsked): PayersPage {
  if ('account' in asked) return { payers: findPayer(rows, asked.account) };
  if ('emailHash' in asked) return { payers: findByEmail(rows, asked.emailHash) };
  if (!('addresses' in asked)) return listPage(rows, asked);
  return {
    payers: asked.addresses.flatMap((address) =>
      listPage(rows, { search: address, limit: 1 }).payers.filter((payer) => payer.address === address),
    ),
  };
}

function findPayer(rows: Pick<Rows, 'get'>, id: string): KnownPayer[] {
  const account = rows.get<Account>(formatAccountRowKey(id));
  if (account?.kind !== 'payer') return [];
  const ways = readWays(rows, account);
  const { email } = identifyWays(ways);
  return [{ ...account, ...(email === undefined ? {} : { email }), ways: ways.map(({ kind }) => kind) }];
}

function findByEmail(rows: Pick<Rows, 'get'>, emailHash: string): KnownPayer[] {
  const way = { kind: 'email', id: emailHash } as const;
  const found = findPayer(rows, rows.get<string>(formatAccountNameKey(formatWayName(way))) ?? '');
  return found.filter((account) => hasWay(rows, account, way));
}

function listPage(rows: Pick<Rows, 'get' | 'list'>, { search, limit, after }: PageAsked): PayersPage {
  const found = rows.list<string>(
    PAYER_NAME_ROWS + search,
    LOOKED_AT,
    after === undefined ? undefined : PAYER_NAME_ROWS + after,
  );
  const payers: Account[] = [];
  for (const { key, value, expiresAtMs } of found) {
    if (expiresAtMs !== null) continue;
    const account = rows.get<Account>(formatAccountRowKey(value));
    if (account === undefined) continue;
    if (payers.length === limit) return { payers, next: payers.at(-1)?.address ?? key };
    // An account of several wallets is found by each.
    payers.push({ ...account, address: key.slice(PAYER_NAME_ROWS.length) });
  }
  const last = found.at(-1)?.key.slice(PAYER_NAME_ROWS.length);
  return found.length === LOOKED_AT && last !== undefined ? { payers, next: last } : { payers };
}
