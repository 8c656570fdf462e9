import { aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import { DAY_MS, formatIsoDay, formatIsoTimestamp } from '../../lib/time.ts';
import { type VisitorClass, visitorClasses } from '../agents/agent-class.ts';
import { MIN_PEOPLE_CELL } from '../tally/traffic-report.ts';
import { AUTOMATION, type EdgeVerification, PERSON } from './counts-body.ts';
import type { StoredCell, StoredCounts, StoredPage } from './stored-counts.ts';

/** The version of the form below; a member may be added within one. */
export const CRAWLER_REPORT_SCHEMA = 1;
/** Longest range of one report, in days. */
export const MAX_REPORT_DAYS = 92;
const DEFAULT_DAYS = 28;

type CountedPage = { path: string; requests: number; errors: number };

type Counted = {
  requests: number;
  bytes: number;
  /** Requests by the first digit of their status. */
  statuses: Readonly<Record<'1xx' | '2xx' | '3xx' | '4xx' | '5xx', number>>;
  /** Share of answers that were 4xx or 5xx, from 0 to 1. */
  error_share: number;
  /** Answers 401, 403, 429 and 5xx. */
  refused: number;
  /** Requests by other methods than GET and HEAD. */
  writes: number;
  robots_txt: number;
  llms_txt: number;
  markdown: number;
  /** RFC 3339, to the minute. */
  first_seen: string;
  last_seen: string;
};

export type CrawlerOfReport = Counted & {
  /** Of the roster. */
  agent: string;
  owner: string;
  class: VisitorClass;
  /** `verified` by the sender's network; `claimed` by the User-Agent alone. */
  verification: EdgeVerification;
  /** Different pages, of all verifications of the agent together. */
  pages: number;
  top_pages: readonly CountedPage[];
  /** Reads of pages beyond those that a day has room for. */
  pages_beyond: number;
};

/** Counts of one host over some days. Cells of people with fewer than 5 requests are left out. */
export type CrawlerReport = {
  schema: typeof CRAWLER_REPORT_SCHEMA;
  host: string;
  from: string;
  to: string;
  received: { batches: number; not_counted: number; last: string | null };
  classes: readonly (Counted & { class: VisitorClass; pages: number })[];
  agents: readonly CrawlerOfReport[];
  /** Requests by class, for each day with any. */
  days: readonly { day: string; requests: Readonly<Partial<Record<VisitorClass, number>>> }[];
  referrals: readonly { assistant: string; requests: number }[];
  people: { top_pages: readonly CountedPage[] };
  /** Pages that people read and no agent of the roster asked for. */
  unread_by_agents: { count: number; pages: readonly CountedPage[] };
};

export type DayRange = { fromDay: number; toDay: number };
export type ParsedRange = { ok: true; range: DayRange } | { ok: false; message: string };

/** Days of the query, both inclusive: the last 28 where it names none. */
export function parseDayRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): ParsedRange {
  const today = Math.floor(nowMs / DAY_MS);
  const toDay = to === undefined ? today : parseDay(to);
  const fromDay = from === undefined ? (toDay ?? today) - DEFAULT_DAYS + 1 : parseDay(from);
  if (fromDay === undefined || toDay === undefined) return { ok: false, message: 'is no day, such as 2026-11-28' };
  if (fromDay > toDay) return { ok: false, message: 'ends before it begins' };
  if (toDay - fromDay >= MAX_REPORT_DAYS) return { ok: false, message: `is longer than ${MAX_REPORT_DAYS} days` };
  return { ok: true, range: { fromDay, toDay } };
}

function parseDay(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) || formatIsoDay(ms) !== text ? undefined : ms / DAY_MS;
}

const roster = new Map(aiAgents.map((agent) => [agent.token, agent]));

/** An agent that left the roster is a program like others. */
const getClass = (agent: string): VisitorClass =>
  agent === PERSON ? 'person' : (roster.get(agent)?.class ?? AUTOMATION);

