import type { Artifact } from '../../core/artifact.ts';
import { type Snapshot, lookup } from '../../core/snapshot.ts';
import { readTextFile } from '../../llms-txt/facts/llms-files.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { readSitemaps } from '../../sitemaps/facts/sitemap-files.ts';

/** A file by which machines find their way: there by its answer, or named by the start page. `what` is in our words. */
export type CrawlerFile = { what: string; url: string };

/** Files that a page names for machines: relations, and the media types of alternates. */
const RELATIONS = new Set(['describedby', 'service-desc', 'api-catalog', 'ai-catalog']);
const ALTERNATES = /^(?:text\/markdown|application\/(?:rss\+xml|atom\+xml|feed\+json))\b/;
const MAX_NAMED = 20;

/** Artifact `crawlerFiles`: the sitemaps and the llms.txt that were found, and what the start page's head names. */
export function readCrawlerFiles(snapshot: Snapshot): Artifact<readonly CrawlerFile[]> {
  const find = lookup(snapshot);
  const sitemaps = readSitemaps(snapshot);
  const tries = sitemaps.state === 'ready' ? sitemaps.value.tries : [];
  const llms = readTextFile(find('llms'), find('control'));
  const found = [
    ...tries.filter(({ state }) => state === 'found').map(({ exchange }) => ({ what: 'sitemap', url: exchange.url })),
    ...(llms.state === 'found' ? [{ what: 'llms.txt', url: llms.exchange.url }] : []),
    ...namedFiles(snapshot),
  ];
  const { host } = new URL(snapshot.url);
  return { state: 'ready', value: found.filter(({ url }) => new URL(url).host === host) };
}

function namedFiles(snapshot: Snapshot): readonly CrawlerFile[] {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return [];
  return page.value.linkTags
    .filter(
      ({ rels, type, href }) =>
        /^https?:/.test(href) &&
        (rels.some((rel) => RELATIONS.has(rel)) || (rels.includes('alternate') && ALTERNATES.test(type))),
    )
    .slice(0, MAX_NAMED)
    .map(({ rels, href }) => ({
      what: `link rel=${rels.includes('alternate') ? 'alternate' : 'of a description'}`,
      url: href,
    }));
}
