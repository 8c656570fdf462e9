import { runForEach } from '../../lib/concurrency.ts';
import { checks } from '../../audit/core/catalogue.ts';
import type { AnyCheck, OutcomeStatus } from '../../audit/core/check.ts';
import { gatherSite } from '../../audit/core/gather.ts';
import { findMissedHttps, readSite } from '../../audit/core/report.ts';
import { createJudging } from '../../audit/core/run.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../../audit/core/snapshot.ts';
import { findChallenge, isRefusalStatus } from '../../audit/reach/facts/blocked-crawler.ts';
import { getPageFacts, isHtmlAnswer } from '../../audit/reach/facts/html-page.ts';
import type { FetchLimits } from '../../net/fetch-budget.ts';
import { getRegistrableDomain } from '../../net/registrable-domain.ts';
import {
  type CitationResolution,
  RESOLUTION_LIMITS,
  resolveCitations,
} from '../../visibility/citations/resolve-citations.ts';
import { normaliseCitedUrl } from '../../visibility/citations/cited-url.ts';
import type { CapabilityTools } from '../capability.ts';
import type { AuditedPage, ComparedPageSide, UnreadReason } from '../citation-evidence.ts';
import { createHopFetch, type HopFetch, type VisitTools } from './hop-fetch.ts';
import { READING_LIMITS, startReadingPhase } from './reading-phase.ts';

/** Cited pages, and pages of the buyer, that are read for a comparison. */
export const MAX_COMPARED_PAGES = 5;
/** Hosts of the buyer that are read: the start page's, and those that are cited most. */
const MAX_OWN_HOSTS = 3;
/** Hosts that are read at once. */
const AUDIT_LANES = 3;

/** What the pages of one host may take. Each host is asked by itself, so that no fetch leaves its domain. */
export const CITED_PAGE_LIMITS = {
  requests: READING_LIMITS.hostRequests,
  totalBytes: 12 * 1024 * 1024,
  wallMs: 20_000,
  fetchMs: 10_000,
  foreignDomains: 0,
} as const satisfies Partial<FetchLimits>;

/** What to read: addresses of cited pages and of own ones, most cited first, and where the buyer's site starts. */
export type ComparedPages = { cited: readonly string[]; own: readonly string[]; start?: string | undefined };

type AuditTools = Pick<CapabilityTools, 'guardedFetch' | 'atTarget' | 'clockMs' | 'bareTargets'> & {
  /** Unix milliseconds, now. */
  nowMs: () => number;
  /** Until all must be read. */
  leftMs: number;
};

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
 * sitemap lists. By GET only and under our own name; what robots.txt of a cited page's site forbids us is not read. Every host, also one
 * that a redirect leads to, is entered like the target of an audit (rule F6) and has a budget of its own (F9); all end by one
 * deadline. A page that could not be read is data.
 */
export async function auditCitedPages(
  { cited, own, start }: ComparedPages,
  tools: AuditTools,
): Promise<readonly AuditedPage[]> {
  const ownPages = selectOwnPages(own, start);
  const visits = [
    ...groupByHost(selectPages(cited), 'cited'),
    ...groupByHost(ownPages, 'own', ownPages.length < MAX_COMPARED_PAGES ? start : undefined),
  ];
  const phase = startReadingPhase(tools, tools.leftMs);
  // So that the last visits have time, too.
  const partMs = Math.floor(tools.leftMs / Math.max(1, Math.ceil(visits.length / AUDIT_LANES)));
  const limits = { ...CITED_PAGE_LIMITS, wallMs: Math.min(CITED_PAGE_LIMITS.wallMs, partMs) };
  const read = new Map<Visit, readonly AuditedPage[]>();
  try {
    await runForEach(visits, AUDIT_LANES, async (visit) => {
      read.set(visit, await readHost(visit, { ...tools, phase, limits }));
    });
  } finally {
    await phase.end();
  }
  const pages = visits.flatMap((visit) => read.get(visit) ?? []);
  return (['cited', 'own'] as const).flatMap((side) => selectFirst(pages.filter((page) => page.side === side)));
}

/**
 * Asks the vendors where redirects lead, as a visit of the vendor's host (rule F6).
 * @param tools `partMs`: time that this may take; all of `RESOLUTION_LIMITS` when absent
 */
