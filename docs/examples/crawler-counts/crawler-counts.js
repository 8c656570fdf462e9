// Counts which AI crawlers come to a site, inside the site's own Cloudflare Worker, and sends the counts once in a while.
// It sends numbers: no addresses, no cookies, no queries, and no User-Agent. A visitor never waits for it.
//
//   import { countVisitors } from './crawler-counts.js';
//   export default countVisitors({ fetch(request, env, ctx) { ... } });
//
// or, as a Worker of its own that the site's Worker names under `tail_consumers`:
//
//   export { tailCounter as default } from './crawler-counts.js';
//
// The token of the host is the secret SIGHTLINE_COUNTS_TOKEN: `npx wrangler secret put SIGHTLINE_COUNTS_TOKEN`.

/** Where counts go; the variable SIGHTLINE_COUNTS_URL goes before it. */
const SEND_TO = 'https://sightline.example/api/hosts/www.example.com/counts';
/** So long counts are gathered before they are sent. */
const GATHER_MS = 20_000;
/** Rows in memory; what is beyond is sent as a number of requests that were not counted one by one. */
const MAX_ROWS = 500;
/** Rows after which only those of agents are added: a scanner must not leave them without room. */
const MAX_OTHER_ROWS = 400;
/** Batches that wait for another try, and how long one try may take. */
const MAX_WAITING = 3;
const SEND_TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;
const MAX_PATH = 200;

// <roster> written by scripts/crawler-counts/generate.ts
const AGENTS = [
  'OAI-SearchBot',
  'Claude-SearchBot',
  'PerplexityBot',
  'Googlebot',
  'Bingbot',
  'Applebot',
  'Amzn-SearchBot',
  'Meta-WebIndexer',
  'MistralAI-Index',
  'Bravebot',
  'PetalBot',
  'ExaSearchBot',
  'ChatGPT-User',
  'Claude-User',
  'Perplexity-User',
  'DuckAssistBot',
  'MistralAI-User',
  'Amzn-User',
  'Meta-ExternalFetcher',
  'Google-Agent',
  'Google-GeminiNotebook',
  'Google-NotebookLM',
  'Kimi-User',
  'Google-CloudVertexBot',
  'OAI-AdsBot',
  'GoogleOther',
  'GPTBot',
  'ClaudeBot',
  'Google-Extended',
  'Applebot-Extended',
  'CCBot',
  'Meta-ExternalAgent',
  'Amazonbot',
  'MistralAI-Training',
  'Bytespider',
  'DeepSeekBot',
];
const ASSISTANTS = {
  'chatgpt.com': 'ChatGPT',
  'chat.openai.com': 'ChatGPT',
  chatgpt: 'ChatGPT',
  'perplexity.ai': 'Perplexity',
  perplexity: 'Perplexity',
  'gemini.google.com': 'Gemini',
  gemini: 'Gemini',
  'copilot.microsoft.com': 'Copilot',
  'copilot.com': 'Copilot',
  copilot: 'Copilot',
  'claude.ai': 'Claude',
  claude: 'Claude',
  'grok.com': 'Grok',
  grok: 'Grok',
  'chat.deepseek.com': 'DeepSeek',
  deepseek: 'DeepSeek',
  'chat.mistral.ai': 'Mistral',
  mistral: 'Mistral',
  'meta.ai': 'Meta AI',
  'kimi.com': 'Kimi',
  kimi: 'Kimi',
};
// </roster>

/** What was counted since the last batch, by minute and row. */
let rows = new Map();
let dropped = 0;
/** Batches that could not be sent yet, oldest first. */
let waiting = [];
/** Until when a request gathers counts, in Unix milliseconds: one that was broken off must not keep the next from it. */
let gatheringUntil = 0;

/** The same Worker, which also counts who came. */
export function countVisitors(worker) {
  return {
    ...worker,
    async fetch(request, env, ctx) {
      try {
        const response = await worker.fetch(request, env, ctx);
        note(request, response, env, ctx);
        return response;
      } catch (error) {
        note(request, undefined, env, ctx);
        throw error;
      }
    },
  };
}

