import { copyText } from '../../lib/byte-string.ts';
import { createRecentMap } from '../../lib/recent-map.ts';
import type { VisitorClaim, VisitorClass } from '../agents/agent-class.ts';
import type { Verification } from '../ranges/verify.ts';
import type { LogRecord } from '../record.ts';
import { type Counts, countAgentRequest, countRequest, createCounts, mergeCounts, type Page } from './counts.ts';
import { classifyPath, cleanPath, cutPath } from './page-path.ts';

/** Pages that are told apart in all. */
export const MAX_TRAFFIC_PAGES = 100_000;
/** Addresses of one agent that are remembered; those beyond are verified again and again, and not counted. */
export const MAX_ADDRESSES_OF_AGENT = 5_000;
/** Landing pages of one assistant that are told apart. */
export const MAX_LANDING_PAGES = 5_000;
/** Different assistants whose referrals are counted. */
const MAX_ASSISTANTS = 100;
const MAX_KNOWN_AGENTS = 10_000;
const MAX_KNOWN_PATHS = 30_000;
/** Longer texts are not remembered; of a User-Agent, no more is read. */
const MAX_REMEMBERED_CHARS = 512;
const MAX_AGENT_CHARS = 1_024;

/** What the count asks others: each answers at once, and the same for the same question. */
export type TallyPorts = {
  classify: (userAgent: string) => VisitorClaim;
  findReferral: (referrer: string, path: string) => string | undefined;
  verify: (token: string, address: string) => Verification;
  /** Whether robots.txt keeps an agent from a path; absent where the file is not known. */
  isDisallowed?: ((token: string, path: string) => boolean) | undefined;
};

export type TallyOptions = {
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  /** Lower case. */
  host?: string | undefined;
  /** Only paths that begin with it. */
  root?: string | undefined;
  /** Agents whose addresses, unless they are verified, are counted one by one until their names were looked up. */
  apart?: { limit: number; has: (token: string) => boolean } | undefined;
  /** Paths that the owner lists. */
  sitemap?: ReadonlySet<string> | undefined;
};

/** One agent of the roster: its counts by verification, and by address where that was not decided. */
export type AgentTally = {
  token: string;
  owner: string;
  class: VisitorClass;
  states: Record<Verification, Counts>;
  /** The counts of each address that came: those of a state, or its own. */
  byAddress: Map<string, Counts>;
  apart: { address: string; verification: Verification; counts: Counts }[];
  hasMoreAddresses: boolean;
};

export type Referrals = { requests: number; pages: Map<Page, number>; pagesBeyond: number };

