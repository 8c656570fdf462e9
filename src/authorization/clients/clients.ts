import { clientRow, clientRowKey } from '../oauth/kv-facade.ts';
import type { StoreTools } from '../oauth/rows.ts';
import type { JwkSet } from '../service-accounts/client-assertion.ts';
import type { ClientDocument, DocumentAuthentication } from './client-document-types.ts';
import { MAX_CLIENT_ID_CHARS } from './client-id.ts';
import { documentFetchesOf } from './document-fetches.ts';
import type { IntroducedClient } from './introduced-client.ts';
import { markUsed, USED_CLIENT_S } from './used-clients.ts';

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

const CLASS = 'own:client:class:';
const DOCUMENT = 'own:client:document:';
const ACCESS = 'own:client:access:';
const KEYS = 'own:client:keys:';
const FAILED_KEYS = 'own:client:failed-keys:';
/** A consent can take this long: a document that ends sooner is fetched anew before one starts. */
export const CONSENT_MS = 10 * 60_000;
/** A key set that could not be fetched is not asked for again this long. */
const FAILED_KEYS_MS = 60_000;

type StoredDocument = { authentication: DocumentAuthentication; expiresAtMs: number };

export type Clients = ReturnType<typeof clientsOf>;

/** Clients as the protocol sees them, beside the rows of the provider library. */
export function clientsOf({ rows, now }: Pick<StoreTools, 'rows' | 'now'>) {
  const known = (clientId: string): boolean => rows.get(clientRowKey(clientId)) !== undefined;
  const hasAccess = (clientId: string): boolean => rows.get(ACCESS + clientId) !== undefined;
  const fetches = documentFetchesOf({ rows, now });
  const giveAccess = (clientId: string): void => rows.put(ACCESS + clientId, true, now() + USED_CLIENT_S * 1000);
  const putDocument = ({ client, authentication, expiresAtMs }: ClientDocument): void => {
    rows.put(clientRowKey(client.clientId), clientRow(client), expiresAtMs);
    rows.put(DOCUMENT + client.clientId, { authentication, expiresAtMs } satisfies StoredDocument, expiresAtMs);
  };
  return {
    known,
    /** Whether somebody has consented to this client with a metadata document. */
    hasAccess,
    /** Says so for a client of an earlier version, whose grant was seen. */
    giveAccess,
    /** The class of a client: `open` unless the operator made it. */
    classOf: (clientId: string): ClientClass => rows.get<ClientClass>(CLASS + clientId) ?? 'open',
    /** Says that the operator made this client. */
    markOperatorMade: (clientId: string): void => rows.put(CLASS + clientId, 'operator' satisfies ClientClass),
    /** A person consented to this client: it lives on. Call it before an authorization is completed. */
    keep: (clientId: string, introduced: IntroducedClient | undefined): void => {
      if (introduced?.from === 'document') {
        putDocument(introduced.document);
        giveAccess(clientId);
      } else if (introduced !== undefined && !known(clientId)) {
        const endsAtMs = now() + USED_CLIENT_S * 1000;
        const registrationExpiresAt = Math.floor(endsAtMs / 1000);
        rows.put(clientRowKey(clientId), clientRow({ ...introduced.client, registrationExpiresAt }), endsAtMs);
      }
      markUsed({ rows, now }, clientId);
    },
    need: (clientId: string, caller: string): ClientNeed => {
      if (clientId.length > MAX_CLIENT_ID_CHARS) return { kind: 'unknown' };
      const endsAtMs = rows.get<StoredDocument>(DOCUMENT + clientId)?.expiresAtMs ?? Infinity;
      if (known(clientId) && endsAtMs - now() >= CONSENT_MS) return { kind: 'known' };
      if (!isDocumentUrl(clientId)) return { kind: 'unknown' };
      const verdict = hasAccess(clientId) ? fetches.forAccess(clientId) : fetches.forStranger(clientId, caller);
      return verdict.allowed ? { kind: 'document' } : { kind: 'limited', retryAfterS: verdict.retryAfterS };
    },
    /** The same question about the keys at a `jwks_uri`, of a client that somebody has consented to. */
    keysNeed: (jwksUri: string): KeysNeed => {
      if (rows.get(FAILED_KEYS + jwksUri) !== undefined) return { kind: 'failed' };
      const verdict = fetches.forAccess(jwksUri);
      return verdict.allowed ? { kind: 'fetch' } : { kind: 'limited', retryAfterS: verdict.retryAfterS };
    },
    /** Remembers for a minute that keys could not be fetched. */
    keysFailed: (jwksUri: string): void => rows.put(FAILED_KEYS + jwksUri, true, now() + FAILED_KEYS_MS),
    /** Renews the document of a client with access. Of the others nothing is kept before a consent. */
    renewDocument: (document: ClientDocument): void => {
      if (!hasAccess(document.client.clientId)) return;
      putDocument(document);
      giveAccess(document.client.clientId);
    },
    /** How a client with a document authenticates; undefined for registered clients. */
    authentication: (clientId: string): DocumentAuthentication | undefined =>
      rows.get<StoredDocument>(DOCUMENT + clientId)?.authentication,
    putKeys: (clientId: string, jwks: JwkSet, expiresAtMs: number): void =>
      rows.put(KEYS + clientId, jwks, expiresAtMs),
    fetchedKeys: (clientId: string): JwkSet | undefined => rows.get<JwkSet>(KEYS + clientId),
  };
}

/** Whether a client id is the URL of a metadata document: an https URL with a path. */
export function isDocumentUrl(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  return url.protocol === 'https:' && url.pathname !== '/';
}
