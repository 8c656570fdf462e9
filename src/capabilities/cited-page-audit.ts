import { runForEach } from '../lib/concurrency.ts';
import { PRODUCT } from '../lib/product.ts';
import { checks } from '../audit/core/catalogue.ts';
import type { AnyCheck, OutcomeStatus } from '../audit/core/check.ts';
import { gatherSite } from '../audit/core/gather.ts';
import { readSite } from '../audit/core/report.ts';
import { createJudging } from '../audit/core/run.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../audit/core/snapshot.ts';
import { parseRobots, decideRobotsVerdict, type RobotsFile } from '../audit/crawlers/facts/robots.ts';
import { ROBOTS_BYTES } from '../audit/crawlers/gather/crawlers.ts';
import { findChallenge, isRefusalStatus } from '../audit/reach/facts/blocked-crawler.ts';
import { getPageFacts, isHtmlAnswer } from '../audit/reach/facts/html-page.ts';
import type { FetchLimits } from '../net/fetch-budget.ts';
import type { Fetched, GuardedFetch } from '../net/fetched.ts';
import {
  type CitationResolution,
  RESOLUTION_LIMITS,
  resolveCitations,
} from '../visibility/citations/resolve-citations.ts';
import { normaliseCitedUrl } from '../visibility/citations/cited-url.ts';
import type { CapabilityTools } from './capability.ts';
import type { AuditedPage, ComparedPageSide, UnreadReason } from './citation-evidence.ts';

/** Cited pages, and pages of the buyer, that are read for a comparison. */
export const MAX_COMPARED_PAGES = 5;
/** Hosts that are read at once. */
const AUDIT_LANES = 3;

/** What the pages of one host may take. Three hosts are read at once and there are six at most: two times its time ends all. */
export const CITED_PAGE_LIMITS = {
  requests: 20,
  totalBytes: 12 * 1024 * 1024,
  wallMs: 20_000,
  fetchMs: 10_000,
  foreignDomains: 3,
  foreignRequests: 6,
  foreignRedirects: 6,
} as const satisfies Partial<FetchLimits>;

/** What to read: addresses of cited pages and of own ones, most cited first, and where the buyer's site starts. */
export type ComparedPages = { cited: readonly string[]; own: readonly string[]; start?: string | undefined };

/** What reading for citations uses. `wallMs`: time for the pages of one host, or for all redirects, where less is left than usual. */
type AuditTools = Pick<CapabilityTools, 'guardedFetch' | 'atTarget' | 'clockMs'> & { wallMs?: number | undefined };

/** The checks that one page is judged by: those of AEO and GEO that look at one page and count in a score. */
export const citedPageChecks: readonly AnyCheck[] = checks.filter(
  ({ each, weight, scores, needs }) =>
    each !== undefined &&
    weight > 0 &&
    scores.some((name) => name === 'aeo' || name === 'geo') &&
    !needs.includes('canonical'),
);

/**
 * Judges up to five cited pages and five of the buyer's: those that are cited, then the start page and pages that it links or its
 * sitemap lists. By GET only and under our own name; what robots.txt of a cited page's site forbids us is not read. Every host is entered like the target of
 * an audit (rule F6) and has a budget of its own (F9). A page that could not be read is data.
 */
export async function auditCitedPages(
  { cited, own, start }: ComparedPages,
  tools: AuditTools,
): Promise<readonly AuditedPage[]> {
  const ownPages = selectPages(own);
  const visits = [
    ...groupByHost(selectPages(cited), 'cited'),
    ...groupByHost(ownPages, 'own', ownPages.length < MAX_COMPARED_PAGES ? start : undefined),
  ];
  const read = new Map<Visit, readonly AuditedPage[]>();
  await runForEach(visits, AUDIT_LANES, async (visit) => {
    read.set(visit, await enterHost(visit, tools));
  });
  const pages = visits.flatMap((visit) => read.get(visit) ?? []);
  return (['cited', 'own'] as const).flatMap((side) => selectFirst(pages.filter((page) => page.side === side)));
}

