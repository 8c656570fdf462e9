import { DAY_MS } from '../../../lib/time.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listStatedDates, parseIsoDay, parseW3cDate } from '../../text/facts/dates.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { listInternalLinks, type PageFacts } from '../../page/facts/page-facts.ts';
import { listPageAddresses, normaliseComparableUrl } from '../../reach/facts/urls.ts';
import { listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import type { SamplePage } from '../../reach/facts/site-files.ts';
import { findSitemapFile, type Sitemaps } from '../facts/sitemap.ts';
import type { Site } from '../../core/site.ts';
import type { Robots } from '../../crawlers/facts/robots-file.ts';

/** Checks of what the sitemap says of pages: the dates by which a site says what is new, and which pages it lists. */
export const sitemapUrlChecks = [
  defineCheck({
    id: 'aeo.sitemap.lastmod',
    title: 'lastmod is present and believable',
    failureTitle: 'Add correct lastmod dates to the sitemap',
    weight: 1,
    grade: 'A',
    why: 'Indexes read lastmod to decide what to fetch again, and stop believing it once it proves false. A time that all pages share to the second is that of the build and says nothing; dates without a time may well be alike. A day of tolerance is given for time zones.',
    source:
      'Google Search Central, "Build and submit a sitemap"; Bing Webmaster Blog, "The importance of setting the lastmod tag in your sitemap" (2023); W3C note on date and time formats',
    fix: 'Write the date of the last real change of each page into lastmod, as 2026-01-31 or with time and zone.',
    needs: ['sitemaps'],
    judge: judgeLastmod,
  }),
  defineCheck({
    id: 'aeo.sitemap.lastmod-agrees',
    title: 'lastmod agrees with the date of the page',
    failureTitle: 'Make lastmod agree with the date of the page',
    weight: 1,
    grade: 'B',
    why: 'Freshness that the page itself does not confirm is discounted. Compared are the start page and the sampled pages that have both a lastmod and a dateModified in JSON-LD; a week of difference is allowed.',
    source: 'Google Search Central, "Build and submit a sitemap": lastmod must be consistently and verifiably accurate',
    fix: 'Fill lastmod and dateModified from the same field of the content system.',
    needs: ['start', 'page', 'samplePages', 'sitemaps'],
    judge: judgeAgreement,
  }),
  defineCheck({
    id: 'aeo.fresh.recent',
    title: 'The newest content is recent',
    failureTitle: 'Publish new content or update what is there',
    weight: 1,
    grade: 'B',
    why: 'Assistants prefer recent sources where several answer. Taken is the newest date that the sitemap, JSON-LD or metadata state; visible dates count where there is no other, and a date in the future is none.',
    source: 'AISEO and aeorank, freshness rules; Google Search Central, "Influence your byline dates"',
    fix: 'Review the most important page, change what has aged, and give it a new date.',
    needs: ['page', 'start', 'samplePages', 'sitemaps'],
    judge: judgeRecent,
  }),
  defineCheck({
    id: 'aeo.sitemap.contains-start',
    title: 'The sitemap lists the start page and the main menu',
    failureTitle: 'List the start page and the main menu in the sitemap',
    weight: 1,
    grade: 'B',
    why: 'A page that the menu shows and the sitemap leaves out is found late, and its changes later. Judged only where we read all of the sitemap: an index with several files, or more addresses than we keep, may list the page elsewhere.',
    source: 'sitemaps.org protocol 0.90; agent-lighthouse 1.8',
    fix: 'Add the addresses in the evidence to the sitemap, in the form that the pages name as canonical.',
    needs: ['start', 'page', 'sitemaps', 'robots'],
    judge: judgeCoverage,
  }),
];

/** Addresses of the sitemap whose dates are judged. */
const MAX_LISTED = 500;
/** So few pages may well have been changed in the same second. */
const FEW_PAGES = 3;

function judgeLastmod({ sitemaps }: FactsOf<'sitemaps'>, site: Site): CheckOutcome {
  const urls = sitemaps.urls.slice(0, MAX_LISTED);
  const file = findSitemapFile(sitemaps);
  if (urls.length === 0 || !file) return verdict.notApplicable('There is no sitemap with addresses of pages.');
  const dated = urls.flatMap(({ loc, lastmod }) => {
    const date = parseW3cDate(lastmod);
    return date ? [{ loc, lastmod, ...date }] : [];
  });
  const share = dated.length / urls.length;
  const future = dated.filter(({ ms }) => ms > site.clockMs + DAY_MS);
  const times = new Set(dated.map(({ ms }) => Math.floor(ms / 1000)));
  const alike = dated.length > FEW_PAGES && times.size === 1 && dated.every(({ timed }) => timed);
  const doubts = [
    ...(future.length > 0 ? [`${future.length} of them in the future`] : []),
    ...(alike ? ['all of the same second'] : []),
  ];
  const shown = future[0] ?? dated[0] ?? { loc: urls[0]?.loc ?? '', lastmod: urls[0]?.lastmod ?? '' };
  const evidence = buildEvidence(file.exchange, {
    selector: 'lastmod',
    excerpt: `${shown.loc}: ${shown.lastmod || 'no lastmod'}`,
  });
  const note = `${dated.length} of ${urls.length} addresses have a lastmod${doubts.map((doubt) => `, ${doubt}`).join('')}.`;
  if (future.length === dated.length && dated.length > 0) return verdict.fail(note, evidence);
  if (doubts.length > 0 && share >= 0.3) return verdict.partial(0.5, note, evidence);
  return verdict.byShare(share, { passAt: 0.8, partialAt: 0.3 }, note, evidence);
}

const listDatedPages = ({
  start,
  page,
  samplePages,
}: FactsOf<'start' | 'page' | 'samplePages' | 'sitemaps'>): readonly SamplePage[] => [
  { exchange: start.exchange, page },
  ...samplePages,
];

/** Days that the two dates may lie apart. */
const AGREE_DAYS = 7;

function judgeAgreement(facts: FactsOf<'start' | 'page' | 'samplePages' | 'sitemaps'>): CheckOutcome {
  const lastmods = new Map(facts.sitemaps.urls.map(({ loc, lastmod }) => [normaliseComparableUrl(loc), lastmod]));
  const pairs = listDatedPages(facts).flatMap(({ exchange, page }) => {
    const lastmod =
      lastmods.get(normaliseComparableUrl(page.url)) ?? lastmods.get(normaliseComparableUrl(exchange.url)) ?? '';
    const listed = parseW3cDate(lastmod);
    const own = findModifiedDate(page);
    if (!listed || own === undefined) return [];
    const days = Math.floor(Math.abs(listed.ms - own) / DAY_MS);
    const text = `lastmod ${lastmod}, dateModified ${new Date(own).toISOString().slice(0, 10)}`;
    return [{ days, evidence: buildEvidence(exchange, { selector: 'dateModified', excerpt: text }) }];
  });
  if (pairs.length === 0) return verdict.notApplicable('No page that we read has both a lastmod and a dateModified.');
  const far = pairs.filter(({ days }) => days > AGREE_DAYS);
  const good = pairs.length - far.length;
  const note = `The two dates agree for ${good} of ${formatCount(pairs.length, 'page')}.`;
  const evidence = (far.length > 0 ? far : pairs).map((pair) => pair.evidence);
  return verdict.byShare(good / pairs.length, { passAt: 1, partialAt: 0.5 }, note, evidence);
}

/** Nodes that are asked for a date. */
const MAX_NODES = 500;

/** The latest dateModified of a page's structured data, start of its day; undefined when there is none. */
function findModifiedDate(page: PageFacts): number | undefined {
  const { graph } = getJsonLd(page);
  const days = graph.nodes
    .slice(0, MAX_NODES)
    .flatMap((node) => listPropertyTexts(graph, node, 'dateModified'))
    .flatMap((text) => parseIsoDay(text) ?? []);
  return days.length === 0 ? undefined : Math.max(...days);
}

const RECENT_DAYS = 180;
const AGEING_DAYS = 540;

type Dated = { ms: number; evidence: ReturnType<typeof buildEvidence> };

function judgeRecent(facts: FactsOf<'start' | 'page' | 'samplePages' | 'sitemaps'>, site: Site): CheckOutcome {
  const past = ({ ms }: { ms: number }): boolean => ms <= site.clockMs + DAY_MS;
  const stated = listDatedPages(facts).flatMap(({ exchange, page }) =>
    listStatedDates(page).map(({ ms, from, text }) => ({
      ms,
      from,
      evidence: buildEvidence(exchange, { excerpt: `${from}: ${text}` }),
    })),
  );
  const firm = [...listSitemapDates(facts.sitemaps), ...stated.filter(({ from }) => from !== 'time')].filter(past);
  const dates: readonly Dated[] = firm.length > 0 ? firm : stated.filter(past);
  const newest = dates.reduce<Dated | undefined>(
    (best, one) => (best === undefined || one.ms > best.ms ? one : best),
    undefined,
  );
  if (!newest) return verdict.notApplicable('Neither the sitemap nor a page that we read states a date.');
  const days = Math.max(0, Math.floor((site.clockMs - newest.ms) / DAY_MS));
  const note = `The newest date is ${formatCount(days, 'day')} old.`;
  if (days <= RECENT_DAYS) return verdict.pass(note, newest.evidence);
  return days <= AGEING_DAYS ? verdict.partial(0.5, note, newest.evidence) : verdict.fail(note, newest.evidence);
}

function listSitemapDates(sitemaps: Sitemaps): readonly Dated[] {
  const file = findSitemapFile(sitemaps);
  if (!file) return [];
  return sitemaps.urls.slice(0, MAX_LISTED).flatMap(({ loc, lastmod }) => {
    const date = parseW3cDate(lastmod);
    return date
      ? [
          {
            ms: date.ms,
            evidence: buildEvidence(file.exchange, { selector: 'lastmod', excerpt: `${loc}: ${lastmod}` }),
          },
        ]
      : [];
  });
}

/** Share of the menu that must be listed. */
const MENU_SHARE = 0.7;
const MAX_MENU = 200;

function judgeCoverage(
  { start, page, sitemaps, robots }: FactsOf<'start' | 'page' | 'sitemaps' | 'robots'>,
  site: Site,
): CheckOutcome {
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
