import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { type Existence, readExistence } from '../../reach/facts/existence.ts';
import type { LinkTag, PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../../publisher/facts/same-owner.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';

/** Media types by which a page links its feed. Plain `application/json` is what WordPress links its API by. */
const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);

/** The first feed that a page links to, on any host; undefined when there is none. */
export function findFeedLink(page: Pick<PageFacts, 'linkTags'>): LinkTag | undefined {
  return page.linkTags.find(
    ({ rels, type, href }) =>
      rels.includes('alternate') && FEED_TYPES.has(type.split(';')[0]?.trim() ?? '') && /^https?:/.test(href),
  );
}

/** The feed of a site as far as it was read. `elsewhere`: linked on a host of another owner, and not asked for. */
export type SiteFeed =
  | { state: 'none' }
  | { state: 'elsewhere'; link: LinkTag }
  | { state: 'not_read'; link: LinkTag }
  | { state: 'read'; link: LinkTag; exchange: Exchange; existence: Existence };

/** Artifact `siteFeed`: the feed that the start page links to. */
export function readSiteFeed(snapshot: Snapshot): Artifact<SiteFeed> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const link = findFeedLink(page.value);
  if (!link) return { state: 'ready', value: { state: 'none' } };
  if (!isSameOwner(new URL(link.href), new URL(snapshot.url)))
    return { state: 'ready', value: { state: 'elsewhere', link } };
  const find = getExchangeLookup(snapshot);
  const exchange = find('feed');
  if (!exchange) return { state: 'ready', value: { state: 'not_read', link } };
  const existence = readExistence(exchange, find('control'), 'text');
  return { state: 'ready', value: { state: 'read', link, exchange, existence } };
}
