import { compareTexts } from '../../lib/text.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import { visitorClasses, type VisitorClass } from '../agents/agent-class.ts';
import type { Verification } from '../ranges/verify.ts';
import type { UnreadableReason } from '../record.ts';
import { type Counts, createCounts, mergeCounts, type Page } from './counts.ts';
import type { AgentTally } from './agent-tally.ts';
import type { Referrals, TrafficTally } from './tally.ts';
import { cleanPath } from './page-path.ts';
import {
  type AgentTraffic,
  type AssistantReferrals,
  type ClassTraffic,
  type FileTraffic,
  MAX_LISTED_PAGES,
  MIN_PEOPLE_CELL,
  type TrafficPage,
  type RobotsReading,
  type StatusCounts,
  TRAFFIC_SCHEMA,
  type TrafficReport,
  type UnreadPages,
} from './traffic-report.ts';

/** What a report says beside what was counted. */
export type ReportFacts = {
  rosterDate: string;
  rangesDate: string;
  files: readonly FileTraffic[];
  lines: { read: number; other: number; undated: number; unreadable: Readonly<Record<UnreadableReason, number>> };
  /** Whether paths were judged by a robots.txt. */
  hasRobots: boolean;
  sitemap: ReadonlySet<string> | undefined;
};

/** The report of all that was counted: agents by their requests, lists cut to `MAX_LISTED_PAGES`. */
export function buildTrafficReport(tally: TrafficTally, facts: ReportFacts): TrafficReport {
  const cells = [...tally.agents.values()].flatMap((agent) =>
    verifications.map((verification) => ({ agent, verification, counts: agent.states[verification] })),
  );
  const agents = cells
    .filter(({ counts }) => counts.requests > 0)
    .toSorted((one, other) => other.counts.requests - one.counts.requests)
    .map(({ agent, verification, counts }) => describeAgent(agent, verification, counts, facts.hasRobots));
  const all = createCounts();
  for (const counts of [tally.people, tally.programs, ...cells.map((cell) => cell.counts)]) mergeTimes(all, counts);
  return {
    schema: TRAFFIC_SCHEMA,
    roster_date: facts.rosterDate,
    ranges_date: facts.rangesDate,
    period: { first: formatTime(all.firstMs), last: formatTime(all.lastMs) },
    files: facts.files,
    lines: { ...facts.lines, requests: all.requests, left_out: tally.leftOut },
    hosts: tally.hosts(),
    classes: visitorClasses.flatMap((name) => describeClass(name, tally) ?? []),
    agents,
    referrals: [...tally.referrals]
      .toSorted(([one, { requests: few }], [other, { requests: many }]) => many - few || compareTexts(one, other))
      .map(([assistant, counted]) => describeReferrals(assistant, counted)),
    unread_pages: findUnreadPages(tally, facts.sitemap),
    pages_beyond: tally.pagesBeyond(),
  };
}

const verifications: readonly Verification[] = ['verified', 'claimed', 'pretended'];

function mergeTimes(into: Counts, { requests, firstMs, lastMs }: Counts): void {
  into.requests += requests;
  into.firstMs = Math.min(into.firstMs, firstMs);
  into.lastMs = Math.max(into.lastMs, lastMs);
}