/** Asks the vendors where redirects lead, as a visit of each vendor's host (rule F6). */
export async function resolveCitedRedirects(
  urls: readonly string[],
  tools: Omit<AuditTools, 'clockMs'>,
): Promise<readonly CitationResolution[]> {
  const [first] = urls;
  if (first === undefined) return [];
  let found: readonly CitationResolution[] | undefined;
  await tools.atTarget(first, async () => {
    found = await resolveCitations(urls, {
      fetch: tools.guardedFetch(first, shorten(RESOLUTION_LIMITS, tools.wallMs)),
    });
    return DONE;
  });
  return found ?? urls.map((url) => ({ url, reason: 'target_busy' }));
}

const shorten = <T extends { wallMs: number }>(limits: T, wallMs: number = limits.wallMs): T => ({
  ...limits,
  wallMs: Math.min(limits.wallMs, wallMs),
});

const DONE = { ok: true, result: {}, warnings: [] } as const;

/** Pages of one host, and whether the rest of the buyer's pages are looked for from `start`. */
type Visit = { side: ComparedPageSide; urls: readonly string[]; start?: string | undefined };

const selectPages = (urls: readonly string[]): readonly string[] =>
  [...new Set(urls.flatMap((url) => normaliseCitedUrl(url) ?? []))].slice(0, MAX_COMPARED_PAGES);

function groupByHost(urls: readonly string[], side: ComparedPageSide, start?: string): readonly Visit[] {
  const hosts = Map.groupBy(urls, (url) => new URL(url).host);
  const home = start === undefined ? undefined : new URL(start).host;
  const visits = [...hosts].map(([host, same]): Visit => ({
    side,
    urls: same,
    start: host === home ? start : undefined,
  }));
  return home === undefined || hosts.has(home) ? visits : [...visits, { side, urls: [], start }];
}

async function enterHost(visit: Visit, tools: AuditTools): Promise<readonly AuditedPage[]> {
  const { side, urls, start } = visit;
  const [first = start] = urls;
  if (first === undefined) return [];
  let pages: readonly AuditedPage[] | undefined;
  await tools.atTarget(first, async () => {
    const guarded = tools.guardedFetch(first, shorten(CITED_PAGE_LIMITS, tools.wallMs));
    pages = await readHost(visit, { fetch: guarded, clockMs: tools.clockMs });
    return DONE;
  });
  const unread = (url: string): AuditedPage => ({ url, side, status: 'unread', reason: 'target_busy' });
  return pages ?? [...urls, ...(start === undefined || urls.includes(start) ? [] : [start])].map(unread);
}

type Reader = { fetch: GuardedFetch; clockMs: number };

/** One page after the other: what is read of a host is judged before more of it is. */
async function readHost({ side, urls, start }: Visit, reader: Reader): Promise<readonly AuditedPage[]> {
  const pages: AuditedPage[] = [];
  const robots = side === 'cited' ? createRobotsReader(reader.fetch) : undefined;
  for (const url of urls) pages.push(await readPage(url, side, { ...reader, robots }));
  if (start === undefined) return pages;
  const snapshot = await gatherSite(start, {
    ...reader,
    only: ['page', 'sample'],
    maxPages: MAX_COMPARED_PAGES,
    requests: CITED_PAGE_LIMITS.requests,
  });
  return [...pages, ...(await judgePages(snapshot, side))];
}

type RobotsReader = (url: string) => Promise<'allowed' | 'robots_disallowed' | 'robots_unreachable'>;

async function readPage(
  url: string,
  side: ComparedPageSide,
  { robots, ...reader }: Reader & { robots: RobotsReader | undefined },
): Promise<AuditedPage> {
  const access = (await robots?.(url)) ?? 'allowed';
  if (access !== 'allowed') return { url, side, status: 'unread', reason: access };
  const guarded = robots === undefined ? reader.fetch : guardByRobots(reader.fetch, robots);
  const snapshot = await gatherSite(url, { ...reader, fetch: guarded, only: ['page'], maxPages: 1 });
  const [page] = await judgePages(snapshot, side);
  return page === undefined ? { url, side, status: 'unread', reason: 'http_error' } : { ...page, url };
}

