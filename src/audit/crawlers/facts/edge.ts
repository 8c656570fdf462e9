import { rememberPerObject } from '../../../lib/memo.ts';
import type { Artifact } from '../../core/artifact.ts';
import {
  type Exchange,
  type ExchangeLookup,
  getExchangeLookup,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { findChallenge } from '../../reach/facts/blocked-crawler.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { type AiAgent, aiAgents } from './ai-agents-data.ts';
import { parityAgents } from './ai-agents.ts';
import { ADS_AGENTS, buildAdsRole, buildEdgeRole, hasAds, planEdgeRequests } from './edge-plan.ts';
import { type EdgeProvider, edgeProviders } from './edge-providers-data.ts';
import { decideRobotsAccess, findRobots, type Robots } from './robots-file.ts';

/** Said with every verdict about User-Agents: what such a test cannot know. */
export const USER_AGENT_CAVEAT =
  "A User-Agent is not an address: we ask from ours, and the vendors' own may be treated differently.";

/** Statuses by which a server refuses a visitor, 402 being pay per crawl. */
const REFUSALS = new Set([401, 402, 403, 406, 429, 451, 503]);

const BUSY = 503;
/** Agents that a host is too busy for, from which that is a rule. */
const MIN_BUSY = 3;

const countWords = (answer: SnapshotAnswer): number => (isHtmlAnswer(answer) ? getPageFacts(answer).words : 0);

/** How an answer refuses its visitor, in our words; undefined when it does not. */
export function findRefusal(answer: SnapshotAnswer): string | undefined {
  if (REFUSALS.has(answer.status)) return `status ${answer.status}`;
  const marker = findChallenge(answer, () => countWords(answer));
  return marker === undefined ? undefined : `challenge (${marker})`;
}

/** Whether a refusal speaks of the address that asked, which is ours. */
export const isOurAddressRefused = (answer: SnapshotAnswer): boolean =>
  /your (?:ip|network|asn)\b.{0,60}\b(?:blocked|banned|denied)/i.test(answer.body.slice(0, 50_000));

/** `other`: an answer that is neither the page nor a refusal. `not_asked`: the budget of requests went elsewhere. */
export type ObservedAccess = 'served' | 'refused' | 'charged' | 'other' | 'unknown' | 'not_asked';

/** What one agent may do by robots.txt, and what it got. `asked` is the agent under whose name the request was made. */
export type AgentReach = {
  agent: AiAgent;
  asked: AiAgent;
  declared: 'allowed' | 'forbidden' | 'unknown';
  /** Whether a group of robots.txt names it. */
  named: boolean;
  observed: ObservedAccess;
  why: string;
  exchange: Exchange | undefined;
};

/** Who gets in, as far as we were let ask. `ads` is there where a page with ads was read, which may be the start page. */
export type Edge = {
  browser: { state: 'served' | 'refused' | 'unknown'; exchange: Exchange | undefined };
  provider: EdgeProvider | undefined;
  reaches: readonly AgentReach[];
  ads: { url: string; isStart: boolean; reaches: readonly AgentReach[] } | undefined;
};

/** Artifact `edge`. Never fails: what was not asked is in it as such. */
export const readEdge = rememberPerObject((snapshot: Snapshot): Artifact<Edge> => {
  const find = getExchangeLookup(snapshot);
  const read = findRobots(find, snapshot.url);
  const robots = read.state === 'ready' ? read.value : undefined;
  const browser = find('user-agent:0');
  const answered = browser?.answer.ok ? browser.answer : undefined;
  const reference = answered && findRefusal(answered) === undefined ? answered : undefined;
  const asked = planEdgeRequests(robots, snapshot.url).flatMap((request) => {
    const exchange = findAnswer(find, request.asked.token, buildEdgeRole(request));
    return request.speaksFor.map((agent) =>
      describeReach({ agent, asked: request.asked, robots, url: snapshot.url, exchange, reference }),
    );
  });
  const reaches = judgeBusy(asked);
  const state = answered === undefined ? 'unknown' : reference === undefined ? 'refused' : 'served';
  const ads = readAds(snapshot, find, robots);
  const seen = [...reaches, ...(ads?.reaches ?? [])];
  const refusing = seen.flatMap(({ observed, exchange }) =>
    (observed === 'refused' || observed === 'charged') && exchange?.answer.ok ? [exchange.answer] : [],
  );
  const start = find('page');
  const others = [start, browser].flatMap((exchange) => (exchange?.answer.ok ? [exchange.answer] : []));
  const provider = findProvider([...refusing, ...others]);
  return { state: 'ready', value: { browser: { state, exchange: browser }, provider, reaches, ads } };
});

/** A host that is busy for several agents and never for a browser refuses them. */
function judgeBusy(reaches: readonly AgentReach[]): readonly AgentReach[] {
  const isBusy = ({ observed, exchange }: AgentReach): boolean =>
    observed === 'unknown' && exchange?.answer.ok === true && exchange.answer.status === BUSY;
  const busy = new Set(reaches.filter(isBusy).map(({ exchange }) => exchange));
  if (busy.size < MIN_BUSY) return reaches;
  return reaches.map((one) => (isBusy(one) ? { ...one, observed: 'refused' } : one));
}

/** The request under an agent's name: its own, or that of the comparison of whole pages. */
function findAnswer(find: ExchangeLookup, token: string, role: string): Exchange | undefined {
  const index = parityAgents.findIndex(({ name }) => name === token);
  return index === -1 ? find(role) : find(`user-agent:${index}`);
}

type Asked = {
  agent: AiAgent;
  asked: AiAgent;
  robots: Robots | undefined;
  url: string;
  exchange: Exchange | undefined;
  reference: SnapshotAnswer | undefined;
};

const describeReach = ({ agent, asked, robots, url, exchange, reference }: Asked): AgentReach => ({
  agent,
  asked,
  ...judgeDeclared(robots, agent.token, url),
  exchange,
  ...observe(exchange, reference),
});

function judgeDeclared(robots: Robots | undefined, token: string, url: string): Declared {
  const decision = robots ? decideRobotsAccess(robots, token, url) : 'unknown';
  if (decision === 'unknown') return { declared: 'unknown', named: false };
  return { declared: decision.allowed ? 'allowed' : 'forbidden', named: decision.named };
}

type Declared = Pick<AgentReach, 'declared' | 'named'>;

/** What robots.txt says of the start page to any agent by its token, also to those under whose name no request is made. */
export function createDeclaredReader(snapshot: Snapshot): (token: string) => Declared {
  const read = findRobots(getExchangeLookup(snapshot), snapshot.url);
  return (token) => judgeDeclared(read.state === 'ready' ? read.value : undefined, token, snapshot.url);
}

function observe(
  exchange: Exchange | undefined,
  reference: SnapshotAnswer | undefined,
): Pick<AgentReach, 'observed' | 'why'> {
  if (!exchange) return { observed: 'not_asked', why: 'not asked' };
  const { answer } = exchange;
  if (!answer.ok)
    return answer.reason === 'budget_exhausted'
      ? { observed: 'not_asked', why: 'not asked: the budget of requests was used up' }
      : { observed: 'unknown', why: answer.reason };
  if (answer.status === 402 || answer.headers['crawler-price'] !== undefined)
    return { observed: 'charged', why: `status ${answer.status}, a price for crawlers` };
  // Too many requests may be our own doing: one visit asks under many names. A lone 503 may be of the moment.
  if (answer.status === 429) return { observed: 'unknown', why: 'status 429: asked too often' };
  if (answer.status === BUSY && findChallenge(answer, () => countWords(answer)) === undefined)
    return { observed: 'unknown', why: `status ${BUSY}` };
  const refusal = findRefusal(answer);
  if (refusal !== undefined && !hasSameMarker(answer, reference)) {
    if (isOurAddressRefused(answer)) return { observed: 'unknown', why: 'our address is named in the refusal' };
    return { observed: 'refused', why: refusal };
  }
  if (answer.status >= 500) return { observed: 'unknown', why: `status ${answer.status}` };
  const isAlike = reference === undefined || Math.floor(answer.status / 100) === Math.floor(reference.status / 100);
  return isAlike
    ? { observed: 'served', why: `status ${answer.status}` }
    : { observed: 'other', why: `status ${answer.status}` };
}

/**
 * Bot managers leave their scripts in pages that they let through, and the first KiB of a page has few words: what a
 * browser's page has in its own beginning is no challenge.
 */
function hasSameMarker(answer: SnapshotAnswer, reference: SnapshotAnswer | undefined): boolean {
  if (!answer.truncated || reference === undefined || answer.status !== reference.status) return false;
  const start = reference.body.slice(0, answer.body.length);
  return findChallenge({ ...reference, body: start }, () => 0) !== undefined;
}

/** The page with ads: the start page, or the sampled page that agents were asked for. */
function readAds(snapshot: Snapshot, find: ExchangeLookup, robots: Robots | undefined): Edge['ads'] {
  const start = find('page')?.answer;
  if (start?.ok === true && hasAds(start.body)) return { url: start.url, isStart: true, reaches: [] };
  const asked = ADS_AGENTS.flatMap((token) => {
    const exchange = find(buildAdsRole(token));
    const agent = aiAgents.find((one) => one.token === token);
    return exchange && agent ? [{ agent, exchange }] : [];
  });
  const [first] = asked;
  if (!first) return undefined;
  const { url } = first.exchange;
  const served = snapshot.exchanges.find(({ role, url: at }) => role.startsWith('sample:') && at === url);
  const reference = served?.answer.ok ? served.answer : undefined;
  const reaches = asked.map(({ agent, exchange }) =>
    describeReach({ agent, asked: agent, robots, url, exchange, reference }),
  );
  return { url, isStart: false, reaches };
}

/** Characters of a refusal in which a provider names itself. */
const BODY_CHARS = 20_000;

/** Who answered, by the signs in these answers; refusals first, since the one who refuses is the one to ask. */
export function findProvider(answers: readonly SnapshotAnswer[]): EdgeProvider | undefined {
  for (const answer of answers) {
    const found = edgeProviders.find((provider) => hasSign(provider, answer));
    if (found) return found;
  }
  return undefined;
}

function hasSign({ headers, server, via, served, body }: EdgeProvider, answer: SnapshotAnswer): boolean {
  if (headers.some((name) => answer.headers[name] !== undefined)) return true;
  if (server?.test(answer.headers['server'] ?? '') === true) return true;
  if (via?.test(answer.headers['via'] ?? '') === true && served?.test(answer.headers['x-served-by'] ?? '') === true)
    return true;
  return answer.status >= 400 && body?.test(answer.body.slice(0, BODY_CHARS)) === true;
}
