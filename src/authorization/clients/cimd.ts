import { parseMediaType } from '../../lib/media-type.ts';
import { classifyHost } from '../../net/address.ts';
import type { FetchLimits } from '../../net/fetch-budget.ts';
import type { Fetched, GuardedFetch } from '../../net/fetched.ts';
import type { JwkSet } from '../service-accounts/client-assertion.ts';
import { type ClientDocument, type DocumentRefusal, parseClientDocument, parseJwks } from './client-document.ts';
import { CONSENT_MS, MAX_CLIENT_ID_CHARS } from './clients.ts';

/** The number of a `max-age` directive (RFC 9111, section 5.2.2.1), quoted or not. */
const MAX_AGE = /^max-age="?(\d{1,10})"?$/;
const NOT_KEPT = ['no-store', 'no-cache', 'private'];

/** How long an answer with this `Cache-Control` may be kept, in milliseconds, within bounds; without one, the least. */
function computeCacheLifeMs(header: string | undefined, { minMs, maxMs }: { minMs: number; maxMs: number }): number {
  const directives = (header ?? '').split(',').map((part) => part.trim().toLowerCase());
  if (directives.some((part) => NOT_KEPT.includes(part))) return minMs;
  const seconds = directives.map((part) => MAX_AGE.exec(part)?.[1]).find((digits) => digits !== undefined);
  return Math.min(maxMs, Math.max(minMs, Number(seconds ?? 0) * 1000));
}

export type DocumentTools = {
  /** A fetch of its own for this one document, with `DOCUMENT_LIMITS`. */
  guardedFetch: GuardedFetch;
  /** Unix milliseconds. */
  now: () => number;
  /** Our own host names: we do not fetch ourselves. */
  ownHosts: readonly string[];
};

const MAX_DOCUMENT_BYTES = 5_120;
/** One request without redirects, 10 seconds, 5 KB: draft-ietf-oauth-client-id-metadata-document, section 6. */
export const DOCUMENT_LIMITS = {
  requests: 1,
  redirects: 0,
  fetchMs: 10_000,
  wallMs: 10_000,
  firstByteMs: 10_000,
  bodyBytes: MAX_DOCUMENT_BYTES,
  totalBytes: 16 * MAX_DOCUMENT_BYTES,
} as const satisfies Partial<FetchLimits>;
const MAX_DOCUMENT_LIFE_MS = 24 * 3_600_000;
const MAX_KEYS_LIFE_MS = 5 * 60_000;
/** A document that may not be kept at all still serves the consent it was fetched for. */
const MIN_DOCUMENT_LIFE_MS = CONSENT_MS + 60_000;
const MIN_KEYS_LIFE_MS = 60_000;

const MEDIA_TYPE = /^application\/(?:[\w.-]+\+)?json$/;

/**
 * Fetches and checks the metadata document that a client id names. Never throws for what the network or the document
 * does. A failure must not be kept; a success is kept under the exact client id.
 */
export async function resolveClientDocument(
  clientId: string,
  tools: DocumentTools,
): Promise<{ ok: true; document: ClientDocument } | DocumentRefusal> {
  const problem = checkDocumentUrl(clientId, tools.ownHosts);
  if (problem !== undefined) return { ok: false, reason: 'invalid_client_id', detail: problem };
  const read = await readJson(clientId, tools);
  if (!read.ok) return read;
  const parsed = parseClientDocument(
    clientId,
    read.value,
    (uri) => checkDocumentUrl(uri, tools.ownHosts) === undefined,
  );
  if (!parsed.ok) return { ok: false, reason: 'document_invalid', detail: parsed.detail };
  const lifeMs = computeCacheLifeMs(read.cacheControl, { minMs: MIN_DOCUMENT_LIFE_MS, maxMs: MAX_DOCUMENT_LIFE_MS });
  const { client, authentication } = parsed;
  return { ok: true, document: { client, authentication, expiresAtMs: tools.now() + lifeMs } };
}

/** Fetches the keys of a client from its `jwks_uri`, by the rules of the document itself. */
export async function resolveClientKeys(
  jwksUri: string,
  tools: DocumentTools,
): Promise<{ ok: true; jwks: JwkSet; expiresAtMs: number } | DocumentRefusal> {
  const problem = checkDocumentUrl(jwksUri, tools.ownHosts);
  if (problem !== undefined) return { ok: false, reason: 'document_refused', detail: problem };
  const read = await readJson(jwksUri, tools);
  if (!read.ok) return read;
  const jwks = parseJwks(read.value);
  if (jwks === undefined)
    return { ok: false, reason: 'document_invalid', detail: 'jwks_uri holds no set of public keys' };
  const lifeMs = computeCacheLifeMs(read.cacheControl, { minMs: MIN_KEYS_LIFE_MS, maxMs: MAX_KEYS_LIFE_MS });
  return { ok: true, jwks, expiresAtMs: tools.now() + lifeMs };
}

/**
 * Says what is wrong with a URL as a client id, or undefined. It must be https on a public name and the standard port,
 * with a path, and be written exactly as a URL parser writes it, so that one document has one name.
 */
export function checkDocumentUrl(text: string, ownHosts: readonly string[]): string | undefined {
  if (text.length > MAX_CLIENT_ID_CHARS) return 'the URL is too long';
  if (!URL.canParse(text)) return 'this is no URL';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'the scheme is not https';
  if (url.username !== '' || url.password !== '') return 'the URL holds a user name or a password';
  if (text.includes('#')) return 'the URL holds a fragment';
  if (url.port !== '') return 'the port is not 443';
  if (url.href !== text || text.endsWith('?')) return 'the URL is not written in its canonical form';
  if (url.pathname === '/') return 'the URL has no path';
  if (url.hostname.endsWith('.')) return 'the host ends in a dot';
  if (ownHosts.includes(url.hostname)) return 'the URL is one of this service';
  return classifyHost(url.hostname).kind === 'public' ? undefined : 'the host is not public';
}

type Json = { ok: true; value: unknown; cacheControl: string | undefined } | DocumentRefusal;

async function readJson(url: string, { guardedFetch }: DocumentTools): Promise<Json> {
  const fetched = await guardedFetch({ url, headers: { accept: 'application/json' }, maxBytes: MAX_DOCUMENT_BYTES });
  if (!fetched.ok)
    return { ok: false, reason: 'document_unreachable', detail: `the fetch ended with ${fetched.reason}` };
  const problem = refuseAnswer(fetched);
  if (problem !== undefined) return { ok: false, reason: 'document_refused', detail: problem };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(fetched.bytes);
    return { ok: true, value: JSON.parse(text) as unknown, cacheControl: fetched.headers['cache-control'] };
  } catch {
    return { ok: false, reason: 'document_invalid', detail: 'the document is not JSON in UTF-8' };
  }
}

function refuseAnswer({ status, headers, truncated, redirects }: Extract<Fetched, { ok: true }>): string | undefined {
  if (redirects.length > 0) return 'the document redirects';
  if (status !== 200) return `the status is ${status}, not 200`;
  if (!MEDIA_TYPE.test(parseMediaType(headers['content-type'] ?? ''))) return 'the media type is not JSON';
  return truncated ? `the document is larger than ${MAX_DOCUMENT_BYTES} bytes` : undefined;
}
