import {
  DOCUMENT_LIMITS,
  type DocumentTools,
  resolveClientDocument,
  resolveClientKeys,
} from '../../../src/authorization/clients/cimd.ts';
import type { ClientDocument, DocumentRefusal } from '../../../src/authorization/clients/client-document.ts';
import type { IntroducedClient } from '../../../src/authorization/clients/clients.ts';
import { isSealedId, openClient } from '../../../src/authorization/clients/sealed-client.ts';
import { getAuthorizationStore, getSealingKeys } from '../bindings/people-store.ts';
import { createWorkerFetch } from '../bindings/composition.ts';
import { type AppContext, type AppOptions } from '../context.ts';
import { logLine } from '../../shared/telemetry.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';

/**
 * Whether a client can be used now. `introduced` is what the store has to be shown of one that it need not know;
 * `detail` is a sentence of ours for a person.
 */
export type ClientReadiness =
  | { ok: true; introduced?: IntroducedClient }
  | { ok: false; reason: 'unknown_client' | DocumentRefusal['reason']; detail: string }
  | { ok: false; reason: 'too_many_documents'; detail: string; retryAfterS: number };

/**
 * Finds a client before the store is asked about it. A sealed id is opened here, without the store. A client id that is a
 * URL has its metadata document fetched here, through `src/net`, unless the store still has it. Failures are not kept.
 */
export async function prepareClient(c: AppContext, options: AppOptions, clientId: string): Promise<ClientReadiness> {
  const client = isSealedId(clientId) ? await openClient(clientId, await getSealingKeys(c.env), Date.now()) : undefined;
  if (client !== undefined) return { ok: true, introduced: { from: 'id', client } };
  const found = await fetchNeededDocument(c, options, clientId);
  if (!found.ok || found.document === undefined) return found;
  return { ok: true, introduced: { from: 'document', document: found.document } };
}

/** Fetches the document of a client with access again, for the token endpoint. */
export async function renewDocument(c: AppContext, options: AppOptions, clientId: string): Promise<ClientReadiness> {
  const found = await fetchNeededDocument(c, options, clientId);
  if (found.ok && found.document !== undefined) await getAuthorizationStore(c.env).putClientDocument(found.document);
  return found.ok ? { ok: true } : found;
}

type Refusal = Extract<ClientReadiness, { ok: false }>;

/** The document of a client that the store does not have; without one when the store knows the client. */
async function fetchNeededDocument(
  c: AppContext,
  options: AppOptions,
  clientId: string,
): Promise<{ ok: true; document?: ClientDocument } | Refusal> {
  const store = getAuthorizationStore(c.env);
  const need = await store.clientNeed(clientId, getCallerAddress(c.req.raw));
  if (need.kind === 'known') return { ok: true };
  if (need.kind === 'unknown') return { ok: false, reason: 'unknown_client', detail: 'No client has this id' };
  if (need.kind === 'limited') return refuseTooManyDocuments(need.retryAfterS);
  const resolved = await resolveClientDocument(clientId, createDocumentTools(c, options));
  return resolved.ok ? resolved : refuseDocument(c, resolved);
}

/** The same for the keys that a client's document names by `jwks_uri`; a failure is remembered for a minute. */
export async function prepareClientKeys(
  c: AppContext,
  options: AppOptions,
  clientId: string,
  jwksUri: string,
): Promise<ClientReadiness> {
  const store = getAuthorizationStore(c.env);
  const need = await store.keysNeed(jwksUri);
  if (need.kind === 'limited') return refuseTooManyDocuments(need.retryAfterS);
  if (need.kind === 'failed') return refuseDocument(c, KEYS_FAILED);
  const resolved = await resolveClientKeys(jwksUri, createDocumentTools(c, options));
  if (!resolved.ok) {
    await store.keysFailed(jwksUri);
    return refuseDocument(c, resolved);
  }
  await store.putClientKeys(clientId, resolved.jwks, resolved.expiresAtMs);
  return { ok: true };
}

function createDocumentTools(c: AppContext, options: AppOptions): DocumentTools {
  return {
    guardedFetch: createWorkerFetch(c.env, c.get('settings'), options, DOCUMENT_LIMITS),
    now: Date.now,
    ownHosts: listOwnHosts(c.get('settings')),
  };
}

const listOwnHosts = ({ BASE_URL, WEBHOOK_URL, CONTROL_URL }: ApiWorkerSettings): readonly string[] =>
  [BASE_URL, WEBHOOK_URL, CONTROL_URL].flatMap((url) => (url ? [new URL(url).hostname] : []));

const refuseTooManyDocuments = (retryAfterS: number): Refusal => ({
  ok: false,
  reason: 'too_many_documents',
  detail: 'Too many client documents were asked for',
  retryAfterS,
});

const KEYS_FAILED: DocumentRefusal = {
  ok: false,
  reason: 'document_unreachable',
  detail: 'its keys could not be fetched a moment ago',
};

function refuseDocument(c: AppContext, { reason, detail }: DocumentRefusal): Refusal {
  logLine({ event: 'client_document_refused', request_id: c.get('requestId'), reason, detail });
  return { ok: false, reason, detail: `The client's metadata document: ${detail}` };
}
