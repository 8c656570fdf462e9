import { parseRobots, robotsVerdict } from '../../audit/facts/robots.ts';
import { recordsFor } from '../../audit/facts/robots-groups.ts';
import type { Fetched } from '../../net/fetched.ts';

/** Our product token in robots.txt and in robots metas. */
export const OUR_AGENT = 'SightlineBot';
/** A longer Crawl-delay is taken for this. */
export const MAX_DELAY_MS = 10_000;

/** What robots.txt tells us: which addresses, how fast, and where the sitemaps are. */
export type Rules = { allows: (url: URL) => boolean; delayMs: number; sitemaps: readonly string[] };

/** The rules of a robots.txt, by RFC 9309 and the usual Crawl-delay. */
export function rulesOf(text: string): Rules {
  const file = parseRobots(text);
  const [delay] = recordsFor(file, OUR_AGENT, 'crawl-delay');
  const seconds = Number(delay?.value ?? 0);
  return {
    allows: (url) => robotsVerdict(file, OUR_AGENT, url.href).allowed,
    delayMs: seconds > 0 ? Math.min(MAX_DELAY_MS, seconds * 1000) : 0,
    sitemaps: file.sitemaps.map(({ url }) => url),
  };
}

/**
 * The text of robots.txt from what came for it: none (4xx) allows all; undefined where it could not be read (429, 5xx, no answer),
 * which forbids all until it can (RFC 9309, 2.3.1).
 */
export function robotsText(fetched: Fetched): string | undefined {
  if (!fetched.ok || fetched.status === 429 || fetched.status >= 500) return undefined;
  return fetched.status >= 200 && fetched.status < 300 ? new TextDecoder().decode(fetched.bytes) : '';
}
