import { formatGrantRowKey } from '../oauth/kv-facade.ts';
import type { Rows } from '../oauth/rows.ts';

/** A client that has lost its last grant of an account: what it reserved of the credits is free again (rule A5). */
export type EndedAccess = { accountId: string; clientId: string };

type LibraryGrant = { value: string };

/** Grants of one account that are looked at. */
const MAX_GRANTS = 1_000;
/** Parameters that can name a grant: codes and tokens of the provider library are `account:grant:secret`. */
const NAMES = ['token', 'refresh_token', 'code'];

/**
 * Looks at the grant that a token request names, before the request is carried out; the returned function says
 * afterwards whether that grant ended, by revocation (RFC 7009) or for reuse, and with it the client's access.
 */
export function watchAccess(rows: Rows, form: URLSearchParams): () => EndedAccess | undefined {
  const { accountId, key } = parseNamedGrant(form);
  const clientId = readGrantClient(rows.get<LibraryGrant>(key));
  return () => {
    if (clientId === undefined || rows.get(key) !== undefined) return undefined;
    const others = rows.list<LibraryGrant>(formatGrantRowKey(accountId, ''), MAX_GRANTS);
    return others.some(({ value }) => readGrantClient(value) === clientId) ? undefined : { accountId, clientId };
  };
}

/** The client of the living grant that a token request names; undefined when it names none. */
export const findGrantClient = (rows: Rows, form: URLSearchParams): string | undefined =>
  readGrantClient(rows.get<LibraryGrant>(parseNamedGrant(form).key));

function parseNamedGrant(form: URLSearchParams): { accountId: string; key: string } {
  const [accountId = '', grantId = ''] = (NAMES.map((name) => form.get(name)).find(Boolean) ?? '').split(':');
  return { accountId, key: formatGrantRowKey(accountId, grantId) };
}

/** The client of a grant row, as the library writes it. */
const readGrantClient = (grant: LibraryGrant | undefined): string | undefined =>
  grant && (JSON.parse(grant.value) as { clientId: string }).clientId;
