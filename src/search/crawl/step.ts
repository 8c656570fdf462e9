import { LEFT_OUT, MAX_INPUT_DEATHS, formatUrlName } from '../jobs/parts.ts';
import { parsePageUrl, createSkipRule } from './page-urls.ts';
import { type CrawlTools, computeStartUrl, type CrawlStep, type StepEnd } from './crawl-step.ts';
import type { CrawlState } from './frontier.ts';
import { readPages } from './pages.ts';
import { readRobotsText, type Rules, parseCrawlRules } from './rules.ts';
import { createStepFetch } from './fetch-page.ts';
import { readSitemaps } from './sitemaps.ts';

/** Pages of the list of items that one step goes through. */
const LISTS_PER_STEP = 10;

/**
 * Deletes the items of pages that are gone or no longer to be indexed, and, where everything that lists pages could be looked
 * at, of those that nothing lists any more. A page that could not be looked at keeps its item: that is no word of it.
 */
function sweep(step: CrawlStep): StepEnd {
  const { frontier } = step;
  for (let lists = 0; lists < LISTS_PER_STEP; lists += 1) {
    if (!step.transaction(() => sweepList(step))) return { kind: 'ended', reason: findStepEnd(step) };
  }
  return frontier.state() ? { kind: 'more' } : { kind: 'ended', reason: 'cancelled' };
}

/** @returns whether there may be more */
function sweepList({ frontier, sink }: CrawlStep): boolean {
  const state = frontier.state();
  const items = state ? sink.items(state.sweepPage) : [];
  if (!state || items.length === 0) return false;
  const isWhole = !state.isPartial && frontier.count('waiting') === 0;
  const over = items.filter(({ key }) => {
    const seen = frontier.page(key)?.state;
    return seen === undefined ? isWhole : seen === 'gone' || seen === 'refused' || seen === 'moved';
  });
  for (const { id, key } of over) {
    sink.remove(id);
    sink.log('info', `An item is deleted, its page is no longer to be indexed: ${key}`);
  }
  // What is deleted makes room: the same page of the list then shows others.
  if (over.length === 0) frontier.change({ sweepPage: state.sweepPage + 1 });
  return true;
}

function findStepEnd({
  frontier,
  source,
  rules,
  site,
}: CrawlStep): 'completed' | 'page_limit' | 'time_limit' | 'robots_disallowed' {
  if (frontier.state()?.isLate) return 'time_limit';
  if (frontier.count('waiting') > 0) return frontier.asked() >= source.maxPages ? 'page_limit' : 'time_limit';
  return frontier.asked() === 0 && !rules.allows(site) ? 'robots_disallowed' : 'completed';
}

/** A crawl that began takes no longer: what it has not come to by then waits for the next one. */
export const MAX_CRAWL_MS = 30 * 60_000;
/** Between two requests to a public host. */
const PAUSE_MS = 100;

/**
 * Does one bounded part of the crawl that `frontier` holds: robots.txt, then sitemaps, then pages, then what is gone. All that
 * a step leaves is in the database, so that any later one goes on from it.
 * @param endMs Unix milliseconds after which no request begins
 */
export async function crawlStep(tools: CrawlTools, endMs: number): Promise<StepEnd> {
  const { frontier, network, startedMs } = tools;
  const state = frontier.state();
  if (!state) return { kind: 'ended', reason: 'cancelled' };
  if (state.phase === 'robots') return readRobots(tools, state);
  const step = createCrawlStep(tools, state, endMs);
  if (network.now() - startedMs > MAX_CRAWL_MS && state.phase !== 'sweep') {
    frontier.change({ phase: 'sweep', isPartial: true, isLate: true });
    tools.sink.log('warning', 'The crawl took too long: the rest waits for the next one');
    return { kind: 'more' };
  }
  if (state.phase === 'sitemaps') return readSitemaps(step);
  return state.phase === 'pages' ? readPages(step) : sweep(step);
}

function createCrawlStep(tools: CrawlTools, state: CrawlState, endMs: number): CrawlStep {
  const site = new URL(tools.source.url);
  const rules = parseCrawlRules(state.robots);
  const skip = createSkipRule(tools.source);
  const mayFollow = (url: URL): boolean => parsePageUrl(url.href, site) !== undefined && rules.allows(url);
  const mayRead = (url: URL): boolean => skip(url) === undefined && mayFollow(url);
  const fetch = createStepFetch(tools.network, mayFollow);
  const pace = createPacer(tools, { nextMs: state.notBeforeMs, pauseMs: computePauseMs(tools, rules), endMs });
  return { ...tools, job: state.job, site, rules, fetch, endMs, pace, skip, mayRead };
}

