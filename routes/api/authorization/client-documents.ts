import {
  DOCUMENT_LIMITS,
  type DocumentTools,
  resolveClientDocument,
  resolveClientKeys,
} from '../../../src/authorization/clients/cimd.ts';
import type { ClientDocument, DocumentRefusal } from '../../../src/authorization/clients/client-document.ts';
import type { IntroducedClient } from '../../../src/authorization/clients/clients.ts';
import { isSealedId, openClient } from '../../../src/authorization/clients/sealed-client.ts';
import { authorizationStore, sealingKeys } from '../bindings/people-store.ts';
import { guardedFetchOf } from '../bindings/composition.ts';
import { type AppContext, type AppOptions } from '../context.ts';
import { logLine } from '../../shared/log.ts';
import type { Settings } from '../../../src/sales/settings.ts';
import { callerOf } from '../../../src/rate-limits/caller-counts.ts';

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
export async function readyClient(c: AppContext, options: AppOptions, clientId: string): Promise<ClientReadiness> {
  const client = isSealedId(clientId) ? await openClient(clientId, await sealingKeys(c.env), Date.now()) : undefined;
  if (client !== undefined) return { ok: true, introduced: { from: 'id', client } };
  const found = await neededDocument(c, options, clientId);
  if (!found.ok || found.document === undefined) return found;
  return { ok: true, introduced: { from: 'document', document: found.document } };
}

/** Fetches the document of a client with access again, for the token endpoint. */
export async function renewDocument(c: AppContext, options: AppOptions, clientId: string): Promise<ClientReadiness> {
  const found = await neededDocument(c, options, clientId);
  if (found.ok && found.document !== undefined) await authorizationStore(c.env).putClientDocument(found.document);
  return found.ok ? { ok: true } : found;
}

type Refusal = Extract<ClientReadiness, { ok: false }>;

/** The document of a client that the store does not have; without one when the store knows the client. */
async function neededDocument(
  c: AppContext,
  options: AppOptions,
  clientId: string,
): Promise<{ ok: true; document?: ClientDocument } | Refusal> {
  const store = authorizationStore(c.env);
  const need = await store.clientNeed(clientId, callerOf(c.req.raw));
  if (need.kind === 'known') return { ok: true };
  if (need.kind === 'unknown') return { ok: false, reason: 'unknown_client', detail: 'No client has this id' };
  if (need.kind === 'limited') return tooManyDocuments(need.retryAfterS);
  const resolved = await resolveClientDocument(clientId, documentTools(c, options));
  return resolved.ok ? resolved : refused(c, resolved);
}

/** The same for the keys that a client's document names by `jwks_uri`; a failure is remembered for a minute. */
export async function readyKeys(
  c: AppContext,
  options: AppOptions,
  clientId: string,
  jwksUri: string,
): Promise<ClientReadiness> {
  const store = authorizationStore(c.env);
  const need = await store.keysNeed(jwksUri);
  if (need.kind === 'limited') return tooManyDocuments(need.retryAfterS);
  if (need.kind === 'failed') return refused(c, KEYS_FAILED);
  const resolved = await resolveClientKeys(jwksUri, documentTools(c, options));
  if (!resolved.ok) {
    await store.keysFailed(jwksUri);
    return refused(c, resolved);
  }
  await store.putClientKeys(clientId, resolved.jwks, resolved.expiresAtMs);
  return { ok: true };
}

function documentTools(c: AppContext, options: AppOptions): DocumentTools {
  return {
    guardedFetch: guardedFetchOf(c.env, c.get('settings'), options, DOCUMENT_LIMITS),
    now: Date.now,
    ownHosts: ownHosts(c.get('settings')),
  };
}

const ownHosts = ({ BASE_URL, WEBHOOK_URL, CONTROL_URL }: Settings): readonly string[] =>
  [BASE_URL, WEBHOOK_URL, CONTROL_URL].flatMap((url) => (url ? [new URL(url).hostname] : []));

const tooManyDocuments = (retryAfterS: number): Refusal => ({
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

function refused(c: AppContext, { reason, detail }: DocumentRefusal): Refusal {
  logLine({ event: 'client_document_refused', request_id: c.get('requestId'), reason, detail });
  return { ok: false, reason, detail: `The client's metadata document: ${detail}` };
}
