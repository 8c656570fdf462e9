import { type AiAgent, aiAgents } from './ai-agents-data.ts';
import { parityAgents } from './ai-agents.ts';
import { decideRobotsAccess, type Robots } from './robots-file.ts';

/** Bytes of an answer that are read: its status, its headers and the head of a challenge. */
export const EDGE_BYTES = 1024;

/** One request that speaks for several agents: of one owner and class, which robots.txt treats alike. */
export type EdgeRequest = { asked: AiAgent; speaksFor: readonly AiAgent[] };

/** The agents that are asked in any case: one of several purposes, and the fetcher that most people meet. */
const FIRST_ASKED = ['Googlebot', 'ChatGPT-User'];

/** One crawler for training, to tell a rule against training from one against all. */
const TRAINING_ASKED = 'GPTBot';

/** Names whose whole page is compared with a browser's are asked by that comparison. */
const COMPARED = new Set<string>(parityAgents.map(({ name }) => name));

const isAsked = (agent: AiAgent): boolean =>
  agent.userAgent !== undefined && (agent.class !== 'training' || agent.token === TRAINING_ASKED);

/** Those first whose refusal costs points, in the order of the roster. */
const computeRank = ({ answers, basis }: AiAgent): number => (answers && basis !== 'listed' ? 0 : answers ? 2 : 1);

/**
 * The requests that show who gets in, in the order in which they are made: the search crawlers, user fetchers and
 * multi-purpose crawlers of the roster, and one crawler for training. Agents of one owner and class that robots.txt
 * treats alike share a request: providers decide by class, so that no class speaks for another.
 */
export function planEdgeRequests(robots: Robots | undefined, url: string): readonly EdgeRequest[] {
  const groups = new Map<string, AiAgent[]>();
  const agents = aiAgents.filter(isAsked).toSorted((a, b) => computeRank(a) - computeRank(b));
  for (const agent of agents) {
    const key = `${agent.owner} ${agent.class} ${describeAccess(robots, agent, url)}`;
    groups.set(key, [...(groups.get(key) ?? []), agent]);
  }
  const requests = [...groups.values()].flatMap(([asked, ...others]) =>
    asked ? [{ asked, speaksFor: [asked, ...others] }] : [],
  );
  return requests.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
}

/** Whether a request is made in any case. */
export const isFirst = ({ asked }: EdgeRequest): boolean => FIRST_ASKED.includes(asked.token);

/** Whether the comparison of whole pages makes the request. */
export const isCompared = ({ asked }: EdgeRequest): boolean => COMPARED.has(asked.token);

function describeAccess(robots: Robots | undefined, { token }: AiAgent, url: string): string {
  if (!robots) return 'unread';
  const decision = decideRobotsAccess(robots, token, url);
  return decision === 'unknown' ? 'unknown' : String(decision.allowed);
}

/** The role of a request as an agent. */
export const buildEdgeRole = ({ asked }: EdgeRequest): string => `edge:${asked.token.toLowerCase()}`;

/** One agent of each class is asked for a page with ads: some settings act on these alone. */
export const ADS_AGENTS = ['OAI-SearchBot', 'Claude-User', 'Googlebot', TRAINING_ASKED] as const;

/** The role of a request for the page with ads. */
export const buildAdsRole = (token: string): string => `edge-ads:${token.toLowerCase()}`;

/** Hosts of scripts and frames that show ads. */
const ADS =
  /(?:pagead2\.googlesyndication|adservice\.google|securepubads\.g\.doubleclick|googletagservices|amazon-adsystem|cdn\.taboola|widgets\.outbrain|static\.criteo|ib\.adnxs|ads\.pubmatic|contextual\.media|c\.amazon-adsystem|cdn\.carbonads|ads\.adthrive|scripts\.mediavine|ezojs)\.(?:com|net|io)|class="adsbygoogle|\bdata-ad-client=/i;

/** Characters of a page in which its ads are looked for. */
const ADS_CHARS = 500_000;

/** Whether the HTML of a page loads ads. */
export const hasAds = (html: string): boolean => ADS.test(html.slice(0, ADS_CHARS));
