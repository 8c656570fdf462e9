/** Reverse DNS as an owner documents it. */
export type DnsStatement = {
  /** The names of its addresses end so, at the border of a label. */
  suffixes: readonly string[];
  /** Where the owner says so. */
  source: string;
  /** The only family of addresses that the statement is about; absent where it is about both. */
  family?: 4;
};

/** What an owner publishes so that its agents can be told from others under their names. */
export type AgentSource = {
  owner: string;
  /** Tokens of the roster (`audit/crawlers/facts/ai-agents-data.ts`). */
  tokens: readonly string[];
  /** The address of the list. */
  list: string;
  /** `json`: the list by itself. `page`: a page of HTML with the list as JSON in a code element. */
  form: 'json' | 'page';
  dns?: DnsStatement;
};

const GOOGLE_RANGES = 'https://developers.google.com/static/crawling/ipranges';

/**
 * Agents whose owner publishes their addresses. An agent of the roster without a row cannot be verified: it "claims to be".
 * Google's user-triggered fetchers may also have names under `gae.googleusercontent.com`; customers of Google have such
 * names too, so they prove nothing and are left out.
 */
export const agentSources: readonly AgentSource[] = [
  { owner: 'OpenAI', tokens: ['GPTBot'], list: 'https://openai.com/gptbot.json', form: 'json' },
  { owner: 'OpenAI', tokens: ['OAI-SearchBot'], list: 'https://openai.com/searchbot.json', form: 'json' },
  { owner: 'OpenAI', tokens: ['ChatGPT-User'], list: 'https://openai.com/chatgpt-user.json', form: 'json' },
  { owner: 'OpenAI', tokens: ['OAI-AdsBot'], list: 'https://openai.com/adsbot.json', form: 'json' },
  {
    owner: 'Anthropic',
    tokens: ['ClaudeBot', 'Claude-User', 'Claude-SearchBot'],
    list: 'https://claude.com/crawling/bots.json',
    form: 'json',
  },
  {
    owner: 'Perplexity',
    tokens: ['PerplexityBot'],
    list: 'https://www.perplexity.com/perplexitybot.json',
    form: 'json',
  },
  {
    owner: 'Perplexity',
    tokens: ['Perplexity-User'],
    list: 'https://www.perplexity.com/perplexity-user.json',
    form: 'json',
  },
  {
    owner: 'Google',
    tokens: ['Googlebot', 'GoogleOther', 'Google-CloudVertexBot'],
    list: `${GOOGLE_RANGES}/common-crawlers.json`,
    form: 'json',
    dns: {
      suffixes: ['googlebot.com'],
      source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests',
    },
  },
  {
    owner: 'Google',
    tokens: ['Google-GeminiNotebook', 'Google-NotebookLM'],
    list: `${GOOGLE_RANGES}/user-triggered-fetchers-google.json`,
    form: 'json',
    dns: {
      suffixes: ['google.com'],
      source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers',
    },
  },
  {
    owner: 'Google',
    tokens: ['Google-Agent'],
    list: `${GOOGLE_RANGES}/user-triggered-agents.json`,
    form: 'json',
  },
  {
    owner: 'Microsoft',
    tokens: ['Bingbot'],
    list: 'https://www.bing.com/toolbox/bingbot.json',
    form: 'json',
    dns: {
      suffixes: ['search.msn.com'],
      source: 'https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26',
    },
  },
  {
    owner: 'Apple',
    tokens: ['Applebot'],
    list: 'https://search.developer.apple.com/applebot.json',
    form: 'json',
    dns: { suffixes: ['applebot.apple.com'], source: 'https://support.apple.com/en-us/119829' },
  },
  {
    owner: 'Common Crawl',
    tokens: ['CCBot'],
    list: 'https://index.commoncrawl.org/ccbot.json',
    form: 'json',
    dns: { suffixes: ['crawl.commoncrawl.org'], source: 'https://commoncrawl.org/ccbot', family: 4 },
  },
  {
    owner: 'Mistral AI',
    tokens: ['MistralAI-Index'],
    list: 'https://mistral.ai/mistralai-index-ips.json',
    form: 'json',
  },
  {
    owner: 'Mistral AI',
    tokens: ['MistralAI-User'],
    list: 'https://mistral.ai/mistralai-user-ips.json',
    form: 'json',
  },
  {
    owner: 'DuckDuckGo',
    tokens: ['DuckAssistBot'],
    list: 'https://duckduckgo.com/duckassistbot.json',
    form: 'json',
  },
  {
    owner: 'Amazon',
    tokens: ['Amazonbot'],
    list: 'https://developer.amazon.com/amazonbot/ip-addresses/',
    form: 'page',
    dns: { suffixes: ['crawl.amazonbot.amazon'], source: 'https://developer.amazon.com/amazonbot' },
  },
];