/** Years that RFC 3339 has no form for count as no time. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59);
const formatTime = (ms: number): string | null => (ms >= 0 && ms <= MAX_TIME_MS ? formatIsoTimestamp(ms) : null);

const isReadable = ({ kind }: Page): boolean => kind === 'page' || kind === 'markdown' || kind === 'llms';

const listTop = (counts: Iterable<readonly [Page, number]>): readonly TrafficPage[] =>
  [...counts]
    .toSorted(([one, few], [other, many]) => many - few || compareTexts(one.path, other.path))
    .slice(0, MAX_LISTED_PAGES)
    .map(([{ path }, requests]) => ({ path, requests }));

function describeCounts(counts: Counts): Omit<ClassTraffic, 'class' | 'top_pages' | 'pages'> {
  const [none = 0, one = 0, two = 0, three = 0, four = 0, five = 0] = counts.statuses;
  const statuses: StatusCounts = { '1xx': one, '2xx': two, '3xx': three, '4xx': four, '5xx': five, none };
  const answered = counts.requests - none;
  return {
    requests: counts.requests,
    bytes: counts.bytes,
    statuses,
    error_share: answered === 0 ? null : Number(((four + five) / answered).toFixed(4)),
    first_seen: formatTime(counts.firstMs),
    last_seen: formatTime(counts.lastMs),
  };
}

function describeAgent(
  agent: AgentTally,
  verification: Verification,
  counts: Counts,
  hasRobots: boolean,
): AgentTraffic {
  const refused = [...counts.refused]
    .map(([page, statuses]) => ({
      path: page.path,
      requests: [...statuses.values()].reduce((sum, count) => sum + count, 0),
      statuses: [...statuses.keys()].toSorted((one, other) => one - other),
    }))
    .toSorted((one, other) => other.requests - one.requests || compareTexts(one.path, other.path));
  return {
    token: agent.token,
    owner: agent.owner,
    class: agent.class,
    verification,
    ...describeCounts(counts),
    addresses: counts.addresses,
    addresses_capped: agent.hasMoreAddresses,
    pages: counts.pages.size,
    pages_beyond: counts.pagesBeyond,
    top_pages: listTop(counts.pages),
    robots_txt: describeRobots(counts, hasRobots),
    llms_txt: counts.llms,
    markdown: counts.markdown,
    refused: { requests: counts.refusedRequests, pages: refused.slice(0, MAX_LISTED_PAGES) },
  };
}

const describeRobots = (counts: Counts, hasRobots: boolean): RobotsReading => ({
  requests: counts.robots,
  before_first_page: counts.firstPage === Infinity ? null : counts.firstRobots <= counts.firstPage,
  disallowed: hasRobots ? { requests: counts.disallowedRequests, pages: listTop(counts.disallowed) } : null,
});

/** Undefined for a class of which no one came. Pretended agents count in the class of the agent that they name. */
function describeClass(name: VisitorClass, tally: TrafficTally): ClassTraffic | undefined {
  const counts = createCounts();
  if (name === 'person' || name === 'automation') {
    mergeCounts(counts, name === 'person' ? tally.people : tally.programs);
    const least = name === 'person' ? MIN_PEOPLE_CELL : 1;
    const count = (page: Page): number => (name === 'person' ? page.people : page.programs);
    const pages = [...tally.pages.values()].filter((page) => isReadable(page) && count(page) > 0);
    const shown = pages.filter((page) => count(page) >= least).map((page) => [page, count(page)] as const);
    if (counts.requests === 0) return undefined;
    return { class: name, ...describeCounts(counts), pages: pages.length, top_pages: listTop(shown) };
  }
  const pages = new Map<Page, number>();
  for (const agent of tally.agents.values()) {
    if (agent.class !== name) continue;
    for (const state of Object.values(agent.states)) {
      mergeCounts(counts, { ...state, pages: new Map(), refused: new Map(), disallowed: new Map() });
      for (const [page, times] of state.pages) pages.set(page, (pages.get(page) ?? 0) + times);
    }
  }
  if (counts.requests === 0) return undefined;
  return { class: name, ...describeCounts(counts), pages: pages.size, top_pages: listTop(pages) };
}

function describeReferrals(assistant: string, { requests, pages }: Referrals): AssistantReferrals {
  const large = [...pages].filter(([, count]) => count >= MIN_PEOPLE_CELL);
  return {
    assistant,
    requests: requests >= MIN_PEOPLE_CELL ? requests : null,
    landing_pages: listTop(large),
    small_pages: pages.size - large.length,
  };
}

function findUnreadPages(tally: TrafficTally, sitemap: ReadonlySet<string> | undefined): UnreadPages {
  const unread = [...tally.pages.values()].filter(
    (page) => isReadable(page) && page.agents === 0 && page.people >= MIN_PEOPLE_CELL,
  );
  const unasked = sitemap === undefined ? [] : [...sitemap].filter((path) => !tally.asked.has(path));
  return {
    by_people: { count: unread.length, pages: listTop(unread.map((page) => [page, page.people] as const)) },
    of_sitemap:
      sitemap === undefined
        ? null
        : {
            addresses: sitemap.size,
            unasked: unasked.length,
            pages: [...new Set(unasked.map(cleanPath))].slice(0, MAX_LISTED_PAGES),
          },
  };
}
