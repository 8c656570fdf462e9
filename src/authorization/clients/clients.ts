import { MINUTE_MS, HOUR_MS } from '../../lib/time.ts';
import { computeCallerNetwork } from '../../net/caller-network.ts';
import { buildClientRow, formatClientRowKey } from '../oauth/kv-facade.ts';
import { type RateVerdict, createRateWindow, type StoreTools } from '../oauth/rows.ts';
import type { JwkSet } from '../service-accounts/client-assertion.ts';
import type { ClientDocument, DocumentAuthentication, DocumentClient } from './client-document.ts';

/** A client as the provider library stores one. `clientSecret` is the SHA-256 of the secret, as hex. */
export type ClientRecord = Omit<DocumentClient, 'clientName' | 'tokenEndpointAuthMethod'> & {
  clientName?: string;
  /** Unix seconds. */
  registrationDate?: number;
  tokenEndpointAuthMethod: 'none' | 'client_secret_basic' | 'client_secret_post';
  authMethodExplicit?: boolean;
  clientSecret?: string;
};

/**
 * A client that no one has consented to, read by the Worker from its sealed id or from its metadata document. It goes
 * along with each request that needs it: the store keeps nothing of it before the first consent.
 */
export type IntroducedClient = { from: 'id'; client: ClientRecord } | { from: 'document'; document: ClientDocument };

/** Lends introduced clients to the provider library, one for the length of one call. The object runs each call alone. */
export function createLentClients() {
  let lent: ClientRecord | undefined;
  return {
    during: async <T>(introduced: IntroducedClient | undefined, task: () => Promise<T>): Promise<T> => {
      lent = introduced?.from === 'document' ? introduced.document.client : introduced?.client;
      try {
        return await task();
      } finally {
        lent = undefined;
      }
    },
    find: (clientId: string): ClientRecord | undefined => (lent?.clientId === clientId ? lent : undefined),
  };
}

export type LentClients = ReturnType<typeof createLentClients>;

/** Written for each registration by versions whose client ids were not sealed: such a client died after a day. */
const UNUSED = 'own:client:unused:';
/** Life of a used client, renewed by the provider library while its tokens are. */
export const USED_CLIENT_S = 90 * 86_400;

type LibraryClient = { value: string };

/** Makes a client that an earlier version registered, and that no one had consented to, one that lives on. */
function markUsed({ rows, now }: Pick<StoreTools, 'rows' | 'now'>, clientId: string): void {
  const row = rows.get<LibraryClient>(formatClientRowKey(clientId));
  if (row === undefined || rows.get(UNUSED + clientId) === undefined) return;
  const client = JSON.parse(row.value) as object; // Written by the provider library.
  const endsAtMs = now() + USED_CLIENT_S * 1000;
  const registrationExpiresAt = Math.floor(endsAtMs / 1000);
  rows.put(formatClientRowKey(clientId), buildClientRow({ ...client, registrationExpiresAt }), endsAtMs);
  rows.delete(UNUSED + clientId);
}

/** Prolongs the life of a registered client whose tokens are used, as the provider library does: when half of it is over. */
function renewUsed({ rows, now }: Pick<StoreTools, 'rows' | 'now'>, clientId: string): void {
  const row = rows.get<LibraryClient>(formatClientRowKey(clientId));
  if (row === undefined) return;
  const client = JSON.parse(row.value) as { registrationExpiresAt?: number }; // Written by the provider library.
  const endsAtS = client.registrationExpiresAt;
  if (endsAtS === undefined || endsAtS - now() / 1000 > USED_CLIENT_S / 2) return;
  const renewedUntilMs = now() + USED_CLIENT_S * 1000;
  const renewed = { ...client, registrationExpiresAt: Math.floor(renewedUntilMs / 1000) };
  rows.put(formatClientRowKey(clientId), buildClientRow(renewed), renewedUntilMs);
}

/** Longest client id that is looked at. It is in the query of `/authorize`, which may have 8,192 characters. */
export const MAX_CLIENT_ID_CHARS = 2_048;

/** Documents of clients without access that one caller, and all callers of one IPv6 /48, can make us fetch in an hour. */
const MAX_FETCHES_OF_CALLER = 60;
const MAX_FETCHES_OF_NETWORK = 240;
/** Of these, what may go to one host. */
const MAX_FETCHES_OF_CALLER_FROM_HOST = 10;
/** Fetches that one host gets from us in a minute, for clients without access; clients with access have as many again. */
const MAX_FETCHES_FROM_HOST = 60;
/** Of these, what is for networks that had nothing from this host in the last hour: who asks once finds a place. */
const KEPT_FOR_FIRST_FETCHES = 30;

type Tools = Pick<StoreTools, 'rows' | 'now'>;

/**
 * Says whether a client document or key set may be fetched now, and counts it. No number is for all callers and all
 * hosts together: strangers who use up their own, or a host's, close nothing for clients of other hosts, and nothing
 * for clients that someone has consented to.
 */
