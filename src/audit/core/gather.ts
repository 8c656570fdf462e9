import { yieldToEventLoop } from '../../lib/concurrency.ts';
import { DEFAULT_LIMITS } from '../../net/fetch-budget.ts';
import type { Fetched, FetchTarget, GuardedFetch } from '../../net/fetched.ts';
import type { RedirectShare } from '../../net/redirect-share.ts';
import { releaseBytes } from '../../net/read-body.ts';
import { sealExchange, withoutSecretQuery, withoutSecrets } from '../hidden-text/gather/secrets.ts';
import type { Rendered } from '../rendered/facts/rendered-look.ts';
import { getRenderedFacts } from '../rendered/facts/rendered-page.ts';
import { lookAtPage, type Renderer } from '../rendered/gather/render-page.ts';
import { cutPage, getPageFacts, isHtmlAnswer } from '../reach/facts/html-page.ts';
import { computeTextBytes, decodeBody, unzip } from './decode.ts';
import type { Gather, Wanted } from './artifact.ts';
import { firstGatherers, type GathererName, gathererNames, laterGatherers } from './artifacts.ts';
import { type LaterTools, makeLaterRequests } from './later-requests.ts';
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
  /** Work on what was read so far, while answers are awaited. It calls `pause` now and then, which waits for a good moment. */
  whileWaiting?: (soFar: Snapshot, pause: () => Promise<void>) => Promise<void>;
};

/**
 * Reads a site and returns the snapshot that judging needs; exchanges are sorted by role so that the order of
 * answers on the wire leaves no trace. Limits (requests, bytes, time) are those of `options.fetch`.
 */
export async function gatherSite(url: string, options: GatherOptions): Promise<Snapshot> {
  const requests = createRequests(url, options);
  const { gather, slots, exchanges, rendered } = requests;
  const names = new Set<GathererName>(options.only ?? gathererNames);
  // A host whose start page gives no answer is asked for nothing else.
  if (names.has('page')) await firstGatherers.get('page')?.(gather);
  if (gather.find('page')?.answer.ok !== false) {
    if (countStartRedirects(gather) >= LONG_CHAIN) slots.limit = 1;
    let working = Promise.resolve();
    const work = async (before: Promise<void>): Promise<void> => {
      await before;
      await requests.readPages();
      const soFar: Snapshot = { version: 1, url, clockMs: options.clockMs, exchanges: exchanges() };
      await options.whileWaiting?.(soFar, slots.pause);
    };
    const workAhead = (): void => {
      working = work(working);
      working.catch(() => undefined); // It is thrown where it is awaited.
    };
    const first = [...firstGatherers].filter(([name]) => names.has(name));
    const running = first.map(async ([name, run]) => {
      await run(gather);
      if (name === PAGES) workAhead();
    });
    workAhead();
    await Promise.all(running);
    workAhead();
    const later = laterGatherers.filter(({ name }) => names.has(name));
    await makeLaterRequests(later, requests.later);
    await working;
  }
  const look = await rendered();
  await requests.readPages();
  if (look?.ok === true) {
    await yieldToEventLoop();
    getRenderedFacts(look);
  }
  return {
    version: 1,
    url,
    clockMs: options.clockMs,
    exchanges: exchanges(),
    ...(look === undefined ? {} : { rendered: look }),
  };
}

/** The gatherer after which all pages are there. */
const PAGES: GathererName = 'sample';

const countStartRedirects = (gather: Gather): number => gather.find('page')?.answer.redirects.length ?? 0;

const PAGE_ROLE = /^(?:page|sample:\d{1,4})$/;

/**
 * Reads the facts of each page in a turn of its own, while other answers are awaited: judging would read all of them at
 * once, and keep other requests waiting.
 */
function createPageReader(): { add: (exchange: Exchange) => void; finish: () => Promise<unknown> } {
  let reading: Promise<unknown> = Promise.resolve();
  return {
    add({ role, answer }) {
      if (!PAGE_ROLE.test(role) || !answer.ok || !isHtmlAnswer(answer)) return;
      reading = reading.then(yieldToEventLoop).then(() => getPageFacts(answer));
      reading.catch(() => undefined); // `finish` throws it.
    },
    finish: () => reading,
  };
}

