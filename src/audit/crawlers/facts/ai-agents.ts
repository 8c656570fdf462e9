import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, listNumberedExchanges, type Snapshot } from '../../core/snapshot.ts';
import { type AgentClass, type AiAgent, aiAgents } from './ai-agents-data.ts';

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
