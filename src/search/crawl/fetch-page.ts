import { decodeBody } from '../../audit/core/decode.ts';
import { listPageDirectives, isIndexingForbidden } from '../../audit/crawlers/facts/robots-directives.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { parsePage } from '../../audit/page/facts/page.ts';
import { parseMediaType } from '../../lib/media-type.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import type { Fetched, GuardedFetch } from '../../net/fetched.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import { HTML_TYPES, selectPageMetas, type PageMeta } from '../ingest/page-metadata.ts';
import { readFileText } from '../ingest/text-of.ts';
import type { PdfReadingService } from '../pdf/reader.ts';
import { parsePageUrl } from './page-urls.ts';
import { OUR_AGENT } from './rules.ts';

/** What is read of a page; what is larger is not indexed. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Links of one page that are followed; a caller that gets so many may have got a part. */
export const MAX_LINKS = 500;

/** Why a page of the site is not indexed, though it was looked at. */
export type SkipReason =
  | 'noindex'
  | 'duplicate'
  | 'unsupported_type'
  | 'empty'
  | 'too_large'
  | 'not_utf8'
  | 'unreadable'
  | 'took_too_long'
  | 'leaves_site';

/** A page with text, ready for the index. `metas` are those of its head. */
export type FetchedPage = {
  type: string;
  title: string;
  text: string;
  bytes: Uint8Array;
  modifiedMs: number | undefined;
  metas: readonly PageMeta[];
};

/**
 * What came of looking at a page. `gone`: the site says that there is none. `failed`: it could not be looked at, which says
 * nothing about it. `links` are addresses of the same site, `canonical` the one that the page says is its own.
 */
export type PageFetchResult =
  | { kind: 'page'; url: URL; page: FetchedPage; links: readonly URL[]; canonical: URL | undefined }
  | { kind: 'skipped'; url: URL | undefined; reason: SkipReason; links: readonly URL[] }
  | { kind: 'gone'; status: number }
  | { kind: 'failed'; reason: string };

/** Ends the detail of a redirect that was not followed because it leaves what may be read. */
export const LEAVES_SITE = 'the redirect leaves the site, or robots.txt forbids where it goes';

/** Page types that a crawl indexes. Pictures, scripts and data of a site are none of its pages. */
const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml', 'text/markdown', 'text/plain', 'application/pdf']);
const GONE = new Set([404, 410]);

/** Judges the answer for an address of a site. Never throws for what the answer holds. */
export async function lookAt(
  fetched: Fetched,
  { site, nowMs, readPdf }: { site: URL; nowMs: number; readPdf: PdfReadingService },
): Promise<PageFetchResult> {
  if (!fetched.ok) {
    const leaves = fetched.reason === 'bad_redirect' && fetched.detail.endsWith(LEAVES_SITE);
    return leaves ? skipPage(undefined, 'leaves_site') : { kind: 'failed', reason: fetched.reason };
  }
  const { status, headers } = fetched;
  if (GONE.has(status)) return { kind: 'gone', status };
  if (status !== 200) return { kind: 'failed', reason: `status_${status}` };
  const url = parsePageUrl(fetched.url, site);
  if (!url) return skipPage(undefined, 'leaves_site');
  const said = headers['content-type'] ?? '';
  const type = parseMediaType(said);
  if (!PAGE_TYPES.has(type)) return skipPage(url, 'unsupported_type');
  if (fetched.truncated) return skipPage(url, 'too_large');
  const html = HTML_TYPES.has(type) ? readPageFacts(fetched, said) : undefined;
  const { isIndexed, isFollowed } = readPermissions(html, headers, nowMs);
  const links = html && isFollowed ? listLinks(html, site) : [];
  if (!isIndexed) return skipPage(url, 'noindex', links);
  const read = await readFileText({ key: url.pathname, type: said, bytes: fetched.bytes }, readPdf);
  if (!read.ok && read.reason === 'took_too_long') return { kind: 'failed', reason: `${read.reason}: ${read.message}` };
  if (!read.ok) return skipPage(url, read.reason, links);
  const { text, title } = read;
  const page = {
    type: read.type,
    title,
    text,
    bytes: fetched.bytes,
    modifiedMs: parsePastTime(headers['last-modified'], nowMs),
    metas: html ? selectPageMetas(html) : [],
  };
  return { kind: 'page', url, page, links, canonical: html && findCanonical(html, site) };
}

