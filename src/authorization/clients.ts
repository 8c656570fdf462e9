import type { ClientDocument, DocumentKeys } from './cimd.ts';
import { clientRow, clientRowKey } from './kv-facade.ts';
import { rateWindow } from './rate-window.ts';
import type { StoreTools } from './rows.ts';

/** Who made a client: anyone (dynamic registration, metadata document) or the operator (rule A1). */
export type ClientClass = 'open' | 'operator';

/** What stands between a client id and its use. */
export type ClientNeed =
  | { kind: 'known' }
  | { kind: 'document' }
  | { kind: 'unknown' }
  | { kind: 'limited'; retryAfterS: number };

/** How a client with a metadata document proves itself at the token endpoint. */
export type DocumentAuthentication = { methods: readonly ('none' | 'private_key_jwt')[]; keys?: DocumentKeys };

const CLASS = 'own:client:class:';
const UNUSED = 'own:client:unused:';
const DOCUMENT = 'own:client:document:';
const KEYS = 'own:client:keys:';
const FETCHES = 'own:client:fetches:';
const HOUR_MS = 3_600_000;
/** A consent can take this long: a document that ends sooner is fetched anew before one starts. */
export const CONSENT_MS = 10 * 60_000;
/** A registered client that nobody consented to dies after this. */
const UNUSED_CLIENT_MS = 24 * HOUR_MS;
/** Life of a used client, renewed by the provider library while its tokens are. */
export const USED_CLIENT_S = 90 * 86_400;
/** Metadata documents that one caller can make us fetch in an hour. */
const MAX_FETCHES = 60;
/** Longest client id that is looked at. */
export const MAX_CLIENT_ID_CHARS = 2_048;

type StoredClient = { value: string };
type StoredDocument = { authentication: DocumentAuthentication; expiresAtMs: number };

export type Clients = ReturnType<typeof clientsOf>;

/** Clients as the protocol sees them, beside the rows of the provider library. */
export function clientsOf({ rows, now }: StoreTools) {
  const known = (clientId: string): boolean => rows.get(clientRowKey(clientId)) !== undefined;
  const fetches = rateWindow(rows, now, { prefix: FETCHES, max: MAX_FETCHES, windowMs: HOUR_MS });
  const startUnused = (clientId: string): void => {
    const endsAtMs = now() + UNUSED_CLIENT_MS;
    const row = rows.get(clientRowKey(clientId));
    if (row !== undefined) rows.put(clientRowKey(clientId), row, endsAtMs);
    rows.put(UNUSED + clientId, true, endsAtMs);
  };
  return {
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
      const verdict = fetches.count(caller);
      return verdict.allowed ? { kind: 'document' } : { kind: 'limited', retryAfterS: verdict.retryAfterS };
    },
    /** Gives a newly registered client its short life. */
    startUnused,
    /** Gives the short life anew to a client that is still unused. */
    renewUnused: (clientId: string): void => {
      if (rows.get(UNUSED + clientId) !== undefined) startUnused(clientId);
    },
    countUnused: (): number => rows.count(UNUSED),
    /** A person consented to this client: it lives on. Call it when an authorization is completed. */
    markUsed: (clientId: string): void => {
      const row = rows.get<StoredClient>(clientRowKey(clientId));
      if (row === undefined || rows.get(UNUSED + clientId) === undefined) return;
      const client = JSON.parse(row.value) as object; // Written by the provider library.
      const registrationExpiresAt = Math.floor(now() / 1000) + USED_CLIENT_S;
      rows.put(clientRowKey(clientId), clientRow({ ...client, registrationExpiresAt }), now() + USED_CLIENT_S * 1000);
      rows.delete(UNUSED + clientId);
    },
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