/** The judged pages of a snapshot, its start page first; one entry with the reason where that was not read. */
async function judgePages(snapshot: Snapshot, side: ComparedPageSide): Promise<readonly AuditedPage[]> {
  const reason = findUnreadReason(getExchangeLookup(snapshot)('page'));
  if (reason !== undefined) return [{ url: snapshot.url, side, status: 'unread', reason }];
  const judging = createJudging(snapshot, readSite(snapshot), citedPageChecks);
  await judging.judgePages();
  const pages = new Map<string, Partial<Record<OutcomeStatus, string[]>>>();
  for (const { check, outcome, pages: judged } of judging.listResults())
    for (const one of judged ?? [{ url: snapshot.url, outcome }]) {
      const outcomes = pages.get(one.url) ?? {};
      outcomes[one.outcome.status] = [...(outcomes[one.outcome.status] ?? []), check.id];
      pages.set(one.url, outcomes);
    }
  return [...pages].map(([url, outcomes]) => ({ url, side, status: 'read', outcomes }));
}

function findUnreadReason(exchange: Exchange | undefined): UnreadReason | undefined {
  const answer = exchange?.answer;
  if (answer === undefined) return 'connection_failed';
  if (!answer.ok) return answer.reason;
  const words = (): number => (isHtmlAnswer(answer) ? getPageFacts(answer).words : 0);
  if (isRefusalStatus(answer.status) || findChallenge(answer, words) !== undefined) return 'refused';
  if (answer.status < 200 || answer.status > 299) return 'http_error';
  return isHtmlAnswer(answer) ? undefined : 'not_html';
}

/** Our name in robots.txt. */
const AGENT = `${PRODUCT}Bot`;

/** Whether robots.txt lets us read an address, by RFC 9309: none allows all, and one that cannot be read forbids all. Each origin is asked once. */
function createRobotsReader(guarded: GuardedFetch): RobotsReader {
  const known = new Map<string, Promise<RobotsFile | undefined>>();
  return async (url) => {
    const { origin } = new URL(url);
    const reading = known.get(origin) ?? fetchRobots(origin, guarded);
    known.set(origin, reading);
    const file = await reading;
    if (file === undefined) return 'robots_unreachable';
    return decideRobotsVerdict(file, AGENT, url).allowed ? 'allowed' : 'robots_disallowed';
  };
}

async function fetchRobots(origin: string, guarded: GuardedFetch): Promise<RobotsFile | undefined> {
  const fetched = await guarded({ url: `${origin}/robots.txt`, maxBytes: ROBOTS_BYTES });
  if (!fetched.ok || fetched.status === 429 || fetched.status >= 500) return undefined;
  return parseRobots(fetched.status < 300 ? new TextDecoder().decode(fetched.bytes) : '');
}

/** A fetch that leaves out what robots.txt forbids: of a page's site the root may be read as well. */
function guardByRobots(guarded: GuardedFetch, robots: RobotsReader): GuardedFetch {
  const obedient = async (...[target, mayFollow]: Parameters<GuardedFetch>): Promise<Fetched> =>
    (await robots(target.url)) === 'allowed'
      ? guarded(target, mayFollow)
      : { ok: false, reason: 'budget_exhausted', detail: 'robots.txt forbids it', redirects: [], elapsedMs: 0 };
  return Object.assign(obedient, {
    ...(guarded.count === undefined ? {} : { count: guarded.count }),
    ...(guarded.bookText === undefined ? {} : { bookText: guarded.bookText }),
  });
}

/** The first five pages of a side, each once. */
function selectFirst(pages: readonly AuditedPage[]): readonly AuditedPage[] {
  const seen = new Set<string>();
  const isNew = ({ url }: AuditedPage): boolean => {
    const key = normaliseCitedUrl(url) ?? url;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  return pages.filter(isNew).slice(0, MAX_COMPARED_PAGES);
}
