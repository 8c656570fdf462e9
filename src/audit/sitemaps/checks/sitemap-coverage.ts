import { type AnyCheck, type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listInternalLinks, type PageFacts } from '../../page/facts/page-facts.ts';
import type { Robots } from '../../crawlers/facts/robots-file.ts';
import { normaliseComparableUrl, listPageAddresses } from '../../reach/facts/same-page.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import { type Sitemaps, findSitemapFile } from '../facts/sitemap-files.ts';
import type { Site } from '../../core/site.ts';

/** The check of whether the sitemap lists what the site itself finds important. */
export const sitemapCoverageChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.sitemap.contains-start',
    title: 'The sitemap lists the start page and the main menu',
    weight: 1,
    grade: 'B',
    why: 'A page that the menu shows and the sitemap leaves out is found late, and its changes later. Judged only where we read all of the sitemap: an index with several files, or more addresses than we keep, may list the page elsewhere.',
    source: 'sitemaps.org protocol 0.90; agent-lighthouse 1.8',
    fix: 'Add the addresses in the evidence to the sitemap, in the form that the pages name as canonical.',
    needs: ['start', 'page', 'sitemaps', 'robots'],
    judge: (facts, site) => judgeCoverage(facts, site),
  }),
];

type Facts = { start: ExchangeWithAnswer; page: PageFacts; sitemaps: Sitemaps; robots: Robots };

/** Share of the menu that must be listed. */
const MENU_SHARE = 0.7;
const MAX_MENU = 200;

function judgeCoverage({ start, page, sitemaps, robots }: Facts, site: Site): CheckOutcome {
  const file = findSitemapFile(sitemaps);
  if (sitemaps.urls.length === 0 || !file) return verdict.notApplicable('There is no sitemap with addresses of pages.');
  const listed = new Set(sitemaps.urls.map(({ loc }) => normaliseComparableUrl(loc)));
  const { host } = new URL(page.url);
  const ownHost = sitemaps.urls.some(({ loc }) => URL.canParse(loc) && new URL(loc).host === host);
  if (site.local && !ownHost) return verdict.notApplicable('On a private host the sitemap lists the public addresses.');
  const hasStart = [...listPageAddresses(page), normaliseComparableUrl(site.start.href)].some((name) =>
    listed.has(name),
  );
  const menu = listMenuUrls(page);
  const missing = menu.filter((url) => !listed.has(url));
  const share = menu.length === 0 ? undefined : 1 - missing.length / menu.length;
  const goodMenu = share === undefined || share >= MENU_SHARE;
  const evidence = [
    buildEvidence(file.exchange),
    ...[...(hasStart ? [] : [page.url]), ...missing]
      .slice(0, 8)
      .map((url) => buildEvidence(start.exchange, { excerpt: `not listed: ${url}` })),
  ];
  const part =
    share === undefined
      ? 'the page has no menu'
      : `${menu.length - missing.length} of ${menu.length} links of the menu are listed`;
  const note = `The sitemap ${hasStart ? 'lists' : 'does not list'} the start page; ${part}.`;
  if (hasStart && goodMenu) return verdict.pass(note, evidence);
  if (!isComplete(sitemaps, robots))
    return verdict.unknown(
      'Not all of the sitemap was read; what we read does not list all that the menu shows.',
      evidence,
    );
  if (share === undefined) return verdict.fail(note, evidence);
  return hasStart || goodMenu ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

/** Pages that the menu links to, each once. */
function listMenuUrls(page: PageFacts): readonly string[] {
  const links = listInternalLinks(page).filter(({ region }) => region === 'nav' || region === 'header');
  return [...new Set(links.map(({ href }) => normaliseComparableUrl(href)))]
    .filter((url) => url !== normaliseComparableUrl(page.url))
    .slice(0, MAX_MENU);
}

/** Whether every address that the site lists was read: all files that robots.txt names, all children, all entries. */
function isComplete({ named, tries, child }: Sitemaps, robots: Robots): boolean {
  const files = child ? [...tries, child] : tries;
  if (files.some(({ state, truncated }) => state === 'failed' || truncated)) return false;
  if (files.some(({ file }) => file && file.urlCount > file.urls.length)) return false;
  if (tries.some(({ file }) => file?.kind === 'sitemapindex' && file.urlCount > 1)) return false;
  return !(named && robots.kind === 'file' && robots.file.sitemaps.length > tries.length);
}
