import type { InstanceFacts } from '../order.ts';
import { Refusal } from '../../lib/refusal.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { parsePageUrl, createGlobFilter } from '../crawl/page-urls.ts';
import { lookAt, type FetchedPage, STEP_MS, createStepFetch } from '../crawl/fetch-page.ts';
import { readRobotsText, type Rules, parseCrawlRules } from '../crawl/rules.ts';
import { computePauseMs } from '../crawl/step.ts';
import type { ItemRecord } from '../index/item.ts';
import type { PageMeta } from '../ingest/page-metadata.ts';
import { createCountedNetwork, type Parts, computeRestMs, formatSourceId } from './parts.ts';
import { classifyHost } from '../../net/address.ts';
import { normaliseTargetHost } from '../../rate-limits/target-gate.ts';

/** Pages of one instance that may be asked for by their addresses in a minute. */
export const MAX_PAGES_PER_MINUTE = 50;

/** What there is to index of an item. `metas` are those of a page that was read just now. */
export type Content = Omit<FetchedPage, 'metas'> & { metas?: readonly PageMeta[] };
type ReadResult = Content | { failure: string; isGone?: boolean };

/** Reads single pages of the instance's site, each in its turn, and as its robots.txt and the instance's globs allow. */
export type SiteReader = {
  /** Waits until the site may be asked. @returns false when that is later than this reader lives */
  waitTurn: () => Promise<boolean>;
  read: (item: ItemRecord) => Promise<ReadResult>;
};

export function createSiteReader(parts: Parts, { config: { source } }: InstanceFacts): SiteReader {
  const { tools } = parts;
  const endMs = tools.now() + STEP_MS;
  let robots: Promise<Rules | undefined> | undefined;
  return {
    waitTurn: () => (source ? waitForSite(parts, computeSitePauseMs(source.url), endMs) : Promise.resolve(true)),
    async read({ key, source: from }) {
      const site = source && new URL(source.url);
      const url = site && parsePageUrl(key, site);
      if (!site || !url || formatSourceId(site.href) !== from)
        return { failure: 'not_found: the instance has no such source' };
      const isWanted = createGlobFilter(source);
      if (!isWanted(url)) return { failure: 'excluded: the source of the instance leaves this page out' };
      robots ??= readRobots(parts, site);
      const rules = await robots;
      if (!rules) return { failure: 'robots_unreachable: robots.txt could not be read' };
      if (!rules.allows(url)) return { failure: 'robots_disallowed: robots.txt forbids this page' };
      if (!(await waitForSite(parts, computeSitePauseMs(site.href, rules))))
        return { failure: 'too_many_requests: later' };
      return readPage(parts, { url, site, rules, isWanted });
    },
  };
}

type Page = { url: URL; site: URL; rules: Rules; isWanted: (url: URL) => boolean };

async function readPage(parts: Parts, { url, site, rules, isWanted }: Page): Promise<ReadResult> {
  const network = createCountedNetwork(parts);
  const read = createStepFetch(network, (next) => parsePageUrl(next.href, site) !== undefined && rules.allows(next));
  const answer = await read({ url: url.href });
  const look = await lookAt(answer, { site, nowMs: network.now(), readPdf: parts.tools.readPdf });
  if (look.kind === 'page') {
    return isWanted(look.url) ? look.page : { failure: 'excluded: it redirects to a page that is left out' };
  }
  if (look.kind === 'gone') return { failure: `gone: status ${look.status}`, isGone: true };
  return { failure: `${look.reason}: the page is not indexed`, isGone: look.reason === 'noindex' };
}

async function readRobots(parts: Parts, site: URL): Promise<Rules | undefined> {
  const { tools } = parts;
  const read = createStepFetch(createCountedNetwork(parts), () => true);
  const text = readRobotsText(await read({ url: new URL('/robots.txt', site).href }));
  const rules = text === undefined ? undefined : parseCrawlRules(text);
  if (rules) reserve(parts, tools.now() + computeSitePauseMs(site.href, rules));
  return rules;
}

