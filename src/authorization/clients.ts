import type { ClientDocument, DocumentKeys } from './cimd.ts';
import { clientRow, clientRowKey } from './kv-facade.ts';
import { type RateVerdict, rateWindow } from './rate-window.ts';
import type { StoreTools } from './rows.ts';
import { unusedClientsOf } from './unused-clients.ts';

/** Who made a client: anyone (dynamic registration, metadata document) or the operator (rule A1). */
export type ClientClass = 'open' | 'operator';

/** What stands between a client id and its use. */
export type ClientNeed =
  | { kind: 'known' }
  | { kind: 'document' }
  | { kind: 'unknown' }
  | { kind: 'limited'; retryAfterS: number };

/** Whether the keys at a URL may be fetched now; `failed` when they could not be a moment ago. */
export type KeysNeed = { kind: 'fetch' } | { kind: 'failed' } | { kind: 'limited'; retryAfterS: number };

/** How a client with a metadata document proves itself at the token endpoint. */
export type DocumentAuthentication = { methods: readonly ('none' | 'private_key_jwt')[]; keys?: DocumentKeys };

const CLASS = 'own:client:class:';
const DOCUMENT = 'own:client:document:';
const KEYS = 'own:client:keys:';
const FETCHES = 'own:client:fetches:';
const ALL_FETCHES = 'own:client:all-fetches:';
const FAILED_KEYS = 'own:client:failed-keys:';
const HOUR_MS = 3_600_000;
/** A consent can take this long: a document that ends sooner is fetched anew before one starts. */
export const CONSENT_MS = 10 * 60_000;
/** Metadata documents and key sets that one caller can make us fetch in an hour, and all callers together (rule A8). */
const MAX_FETCHES = 60;
const MAX_ALL_FETCHES = 2_000;
/** Living metadata documents. */
const MAX_DOCUMENTS = 20_000;
/** A key set that could not be fetched is not asked for again this long. */
const FAILED_KEYS_MS = 60_000;
/** Longest client id that is looked at. */
export const MAX_CLIENT_ID_CHARS = 2_048;

type StoredDocument = { authentication: DocumentAuthentication; expiresAtMs: number };

export type Clients = ReturnType<typeof clientsOf>;

/** Clients as the protocol sees them, beside the rows of the provider library. */
export function clientsOf({ rows, now }: StoreTools) {
  const known = (clientId: string): boolean => rows.get(clientRowKey(clientId)) !== undefined;
  const fetches = rateWindow(rows, now, { prefix: FETCHES, max: MAX_FETCHES, windowMs: HOUR_MS });
  const allFetches = rateWindow(rows, now, { prefix: ALL_FETCHES, max: MAX_ALL_FETCHES, windowMs: HOUR_MS });
  const countFetch = (caller: string): RateVerdict => {
    const verdict = fetches.check(caller);
    if (!verdict.allowed) return verdict;
    const overall = allFetches.count('');
    return overall.allowed ? fetches.count(caller) : overall;
  };
  const isFull = (clientId: string): boolean =>
    rows.get(DOCUMENT + clientId) === undefined && rows.count(DOCUMENT) >= MAX_DOCUMENTS;
  return {
    ...unusedClientsOf({ rows, now }),
    known,
    /** The class of a client: `open` unless the operator made it. */
    classOf: (clientId: string): ClientClass => rows.get<ClientClass>(CLASS + clientId) ?? 'open',
    /** Says that the operator made this client. */
    markOperatorMade: (clientId: string): void => rows.put(CLASS + clientId, 'operator' satisfies ClientClass),
    need: (clientId: string, caller: string): ClientNeed => {
      if (clientId.length > MAX_CLIENT_ID_CHARS) return { kind: 'unknown' };
      const endsAtMs = rows.get<StoredDocument>(DOCUMENT + clientId)?.expiresAtMs ?? Infinity;
      if (known(clientId) && endsAtMs - now() >= CONSENT_MS) return { kind: 'known' };
      if (!isDocumentUrl(clientId)) return { kind: 'unknown' };
      const verdict = countFetch(caller);
      if (!verdict.allowed) return { kind: 'limited', retryAfterS: verdict.retryAfterS };
      return isFull(clientId) ? { kind: 'limited', retryAfterS: HOUR_MS / 1000 } : { kind: 'document' };
    },
    /** The same question about the keys at a `jwks_uri`. */
    keysNeed: (jwksUri: string, caller: string): KeysNeed => {
      if (rows.get(FAILED_KEYS + jwksUri) !== undefined) return { kind: 'failed' };
      const verdict = countFetch(caller);
      return verdict.allowed ? { kind: 'fetch' } : { kind: 'limited', retryAfterS: verdict.retryAfterS };
    },
    /** Remembers for a minute that keys could not be fetched. */
    keysFailed: (jwksUri: string): void => rows.put(FAILED_KEYS + jwksUri, true, now() + FAILED_KEYS_MS),
    putDocument: ({ client, authentication, expiresAtMs }: ClientDocument): void => {
      rows.put(clientRowKey(client.clientId), clientRow(client), expiresAtMs);
      rows.put(DOCUMENT + client.clientId, { authentication, expiresAtMs } satisfies StoredDocument, expiresAtMs);
    },
    /** How a client with a document authenticates; undefined for registered clients. */
    authentication: (clientId: string): DocumentAuthentication | undefined =>
      rows.get<StoredDocument>(DOCUMENT + clientId)?.authentication,
    putKeys: (clientId: string, jwks: JwkSet, expiresAtMs: number): void =>
      rows.put(KEYS + clientId, jwks, expiresAtMs),
    fetchedKeys: (clientId: string): JwkSet | undefined => rows.get<JwkSet>(KEYS + clientId),
  };
}

/** A JSON Web Key Set of public keys. */
export type JwkSet = { keys: readonly Record<string, unknown>[] };

/** Whether a client id is the URL of a metadata document: an https URL with a path. */
export function isDocumentUrl(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  return url.protocol === 'https:' && url.pathname !== '/';
}
