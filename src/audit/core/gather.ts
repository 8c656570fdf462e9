import { yieldToEventLoop } from '../../lib/concurrency.ts';
import { DEFAULT_LIMITS } from '../../net/fetch-budget.ts';
import type { Fetched, FetchTarget, GuardedFetch } from '../../net/fetched.ts';
import { releaseBytes } from '../../net/read-body.ts';
import { sealExchange, withoutSecretQuery, withoutSecrets } from '../hidden-text/gather/secrets.ts';
import type { Rendered } from '../rendered/facts/rendered-look.ts';
import { getRenderedFacts } from '../rendered/facts/rendered-page.ts';
import { lookAtPage, type Renderer } from '../rendered/gather/render-page.ts';
import { cutPage, getPageFacts, isHtmlAnswer } from '../reach/facts/html-page.ts';
import { decodeBody, unzip } from './decode.ts';
import type { Gather } from './artifact.ts';
import { type GathererName, gatherers, laterWaves, type LaterGatherer } from './artifacts.ts';
import { DEFAULT_PAGES } from './limits.ts';
import type { Exchange, Snapshot } from './snapshot.ts';

/** Fetches of one audit in flight at once: the platform allows six connections. */
export const MAX_CONCURRENT_FETCHES = 6;

/**
 * From this many redirects of the start page, the first wave alone can use up the budget: each answer to another agent
 * goes the same way. Then one request follows the other, so that the same ones always go without.
 */
const LONG_CHAIN = 3;

export type GatherOptions = {
  fetch: GuardedFetch;
  clockMs: number;
  /** Names of gatherers to run; all when absent. A cheap capability reads only what its checks need. */
  only?: readonly GathererName[];
  /** Pages to read, the start page included; `DEFAULT_PAGES` when absent. */
  maxPages?: number;
  /** Requests that `fetch` makes at most; those of `DEFAULT_LIMITS` when absent. */
  requests?: number;
  onExchange?: (exchange: Exchange) => void;
  /** A browser to look at the start page with; without one nothing is rendered. */
  renderer?: Renderer;
};

/**
 * Reads a site and returns the snapshot that judging needs; exchanges are sorted by role so that the order of
 * answers on the wire leaves no trace. Limits (requests, bytes, time) are those of `options.fetch`.
 */
export async function gatherSite(url: string, options: GatherOptions): Promise<Snapshot> {
  const { gather, slots, exchanges, rendered } = createGather(url, options);
  const names = new Set<GathererName>(options.only ?? (Object.keys(gatherers) as GathererName[]));
  // A host whose start page gives no answer is asked for nothing else.
  if (names.has('page')) await gatherers.page(gather);
  if (gather.find('page')?.answer.ok !== false) {
    const later = new Set(laterWaves.flat().map(({ name }) => name));
    const first = [...names].filter((name) => !later.has(name));
    if (countStartRedirects(gather) >= LONG_CHAIN) slots.limit = 1;
    await Promise.all(first.map((name) => gatherers[name](gather)));
    for (const wave of laterWaves) {
      await runWave(
        gather,
        slots,
        wave.filter(({ name }) => names.has(name)),
      );
    }
  }
  const look = await rendered();
  const snapshot: Snapshot = {
    version: 1,
    url,
    clockMs: options.clockMs,
    exchanges: exchanges(),
    ...(look === undefined ? {} : { rendered: look }),
  };
  await readPages(snapshot);
  return snapshot;
}

const PAGE_ROLE = /^(?:page|sample:\d{1,4})$/;

/** Reads the facts of each page in a turn of its own: judging would read all of them at once, and keep other requests waiting. */
async function readPages({ exchanges, rendered }: Snapshot): Promise<void> {
  for (const { role, answer } of exchanges) {
    if (!PAGE_ROLE.test(role) || !answer.ok || !isHtmlAnswer(answer)) continue;
    await yieldToEventLoop();
    getPageFacts(answer);
  }
  if (rendered?.ok !== true) return;
  await yieldToEventLoop();
  getRenderedFacts(rendered);
}

const countStartRedirects = (gather: Gather): number => gather.find('page')?.answer.redirects.length ?? 0;

/**
 * All at the same time where the budget holds them; else in their order, so that the same ones always go without. Where
 * the start page redirects, others may as well: what they use is known only one request after the other.
 */
async function runWave(gather: Gather, slots: Slots, wave: readonly LaterGatherer[]): Promise<void> {
  const wanted = wave.reduce((sum, { atMost }) => sum + atMost, 0);
  const each = 1 + countStartRedirects(gather);
  if (wanted * each <= gather.room()) {
    await Promise.all(wave.map(({ name }) => gatherers[name](gather)));
    return;
  }
  if (each > 1) slots.limit = 1;
  for (const { name } of wave) await gatherers[name](gather);
}

