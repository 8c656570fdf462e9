import { parseSitemap, type SitemapFile } from '../../audit/facts/sitemap.ts';
import { decodeBody, unzip } from '../../audit/gather/decode.ts';
import type { Fetched } from '../../net/fetched.ts';
import { pageUrl } from './address.ts';
import { startOf, type Step, type StepEnd } from './step.ts';

/** Sitemaps that one step asks for. */
const SITEMAPS_PER_STEP = 10;
/** An index may name indexes, which name sitemaps. One at a usual place has level 0, one that is named level 1. */
const MAX_LEVEL = 4;
const SITEMAP_BYTES = 4 * 1024 * 1024;
const ACCEPT = 'application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5';

/** Reads sitemaps one after the other, and puts what they list into the frontier. */
export async function readSitemaps(step: Step): Promise<StepEnd> {
  const { frontier, network } = step;
  for (let read = 0; read < SITEMAPS_PER_STEP && network.now() < step.endMs; read += 1) {
    const next = frontier.nextSitemap();
    if (!next) return begunPages(step);
    if (!(await step.pace())) break;
    const answer = await step.fetch({ url: next.url, headers: { accept: ACCEPT }, maxBytes: SITEMAP_BYTES });
    const file = await fileIn(answer, next.url);
    if (frontier.state()?.job !== step.job) return { kind: 'ended', reason: 'cancelled' };
    step.transaction(() => take(step, next, file));
  }
  return { kind: 'more' };
}

/** `absent`: the site says that there is none; `failed`: it could not be read. */
async function fileIn(answer: Fetched, url: string): Promise<SitemapFile | 'absent' | 'failed'> {
  if (!answer.ok) return 'failed';
  if (answer.status === 404 || answer.status === 410) return 'absent';
  if (answer.status !== 200) return 'failed';
  const content = await unzip(answer.bytes);
  const truncated = answer.truncated || content.truncated;
  const file = parseSitemap(decodeBody(content.bytes, answer.headers['content-type'] ?? ''), { url, truncated });
  return file.kind === 'none' ? 'failed' : file;
}

function take(step: Step, at: { url: string; level: number }, file: SitemapFile | 'absent' | 'failed'): void {
  const { frontier, site, source, sink } = step;
  frontier.doneSitemap(at.url);
  const isNamed = at.level > 0;
  if (file === 'absent' || file === 'failed') {
    // Where nobody names a sitemap, a page of words in its place is none.
    if (isNamed && file === 'failed') frontier.change({ isPartial: true });
    if (isNamed) sink.log('warning', `A sitemap could not be read: ${at.url}`);
    return;
  }
  if (file.kind === 'sitemapindex') {
    if (at.level >= MAX_LEVEL) sink.log('warning', `Sitemaps are nested too deep: ${at.url}`);
    else for (const child of urlsIn(file, site)) frontier.addSitemap(child.href, at.level + 1);
    return;
  }
  let listed = 0;
  for (const url of urlsIn(file, site)) {
    if (listed >= source.maxPages) break;
    if (step.mayRead(url) && frontier.add(url.href, 0)) listed += 1;
  }
  sink.log('info', `A sitemap lists ${file.urlCount} pages, ${listed} of them new and to be read: ${at.url}`);
}

const urlsIn = (file: SitemapFile, site: URL): readonly URL[] =>
  file.urls.flatMap(({ loc }) => (/^https?:/i.test(loc) ? (pageUrl(loc, site) ?? []) : []));

/** A site without sitemaps has at least the page that it is known by. */
function begunPages(step: Step): StepEnd {
  const { frontier, site } = step;
  if (frontier.count('waiting') === 0 && step.rules.allows(site)) {
    if (!step.source.discover) step.sink.log('warning', 'No sitemap lists a page: only the start page is read');
    frontier.add(startOf(site), 0);
  }
  frontier.change({ phase: 'pages' });
  return { kind: 'more' };
}