/** The requests of one audit. */
type Requests = {
  gather: Gather;
  slots: Slots;
  later: LaterTools;
  exchanges: () => readonly Exchange[];
  readPages: () => Promise<unknown>;
  rendered: () => Promise<Rendered | undefined>;
};

/** Makes each role once, and one request for all roles that ask for exactly the same. */
function createRequests(url: string, options: GatherOptions): Requests {
  const started = new Map<string, { key: string; running: Promise<Exchange> }>();
  const byRequest = new Map<string, Promise<Exchange>>();
  const done = new Map<string, Exchange>();
  const slots = createSlots(MAX_CONCURRENT_FETCHES);
  const pages = createPageReader();
  const looks = createLook(options.renderer);
  const start = new URL(url);
  let used = 0;
  const ask = ({ role, target }: Wanted, share?: RedirectShare): Promise<Exchange> => {
    used += 1;
    // One after the other, what comes first is also what goes without last.
    return slots.run(slots.limit === 1 ? 0 : computeUrgency(role, share), async () => {
      const fetched = await options.fetch(target, share?.mayFollow);
      const exchange = await toExchange(role, target, fetched, options.fetch);
      used += exchange.answer.redirects.length;
      options.onExchange?.(sealExchange(exchange));
      return exchange;
    });
  };
  const send = (wanted: Wanted, share?: RedirectShare): Promise<Exchange> => {
    const { role } = wanted;
    const known = started.get(role);
    if (known) return known.running;
    const key = formatKey(wanted);
    const request = byRequest.get(key) ?? ask(wanted, share);
    byRequest.set(key, request);
    const running = request.then((exchange) => {
      const mine = { ...exchange, role };
      done.set(role, mine);
      pages.add(mine);
      return mine;
    });
    started.set(role, { key, running });
    return running;
  };
  const gather: Gather = {
    start,
    clockMs: options.clockMs,
    read: (role, target) => send({ role, target }),
    find: (role) => done.get(role),
    room: () => Math.max(0, (options.requests ?? DEFAULT_LIMITS.requests) - used),
    maxPages: options.maxPages ?? DEFAULT_PAGES,
    ...looks.render,
  };
  const later: LaterTools = {
    gather,
    send,
    isAsked: (role) => started.has(role),
    keyOf: formatKey,
    isMade: (key) => byRequest.has(key),
    countRedirects: () => countMostRedirects(start, done.values()),
  };
  return {
    gather,
    slots,
    later,
    exchanges: () => listExchangesByRole(done, (role) => started.get(role)?.key ?? role),
    readPages: pages.finish,
    rendered: looks.rendered,
  };
}

/** Two requests with the same key are one. */
const formatKey = ({ target }: Wanted): string =>
  JSON.stringify([target.method ?? 'GET', target.url, target.headers, target.body, target.maxBytes]);

/** Of all answers of the audited origin. That its other scheme redirects says nothing of this one. */
const countMostRedirects = (start: URL, exchanges: Iterable<Exchange>): number => {
  let most = 0;
  for (const { url, answer } of exchanges)
    if (new URL(url).origin === start.origin) most = Math.max(most, answer.redirects.length);
  return most;
};

/**
 * Requests on whose answers most others wait: they do not queue behind those that lead to nothing. Requests that share
 * redirects keep their order among themselves.
 */
const URGENT = /^(?:control|mcp-|user-agent:|edge:)/;
const LEADING = /^(?:robots|sitemap|api-catalog|llms$|markdown$)/;

const computeUrgency = (role: string, share: RedirectShare | undefined): number =>
  share !== undefined || URGENT.test(role) ? 0 : LEADING.test(role) ? 1 : 2;

