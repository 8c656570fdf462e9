import {
  DOCUMENT_LIMITS,
  type DocumentRefusal,
  type DocumentTools,
  resolveClientDocument,
  resolveClientKeys,
} from '../src/authorization/cimd.ts';
import { authorizationStore } from './authorization-store.ts';
import { guardedFetchOf } from './composition.ts';
import { type AppContext, type AppOptions } from './context.ts';
import { logLine } from './log.ts';
import type { Settings } from './env.ts';
import { callerOf } from './limits.ts';

/** Whether a client can be used now. `detail` is a sentence of ours for a person. */
export type ClientReadiness =
  | { ok: true }
  | { ok: false; reason: 'unknown_client' | DocumentRefusal['reason']; detail: string }
  | { ok: false; reason: 'too_many_documents'; detail: string; retryAfterS: number };

/**
 * Makes sure that the store knows a client before it is asked about it: a client id that is a URL has its metadata
 * document fetched here, through `src/net`, unless the store still has it. Failures are not kept.
 */
export async function readyClient(c: AppContext, options: AppOptions, clientId: string): Promise<ClientReadiness> {
  const store = authorizationStore(c.env);
  const need = await store.clientNeed(clientId, callerOf(c.req.raw));
  if (need.kind === 'known') return { ok: true };
  if (need.kind === 'unknown') return { ok: false, reason: 'unknown_client', detail: 'No client has this id' };
  if (need.kind === 'limited') return tooManyDocuments(need.retryAfterS);
  const resolved = await resolveClientDocument(clientId, documentTools(c, options));
  if (!resolved.ok) return refused(c, resolved);
  await store.putClientDocument(resolved.document);
  return { ok: true };
}

/** The same for the keys that a client's document names by `jwks_uri`; a failure is remembered for a minute. */
export async function readyKeys(
  c: AppContext,
  options: AppOptions,
  clientId: string,
  jwksUri: string,
): Promise<ClientReadiness> {
  const store = authorizationStore(c.env);
  const need = await store.keysNeed(jwksUri, callerOf(c.req.raw));
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

const tooManyDocuments = (retryAfterS: number): ClientReadiness => ({
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

function refused(c: AppContext, { reason, detail }: DocumentRefusal): ClientReadiness {
  logLine({ event: 'client_document_refused', request_id: c.get('requestId'), reason, detail });
  return { ok: false, reason, detail: `The client's metadata document: ${detail}` };
}