function createFetchBudget({ rows, now }: Tools) {
  const window = (name: string, max: number, windowMs: number) =>
    createRateWindow(rows, now, { prefix: `own:client:${name}:`, max, windowMs });
  const windows = {
    caller: window('fetches', MAX_FETCHES_OF_CALLER, HOUR_MS),
    network: window('network-fetches', MAX_FETCHES_OF_NETWORK, HOUR_MS),
    pair: window('pair-fetches', MAX_FETCHES_OF_CALLER_FROM_HOST, HOUR_MS),
    first: window('pair-fetches', 1, HOUR_MS),
    host: window('host-fetches', MAX_FETCHES_FROM_HOST, MINUTE_MS),
    hostAgain: window('host-fetches', MAX_FETCHES_FROM_HOST - KEPT_FOR_FIRST_FETCHES, MINUTE_MS),
    withAccess: window('access-fetches', MAX_FETCHES_FROM_HOST, MINUTE_MS),
  };
  return {
    /** A fetch that anyone can ask for. @param url an absolute one */
    forStranger: (url: string, caller: string): RateVerdict => {
      const { hostname } = new URL(url);
      const network = computeCallerNetwork(caller);
      const pair = `${network} ${hostname}`;
      const host = windows.first.check(pair).allowed ? windows.host : windows.hostAgain;
      const refusal = [
        windows.caller.check(caller),
        windows.network.check(network),
        windows.pair.check(pair),
        host.check(hostname),
      ].find(({ allowed }) => !allowed);
      if (refusal !== undefined) return refusal;
      windows.caller.count(caller);
      windows.network.count(network);
      windows.pair.count(pair);
      return windows.host.count(hostname);
    },
    /** A fetch for a client that someone has consented to. */
    forAccess: (url: string): RateVerdict => windows.withAccess.count(new URL(url).hostname),
  };
}

/** Who made a client: anyone (dynamic registration, metadata document) or the operator (rule A1). */
export type ClientClass = 'open' | 'operator';

/** What prevents a client id from being used. */
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

export const formatClassRowKey = (clientId: string): string => CLASS + clientId;

/** The keys of all rows that say something of a client: what a token request needs of it. */
export const listClientRowKeys = (clientId: string): readonly string[] => [
  formatClientRowKey(clientId),
  ...[CLASS, DOCUMENT, ACCESS, KEYS].map((prefix) => prefix + clientId),
];

type CachedDocument = { authentication: DocumentAuthentication; expiresAtMs: number };

export type Clients = ReturnType<typeof createClientDirectory>;

/** Clients as the protocol sees them, beside the rows of the provider library. */
export function createClientDirectory({ rows, now }: Pick<StoreTools, 'rows' | 'now'>) {
  const known = (clientId: string): boolean => rows.get(formatClientRowKey(clientId)) !== undefined;
  const hasAccess = (clientId: string): boolean => rows.get(ACCESS + clientId) !== undefined;
  const fetches = createFetchBudget({ rows, now });
  const giveAccess = (clientId: string): void => rows.put(ACCESS + clientId, true, now() + USED_CLIENT_S * 1000);
  const putDocument = ({ client, authentication, expiresAtMs }: ClientDocument): void => {
    rows.put(formatClientRowKey(client.clientId), buildClientRow(client), expiresAtMs);
    rows.put(DOCUMENT + client.clientId, { authentication, expiresAtMs } satisfies CachedDocument, expiresAtMs);
  };
  return {
    known,
    /** Whether someone has consented to this client with a metadata document. */
    hasAccess,
    /** Says so for a client of an earlier version, whose grant was seen. */
    giveAccess,
    /** The class of a client: `open` unless the operator made it. */
    classOf: (clientId: string): ClientClass => rows.get<ClientClass>(formatClassRowKey(clientId)) ?? 'open',
    /** Says that the operator made this client. */
    markOperatorMade: (clientId: string): void =>
      rows.put(formatClassRowKey(clientId), 'operator' satisfies ClientClass),
    /** A person consented to this client: it lives on. Call it before an authorization is completed. */
    keep: (clientId: string, introduced: IntroducedClient | undefined): void => {
      if (introduced?.from === 'document') {
        putDocument(introduced.document);
        giveAccess(clientId);
      } else if (introduced !== undefined && !known(clientId)) {
        const endsAtMs = now() + USED_CLIENT_S * 1000;
        const registrationExpiresAt = Math.floor(endsAtMs / 1000);
        rows.put(
          formatClientRowKey(clientId),
          buildClientRow({ ...introduced.client, registrationExpiresAt }),
          endsAtMs,
        );
      }
      markUsed({ rows, now }, clientId);
    },
    need: (clientId: string, caller: string): ClientNeed => {
      if (clientId.length > MAX_CLIENT_ID_CHARS) return { kind: 'unknown' };
      const endsAtMs = rows.get<CachedDocument>(DOCUMENT + clientId)?.expiresAtMs ?? Infinity;
      if (known(clientId) && endsAtMs - now() >= CONSENT_MS) return { kind: 'known' };
      if (!isDocumentUrl(clientId)) return { kind: 'unknown' };
      const verdict = hasAccess(clientId) ? fetches.forAccess(clientId) : fetches.forStranger(clientId, caller);
      return verdict.allowed ? { kind: 'document' } : { kind: 'limited', retryAfterS: verdict.retryAfterS };
    },
    /** The same question about the keys at a `jwks_uri`, of a client that someone has consented to. */
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
      rows.get<CachedDocument>(DOCUMENT + clientId)?.authentication,
    renewUsed: (clientId: string): void => renewUsed({ rows, now }, clientId),
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