export async function resolveCitedRedirects(
  urls: readonly string[],
  { guardedFetch, atTarget, partMs }: Pick<AuditTools, 'guardedFetch' | 'atTarget'> & { partMs?: number },
): Promise<readonly CitationResolution[]> {
  const [first] = urls;
  if (first === undefined) return [];
  let found: readonly CitationResolution[] | undefined;
  const wallMs = Math.min(RESOLUTION_LIMITS.wallMs, partMs ?? RESOLUTION_LIMITS.wallMs);
  await atTarget(first, async () => {
    found = await resolveCitations(urls, { fetch: guardedFetch(first, { ...RESOLUTION_LIMITS, wallMs }) });
    return { ok: true, result: {}, warnings: [] };
  });
  return found ?? urls.map((url) => ({ url, reason: 'target_busy' }));
}

/** Pages of one host, and whether the rest of the buyer's pages are looked for from `start`. */
type Visit = { side: ComparedPageSide; urls: readonly string[]; start?: string | undefined };

const selectPages = (urls: readonly string[]): readonly string[] =>
  [...new Set(urls.flatMap((url) => normaliseCitedUrl(url) ?? []))].slice(0, MAX_COMPARED_PAGES);

/** Own pages of so many hosts only, with room for that of the start page. */
function selectOwnPages(urls: readonly string[], start: string | undefined): readonly string[] {
  const hosts = new Set(start === undefined ? [] : [new URL(start).host]);
  return selectPages(
    urls.filter((url) => {
      const { host = '' } = URL.parse(normaliseCitedUrl(url) ?? '') ?? {};
      return hosts.has(host) || (hosts.size < MAX_OWN_HOSTS && hosts.add(host).size > 0);
    }),
  );
}

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

type Reader = AuditTools & Omit<VisitTools, 'obeysRobots'>;

/** One page after the other: what is read of a host is judged before more of it is. */
async function readHost({ side, urls, start }: Visit, tools: Reader): Promise<readonly AuditedPage[]> {
  const [first = start] = urls;
  if (first === undefined) return [];
  const home = getRegistrableDomain(new URL(first).hostname);
  const reader = {
    clockMs: tools.clockMs,
    fetch: createHopFetch({
      ...tools,
      // The buyer has the own site audited; where it leads elsewhere, that site's owner decides.
      obeysRobots: ({ hostname }) => side === 'cited' || getRegistrableDomain(hostname) !== home,
    }),
  };
  const pages: AuditedPage[] = [];
  for (const url of urls) pages.push(await readPage(url, side, reader));
  if (start === undefined) return pages;
  const gatherFrom = (from: string): Promise<Snapshot> =>
    gatherSite(from, {
      ...reader,
      only: ['page', 'sample'],
      maxPages: MAX_COMPARED_PAGES,
      requests: CITED_PAGE_LIMITS.requests,
    });
  const asTyped = await gatherFrom(start);
  const missed = tools.bareTargets?.includes(start) === true ? findMissedHttps(asTyped) : undefined;
  const snapshot = missed === undefined ? asTyped : await gatherFrom(missed.http);
  return [...pages, ...(await judgePages(snapshot, side, reader.fetch))];
}

async function readPage(
  url: string,
  side: ComparedPageSide,
  reader: { fetch: HopFetch; clockMs: number },
): Promise<AuditedPage> {
  const reason = await reader.fetch.admit(url);
  if (reason !== undefined) return { url, side, status: 'unread', reason };
  const snapshot = await gatherSite(url, { ...reader, only: ['page'], maxPages: 1 });
  const [page] = await judgePages(snapshot, side, reader.fetch);
  return page === undefined ? { url, side, status: 'unread', reason: 'http_error' } : { ...page, url };
}

/** The judged pages of a snapshot, its start page first; one entry with the reason where that was not read. */
async function judgePages(
  snapshot: Snapshot,
  side: ComparedPageSide,
  { findStop }: HopFetch,
): Promise<readonly AuditedPage[]> {
  const reason = findStop(snapshot.url) ?? findUnreadReason(getExchangeLookup(snapshot)('page'));
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

/** The first five pages of a side, each once. */
function selectFirst(pages: readonly AuditedPage[]): readonly AuditedPage[] {
  const seen = new Set<string>();
  const isNew = ({ url }: AuditedPage): boolean => {
    const key = normaliseCitedUrl(url) ?? url;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  return pages.filter(isNew).slice(0, MAX_COMPARED_PAGES);
}
