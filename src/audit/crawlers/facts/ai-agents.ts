import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, listNumberedExchanges, type Snapshot } from '../../core/snapshot.ts';

/** When the rows below were last compared with the vendors' pages. */
export const ROSTER_DATE = '2026-11-21';

/**
 * An agent by its robots.txt token. `search`: builds an index that answers draw on. `user`: fetches when a person asks.
 * `training`: collects text for models. `obeysRobots` is what the vendor says about its own agent.
 */
export type AiAgent = {
  token: string;
  vendor: string;
  purpose: 'search' | 'user' | 'training';
  obeysRobots: boolean;
  source: string;
};

const OPENAI = 'https://developers.openai.com/api/docs/bots';
const ANTHROPIC = 'https://support.claude.com/en/articles/8896518';
const PERPLEXITY = 'https://docs.perplexity.ai/guides/bots';
const GOOGLE = 'https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers';

/** The roster of AI agents, in the order of the report. */
export const aiAgents: readonly AiAgent[] = [
  { token: 'OAI-SearchBot', vendor: 'OpenAI', purpose: 'search', obeysRobots: true, source: OPENAI },
  { token: 'Claude-SearchBot', vendor: 'Anthropic', purpose: 'search', obeysRobots: true, source: ANTHROPIC },
  { token: 'PerplexityBot', vendor: 'Perplexity', purpose: 'search', obeysRobots: true, source: PERPLEXITY },
  {
    token: 'Bingbot',
    vendor: 'Microsoft',
    purpose: 'search',
    obeysRobots: true,
    source: 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0',
  },
  { token: 'Googlebot', vendor: 'Google', purpose: 'search', obeysRobots: true, source: GOOGLE },
  {
    token: 'Applebot',
    vendor: 'Apple',
    purpose: 'search',
    obeysRobots: true,
    source: 'https://support.apple.com/en-us/119829',
  },
  {
    token: 'DuckAssistBot',
    vendor: 'DuckDuckGo',
    purpose: 'search',
    obeysRobots: true,
    source: 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot',
  },
  {
    token: 'MistralAI-User',
    vendor: 'Mistral AI',
    purpose: 'search',
    obeysRobots: true,
    source: 'https://docs.mistral.ai/robots',
  },
  { token: 'ChatGPT-User', vendor: 'OpenAI', purpose: 'user', obeysRobots: false, source: OPENAI },
  { token: 'Claude-User', vendor: 'Anthropic', purpose: 'user', obeysRobots: true, source: ANTHROPIC },
  { token: 'Perplexity-User', vendor: 'Perplexity', purpose: 'user', obeysRobots: false, source: PERPLEXITY },
  { token: 'Google-Agent', vendor: 'Google', purpose: 'user', obeysRobots: false, source: GOOGLE },
  { token: 'GPTBot', vendor: 'OpenAI', purpose: 'training', obeysRobots: true, source: OPENAI },
  { token: 'ClaudeBot', vendor: 'Anthropic', purpose: 'training', obeysRobots: true, source: ANTHROPIC },
  { token: 'Google-Extended', vendor: 'Google', purpose: 'training', obeysRobots: true, source: GOOGLE },
  {
    token: 'Applebot-Extended',
    vendor: 'Apple',
    purpose: 'training',
    obeysRobots: true,
    source: 'https://support.apple.com/en-us/119829',
  },
  {
    token: 'CCBot',
    vendor: 'Common Crawl',
    purpose: 'training',
    obeysRobots: true,
    source: 'https://commoncrawl.org/ccbot',
  },
  {
    token: 'Meta-ExternalAgent',
    vendor: 'Meta',
    purpose: 'training',
    obeysRobots: true,
    source: 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers',
  },
  {
    token: 'Amazonbot',
    vendor: 'Amazon',
    purpose: 'training',
    obeysRobots: true,
    source: 'https://developer.amazon.com/amazonbot',
  },
  {
    // The vendor documents nothing; the list of the community is the only source.
    token: 'Bytespider',
    vendor: 'ByteDance',
    purpose: 'training',
    obeysRobots: false,
    source: 'https://github.com/ai-robots-txt/ai.robots.txt',
  },
];

export const listAgentsByPurpose = (purpose: AiAgent['purpose']): readonly AiAgent[] =>
  aiAgents.filter((agent) => agent.purpose === purpose);

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
