import { parseRobots } from '../../crawlers/facts/robots.ts';
import { parseSitemap } from '../facts/sitemap.ts';
import type { Gather, Gatherer, Plan } from '../../core/artifact.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { readRobots } from '../../crawlers/gather/crawlers.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { findFeedLink } from '../facts/feed.ts';
import { findProductFeed, PRODUCT_FEED_ROLE } from '../facts/product-feed.ts';
import { fetchStartPage } from '../../page/gather/page.ts';

/** Sitemaps that robots.txt names and we read. */
const MAX_NAMED = 2;
const USUAL_PATHS = ['/sitemap.xml', '/sitemap_index.xml'];
const SITEMAP_BYTES = 5 * 1024 * 1024;

/**
 * Reads the sitemaps that robots.txt names, else `/sitemap.xml` and, where that is none, `/sitemap_index.xml`; of an
 * index the first child. At most four requests.
 */
export async function readSitemapFiles(gather: Gather): Promise<readonly Exchange[]> {
  const named = await listRobotsSitemaps(gather);
  const files = named.length > 0 ? await readAll(gather, named) : await readUsual(gather);
  const children = files.flatMap((exchange) => findFirstChild(exchange) ?? []);
  const child = children[0];
  return child === undefined ? files : [...files, await readOne(gather, 'sitemap-child:0', child)];
}

export const gatherSitemaps: Gatherer = async (gather) => {
  await readSitemapFiles(gather);
};

async function listRobotsSitemaps(gather: Gather): Promise<readonly string[]> {
  const { answer } = await readRobots(gather);
  if (!answer.ok || answer.status !== 200) return [];
  const urls = parseRobots(answer.body).sitemaps.map(({ url }) => url);
  return [...new Set(urls)].filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url)).slice(0, MAX_NAMED);
}

const readAll = (gather: Gather, urls: readonly string[]): Promise<readonly Exchange[]> =>
  Promise.all(urls.map((url, index) => readOne(gather, `sitemap-named:${index}`, url)));

async function readUsual(gather: Gather): Promise<readonly Exchange[]> {
  const found: Exchange[] = [];
  for (const [index, path] of USUAL_PATHS.entries()) {
    const exchange = await readOne(gather, `sitemap-usual:${index}`, new URL(path, gather.start).href);
    found.push(exchange);
    if (parseSitemapAnswer(exchange) !== undefined) break;
  }
  return found;
}

const readOne = (gather: Gather, role: string, url: string): Promise<Exchange> =>
  gather.read(role, {
    url,
    headers: { accept: 'application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5' },
    maxBytes: SITEMAP_BYTES,
  });

function parseSitemapAnswer({ answer }: Exchange): ReturnType<typeof parseSitemap> | undefined {
  if (!answer.ok || answer.status !== 200) return undefined;
  const file = parseSitemap(answer.body, answer);
  return file.kind === 'none' ? undefined : file;
}

function findFirstChild(exchange: Exchange): string | undefined {
  const file = parseSitemapAnswer(exchange);
  if (file?.kind !== 'sitemapindex') return undefined;
  const loc = file.urls[0]?.loc ?? '';
  return /^https?:\/\//i.test(loc) && URL.canParse(loc) ? loc : undefined;
}

const FEED_BYTES = 1024 * 1024;
const ACCEPT = 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';

/** The feed of products that the start page names: one request. */
export const planProductFeed: Plan = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  const link = findProductFeed(getPageFacts(answer), gather.start);
  if (link === undefined) return [];
  return [{ role: PRODUCT_FEED_ROLE, target: { url: link.href, headers: { accept: '*/*' }, maxBytes: FEED_BYTES } }];
};

/** The feed that the start page links to, when it lies on a host of the same owner: one request. */
export const planFeed: Plan = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  const href = findFeedLink(getPageFacts(answer))?.href;
  if (href === undefined || !isSameOwner(new URL(href), gather.start)) return [];
  return [{ role: 'feed', target: { url: href, headers: { accept: ACCEPT }, maxBytes: FEED_BYTES } }];
};
