import { parseSitemap, type SitemapFile } from '../../audit/sitemaps/facts/sitemap.ts';
import { decodeBody, unzip } from '../../audit/core/decode.ts';
import type { Fetched } from '../../net/fetched.ts';
import { LEFT_OUT, MAX_INPUT_DEATHS, formatUrlName } from '../jobs/parts.ts';
import { parsePageUrl } from './page-urls.ts';
import { addListed, isLeftOut, computeStartUrl, type CrawlStep, type StepEnd } from './crawl-step.ts';

/** Sitemaps that one step asks for. */
const SITEMAPS_PER_STEP = 10;
/** An index may name indexes, which name sitemaps. One at a usual place has level 0, one that is named level 1. */
const MAX_LEVEL = 4;
const SITEMAP_BYTES = 4 * 1024 * 1024;
const ACCEPT = 'application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5';

/** Reads sitemaps one after the other, and puts what they list into the frontier. */
export async function readSitemaps(step: CrawlStep): Promise<StepEnd> {
  const { frontier, network, attempts, sink } = step;
  for (let read = 0; read < SITEMAPS_PER_STEP && network.now() < step.endMs; read += 1) {
    const next = frontier.nextSitemap();
    if (!next) return startPages(step);
    if (attempts.deaths(formatUrlName(next.url)) >= MAX_INPUT_DEATHS) {
      frontier.doneSitemap(next.url);
      frontier.change({ isPartial: true });
      sink.log('error', `A sitemap is not read: ${next.url} (${LEFT_OUT})`);
      continue;
    }
    if (!(await step.pace())) break;
    await attempts.begin(formatUrlName(next.url));
    try {
      const answer = await step.fetch({ url: next.url, headers: { accept: ACCEPT }, maxBytes: SITEMAP_BYTES });
      const file = await readSitemapFile(answer, next.url);
      if (frontier.state()?.job !== step.job) return { kind: 'ended', reason: 'cancelled' };
      step.transaction(() => take(step, next, file));
    } finally {
      attempts.end(formatUrlName(next.url));
    }
  }
  return { kind: 'more' };
}

/**
 * `absent`: the site says that there is none; `other`: what is there is no sitemap, or it is not for us; `failed`: it could
 * not be read, which says nothing about it.
 */
type NoFile = 'absent' | 'other' | 'failed';
type FetchedSitemap = SitemapFile & { isCut: boolean };

async function readSitemapFile(answer: Fetched, url: string): Promise<FetchedSitemap | NoFile> {
  if (!answer.ok) return 'failed';
  const { status } = answer;
  if (status === 404 || status === 410) return 'absent';
  if (status !== 200) return status === 429 || status >= 500 ? 'failed' : 'other';
  const content = await unzip(answer.bytes);
  const truncated = answer.truncated || content.truncated;
  const file = parseSitemap(decodeBody(content.bytes, answer.headers['content-type'] ?? ''), { url, truncated });
  if (file.kind === 'none') return truncated ? 'failed' : 'other';
  const isBroken = file.faults.some(({ fault }) => fault === 'not_well_formed');
  return { ...file, isCut: truncated || isBroken || file.urlCount > file.urls.length };
}

function take(step: CrawlStep, at: { url: string; level: number }, file: FetchedSitemap | NoFile): void {
  const { frontier, site, sink } = step;
  frontier.doneSitemap(at.url);
  if (typeof file === 'string') {
    // Where no one names a sitemap, a page of words in its place is none.
    const isNamed = at.level > 0;
    if (file === 'failed' || (isNamed && file === 'other')) frontier.change({ isPartial: true });
    if (file === 'failed' || isNamed) sink.log('warning', `A sitemap could not be read: ${at.url}`);
    return;
  }
  if (file.isCut) {
    frontier.change({ isPartial: true });
    sink.log('warning', `A sitemap is too long or broken, a part of it is read: ${at.url}`);
  }
  if (file.kind === 'sitemapindex') {
    takeIndex(step, at, file);
    return;
  }
  const listed = addListed(step, listSitemapUrls(file, site), 0);
  sink.log('info', `A sitemap lists ${file.urlCount} pages, ${listed} of them new and to be read: ${at.url}`);
}

function takeIndex({ frontier, site, sink }: CrawlStep, at: { url: string; level: number }, file: SitemapFile): void {
  const isDeep = at.level >= MAX_LEVEL;
  const isWhole = !isDeep && listSitemapUrls(file, site).every(({ href }) => frontier.addSitemap(href, at.level + 1));
  if (isWhole) return;
  frontier.change({ isPartial: true });
  sink.log('warning', `Sitemaps are ${isDeep ? 'nested too deep' : 'too many'}, not all are read: ${at.url}`);
}

const listSitemapUrls = (file: SitemapFile, site: URL): readonly URL[] =>
  file.urls.flatMap(({ loc }) => (/^https?:/i.test(loc) ? (parsePageUrl(loc, site) ?? []) : []));

/** A site without sitemaps has at least the page that it is known by, if it is to be indexed. */
function startPages(step: CrawlStep): StepEnd {
  const { frontier, site, sink } = step;
  const start = computeStartUrl(site);
  if (frontier.count('waiting') === 0 && step.rules.allows(site) && !isLeftOut(step, new URL(start))) {
    if (!step.source.discover) sink.log('warning', 'No sitemap lists a page: only the start page is read');
    frontier.add(start, 0);
  }
  frontier.change({ phase: 'pages' });
  return { kind: 'more' };
}