const skipPage = (url: URL | undefined, reason: SkipReason, links: readonly URL[] = []): PageFetchResult => ({
  kind: 'skipped',
  url,
  reason,
  links,
});

const readPageFacts = ({ bytes, url }: Extract<Fetched, { ok: true }>, contentType: string): PageFacts =>
  parsePage(decodeBody(bytes, contentType), { url, bodyBytes: bytes.byteLength });

/** Directives to everybody and to us, of the page and of its headers. */
function readPermissions(html: PageFacts | undefined, headers: Readonly<Record<string, string>>, nowMs: number) {
  const ours = listPageDirectives(html ?? NO_PAGE, headers).filter(
    ({ agent }) => agent === 'robots' || agent === OUR_AGENT.toLowerCase(),
  );
  return {
    isIndexed: !ours.some((directive) => isIndexingForbidden(directive, nowMs)),
    isFollowed: !ours.some(({ name }) => name === 'nofollow' || name === 'none'),
  };
}

/** Of what is no page only the headers speak. */
const NO_PAGE = parsePage('', { url: 'about:blank', bodyBytes: 0 });

function listLinks(html: PageFacts, site: URL): readonly URL[] {
  const found = new Map<string, URL>();
  for (const { href, rels } of html.anchors) {
    const url = href === '' || rels.includes('nofollow') ? undefined : parsePageUrl(href, site);
    if (url && found.size < MAX_LINKS) found.set(url.href, url);
  }
  return [...found.values()];
}

function findCanonical(html: PageFacts, site: URL): URL | undefined {
  const href = html.canonicals[0]?.href ?? '';
  return href === '' ? undefined : parsePageUrl(href, site);
}

/** A time in the past; undefined where the header says none. */
function parsePastTime(header: string | undefined, nowMs: number): number | undefined {
  const ms = Date.parse((header ?? '').slice(0, 100));
  return Number.isNaN(ms) || ms < 0 || ms > nowMs ? undefined : ms;
}

const MIB = 1024 * 1024;

/** Pages that one step asks for. */
export const PAGES_PER_STEP = 25;
/** After this a step begins no request. */
export const STEP_MS = 40_000;

/** Limits of one step together: its pages, sitemaps and redirects. A step ends before a place at the gate is forgotten (90 s). */
const STEP_LIMITS = {
  requests: 150,
  totalBytes: 128 * MIB,
  wallMs: STEP_MS + 20_000,
  foreignDomains: 2,
  foreignRequests: 150,
  foreignRedirects: 150,
  fetchMs: 15_000,
  firstByteMs: 10_000,
  redirects: 5,
  bodyBytes: MAX_PAGE_BYTES,
};

/** What a crawl asks the network with. `policy` judges each address and each redirect (rule F5). */
export type SiteNetwork = { fetch: FetchFunction; policy: AddressPolicy; now: () => number; userAgent: string };

/** The fetch of one step. Redirects are followed where the policy and `mayFollow` allow it; see `LEAVES_SITE`. */
export function createStepFetch(
  { fetch, policy, now, userAgent }: SiteNetwork,
  mayFollow: (url: URL) => boolean,
): GuardedFetch {
  const judged: AddressPolicy = {
    checkAddress: policy.checkAddress,
    checkUrl: (url, from) => {
      const refusal = policy.checkUrl(url, from);
      if (refusal || from === undefined || mayFollow(url)) return refusal;
      return { ok: false, reason: 'invalid_url', detail: LEAVES_SITE };
    },
  };
  return createGuardedFetch({ fetch, policy: judged, clock: now, limits: STEP_LIMITS, userAgent });
}
