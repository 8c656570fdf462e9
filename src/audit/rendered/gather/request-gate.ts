import * as z from 'zod';
import { parseMediaType } from '../../../lib/media-type.ts';
import { classifyHost } from '../../../net/address.ts';
import type { FetchLimits } from '../../../net/fetch-budget.ts';
import type { Fetched, FetchTarget, GuardedFetch } from '../../../net/fetched.ts';
import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { LOOK_LIMITS } from '../facts/rendered-look.ts';

const MIB = 1024 * 1024;

/** Limits of the requests that a page makes while it is looked at, beside those of the audit. */
export const RENDER_FETCH_LIMITS = {
  requests: 60,
  totalBytes: 10 * MIB,
  wallMs: 10_000,
  // Which domain is the site's is not known from the first request: that may be a script of a delivery network.
  foreignRequests: 60,
  fetchMs: 5_000,
  bodyBytes: 3 * MIB,
} as const satisfies Partial<FetchLimits>;

/** Requests of one page in flight at once. */
const MAX_CONCURRENT = 6;
/** Requests that wait for their turn; a page that asks for more gets a refusal. */
const MAX_WAITING = 200;
/** Places to which scripts, frames and `meta refresh` may lead the page on. */
const MAX_NAVIGATIONS = 3;
const MAX_FRAMES = 5;
/** Requests of scripts that send something: many pages get their text by them. */
const MAX_POSTS = 10;
const MAX_POST_CHARS = 64 * 1024;

/** What shows the text of a page needs none of these. Pictures are answered by an empty one, so that no script waits. */
const NOT_LOADED = new Set([
  'Media',
  'Font',
  'Ping',
  'CSPViolationReport',
  'Prefetch',
  'Manifest',
  'TextTrack',
  'Other',
]);
const EMPTY_PICTURE = Uint8Array.from(
  atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  (char) => char.codePointAt(0) ?? 0,
);

export const pausedRequest = z.object({
  requestId: z.string(),
  resourceType: z.string(),
  frameId: z.string().default(''),
  request: z.object({
    url: z.string(),
    method: z.string(),
    headers: z.record(z.string(), z.string()).default({}),
    postData: z.string().optional(),
    hasPostData: z.boolean().default(false),
  }),
});
export type PausedRequest = z.infer<typeof pausedRequest>;

/** What the browser gets for a request. `leave` keeps the page where it is; `deny` is a failed request. */
export type GateReply =
  | { kind: 'fulfil'; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  | { kind: 'leave' | 'deny' };

export type RequestGate = {
  /** Decides a request of the page, and makes it by the guarded fetch where it may be made. Never throws. */
  answer: (paused: PausedRequest, mainFrame: string) => Promise<GateReply>;
  /** Requests that were made or wait. */
  inFlight: () => number;
  counts: () => { made: number; bytes: number; refused: Record<string, number> };
};

const DENY: GateReply = { kind: 'deny' };
/** Headers of a request that are handed on: none that identifies anyone. */
const SENT_HEADERS = ['accept', 'content-type', 'origin'];
/** Headers of an answer that are not: they speak of the wire, or would set state. */
const WIRE_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'set-cookie',
  'set-cookie2',
  'alt-svc',
  'strict-transport-security',
  'report-to',
  'nel',
  'clear-site-data',
]);

/** What the page has used up, and what it was refused. */
type Used = { navigations: number; frames: number; posts: number; documentServed: boolean };

type Place = { start: URL; home: string; mainFrame: string };

/** Of private hosts only the audited origin itself is asked, whatever else the policy of this machine allows. */
const isInside = (url: URL, { start }: Pick<Place, 'start'>): boolean =>
  classifyHost(url.hostname).kind !== 'public' && url.origin !== start.origin;

/** Why a request is not made, before anything is asked of the network; undefined when it may be. */
function findRefusal(paused: PausedRequest, url: URL, place: Place, used: Used): string | undefined {
  const { request, resourceType, frameId } = paused;
  if (hasHeader(request.headers, 'service-worker')) return 'service_worker';
  if (isInside(url, place)) return 'private_target';
  if (resourceType === 'Document') {
    if (getRegistrableDomain(url.hostname) !== place.home) return 'foreign_document';
    const kind = frameId === place.mainFrame ? 'navigations' : 'frames';
    used[kind] += 1;
    if (used[kind] > (kind === 'frames' ? MAX_FRAMES : MAX_NAVIGATIONS)) return `too_many_${kind}`;
  }
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (request.method !== 'POST' || url.origin !== place.start.origin || !/^(?:XHR|Fetch)$/.test(resourceType))
    return 'method';
  used.posts += 1;
  const { length } = request.postData ?? '';
  const isUnread = request.hasPostData && length === 0;
  return used.posts > MAX_POSTS || length > MAX_POST_CHARS || isUnread ? 'too_many_posts' : undefined;
}

/**
 * The only way out of the browser. The start page is answered from the snapshot, so that what scripts change is compared
 * with the same bytes; all else goes through the guarded fetch, which has the address policy and the limits.
 */