/** Milliseconds between the beginnings of two requests. */
export const computePauseMs = ({ isPublic }: Pick<CrawlTools, 'isPublic'>, rules: Pick<Rules, 'delayMs'>): number =>
  Math.max(rules.delayMs, isPublic ? PAUSE_MS : 0);

/** Gives each request its time, for all lanes together, and keeps the next one for other steps. */
function createPacer(
  { frontier, network, sleep, restMs }: CrawlTools,
  { nextMs, pauseMs, endMs }: { nextMs: number; pauseMs: number; endMs: number },
): () => Promise<boolean> {
  let freeMs = nextMs;
  return async () => {
    const startMs = Math.max(freeMs, restMs(), network.now());
    if (startMs >= endMs) {
      frontier.change({ notBeforeMs: startMs });
      return false;
    }
    freeMs = startMs + pauseMs;
    frontier.change({ notBeforeMs: freeMs });
    if (startMs > network.now()) await sleep(startMs - network.now());
    return true;
  };
}

/** Failures that say the address itself may not be asked. */
const REFUSALS = new Set(['invalid_url', 'scheme_refused', 'credentials_refused', 'port_refused', 'private_target']);
const ROBOTS_BYTES = 500 * 1024;

async function readRobots(tools: CrawlTools, state: CrawlState): Promise<StepEnd> {
  const { source, sink, attempts } = tools;
  const url = new URL('/robots.txt', source.url).href;
  if (attempts.deaths(formatUrlName(url)) >= MAX_INPUT_DEATHS) {
    sink.log('error', `robots.txt could not be read: ${LEFT_OUT}`);
    return { kind: 'ended', reason: 'robots_unreachable' };
  }
  await attempts.begin(formatUrlName(url));
  try {
    return await beginByRobots(tools, state);
  } finally {
    attempts.end(formatUrlName(url));
  }
}

async function beginByRobots(tools: CrawlTools, { job }: CrawlState): Promise<StepEnd> {
  const { frontier, source, network, sink } = tools;
  const site = new URL(source.url);
  const read = createStepFetch(network, () => true);
  const answer = await read({ url: new URL('/robots.txt', site).href, maxBytes: ROBOTS_BYTES });
  if (frontier.state()?.job !== job) return { kind: 'ended', reason: 'cancelled' };
  const robots = readRobotsText(answer);
  if (robots === undefined) {
    const why = answer.ok ? `status_${answer.status}` : answer.reason;
    sink.log('error', `robots.txt could not be read: ${why}. Nothing is read of the site without it`);
    return {
      kind: 'ended',
      reason: !answer.ok && REFUSALS.has(answer.reason) ? 'source_refused' : 'robots_unreachable',
    };
  }
  const rules = parseCrawlRules(robots);
  if (!rules.allows(site)) sink.log('warning', 'robots.txt forbids the start page');
  tools.transaction(() => {
    addSitemaps(tools, site, rules);
    const notBeforeMs = network.now() + computePauseMs(tools, rules);
    frontier.change({ phase: 'sitemaps', robots, notBeforeMs });
    if (source.discover && rules.allows(site)) frontier.add(computeStartUrl(site), 0);
  });
  return { kind: 'more' };
}

/** Those of the instance, else those that the site names, else where they usually are. None where links alone count. */
function addSitemaps({ frontier, source, sink }: CrawlTools, site: URL, rules: Rules): void {
  if (source.linksOnly) return;
  const named = source.sitemaps.length > 0 ? source.sitemaps : rules.sitemaps;
  const texts = named.length > 0 ? named : ['/sitemap.xml', '/sitemap_index.xml'];
  const isUsual = named.length === 0;
  for (const text of texts) {
    const url = parsePageUrl(text, site);
    if (url && (rules.sitemaps.includes(text) || rules.allows(url))) {
      if (frontier.addSitemap(url.href, isUsual ? 0 : 1)) continue;
      frontier.change({ isPartial: true });
      sink.log('warning', 'Sitemaps are too many, not all are read');
      break;
    } else sink.log('warning', 'A sitemap is not read: it is on another host, or robots.txt forbids it');
  }
}
