import type { Rows } from './rows.ts';

/** How the provider library writes an entry: a time to live in seconds or a Unix time in seconds, and public metadata. */
type PutOptions = { expirationTtl?: number; expiration?: number; metadata?: unknown };
type ListOptions = { prefix?: string; limit?: number; cursor?: string };
type Entry = { value: string; metadata?: unknown };

/** Entries of one page, as Workers KV. */
const MAX_PAGE = 1000;
const KV = 'kv:';

/** Finds a client that no row keeps, by its id. */
type FindClient = (clientId: string) => object | undefined;

const CLIENT = 'client:';

/**
 * The part of a `KVNamespace` that `@cloudflare/workers-oauth-provider` uses, over strongly consistent rows: what is
 * written is read by the next call, and what is deleted is gone.
 * @param lent a client that is read before the rows are
 */
export function createKvFacade(rows: Rows, now: () => number, lent: FindClient = () => undefined) {
  const expiryOf = ({ expirationTtl, expiration }: PutOptions): number | undefined => {
    if (expirationTtl !== undefined) return now() + expirationTtl * 1000;
    return expiration === undefined ? undefined : expiration * 1000;
  };
  return {
    get: async (key: string, as?: 'text' | 'json' | { type?: 'text' | 'json' }): Promise<unknown> => {
      const client = key.startsWith(CLIENT) ? lent(key.slice(CLIENT.length)) : undefined;
      const entry = client === undefined ? rows.get<Entry>(KV + key) : buildClientRow(client);
      if (entry === undefined) return null;
      const type = typeof as === 'object' ? as.type : as;
      return type === 'json' ? (JSON.parse(entry.value) as unknown) : entry.value;
    },
    put: async (key: string, value: string, options: PutOptions = {}): Promise<void> => {
      const { metadata } = options;
      rows.put(KV + key, { value, ...(metadata === undefined ? {} : { metadata }) } satisfies Entry, expiryOf(options));
    },
    delete: async (key: string): Promise<void> => rows.delete(KV + key),
    list: async ({ prefix = '', limit = MAX_PAGE, cursor }: ListOptions = {}) => {
      const size = Math.min(Math.max(1, limit), MAX_PAGE);
      const found = rows.list<Entry>(KV + prefix, size + 1, cursor === undefined ? undefined : KV + cursor);
      const page = found.slice(0, size);
      const keys = page.map(({ key, value, expiresAtMs }) => ({
        name: key.slice(KV.length),
        ...(value.metadata === undefined ? {} : { metadata: value.metadata }),
        ...(expiresAtMs === null ? {} : { expiration: Math.floor(expiresAtMs / 1000) }),
      }));
      const last = keys.at(-1)?.name;
      return found.length > size && last !== undefined
        ? { keys, list_complete: false as const, cursor: last, cacheStatus: null }
        : { keys, list_complete: true as const, cacheStatus: null };
    },
  };
}

/** Where clients, grants and tokens of the provider library are. */
export const CLIENT_ROWS = `${KV}${CLIENT}`;
export const GRANT_ROWS = `${KV}grant:`;
export const TOKEN_ROWS = `${KV}token:`;

/** The key of a client row as the provider library names it: for rows that we write ourselves. */
export const formatClientRowKey = (clientId: string): string => `${CLIENT_ROWS}${clientId}`;
/** A client row as the library reads it. */
export const buildClientRow = (client: object): Entry => ({ value: JSON.stringify(client) });

/** The key of a grant row as the provider library names it. */
export const formatGrantRowKey = (userId: string, grantId: string): string => `${GRANT_ROWS}${userId}:${grantId}`;

/** A client that has lost its last grant of an account: what it reserved of the credits is free again (rule A5). */
export type EndedAccess = { accountId: string; clientId: string };

type LibraryGrant = { value: string };

/** Grants of one account that are looked at. */
const MAX_GRANTS_SEARCHED = 1_000;
/** Parameters that can name a grant: codes and tokens of the provider library are `account:grant:secret`. */
const TOKEN_NAMES = ['token', 'refresh_token', 'code'];

/**
 * Looks at the grant that a token request names, before the request is carried out; the returned function says
 * afterwards whether that grant ended, by revocation (RFC 7009) or for reuse, and with it the client's access.
 */
export function watchAccess(rows: Rows, form: URLSearchParams): () => EndedAccess | undefined {
  const { accountId, key } = parseNamedGrant(form);
  const clientId = readGrantClient(rows.get<LibraryGrant>(key));
  return () => {
    if (clientId === undefined || rows.get(key) !== undefined) return undefined;
    return findEndedAccess(rows, accountId, clientId);
  };
}

/** The access of a client whose grant has just ended, where it was its last one of the account. */
export function findEndedAccess(rows: Rows, accountId: string, clientId: string): EndedAccess | undefined {
  const others = rows.list<LibraryGrant>(formatGrantRowKey(accountId, ''), MAX_GRANTS_SEARCHED);
  return others.some(({ value }) => readGrantClient(value) === clientId) ? undefined : { accountId, clientId };
}

/** The client of the living grant that a token request names; undefined when it names none. */
export const findGrantClient = (rows: Rows, form: URLSearchParams): string | undefined =>
  readGrantClient(rows.get<LibraryGrant>(parseNamedGrant(form).key));

/** The account and the row of the grant that a token request names. */
export function parseNamedGrant(form: URLSearchParams): { accountId: string; grantId: string; key: string } {
  const [accountId = '', grantId = ''] = (TOKEN_NAMES.map((name) => form.get(name)).find(Boolean) ?? '').split(':');
  return { accountId, grantId, key: formatGrantRowKey(accountId, grantId) };
}

/** The client of a grant row, as the library writes it. */
const readGrantClient = (grant: LibraryGrant | undefined): string | undefined =>
  grant && (JSON.parse(grant.value) as { clientId: string }).clientId;
