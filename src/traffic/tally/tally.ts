import { copyText } from '../byte-string.ts';
import { createRecentMap } from '../recent-map.ts';
import type { VisitorClaim } from '../agents/agent-class.ts';
import type { LogRecord } from '../record.ts';
import { type AgentOptions, type AgentPorts, type AgentTally, createAgents } from './agent-tally.ts';
import { type Counts, countRequest, createCounts, createPage, type Page } from './counts.ts';
import { classifyPath, cleanPath, cutPath, type PathKind } from './page-path.ts';

/** Pages that are counted by themselves, of all visitors. */
export const MAX_TRAFFIC_PAGES = 50_000;
/** After so many only what agents ask for has new ones: a scanner that makes addresses up must not hide what they read. */
const MAX_OTHER_PAGES = 40_000;
/** Landing pages of one assistant that are counted by themselves. */
export const MAX_LANDING_PAGES = 5_000;
/** Different assistants whose referrals are counted. */
const MAX_ASSISTANTS = 100;
const MAX_KNOWN_AGENTS = 5_000;
const MAX_KNOWN_PATHS = 20_000;
/** Longer texts are not remembered; of a User-Agent, no more is read. */
const MAX_REMEMBERED_CHARS = 512;
const MAX_AGENT_CHARS = 1_024;

/** What the count asks others: each answers at once, and the same for the same question. */
export type TallyPorts = AgentPorts & {
  classify: (userAgent: string) => VisitorClaim;
  findReferral: (referrer: string, path: string) => string | undefined;
};

export type TallyOptions = AgentOptions & {
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  /** In lower case; requests of others are left out. */
  hosts?: readonly string[] | undefined;
  /** Requests whose log names no host count as of `hosts`. */
  keepsUnnamed?: boolean | undefined;
  /** Only paths that begin with it. */
  root?: string | undefined;
};

export type Referrals = { requests: number; pages: Map<Page, number>; pagesBeyond: number };

export type TrafficTally = {
  count: (record: LogRecord) => void;
  agents: ReadonlyMap<string, AgentTally>;
  people: Counts;
  programs: Counts;
  pages: ReadonlyMap<string, Page>;
  pagesBeyond: () => number;
  referrals: ReadonlyMap<string, Referrals>;
  /** Requests that were left out: of another time, host or part of the site, or where the log does not say. */
  leftOut: { time: number; host: number; root: number };
  /** Hosts that the log named: none, one, or several. */
  hosts: () => 'none' | 'one' | 'several';
  /** Paths of the sitemap that agents asked for. */
  asked: ReadonlySet<string>;
};

type Visitor = { counts: Counts; isPerson: boolean; agent: AgentTally | undefined };

/** Counts requests one by one; memory is bounded by the limits above, whatever comes. */
export function createTally(ports: TallyPorts, options: TallyOptions): TrafficTally {
  const [people, programs] = [createCounts(), createCounts()];
  const agents = createAgents(ports, options);
  const visitors = createRecentMap<Visitor>(MAX_KNOWN_AGENTS);
  const referrals = new Map<string, Referrals>();
  const known = createPages();
  const judge = createFilter(options);
  let order = 0;

  const meet = (userAgent: string): Visitor => {
    const text = userAgent.slice(0, MAX_AGENT_CHARS);
    const claim = ports.classify(text);
    const agent = claim.token === undefined ? undefined : agents.find(claim, claim.token);
    const isPerson = claim.class === 'person';
    const visitor = { counts: isPerson ? people : programs, isPerson, agent };
    if (userAgent.length <= MAX_REMEMBERED_CHARS) visitors.set(text, visitor);
    return visitor;
  };
  return {
    agents: agents.agents,
    people,
    programs,
    pages: known.pages,
    pagesBeyond: known.countBeyond,
    referrals,
    leftOut: judge.leftOut,
    hosts: judge.hosts,
    asked: agents.asked,
    count: (record) => {
      order += 1;
      const path = cutPath(record.path);
      if (!judge.isWanted(record, path)) return;
      const visitor = visitors.get(record.userAgent) ?? meet(record.userAgent);
      if (visitor.agent !== undefined) {
        agents.count(visitor.agent, record, { path, page: known.find(path, MAX_TRAFFIC_PAGES), order });
        return;
      }
      countRequest(visitor.counts, record);
      if (visitor.isPerson && (record.status ?? 0) >= 400) return;
      const page = known.find(path, MAX_OTHER_PAGES);
      if (!visitor.isPerson) {
        page.programs += 1;
        return;
      }
      if (page.kind === 'asset') return;
      page.people += 1;
      if (record.referrer === '' && path.length === record.path.length) return;
      const assistant = ports.findReferral(record.referrer, record.path);
      if (assistant !== undefined) countReferral(referrals, assistant, page);
    },
  };
}

