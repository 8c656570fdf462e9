import type { GuardedFetch } from '../../net/fetched.ts';
import type { NewChunk, NewItem, PutOutcome } from '../index/item.ts';
import type { InputAttempts } from '../jobs/parts.ts';
import type { CrawlSource } from '../order.ts';
import type { PdfReadingService } from '../pdf/reader.ts';
import { parsePageUrl, type Skip } from './page-urls.ts';
import type { FetchedPage, SiteNetwork } from './fetch-page.ts';
import type { Frontier } from './frontier.ts';
import type { Rules } from './rules.ts';

/**
 * Whether the rules of the instance leave an address out. The log names it then, once, with the vendor's words for the rule,
 * as long as there are not too many.
 */
export function isLeftOut({ skip, frontier, sink }: Pick<CrawlStep, 'skip' | 'frontier' | 'sink'>, url: URL): boolean {
  const why = skip(url);
  if (!why) return false;
  const noted = frontier.noteSkip(url.href);
  if (noted === 'last') sink.log('info', 'More pages are left out by rules: they are not named');
  if (noted !== 'named') return true;
  const rule =
    why.kind === 'excluded' ? `Skipped by rule: ${why.pattern} (${url.href})` : `Skipped by Include Rules: ${url.href}`;
  sink.log('info', rule);
  return true;
}

export type CrawlEndReason =
  | 'completed'
  | 'page_limit'
  | 'time_limit'
  | 'cancelled'
  | 'source_refused'
  | 'robots_unreachable'
  | 'robots_disallowed'
  | 'instance_full'
  | 'no_source'
  | 'failed';

/** Where a crawl puts what it reads. All but `prepare` are synchronous: they are part of one transaction. */
export type CrawlSink = {
  prepare: (url: string, page: FetchedPage) => Promise<{ item: NewItem; chunks: readonly NewChunk[] }>;
  put: (item: NewItem, chunks: readonly NewChunk[]) => PutOutcome;
  /** An address could not be looked at: what is indexed of it stays. `reason` is a word of ours. */
  fail: (url: string, reason: string) => void;
  /** Items of the source, some at a time, from page 1. */
  items: (page: number) => readonly { id: string; key: string }[];
  remove: (id: string) => void;
  /** Whether an address is indexed. */
  knows: (url: string) => boolean;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
};

export type CrawlTools = {
  frontier: Frontier;
  source: CrawlSource;
  network: SiteNetwork;
  /** The host is one of the internet's: it is asked with pauses. */
  isPublic: boolean;
  sleep: (ms: number) => Promise<void>;
  transaction: <T>(work: () => T) => T;
  sink: CrawlSink;
  /** When the job began, later by what it waited for its host since, Unix milliseconds. */
  startedMs: number;
  /** The site is not asked before this, Unix milliseconds: it was asked often enough. */
  restMs: () => number;
  /** Addresses whose answers are being read, by `formatUrlName`. */
  attempts: InputAttempts;
  readPdf: PdfReadingService;
};

/** One step of a crawl, with what its parts share. */
export type CrawlStep = CrawlTools & {
  job: string;
  site: URL;
  rules: Rules;
  fetch: GuardedFetch;
  endMs: number;
  /** Waits until the site may be asked again. @returns false when that is after the end of the step */
  pace: () => Promise<boolean>;
  /** Why the rules of the instance leave an address out; undefined where they do not. */
  skip: (url: URL) => Skip | undefined;
  /** An address that this crawl may index: of the host, wanted, and allowed by robots.txt. */
  mayRead: (url: URL) => boolean;
};

/** What a step came to. `more`: the crawl goes on, not before the time that `frontier` says. */
export type StepEnd = { kind: 'more' } | { kind: 'ended'; reason: CrawlEndReason };

export const computeStartUrl = (site: URL): string => parsePageUrl(site.href, site)?.href ?? site.href;

/** What matching the addresses of one page or sitemap with robots.txt may cost, in characters; an honest site never meets it. */
const MAX_MATCH_COST = 50_000_000;
/** Addresses that are judged whatever that costs. */
const FEWEST = 10;

/**
 * Puts the addresses that a page or sitemap lists into the frontier, if they may be read and are new. Where there is no room
 * or too much to compare the rest is left, and the crawl is partial.
 * @returns how many were added
 */
export function addListed(step: CrawlStep, urls: readonly URL[], depth: number): number {
  const { frontier, rules, sink } = step;
  let added = 0;
  let cost = 0;
  let judged = 0;
  for (const url of urls) {
    if (frontier.page(url.href)) continue;
    cost += rules.cost(url);
    judged += 1;
    if (judged > FEWEST && cost > MAX_MATCH_COST) {
      frontier.change({ isPartial: true });
      sink.log('warning', 'robots.txt has too many rules: of what is listed here only a part is read');
      break;
    }
    if (isLeftOut(step, url) || !rules.allows(url)) continue;
    if (!frontier.hasRoom()) {
      frontier.change({ isPartial: true });
      sink.log('warning', 'More pages are listed than one crawl remembers: the rest is left');
      break;
    }
    if (frontier.add(url.href, depth, sink.knows(url.href))) added += 1;
  }
  return added;
}
