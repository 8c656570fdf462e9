import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, listNumberedExchanges, type Snapshot } from '../../core/snapshot.ts';
import { aiAgents } from './ai-agents-data.ts';

/**
 * What an agent comes for. `search`: builds an index that answers draw on. `user`: fetches when a person asks. `training`:
 * collects text for models. `multi-purpose`: several of these under one name, so that a rule about one of them hits all.
 */
export type AgentClass = 'search' | 'user' | 'training' | 'multi-purpose';

/**
 * An agent by its robots.txt token, as its owner describes it; `test/audit/crawlers/facts/ai-agents.test.ts` holds the
 * table to its form, and `npm run radar` says which rows were read too long ago.
 */
export type AiAgent = {
  token: string;
  owner: string;
  class: AgentClass;
  /** What the owner says of it: short quotations in quotation marks, the rest in our words. */
  says: string;
  /** What the owner says about robots.txt and its own agent. */
  obeysRobots: boolean;
  /** What the site loses by keeping it out. */
  blocking: string;
  /** Whether an answer of an assistant depends on it. */
  answers: boolean;
  source: string;
  /** The day on which the source was read, `YYYY-MM-DD`. */
  read: string;
  /**
   * Who was read: the owner's page, a public list that quotes that page, or a list of the community. What only a list
   * says is reported and costs no points.
   */
  basis: 'vendor' | 'quoted' | 'listed';
  /** Where the owner publishes the addresses that the agent comes from. */
  ipList?: string;
  /** As which it comes; absent for a token that sends no requests, and for agents that answers do not depend on. */
  userAgent?: string;
};

/** When the newest row of the roster was read. */
export const ROSTER_DATE = aiAgents.map(({ read }) => read).reduce((latest, read) => (read > latest ? read : latest));

export const listAgentsByClass = (name: AgentClass): readonly AiAgent[] =>
  aiAgents.filter((agent) => agent.class === name);

/** Whether a verdict may cost points for this agent. */
const isScored = ({ basis }: AiAgent): boolean => basis !== 'listed';

/** The crawlers whose index answers draw on, those of several purposes among them. */
export const listSearchCrawlers = (): readonly AiAgent[] =>
  aiAgents.filter(
    (agent) => isScored(agent) && agent.answers && (agent.class === 'search' || agent.class === 'multi-purpose'),
  );

/** The agents that fetch because a person asks. */
export const listUserFetchers = (): readonly AiAgent[] =>
  listAgentsByClass('user').filter((agent) => isScored(agent) && agent.answers);

/** The crawlers and tokens for training that their owners document. */
export const listTrainingCrawlers = (): readonly AiAgent[] => listAgentsByClass('training').filter(isScored);

/** The User-Agent strings whose answers are compared, the browser's first. The string is not the vendor's address. */
export const parityAgents = [
  {
    name: 'browser',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  },
  { name: 'OAI-SearchBot', userAgent: 'Mozilla/5.0 (compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot)' },
  { name: 'Claude-User', userAgent: 'Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)' },
  {
    name: 'PerplexityBot',
    userAgent: 'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  },
] as const;

/** The start page as one User-Agent got it. */
export type AgentAnswer = { name: string; exchange: Exchange };

/** Artifact `userAgents`: the browser's answer first, then those of the AI fetchers; failed when the browser got none. */
export function readUserAgents(snapshot: Snapshot): Artifact<readonly AgentAnswer[]> {
  const answers = listNumberedExchanges(snapshot, 'user-agent').map((exchange, index) => ({
    name: parityAgents[index]?.name ?? '',
    exchange,
  }));
  const browser = answers[0];
  if (!browser) return { state: 'failed', reason: 'not_fetched', url: snapshot.url };
  const { answer, url } = browser.exchange;
  return answer.ok ? { state: 'ready', value: answers } : { state: 'failed', reason: answer.reason, url };
}