export function createRequestGate(document: SnapshotAnswer, guardedFetch: GuardedFetch): RequestGate {
  const start = new URL(document.url);
  const home = getRegistrableDomain(start.hostname);
  const counts = { made: 0, bytes: 0, refused: new Map<string, number>() };
  const used: Used = { navigations: 0, frames: 0, posts: 0, documentServed: false };
  const moved = new Map<string, Fetched & { ok: true }>();
  const run = createLanes(MAX_CONCURRENT, MAX_WAITING);
  const refuse = (reason: string, reply: GateReply = DENY): GateReply => {
    if (counts.refused.size < LOOK_LIMITS.refusals || counts.refused.has(reason))
      counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);
    return reply;
  };
  const load = async (paused: PausedRequest, url: URL, notHere: GateReply): Promise<GateReply> => {
    const known = moved.get(url.href);
    if (known) {
      moved.delete(url.href);
      return buildReply(known.status, known.headers, known.bytes);
    }
    const fetched = await guardedFetch(buildTarget(paused, url));
    counts.made += 1 + fetched.redirects.length;
    if (!fetched.ok) return refuse(fetched.reason, notHere);
    counts.bytes += fetched.bytes.byteLength;
    if (isInside(new URL(fetched.url), { start })) return refuse('private_target', notHere);
    if (fetched.truncated) return refuse('too_large', notHere);
    if (fetched.redirects.length === 0 || fetched.url === url.href)
      return buildReply(fetched.status, fetched.headers, fetched.bytes);
    // The browser follows by itself, so that addresses in the answer mean what they mean there.
    moved.set(fetched.url, fetched);
    return buildReply(302, { location: fetched.url, ...selectCorsHeaders(fetched.headers) });
  };
  return {
    async answer(paused, mainFrame) {
      const { request, resourceType, frameId } = paused;
      const isMain = resourceType === 'Document' && frameId === mainFrame;
      const notHere: GateReply = isMain ? { kind: 'leave' } : DENY;
      if (isMain && !used.documentServed && withoutHash(request.url) === withoutHash(document.url)) {
        used.documentServed = true;
        return buildDocument(document);
      }
      const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
      if (!url || !/^https?:$/.test(url.protocol)) return refuse('scheme_refused', notHere);
      if (resourceType === 'Image' && !isInside(url, { start }))
        return buildReply(200, { 'content-type': 'image/gif' }, EMPTY_PICTURE);
      if (NOT_LOADED.has(resourceType)) return DENY;
      const reason = findRefusal(paused, url, { start, home, mainFrame }, used);
      if (reason !== undefined) return refuse(reason, notHere);
      const reply = await run(() => load(paused, url, notHere));
      return reply ?? refuse('too_many_requests', notHere);
    },
    inFlight: run.size,
    counts: () => ({ made: counts.made, bytes: counts.bytes, refused: Object.fromEntries(counts.refused) }),
  };
}

const withoutHash = (url: string): string => url.split('#')[0] ?? url;

const hasHeader = (headers: Readonly<Record<string, string>>, name: string): boolean =>
  Object.keys(headers).some((key) => key.toLowerCase() === name);

function buildTarget({ request }: PausedRequest, url: URL): FetchTarget {
  const headers = Object.fromEntries(
    Object.entries(request.headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name, value]) => SENT_HEADERS.includes(name) && /^[\x20-\x7e]{1,1000}$/.test(value)),
  );
  const method = request.method === 'HEAD' || request.method === 'POST' ? request.method : 'GET';
  return {
    url: withoutHash(url.href),
    method,
    headers,
    ...(method === 'POST' ? { body: request.postData ?? '' } : {}),
  };
}

const selectCorsHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

function buildReply(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array = new Uint8Array(),
): GateReply {
  const kept = Object.entries(headers).filter(([name]) => !WIRE_HEADERS.has(name.toLowerCase()));
  return { kind: 'fulfil', status, headers: Object.fromEntries(kept), body };
}

/** The start page, as the snapshot has it: its text was decoded, so it is UTF-8 whatever the server said. */
function buildDocument({ body, headers, status }: SnapshotAnswer): GateReply {
  const { refresh: _leads, 'content-disposition': _saves, ...kept } = headers;
  const isXml = parseMediaType(headers['content-type'] ?? '') === 'application/xhtml+xml';
  return buildReply(
    status,
    { ...kept, 'content-type': `${isXml ? 'application/xhtml+xml' : 'text/html'}; charset=utf-8` },
    new TextEncoder().encode(`\uFEFF${body}`),
  );
}

/** Runs at most `lanes` tasks at once; undefined for one that finds more than `most` waiting. */
function createLanes(
  lanes: number,
  most: number,
): { <T>(task: () => Promise<T>): Promise<T | undefined>; size: () => number } {
  let running = 0;
  const waiting: (() => void)[] = [];
  const run = async <T>(task: () => Promise<T>): Promise<T | undefined> => {
    if (running >= lanes) {
      if (waiting.length >= most) return undefined;
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return Object.assign(run, { size: () => running + waiting.length });
}
