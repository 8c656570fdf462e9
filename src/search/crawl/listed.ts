import { isLeftOut } from './left-out.ts';
import type { Step } from './crawl-step.ts';

/** What matching the addresses of one page or sitemap with robots.txt may cost, in characters; an honest site never meets it. */
const MAX_MATCH_COST = 50_000_000;
/** Addresses that are judged whatever that costs. */
const FEWEST = 10;

/**
 * Puts the addresses that a page or sitemap lists into the frontier, if they may be read and are new. Where there is no room
 * or too much to compare the rest is left, and the crawl is partial.
 * @returns how many were added
 */
export function addListed(step: Step, urls: readonly URL[], depth: number): number {
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
