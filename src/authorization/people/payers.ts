import type { Rows } from '../oauth/rows.ts';
import { formatAccountRowKey, PAYER_NAME_ROWS } from './account-rows.ts';
import type { Account } from './account.ts';

/** Rows that one page looks at: most accounts of visitors are forgotten after a month, and are no payers. */
const LOOKED_AT = 500;

type PageAsked = { search: string; limit: number; after?: string };
/**
 * A page of accounts, or those of these addresses. `search`: the beginning of an address in lower case; '' for all.
 * `after`: the last address of the page before.
 */
export type PayersAsked = PageAsked | { addresses: readonly string[] };
/** `next` with fewer payers than asked for: so many rows were looked at, and further ones were not. */
export type PayersPage = { payers: Account[]; next?: string };

/** Accounts of payers that are stored for good, by address: they paid for credits, or gave a client access. */
export function listKeptPayers(rows: Pick<Rows, 'get' | 'list'>, asked: PayersAsked): PayersPage {
  if (!('addresses' in asked)) return listPage(rows, asked);
  return {
    payers: asked.addresses.flatMap((address) =>
      listPage(rows, { search: address, limit: 1 }).payers.filter((payer) => payer.address === address),
    ),
  };
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