/** A tail Worker: gets the requests of the site's Worker after they were answered. */
export const tailCounter = {
  async tail(events, env, ctx) {
    for (const { event } of events) {
      if (event?.request === undefined) continue;
      try {
        const { request, response } = event;
        count(
          describe(request.method, request.url, new Headers(request.headers), request.cf),
          response?.status ?? 500,
          0,
        );
      } catch {
        dropped += 1;
      }
    }
    gather(env, ctx);
  },
};

/** Counting must never break or delay an answer: what fails in here is one request that was not counted. */
function note(request, response, env, ctx) {
  try {
    const bytes = readLength(response?.headers.get('content-length'));
    count(describe(request.method, request.url, request.headers, request.cf), response?.status ?? 500, bytes);
    gather(env, ctx);
  } catch {
    dropped += 1;
  }
}

/** One batch for many requests: a batch for each would soon be too many for the service. */
function gather(env, ctx) {
  const gatherMs = Number(env.SIGHTLINE_GATHER_MS ?? GATHER_MS);
  if (Date.now() < gatheringUntil) return;
  gatheringUntil = Date.now() + gatherMs + SEND_TIMEOUT_MS;
  ctx.waitUntil(gatherThenSend(env, gatherMs));
}

async function gatherThenSend(env, gatherMs) {
  await new Promise((resolve) => setTimeout(resolve, gatherMs));
  gatheringUntil = 0;
  await flush(env);
}

/** Who asked, and for what; undefined for what is not counted: what browsers load for a page. */
function describe(method, address, headers, cf) {
  const url = new URL(address);
  const userAgent = headers.get('user-agent') ?? '';
  const agent = findAgent(userAgent) ?? (isBrowser(userAgent) ? 'person' : 'automation');
  const isPerson = agent === 'person';
  if (isPerson && !isPageVisit(headers)) return undefined;
  const isVerified = Boolean(cf?.verifiedBotCategory ?? cf?.botManagement?.verifiedBot);
  return {
    agent,
    verification: isVerified && !isPerson && agent !== 'automation' ? 'verified' : 'claimed',
    method: method === 'GET' || method === 'HEAD' ? 'read' : 'write',
    path: cleanPath(url.pathname),
    referral: isPerson
      ? findAssistant(headers.get('referer') ?? '', url.searchParams.get('utm_source') ?? '')
      : undefined,
  };
}

function count(visit, status, bytes) {
  if (visit === undefined) return;
  const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const key = JSON.stringify([
    minute,
    visit.agent,
    visit.verification,
    visit.method,
    status,
    visit.path,
    visit.referral,
  ]);
  const row = rows.get(key);
  if (row !== undefined) {
    row.n += 1;
    row.bytes += bytes;
  } else if (rows.size >= (AGENTS.includes(visit.agent) ? MAX_ROWS : MAX_OTHER_ROWS)) dropped += 1;
  else rows.set(key, { minute, status, ...visit, n: 1, bytes });
}

/** A length as the site wrote it: one that is no number, or no sane one, must not spoil the batch. */
const readLength = (text) => (/^\d{1,12}$/.test(text ?? '') ? Number(text) : 0);

/** Sends what was gathered, and what waits. A batch keeps its id, so that one that came twice counts once. */
async function flush(env) {
  for (const [minute, counted] of groupByMinute(rows.values()))
    waiting.push({
      batch_id: crypto.randomUUID(),
      minute: new Date(minute).toISOString(),
      rows: counted,
    });
  rows = new Map();
  while (waiting.length > MAX_WAITING) dropped += countAll(waiting.shift());
  const batches = waiting;
  waiting = [];
  for (const batch of batches) {
    if (batch.dropped === undefined) [batch.dropped, dropped] = [dropped, 0];
    const outcome = await send(env, batch);
    if (outcome === 'later') waiting.push(batch);
    if (outcome === 'never') dropped += countAll(batch);
  }
}

