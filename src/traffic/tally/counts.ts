import type { LogRecord } from '../record.ts';
import type { PathKind } from './page-path.ts';

/**
 * One page: addresses that are the same after cleaning. Requests by people that were answered, by programs, and by agents
 * that are not pretended. `isBeyond`: all pages of a kind that have no place of their own.
 */
export type Page = {
  path: string;
  kind: PathKind;
  isBeyond: boolean;
  people: number;
  programs: number;
  agents: number;
};

export const createPage = (path: string, kind: PathKind, isBeyond = false): Page => ({
  path,
  kind,
  isBeyond,
  people: 0,
  programs: 0,
  agents: 0,
});

/** Pages of one agent of which requests are counted; those beyond are counted as `pagesBeyond`. */
export const MAX_PAGES_OF_AGENT = 5_000;
/** Refused pages of one agent that are counted one by one. */
export const MAX_REFUSED_PAGES = 500;

/** What is counted of one agent in one state of verification, or of all people, or of all programs. */
export type Counts = {
  requests: number;
  bytes: number;
  /** Without a status, then 1xx to 5xx; what is beyond counts as none. */
  statuses: number[];
  firstMs: number;
  lastMs: number;
  /** Requests of each page; empty for people and programs, whose requests the pages count. */
  pages: Map<Page, number>;
  pagesBeyond: number;
  robots: number;
  /** When robots.txt and the first page were asked for; Infinity for never. Order of lines where they have no time. */
  firstRobots: number;
  firstPage: number;
  llms: number;
  markdown: number;
  refused: Map<Page, Map<number, number>>;
  refusedRequests: number;
  disallowed: Map<Page, number>;
  disallowedRequests: number;
  /** Addresses that it came from. */
  addresses: number;
  /** Of visitors that are not the agent that they name: pages are not read by it. */
  isPretended: boolean;
};

export const createCounts = (isPretended = false): Counts => ({
  requests: 0,
  bytes: 0,
  statuses: [0, 0, 0, 0, 0, 0],
  firstMs: Infinity,
  lastMs: -Infinity,
  pages: new Map(),
  pagesBeyond: 0,
  robots: 0,
  firstRobots: Infinity,
  firstPage: Infinity,
  llms: 0,
  markdown: 0,
  refused: new Map(),
  refusedRequests: 0,
  disallowed: new Map(),
  disallowedRequests: 0,
  addresses: 0,
  isPretended,
});

/** What every visitor counts. */
export function countRequest(counts: Counts, { atMs, bytes, status }: LogRecord): void {
  counts.requests += 1;
  if (bytes !== undefined) counts.bytes += bytes;
  const hundreds = status === undefined || status >= 600 ? 0 : (status / 100) | 0;
  counts.statuses[hundreds] = (counts.statuses[hundreds] ?? 0) + 1;
  if (atMs === undefined) return;
  if (atMs < counts.firstMs) counts.firstMs = atMs;
  if (atMs > counts.lastMs) counts.lastMs = atMs;
}

/** Statuses with which a site keeps an agent out, or is too busy for it. */
const isRefusal = (status: number): boolean => status === 401 || status === 403 || status === 429 || status >= 500;

/** What is counted of agents beside that. `order`: when it came, by time, or by line where there is none. */
export function countAgentRequest(
  counts: Counts,
  page: Page,
  { status, order, isDisallowed }: { status: number | undefined; order: number; isDisallowed: boolean },
): void {
  if (page.kind === 'robots') {
    counts.robots += 1;
    if (order < counts.firstRobots) counts.firstRobots = order;
    return;
  }
  if (isDisallowed) {
    counts.disallowedRequests += 1;
    if (hasRoom(counts.disallowed, page, MAX_REFUSED_PAGES)) addTo(counts.disallowed, page, 1);
  }
  if (page.kind === 'asset' || page.kind === 'file') return;
  if (page.kind === 'llms') counts.llms += 1;
  else if (page.kind === 'markdown') counts.markdown += 1;
  if (order < counts.firstPage) counts.firstPage = order;
  if (hasRoom(counts.pages, page, MAX_PAGES_OF_AGENT)) addTo(counts.pages, page, 1);
  else counts.pagesBeyond += 1;
  if (status !== undefined && isRefusal(status)) countRefusal(counts, page, status, 1);
}

const hasRoom = (map: ReadonlyMap<Page, unknown>, page: Page, limit: number): boolean =>
  !page.isBeyond && (map.size < limit || map.has(page));

const addTo = <K>(map: Map<K, number>, key: K, count: number): void => void map.set(key, (map.get(key) ?? 0) + count);

function countRefusal(counts: Counts, page: Page, status: number, times: number): void {
  counts.refusedRequests += times;
  const known = counts.refused.get(page);
  if (known !== undefined) addTo(known, status, times);
  else if (hasRoom(counts.refused, page, MAX_REFUSED_PAGES)) counts.refused.set(page, new Map([[status, times]]));
}

/** Adds what was counted apart, such as the requests of one address. */
export function mergeCounts(into: Counts, from: Counts): void {
  into.requests += from.requests;
  into.bytes += from.bytes;
  for (const [at, count] of from.statuses.entries()) into.statuses[at] = (into.statuses[at] ?? 0) + count;
  into.firstMs = Math.min(into.firstMs, from.firstMs);
  into.lastMs = Math.max(into.lastMs, from.lastMs);
  into.firstRobots = Math.min(into.firstRobots, from.firstRobots);
  into.firstPage = Math.min(into.firstPage, from.firstPage);
  into.pagesBeyond += from.pagesBeyond;
  into.robots += from.robots;
  into.llms += from.llms;
  into.markdown += from.markdown;
  into.addresses += from.addresses;
  into.disallowedRequests += from.disallowedRequests;
  for (const [page, count] of from.pages) {
    if (into.pages.has(page) || into.pages.size < MAX_PAGES_OF_AGENT) addTo(into.pages, page, count);
    else into.pagesBeyond += count;
  }
  for (const [page, count] of from.disallowed) addTo(into.disallowed, page, count);
  for (const [page, statuses] of from.refused)
    for (const [status, count] of statuses) countRefusal(into, page, status, count);
}