/** Requests of one audit: each role once, and one request for all roles that ask for exactly the same. */
function createGather(
  url: string,
  options: GatherOptions,
): {
  gather: Gather;
  slots: Slots;
  exchanges: () => readonly Exchange[];
  rendered: () => Promise<Rendered | undefined>;
} {
  const started = new Map<string, { key: string; running: Promise<Exchange> }>();
  const byRequest = new Map<string, Promise<Exchange>>();
  const done = new Map<string, Exchange>();
  const slots = createSlots(MAX_CONCURRENT_FETCHES);
  let used = 0;
  const ask = (role: string, target: FetchTarget): Promise<Exchange> => {
    used += 1;
    return slots.run(async () => {
      const exchange = await toExchange(role, target, await options.fetch(target), options.fetch.count);
      used += exchange.answer.redirects.length;
      options.onExchange?.(sealExchange(exchange));
      return exchange;
    });
  };
  const read = (role: string, target: FetchTarget): Promise<Exchange> => {
    const known = started.get(role);
    if (known) return known.running;
    const key = JSON.stringify([target.method ?? 'GET', target.url, target.headers, target.body, target.maxBytes]);
    const request = byRequest.get(key) ?? ask(role, target);
    byRequest.set(key, request);
    const running = request.then((exchange) => {
      const mine = { ...exchange, role };
      done.set(role, mine);
      return mine;
    });
    started.set(role, { key, running });
    return running;
  };
  const gather: Gather = {
    start: new URL(url),
    clockMs: options.clockMs,
    read,
    find: (role) => done.get(role),
    room: () => Math.max(0, (options.requests ?? DEFAULT_LIMITS.requests) - used),
    maxPages: options.maxPages ?? DEFAULT_PAGES,
  };
  const { renderer } = options;
  let looking: Promise<Rendered> | undefined;
  if (renderer)
    gather.render = (page) => {
      looking ??= lookAtPage(page, renderer);
    };
  return {
    gather,
    slots,
    exchanges: () => listExchangesByRole(done, (role) => started.get(role)?.key ?? role),
    rendered: async () => looking,
  };
}

/** Exchanges by role. Roles may share a request: the first by name gets the exchange, whichever role asked first. */
function listExchangesByRole(
  done: ReadonlyMap<string, Exchange>,
  keyOf: (role: string) => string,
): readonly Exchange[] {
  const owners = new Map<string, string>();
  return [...done.values()]
    .map(sealExchange)
    .toSorted((a, b) => (a.role < b.role ? -1 : 1))
    .map((exchange) => {
      const key = keyOf(exchange.role);
      const owner = owners.get(key) ?? exchange.role;
      owners.set(key, owner);
      return owner === exchange.role ? exchange : { ...exchange, sameAs: owner };
    });
}

async function toExchange(
  role: string,
  target: FetchTarget,
  fetched: Fetched,
  count: GuardedFetch['count'],
): Promise<Exchange> {
  const request = {
    role,
    method: target.method ?? 'GET',
    url: withoutSecretQuery(target.url),
    requestHeaders: target.headers ?? {},
    ...(target.body === undefined ? {} : { requestBody: target.body }),
  } as const;
  const redirects = fetched.redirects.map(({ url, status, location }) => ({
    url: withoutSecretQuery(url),
    status,
    location: withoutSecretQuery(location),
  }));
  if (!fetched.ok) {
    const { reason, detail, elapsedMs } = fetched;
    return { ...request, answer: { ok: false, reason, detail, redirects }, ms: elapsedMs };
  }
  const digest = await crypto.subtle.digest('SHA-256', fetched.bytes);
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const url = withoutSecretQuery(fetched.url);
  const { status } = fetched;
  const bodyBytes = fetched.bytes.byteLength;
  const headers = withoutSecrets(fetched.headers);
  const content = await unzip(fetched.bytes, count);
  const whole = {
    ok: true,
    url,
    status,
    headers,
    body: decodeBody(content.bytes, fetched.headers['content-type'] ?? ''),
    bodyBytes,
    sha256,
    truncated: fetched.truncated || content.truncated,
    redirects,
  } as const;
  releaseBytes(content.bytes);
  if (content.bytes !== fetched.bytes) releaseBytes(fetched.bytes);
  const first = isHtmlAnswer(whole) ? cutPage(whole.body) : undefined;
  const answer = first === undefined ? whole : { ...whole, body: first, truncated: true };
  return { ...request, answer, ms: fetched.elapsedMs };
}

/** Runs at most `limit` tasks at once, the others in order of arrival. A lower limit holds for tasks that begin later. */
type Slots = { limit: number; run: <T>(task: () => Promise<T>) => Promise<T> };

function createSlots(limit: number): Slots {
  let running = 0;
  const waiting: (() => void)[] = [];
  const slots: Slots = {
    limit,
    async run(task) {
      if (running >= slots.limit) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await task();
      } finally {
        const next = running > slots.limit ? undefined : waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
  return slots;
}