function groupByMinute(all) {
  const minutes = new Map();
  for (const { minute, ...row } of all) minutes.set(minute, [...(minutes.get(minute) ?? []), row]);
  return minutes;
}

const countAll = (batch) => batch.rows.reduce((sum, { n }) => sum + n, batch.dropped ?? 0);

/** `later`: the service is down or busy. `never`: it does not take this batch. */
async function send(env, batch) {
  try {
    const answer = await fetch(env.SIGHTLINE_COUNTS_URL ?? SEND_TO, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.SIGHTLINE_COUNTS_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(batch),
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    if (answer.ok) return 'sent';
    return answer.status === 429 || answer.status >= 500 ? 'later' : 'never';
  } catch {
    return 'later';
  }
}

/** The agent that a User-Agent names as a product: by its whole name, outside of addresses and of words in a comment. */
function findAgent(userAgent) {
  const text = userAgent.toLowerCase();
  let [first, found] = [text.length, undefined];
  for (const name of AGENTS) {
    const at = findProduct(text, name.toLowerCase());
    if (at !== -1 && at < first) [first, found] = [at, name];
  }
  return found;
}

function findProduct(text, name) {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    if (/[\w.@+/-]/.test(before) || /[\w.@+-]/.test(after)) continue;
    if (after === '/' && /\d/.test(text[at + name.length + 1] ?? '')) return at;
    const head = text.slice(0, at);
    const depth = (head.match(/[([]/g) ?? []).length - (head.match(/[)\]]/g) ?? []).length;
    if (depth <= 0 || /[([;,]\s*$/.test(head)) return at;
  }
  return -1;
}

const PROGRAM =
  /bot|crawl|spider|slurp|scan|fetch|preview|monitor|uptime|pingdom|lighthouse|pagespeed|headless|phantom|playwright|puppeteer|selenium|curl|wget|python|java\/|okhttp|axios|http|whatsapp|externalhit|feed|rss|archive|ahrefs|semrush|validator|checker|synthetic|gtmetrix|dareboost|netcraft|mariner/i;

const isBrowser = (userAgent) =>
  /^(?:mozilla|opera|lynx|e?links|docomo|vodafone|softbank)[/ ]/i.test(userAgent) &&
  /applewebkit|gecko|trident|msie|presto|opera|netfront|foma|jig browser|docomo|profile\/midp|playstation|links|lynx/i.test(
    userAgent,
  ) &&
  !PROGRAM.test(userAgent.replace('libwww-FM', ''));

/** Of people only visits of pages count: not what a browser loads for them. */
const isPageVisit = (headers) =>
  (headers.get('sec-fetch-dest') ?? 'document') === 'document' && (headers.get('accept') ?? '').includes('text/html');

function findAssistant(referrer, source) {
  const host = URL.canParse(referrer) ? new URL(referrer).hostname : '';
  const find = (name) => {
    const key = name.toLowerCase().replace(/^www\./, '');
    return Object.hasOwn(ASSISTANTS, key) ? ASSISTANTS[key] : undefined;
  };
  return find(host) ?? find(source);
}

/** A path without what may name a person: e-mail addresses, addresses of the internet, long numbers, ids and tokens. */
function cleanPath(path) {
  const clean = path
    .split(/;|%(?:25)*3[bf]/i, 1)[0]
    .split('/')
    .map((part) => (/@|%(?:25)*40|%(?:25)*ef%(?:25)*bc%(?:25)*a0/i.test(part) ? '{email}' : part))
    .join('/')
    .replace(/(?<![\da-f:])[\da-f]{0,4}(?:(?::|%(?:25)*3a)[\da-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}/gi, '{id}')
    .replace(/(?<!\d)\d{1,3}(?:[.-]\d{1,3}){3}(?!\d)/g, '{id}')
    .replace(/[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}/gi, '{id}')
    .replace(/(?<![a-z\d])(?=[a-f]*\d)[\da-f]{8,}(?![a-z\d])/gi, '{id}')
    .replace(/\d{5,}/g, '{id}');
  return clean.slice(0, MAX_PATH);
}
