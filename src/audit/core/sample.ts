import { computeSha256Hex } from '../../lib/digest.ts';
import { getPageFacts, isHtmlAnswer } from '../reach/facts/html-page.ts';
import { hasEffect } from '../reach/facts/urls.ts';
import { parseSitemap } from '../sitemaps/facts/sitemap.ts';
import { sortByPattern } from './address-pattern.ts';
import type { Gather, Gatherer, Plan } from './artifact.ts';
import { fetchStartPage, preparePage } from '../page/gather/page.ts';
import { readSitemapFiles } from '../sitemaps/gather/sitemaps.ts';

/** Internal pages that are read beside the start page, unless the caller wants fewer. */
export const MAX_SAMPLE = 8;

/** Candidates whose hashes are compared: the first ones of the sitemap or of the page. */
const MAX_CANDIDATES = 2000;

/** Pages beyond the usual sample that are asked for at once. */
export const MORE_AT_ONCE = 4;

/**
 * Reads up to eight internal pages: one of each pattern of addresses first. Of one pattern those come first to which the
 * menu of the start page leads, then its other links, then the rest of the sitemap, and addresses with a query last;
 * alike ones by SHA-256 of path and query. The same site gives the same sample.
 */
export const gatherSample: Gatherer = async (gather) => {
  const urls = (await samplePages(gather)).slice(0, MAX_SAMPLE);
  const pages = urls.map((url, index) => preparePage(`sample:${index}`, url));
  await Promise.all(pages.map(({ role, target }) => gather.read(role, target)));
};

/** The pages beyond the usual sample that the caller asked for, while there is room for requests. */
export const planMorePages: Plan = async (gather) => {
  const urls = await samplePages(gather);
  return [...urls.entries()]
    .slice(MAX_SAMPLE)
    .map(([index, url]) => ({ ...preparePage(`sample:${index}`, url), ifRoom: true }));
};

/** The sample in its order, as long as the caller wants it. */
async function samplePages(gather: Gather): Promise<readonly string[]> {
  const candidates = await findInternalUrls(gather);
  const hashed = await Promise.all(
    candidates.map(async ({ url, rank }) => ({ url, rank, hash: await computeSha256Hex(computePath(url)) })),
  );
  const ordered = hashed.toSorted((a, b) => a.rank - b.rank || (a.hash < b.hash ? -1 : 1)).map(({ url }) => url);
  return sortByPattern(ordered).slice(0, gather.maxPages - 1);
}

/** A site gives the same sample under each of its hosts and ports: only the rest of an address counts. */
function computePath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** An address that may be read; a lower rank is read first. */
type Candidate = { url: string; rank: number };

const RANKS = { menu: 0, linked: 1, listed: 2, query: 3 } as const;

/** Pages of the site that its start page links or its sitemap lists, each with the best rank that it has. */
async function findInternalUrls(gather: Gather): Promise<readonly Candidate[]> {
  const { answer } = await fetchStartPage(gather);
  const anchors = answer.ok && isHtmlAnswer(answer) ? getPageFacts(answer).anchors : [];
  const listed = (await readSitemapFiles(gather)).flatMap((file) => {
    if (!file.answer.ok || file.answer.status !== 200) return [];
    const parsed = parseSitemap(file.answer.body, file.answer);
    return parsed.kind === 'urlset' || parsed.kind === 'text' ? parsed.urls.map(({ loc }) => loc) : [];
  });
  const inMenu = anchors.filter(({ region }) => region === 'nav' || region === 'header');
  const ranks = new Map<string, number>();
  const add = (urls: readonly string[], rank: number): void => {
    for (const url of selectInternalPages(gather.start, urls))
      if (!ranks.has(url)) ranks.set(url, url.includes('?') ? RANKS.query : rank);
  };
  add(
    inMenu.map(({ href }) => href),
    RANKS.menu,
  );
  add(
    anchors.map(({ href }) => href),
    RANKS.linked,
  );
  add(listed, RANKS.listed);
  return [...ranks].slice(0, MAX_CANDIDATES).map(([url, rank]) => ({ url, rank }));
}

/** Addresses of pages of the start URL's host, fragments dropped, other than the start page, each once. */
function selectInternalPages(start: URL, urls: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const text of urls.slice(0, MAX_CANDIDATES)) {
    if (!URL.canParse(text)) continue;
    const url = new URL(text);
    url.hash = '';
    if (url.host === start.host && isPage(url) && url.href !== start.href.split('#')[0]) found.add(url.href);
  }
  return [...found];
}

const FILES =
  /\.(?:avif|css|csv|docx?|gif|gz|ico|jpe?g|js|json|m4a|mp[34]|pdf|png|pptx?|rss|svg|txt|webm|webp|woff2?|xlsx?|xml|zip)$/i;

/** A page may be read by a crawler without effect: no file, and nothing that a link should not do. */
const isPage = (url: URL): boolean => /^https?:$/.test(url.protocol) && !FILES.test(url.pathname) && !hasEffect(url);
