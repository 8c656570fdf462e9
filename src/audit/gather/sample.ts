import { sha256Hex } from '../digest.ts';
import { isHtmlAnswer } from '../facts/html-answer.ts';
import { pageOf } from '../facts/page-of.ts';
import { parseSitemap } from '../facts/sitemap.ts';
import type { Gather, Gatherer } from '../gather.ts';
import { readStartPage } from './page.ts';
import { readSitemapFiles } from './sitemaps.ts';

/** Internal pages that are read beside the start page. */
export const MAX_SAMPLE = 3;

/** Candidates whose hashes are compared: the first ones of the sitemap or of the page. */
const MAX_CANDIDATES = 2000;

/**
 * Reads up to three internal pages: the first by SHA-256 of their URLs among those of the sitemap, else among the links
 * of the start page. The same site gives the same sample, and nobody can choose it.
 */
export const gatherSample: Gatherer = async (gather) => {
  const candidates = await internalUrls(gather);
  const hashed = await Promise.all(candidates.map(async (url) => ({ url, hash: await sha256Hex(url) })));
  const chosen = hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, MAX_SAMPLE);
  await Promise.all(
    chosen.map(({ url }, index) => gather.read(`sample:${index}`, { url, headers: { accept: 'text/html,*/*;q=0.5' } })),
  );
};

async function internalUrls(gather: Gather): Promise<readonly string[]> {
  const listed = (await readSitemapFiles(gather)).flatMap(({ answer }) => {
    if (!answer.ok || answer.status !== 200) return [];
    const file = parseSitemap(answer.body, answer);
    return file.kind === 'urlset' || file.kind === 'text' ? file.urls.map(({ loc }) => loc) : [];
  });
  const internal = pagesOf(gather.start, listed);
  if (internal.length > 0) return internal;
  const { answer } = await readStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  return pagesOf(
    gather.start,
    pageOf(answer).anchors.map(({ href }) => href),
  );
}

/** Addresses of pages of the start URL's host, fragments dropped, other than the start page, each once. */
function pagesOf(start: URL, urls: readonly string[]): readonly string[] {
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
const isPage = (url: URL): boolean =>
  /^https?:$/.test(url.protocol) &&
  !FILES.test(url.pathname) &&
  !/(?:^|[/_-])(?:log-?out|sign-?out|delete|unsubscribe|add-to-cart)(?:$|[/_.-])/i.test(url.pathname);