/** A look at the start page in a browser, which goes on beside all requests. */
function createLook(renderer: Renderer | undefined): {
  render: Pick<Gather, 'render'>;
  rendered: () => Promise<Rendered | undefined>;
} {
  let looking: Promise<Rendered> | undefined;
  const render: Pick<Gather, 'render'> = renderer
    ? {
        render: (page) => {
          looking ??= lookAtPage(page, renderer);
        },
      }
    : {};
  return { render, rendered: async () => looking };
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
  { count, bookText }: Pick<GuardedFetch, 'count' | 'bookText'>,
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
  const body = decodeBody(content.bytes, fetched.headers['content-type'] ?? '');
  const grown = Math.max(0, computeTextBytes(body) - content.bytes.byteLength);
  releaseBytes(content.bytes);
  if (content.bytes !== fetched.bytes) releaseBytes(fetched.bytes);
  const refusal = grown === 0 ? undefined : bookText?.(grown);
  if (refusal) {
    const { reason, message } = refusal;
    return { ...request, answer: { ok: false, reason, detail: message, redirects }, ms: fetched.elapsedMs };
  }
  const whole = {
    ok: true,
    url,
    status,
    headers,
    body,
    bodyBytes,
    sha256,
    truncated: fetched.truncated || content.truncated,
    redirects,
  } as const;
  const first = isHtmlAnswer(whole) ? cutPage(whole.body) : undefined;
  const answer = first === undefined ? whole : { ...whole, body: first, truncated: true };
  return { ...request, answer, ms: fetched.elapsedMs };
}

/**
 * Runs at most `limit` tasks at once, the most urgent first (the lowest number) and alike ones in order of arrival. A
 * lower limit holds for tasks that begin later.
 */
type Slots = {
  limit: number;
  run: <T>(urgency: number, task: () => Promise<T>) => Promise<T>;
  /**
   * For work beside the tasks, which calls it after each of its steps. Goes on at once for a few milliseconds, then waits
   * until tasks have just begun, so that the work keeps no answer waiting; not long, and hardly where none runs.
   */
  pause: () => Promise<void>;
};

/** Work between two pauses, in milliseconds; and in steps, since the clock of a Worker does not move meanwhile. */
const WORK_MS = 8;
const WORK_STEPS = 30;

/** Longest wait for tasks that begin, in milliseconds: a site may be slow. */
const MAX_PAUSE_MS = 20;
/** Turns of the event loop until a request is on its way. */
const SENDING_TURNS = 3;

/** A slot that is free goes to someone in the next turn: what follows from the last answer is asked for by then. */
function createSlots(limit: number): Slots {
  let running = 0;
  let isFilling = false;
  const waiting: { urgency: number; begin: () => void }[] = [];
  const pausing = new Set<() => void>();
  let [steps, sinceMs] = [0, 0];
  const fill = async (): Promise<void> => {
    if (isFilling) return;
    isFilling = true;
    await yieldToEventLoop();
    isFilling = false;
    while (running < slots.limit) {
      const next = waiting.shift();
      if (!next) return;
      running += 1;
      next.begin();
      for (const goOn of pausing) goOn();
    }
  };
  const wait = (urgency: number): Promise<void> =>
    new Promise((begin) => {
      const behind = waiting.findIndex((other) => other.urgency > urgency);
      waiting.splice(behind === -1 ? waiting.length : behind, 0, { urgency, begin });
      void fill();
    });
  const slots: Slots = {
    limit,
    async run(urgency, task) {
      await wait(urgency);
      try {
        return await task();
      } finally {
        running -= 1;
        void fill();
      }
    },
    async pause() {
      steps += 1;
      if (steps < WORK_STEPS && performance.now() - sinceMs < WORK_MS) return;
      await waitForBegun();
      steps = 0;
      sinceMs = performance.now();
    },
  };
  async function waitForBegun(): Promise<void> {
    if (running === 0) {
      await yieldToEventLoop();
      return;
    }
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer);
        pausing.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, MAX_PAUSE_MS);
      pausing.add(goOn);
    });
    for (let turn = 0; turn < SENDING_TURNS; turn += 1) await yieldToEventLoop();
  }
  return slots;
}
