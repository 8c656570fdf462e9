import { PRODUCT } from '../../lib/product.ts';
import { findGroups, parseRobots, listRecords, decideRobotsVerdict } from '../../audit/crawlers/facts/robots.ts';
import type { Fetched } from '../../net/fetched.ts';

/** Our product token in robots.txt and in robots metas. */
export const OUR_AGENT = `${PRODUCT}Bot`;
/** A longer Crawl-delay is taken for this. */
export const MAX_DELAY_MS = 10_000;

/** What robots.txt says: which addresses, how fast, and where the sitemaps are. */
export type Rules = {
  allows: (url: URL) => boolean;
  /** What `allows` may cost for an address: characters of patterns and of paths that are compared. */
  cost: (url: URL) => number;
  delayMs: number;
  sitemaps: readonly string[];
};

/** The rules of a robots.txt, by RFC 9309 and the usual Crawl-delay. */
export function parseCrawlRules(text: string): Rules {
  const file = parseRobots(text);
  const [delay] = listRecords(file, OUR_AGENT, 'crawl-delay');
  const seconds = parseDelaySeconds(delay?.value ?? '');
  const rules = findGroups(file, OUR_AGENT).groups.flatMap((group) => group.rules);
  const chars = rules.reduce((sum, { pattern }) => sum + pattern.length, 0);
  return {
    allows: (url) => decideRobotsVerdict(file, OUR_AGENT, url.href).allowed,
    cost: ({ href }) => chars + rules.length * href.length,
    delayMs: seconds > 0 ? Math.min(MAX_DELAY_MS, seconds * 1000) : 0,
    sitemaps: file.sitemaps.map(({ url }) => url),
  };
}

/** `5`, `0.5`; also `5s` and `0,5`, which people write. 0 for what begins with no number. */
function parseDelaySeconds(text: string): number {
  const plain = Number(text);
  if (!Number.isNaN(plain)) return plain;
  const [start = '0'] = /^\d{1,9}(?:[.,]\d{1,9})?/.exec(text) ?? [];
  return Number(start.replace(',', '.'));
}

/**
 * The text of robots.txt from what came for it: none (4xx) allows all; undefined where it could not be read (429, 5xx, no answer),
 * which forbids all until it can (RFC 9309, 2.3.1).
 */
export function readRobotsText(fetched: Fetched): string | undefined {
  if (!fetched.ok || fetched.status === 429 || fetched.status >= 500) return undefined;
  return fetched.status >= 200 && fetched.status < 300 ? new TextDecoder().decode(fetched.bytes) : '';
}