export type Tally = {
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

const BEYOND: Page = { path: '', kind: 'page', people: 0, programs: 0, agents: 0 };

/** Counts requests one by one; memory is bounded by the limits above, whatever comes. */
export function createTally(ports: TallyPorts, options: TallyOptions): Tally {
  const [people, programs] = [createCounts(), createCounts()];
  const agents = new Map<string, AgentTally>();
  const visitors = createRecentMap<Visitor>(MAX_KNOWN_AGENTS);
  const referrals = new Map<string, Referrals>();
  const asked = new Set<string>();
  const known = createPages();
  const judge = createFilter(options);
  let [order, apart] = [0, options.apart?.limit ?? 0];

  const meet = (userAgent: string): Visitor => {
    const text = copyText(userAgent.slice(0, MAX_AGENT_CHARS));
    const claim = ports.classify(text);
    const agent = claim.token === undefined ? undefined : findAgent(agents, claim, claim.token);
    const isPerson = claim.class === 'person';
    const visitor = { counts: isPerson ? people : programs, isPerson, agent };
    if (userAgent.length <= MAX_REMEMBERED_CHARS) visitors.set(text, visitor);
    return visitor;
  };
  const locate = (agent: AgentTally, address: string): Counts => {
    const before = agent.byAddress.get(address);
    if (before !== undefined) return before;
    const verification = ports.verify(agent.token, address);
    const state = agent.states[verification];
    if (agent.byAddress.size >= MAX_ADDRESSES_OF_AGENT || address.length > MAX_REMEMBERED_CHARS) {
      agent.hasMoreAddresses = true;
      return state;
    }
    const key = copyText(address);
    const isApart = verification !== 'verified' && apart > 0 && options.apart?.has(agent.token) === true;
    const counts = isApart ? createCounts(verification === 'pretended') : state;
    counts.addresses += 1;
    if (counts !== state) {
      apart -= 1;
      agent.apart.push({ address: key, verification, counts });
    }
    agent.byAddress.set(key, counts);
    return counts;
  };
  const countAgent = (agent: AgentTally, record: LogRecord, path: string, page: Page): void => {
    const counts = locate(agent, record.address);
    countRequest(counts, record);
    const isDisallowed = ports.isDisallowed?.(agent.token, record.path) ?? false;
    countAgentRequest(counts, page === BEYOND ? undefined : page, {
      status: record.status,
      order: record.atMs ?? order,
      isDisallowed,
    });
    if (counts.isPretended) return;
    page.agents += 1;
    if (options.sitemap?.has(path) === true && !asked.has(path)) asked.add(copyText(path));
  };

  return {
    agents,
    people,
    programs,
    pages: known.pages,
    pagesBeyond: known.countBeyond,
    referrals,
    leftOut: judge.leftOut,
    hosts: judge.hosts,
    asked,
    count: (record) => {
      order += 1;
      const path = cutPath(record.path);
      if (!judge.isWanted(record, path)) return;
      const visitor = visitors.get(record.userAgent) ?? meet(record.userAgent);
      const page = known.find(path);
      if (visitor.agent !== undefined) {
        countAgent(visitor.agent, record, path, page);
        return;
      }
      countRequest(visitor.counts, record);
      if (!visitor.isPerson) {
        page.programs += 1;
        return;
      }
      if (page.kind === 'asset' || (record.status ?? 0) >= 400) return;
      page.people += 1;
      if (record.referrer === '' && path.length === record.path.length) return;
      const assistant = ports.findReferral(record.referrer, record.path);
      if (assistant !== undefined) countReferral(referrals, assistant, page);
    },
  };
}

function findAgent(agents: Map<string, AgentTally>, claim: VisitorClaim, token: string): AgentTally {
  const before = agents.get(token);
  if (before !== undefined) return before;
  const states = { verified: createCounts(), pretended: createCounts(true), claimed: createCounts() };
  const agent: AgentTally = {
    token,
    owner: claim.owner ?? '',
    class: claim.class,
    states,
    byAddress: new Map(),
    apart: [],
    hasMoreAddresses: false,
  };
  agents.set(token, agent);
  return agent;
}

function countReferral(referrals: Map<string, Referrals>, assistant: string, page: Page): void {
  const before = referrals.get(assistant);
  if (before === undefined && referrals.size >= MAX_ASSISTANTS) return;
  const found = before ?? { requests: 0, pages: new Map<Page, number>(), pagesBeyond: 0 };
  if (before === undefined) referrals.set(assistant, found);
  found.requests += 1;
  const times = found.pages.get(page);
  if (page !== BEYOND && (times !== undefined || found.pages.size < MAX_LANDING_PAGES))
    found.pages.set(page, (times ?? 0) + 1);
  else found.pagesBeyond += 1;
}

/** Pages by their cleaned paths, and by the paths of before as they were logged. */
function createPages(): { pages: ReadonlyMap<string, Page>; find: (path: string) => Page; countBeyond: () => number } {
  const pages = new Map<string, Page>();
  const known = createRecentMap<Page>(MAX_KNOWN_PATHS);
  let beyond = 0;
  const intern = (path: string): Page => {
    const clean = cleanPath(path);
    const before = pages.get(clean);
    if (before !== undefined) return before;
    if (pages.size >= MAX_TRAFFIC_PAGES) return BEYOND;
    const page: Page = { path: clean, kind: classifyPath(clean), people: 0, programs: 0, agents: 0 };
    pages.set(clean, page);
    return page;
  };
  const find = (path: string): Page => {
    const remembered = known.get(path);
    const page = remembered ?? intern(path);
    if (remembered === undefined && path.length <= MAX_REMEMBERED_CHARS) known.set(copyText(path), page);
    if (page === BEYOND) beyond += 1;
    return page;
  };
  return { pages, find, countBeyond: () => beyond };
}

type Filter = Pick<Tally, 'leftOut' | 'hosts'> & { isWanted: (record: LogRecord, path: string) => boolean };

function createFilter({ sinceMs, untilMs, host, root }: TallyOptions): Filter {
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
    else if (host !== undefined && asked?.toLowerCase() !== host) leftOut.host += 1;
    else if (root !== undefined && !path.startsWith(root)) leftOut.root += 1;
    else return true;
    return false;
  };
  return { leftOut, isWanted, hosts: () => (seen === undefined ? 'none' : isSeveral ? 'several' : 'one') };
}

/** Puts what was counted of one address to the state that its names came to. */
export function settleApart(
  agent: AgentTally,
  { counts }: AgentTally['apart'][number],
  verification: Verification,
): void {
  const state = agent.states[verification];
  if (counts.isPretended !== state.isPretended)
    for (const [page, times] of counts.pages) page.agents += state.isPretended ? -times : times;
  mergeCounts(state, counts);
}