function countReferral(referrals: Map<string, Referrals>, assistant: string, page: Page): void {
  const before = referrals.get(assistant);
  if (before === undefined && referrals.size >= MAX_ASSISTANTS) return;
  const found = before ?? { requests: 0, pages: new Map<Page, number>(), pagesBeyond: 0 };
  if (before === undefined) referrals.set(assistant, found);
  found.requests += 1;
  const times = found.pages.get(page);
  if (!page.isBeyond && (times !== undefined || found.pages.size < MAX_LANDING_PAGES))
    found.pages.set(page, (times ?? 0) + 1);
  else found.pagesBeyond += 1;
}

type Pages = {
  pages: ReadonlyMap<string, Page>;
  /** `limit`: pages from which on a new one has no place of its own. */
  find: (path: string, limit: number) => Page;
  countBeyond: () => number;
};

/** Pages by their cleaned paths, and by the paths of before as they were logged. */
function createPages(): Pages {
  const pages = new Map<string, Page>();
  const beyondPages = new Map<PathKind, Page>();
  const known = createRecentMap<Page>(MAX_KNOWN_PATHS);
  let beyond = 0;
  const intern = (path: string, limit: number): Page => {
    const clean = cleanPath(path);
    const before = pages.get(clean);
    if (before !== undefined) return before;
    const kind = classifyPath(clean);
    const page = pages.size < limit ? createPage(clean, kind) : (beyondPages.get(kind) ?? createPage('', kind, true));
    if (page.isBeyond) beyondPages.set(kind, page);
    else pages.set(clean, page);
    return page;
  };
  const find = (path: string, limit: number): Page => {
    const remembered = known.get(path);
    const page = remembered ?? intern(path, limit);
    const isSettled = !page.isBeyond || pages.size >= MAX_TRAFFIC_PAGES;
    if (remembered === undefined && isSettled && path.length <= MAX_REMEMBERED_CHARS) known.set(path, page);
    if (page.isBeyond) beyond += 1;
    return page;
  };
  return { pages, find, countBeyond: () => beyond };
}

type Filter = Pick<TrafficTally, 'leftOut' | 'hosts'> & { isWanted: (record: LogRecord, path: string) => boolean };

function createFilter({ sinceMs, untilMs, hosts, keepsUnnamed, root }: TallyOptions): Filter {
  const leftOut = { time: 0, host: 0, root: 0 };
  const [from, before] = [sinceMs ?? -Infinity, untilMs ?? Infinity];
  const isTimed = sinceMs !== undefined || untilMs !== undefined;
  let seen: string | undefined;
  let isSeveral = false;
  const isWanted = (record: LogRecord, path: string): boolean => {
    const asked = record.host;
    if (asked !== undefined && asked !== seen && !isSeveral) {
      isSeveral = seen !== undefined && asked.toLowerCase() !== seen.toLowerCase();
      seen = copyText(asked.slice(0, MAX_REMEMBERED_CHARS));
    }
    if (isTimed && !(record.atMs !== undefined && record.atMs >= from && record.atMs < before)) leftOut.time += 1;
    else if (
      hosts !== undefined &&
      (asked === undefined ? keepsUnnamed !== true : !hosts.includes(asked.toLowerCase()))
    )
      leftOut.host += 1;
    else if (root !== undefined && !path.startsWith(root)) leftOut.root += 1;
    else return true;
    return false;
  };
  return { leftOut, isWanted, hosts: () => (seen === undefined ? 'none' : isSeveral ? 'several' : 'one') };
}