/** What a page, a program and a table say of stored counts. */
export function buildCrawlerReport(host: string, { fromDay, toDay }: DayRange, stored: StoredCounts): CrawlerReport {
  const { cells, pages, received, referrals, unread } = stored;
  const seen = [...Map.groupBy(cells, ({ agent, verification }) => `${agent} ${verification}`).values()];
  const agents = seen.flatMap((own) => (isAgent(own[0]) ? [buildAgent(own, pages)] : []));
  return {
    schema: CRAWLER_REPORT_SCHEMA,
    host,
    from: formatDay(fromDay),
    to: formatDay(toDay),
    received: {
      batches: received.batches,
      not_counted: received.dropped,
      last: received.lastMs === undefined ? null : formatIsoTimestamp(received.lastMs),
    },
    classes: visitorClasses.flatMap((name) => buildClass(name, stored)),
    agents: agents.toSorted(
      (left, right) =>
        visitorClasses.indexOf(left.class) - visitorClasses.indexOf(right.class) || right.requests - left.requests,
    ),
    days: buildDays(stored),
    referrals: referrals
      .filter(({ n }) => n >= MIN_PEOPLE_CELL)
      .map(({ assistant, n }) => ({ assistant, requests: n }))
      .toSorted((left, right) => right.requests - left.requests),
    people: { top_pages: listPages(pages, PERSON).filter(({ requests }) => requests >= MIN_PEOPLE_CELL) },
    unread_by_agents: {
      count: unread[0]?.pages ?? 0,
      pages: unread.map(({ path, n, errors }) => ({ path, requests: n, errors })),
    },
  };
}

const isAgent = (cell: StoredCell | undefined): boolean => cell !== undefined && roster.has(cell.agent);
const formatDay = (day: number): string => formatIsoDay(day * DAY_MS);

const listPages = (pages: readonly StoredPage[], agent: string): readonly CountedPage[] =>
  pages
    .filter((page) => page.agent === agent && page.path !== '')
    .map(({ path, n, errors }) => ({ path, requests: n, errors }));

function buildAgent(own: readonly StoredCell[], pages: readonly StoredPage[]): CrawlerOfReport {
  const { agent, verification } = own[0] as StoredCell; // A group has at least one.
  return {
    agent,
    owner: roster.get(agent)?.owner ?? '',
    class: getClass(agent),
    verification,
    ...addUp(own),
    pages: countPages(pages, agent),
    top_pages: listPages(pages, agent),
    pages_beyond: pages.find((page) => page.agent === agent && page.path === '')?.n ?? 0,
  };
}

const countPages = (pages: readonly StoredPage[], agent: string): number =>
  pages.find((page) => page.agent === agent && page.path !== '')?.pages ?? 0;

/** The one class of people is one of cells by status, each of which may be too small. */
function buildClass(name: VisitorClass, { cells, pages }: StoredCounts): CrawlerReport['classes'] {
  const own = cells.filter(({ agent, n }) => getClass(agent) === name && (name !== 'person' || n >= MIN_PEOPLE_CELL));
  if (own.length === 0) return [];
  const agents = [...new Set(own.map(({ agent }) => agent))];
  const counted = agents.reduce((sum, agent) => sum + countPages(pages, agent), 0);
  return [{ class: name, ...addUp(own), pages: counted }];
}

function addUp(cells: readonly StoredCell[]): Counted {
  const sum = (of: (cell: StoredCell) => number): number => cells.reduce((total, cell) => total + of(cell), 0);
  const ofStatus = (first: number): number => sum((cell) => (cell.status_class === first ? cell.n : 0));
  const requests = sum(({ n }) => n);
  return {
    requests,
    bytes: sum(({ bytes }) => bytes),
    statuses: { '1xx': ofStatus(1), '2xx': ofStatus(2), '3xx': ofStatus(3), '4xx': ofStatus(4), '5xx': ofStatus(5) },
    error_share: requests === 0 ? 0 : (ofStatus(4) + ofStatus(5)) / requests,
    refused: sum(({ refused }) => refused),
    writes: sum(({ writes }) => writes),
    robots_txt: sum(({ robots }) => robots),
    llms_txt: sum(({ llms }) => llms),
    markdown: sum(({ markdown }) => markdown),
    first_seen: formatIsoTimestamp(Math.min(...cells.map(({ first_ms: ms }) => ms))),
    last_seen: formatIsoTimestamp(Math.max(...cells.map(({ last_ms: ms }) => ms))),
  };
}

function buildDays({ days }: StoredCounts): CrawlerReport['days'] {
  return [...Map.groupBy(days, ({ day }) => day)]
    .toSorted(([left], [right]) => left - right)
    .map(([day, rows]) => {
      const requests: Partial<Record<VisitorClass, number>> = {};
      for (const { agent, n } of rows) requests[getClass(agent)] = (requests[getClass(agent)] ?? 0) + n;
      if ((requests.person ?? 0) < MIN_PEOPLE_CELL) delete requests.person;
      return { day: formatDay(day), requests };
    });
}