const computeSitePauseMs = (url: string, rules: Pick<Rules, 'delayMs'> = { delayMs: 0 }): number =>
  computePauseMs({ isPublic: isPublic(url) }, rules);

/** When the site may be asked again, by what was asked of it so far, of a crawl as well, Unix milliseconds. */
export const computeFreeMs = (parts: Parts): number =>
  Math.max(parts.own.time('page_after'), parts.frontier.state()?.notBeforeMs ?? 0, computeRestMs(parts));

/** Nothing else is asked of the site before, by a crawl either. */
function reserve({ own, frontier }: Parts, untilMs: number): void {
  own.setTime('page_after', Math.max(own.time('page_after'), untilMs));
  const state = frontier.state();
  if (state && state.notBeforeMs < untilMs) frontier.change({ notBeforeMs: untilMs });
}

/** Waits until the site may be asked, for a request after which it is left alone for `pauseMs`. @returns false: later */
async function waitForSite(parts: Parts, pauseMs: number, endMs = parts.tools.now() + STEP_MS): Promise<boolean> {
  const { tools } = parts;
  const startMs = Math.max(computeFreeMs(parts), tools.now());
  if (startMs >= endMs) return false;
  reserve(parts, startMs + pauseMs);
  if (startMs > tools.now()) await tools.sleep(startMs - tools.now());
  return true;
}

/** Counts a page that is asked for by its address. @throws Refusal 429 for one too many in a minute */
export function countPage({ own, tools }: Parts): void {
  const nowMs = tools.now();
  const untilMs = own.time('pages_from') + MINUTE_MS;
  const isNew = nowMs >= untilMs;
  if (isNew) own.setTime('pages_from', nowMs);
  const count = isNew ? 0 : Number(own.word('pages'));
  if (count >= MAX_PAGES_PER_MINUTE) throw refuseTooMany(Math.ceil((untilMs - nowMs) / 1000));
  own.setWord('pages', String(count + 1));
}

const refuseTooMany = (retryAfterS: number): Refusal =>
  new Refusal({
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    reason: 'too_many_pages',
    message: `At most ${MAX_PAGES_PER_MINUTE} pages of an instance are indexed by their addresses in a minute`,
    retryAfterS,
  });

/**
 * Does work that reads a site, at a place in front of its host where that is someone's (rule F6).
 * @param id names the place while it is held
 * @returns undefined when it is done; else nothing was, for others are reading the host: seconds to wait, which
 * `findBusyUntilMs` knows then
 */
export async function runAtHost(
  { tools, own }: Pick<Parts, 'tools' | 'own'>,
  url: string,
  id: string,
  work: () => Promise<void>,
): Promise<number | undefined> {
  if (!isPublic(url)) {
    await work();
    return undefined;
  }
  const host = getHost(url);
  const waitS = await tools.enter(host, id);
  if (waitS !== undefined) {
    own.setWord('busy_host', host);
    own.setTime('host_busy', tools.now() + waitS * 1000);
    return waitS;
  }
  try {
    await work();
  } finally {
    await tools.leave(host, id);
  }
  return undefined;
}

/** The host is one of the internet's. */
export const isPublic = (url: string): boolean => classifyHost(new URL(url).hostname).kind === 'public';

/** Until when others have the host of an address, Unix milliseconds; 0 where that is not known. */
export const findBusyUntilMs = ({ own }: Pick<Parts, 'own'>, url: string | undefined): number =>
  url !== undefined && own.word('busy_host') === getHost(url) ? own.time('host_busy') : 0;

const getHost = (url: string): string => normaliseTargetHost(new URL(url).hostname);

/** What a log says of it. */
export const waitLine = (waitS: number) =>
  ({ level: 'info', action: 'wait', message: `Others are reading this host: on in ${waitS} s` }) as const;
