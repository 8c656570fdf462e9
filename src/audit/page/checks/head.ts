import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { normaliseBrandName } from '../../structured-data/facts/brand-names.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { getMetaContent } from '../facts/page.ts';
import { listPageAddresses, normaliseComparableUrl } from '../../reach/facts/urls.ts';
import { listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import type { SamplePage } from '../../reach/facts/site-files.ts';

const SHOWN = 3;

/** Checks of how the head of a page names it to those who list and quote it. */
export const pageHeadChecks = [
  defineCheck({
    id: 'aeo.meta.unique',
    title: 'Titles and descriptions are unique in the sample',
    failureTitle: 'Give each page its own title and description',
    weight: 1,
    grade: 'B',
    why: 'Pages of one title and description look like copies, and indexes show one of them. Compared are the start page and the sampled pages; a page whose canonical link names another page is a declared copy and left out.',
    source: 'Google Search Central, title links and meta descriptions; agent-lighthouse 4.5',
    fix: 'Build title and description from what only this page has: its subject, product or date.',
    needs: ['start', 'page', 'samplePages'],
    judge: judgeUnique,
  }),
  defineCheck({
    id: 'aeo.meta.open-graph',
    title: 'Open Graph core is complete',
    failureTitle: 'Complete the Open Graph data',
    weight: 1,
    grade: 'B',
    why: 'Chat clients and assistants build the card of a link from these five properties. og:url counts when it names this page, og:image when its address is absolute.',
    source: 'https://ogp.me/ (basic metadata)',
    fix: 'Add the missing ones of og:title, og:description, og:image, og:url and og:type, with absolute addresses.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeOpenGraph,
  }),
  defineCheck({
    id: 'aeo.meta.site-name',
    title: 'The site states its name',
    failureTitle: 'State the name of the site',
    weight: 1,
    grade: 'A',
    why: 'The name in the list of sources is taken from here; without it an assistant shows the host name. Sampled pages in the same language have to give the same name.',
    source: 'Google Search Central, "Provide a site name to Google Search"',
    fix: 'Give the home page a WebSite node with name, and every page og:site_name with the same text.',
    needs: ['start', 'page', 'jsonLd', 'samplePages'],
    judge: judgeSiteName,
  }),
  defineCheck({
    id: 'aeo.meta.viewport',
    title: 'Mobile viewport is set',
    failureTitle: 'Add a viewport meta tag',
    weight: 0,
    grade: 'C',
    why: 'The tag says that the page is made for phones too. It is known to matter for search on phones; for AI answers it only informs.',
    source: 'Lighthouse, viewport audit; agent-lighthouse 1.18',
    fix: 'Add <meta name="viewport" content="width=device-width, initial-scale=1">.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeViewport,
  }),
];

/** Fewer pages than this cannot show a pattern. */
const MIN_PAGES = 3;

function judgeUnique({ start, page, samplePages }: FactsOf<'start' | 'page' | 'samplePages'>): CheckOutcome {
  const all = [{ exchange: start.exchange, page }, ...samplePages];
  const byUrl = new Map(all.map((one) => [normaliseComparableUrl(one.page.url), one]));
  const pages = [...byUrl.values()].filter((one) => !isDeclaredCopy(one.page));
  if (pages.length < MIN_PAGES)
    return verdict.notApplicable(
      `${pages.length} of the pages that were read can be compared; ${MIN_PAGES} are needed.`,
    );
  const repeats = listRepeats(pages);
  const good = pages.length - repeats.length;
  const note = `${repeats.length} of ${pages.length} pages repeat the title or description of another.`;
  const evidence = (repeats.length > 0 ? repeats : pages).map((one) =>
    buildEvidence(one.exchange, {
      selector: 'title',
      excerpt: `${getPageTitle(one.page)} / ${getPageDescription(one.page)}`,
    }),
  );
  return verdict.byShare(good / pages.length, { passAt: 1, partialAt: 0.8 }, note, evidence);
}

/** Pages whose title or description an earlier one has; an absent one repeats nothing. */
function listRepeats(pages: readonly SamplePage[]): readonly SamplePage[] {
  const titles = new Set<string>();
  const descriptions = new Set<string>();
  return pages.filter(({ page }) => {
    const [title, description] = [getPageTitle(page), getPageDescription(page)];
    const repeats = (title !== '' && titles.has(title)) || (description !== '' && descriptions.has(description));
    titles.add(title);
    descriptions.add(description);
    return repeats;
  });
}

const isDeclaredCopy = (page: PageFacts): boolean => {
  const canonical = page.canonicals[0]?.href ?? '';
  return /^https?:/.test(canonical) && normaliseComparableUrl(canonical) !== normaliseComparableUrl(page.url);
};

const getPageTitle = (page: PageFacts): string => page.titles.find((text) => text !== '') ?? '';
const getPageDescription = (page: PageFacts): string => getMetaContent(page, 'description');

function judgeOpenGraph({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const value = (name: string): string => page.openGraph[name]?.find((text) => text !== '') ?? '';
  const image = value('image') || value('image:url') || value('image:secure_url');
  const names = new Set(listPageAddresses(page));
  const parts = [
    { name: 'og:title', good: value('title') !== '' },
    { name: 'og:description', good: value('description') !== '' },
    { name: 'og:image', good: /^https?:\/\//i.test(image) },
    { name: 'og:url', good: names.has(normaliseComparableUrl(value('url'))) },
    { name: 'og:type', good: value('type') !== '' },
  ];
  const lacking = parts.filter(({ good }) => !good).map(({ name }) => name);
  const note = `${parts.length - lacking.length} of 5 properties are right${lacking.length === 0 ? '' : `; not ${lacking.join(', ')}`}.`;
  const evidence = buildEvidence(exchange, {
    selector: 'meta[property^="og:"]',
    excerpt: `og:url ${value('url')}, og:image ${image}`,
  });
  return verdict.byShare(1 - lacking.length / parts.length, { passAt: 1, partialAt: 0.1 }, note, evidence);
}

function judgeSiteName({
  start: { exchange },
  page,
  jsonLd,
  samplePages,
}: FactsOf<'start' | 'page' | 'jsonLd' | 'samplePages'>): CheckOutcome {
  const { graph } = jsonLd;
  const own = getSiteName(page);
  const names = listNodesOfType(graph, 'WebSite').flatMap((node) => listPropertyTexts(graph, node, 'name'));
  const evidence = [
    ...(own === '' ? [] : [buildEvidence(exchange, { selector: 'meta[property="og:site_name"]', excerpt: own })]),
    ...(names[0] === undefined ? [] : [buildEvidence(exchange, { selector: 'WebSite.name', excerpt: names[0] })]),
  ];
  if (own === '' && names.length === 0)
    return verdict.fail(
      'Neither og:site_name nor a WebSite node names the site.',
      buildEvidence(exchange, { selector: 'head' }),
    );
  const isOne = own === '' || names.length === 0;
  if (!isOne && !names.some((name) => normaliseBrandName(name) === normaliseBrandName(own)))
    return verdict.partial(0.5, 'og:site_name and the WebSite node give different names.', evidence);
  const others = samplePages.filter((sampled) => hasOtherName(sampled.page, page, [own, ...names]));
  if (others.length > 0)
    return verdict.partial(
      0.5,
      `${others.length} of ${formatCount(samplePages.length, 'sampled page')} give another name of the site in og:site_name.`,
      others
        .slice(0, SHOWN)
        .map((one) =>
          buildEvidence(one.exchange, { selector: 'meta[property="og:site_name"]', excerpt: getSiteName(one.page) }),
        ),
    );
  return verdict.pass(isOne ? 'The site is named in one place.' : 'Both places give the same name.', evidence);
}

const getSiteName = (page: PageFacts): string => page.openGraph['site_name']?.find((text) => text !== '') ?? '';

const getLanguageTag = ({ lang }: PageFacts): string => lang.trim().split(/[-_]/, 1)[0]?.toLowerCase() ?? '';

/** Whether a page in the language of the start page calls the site otherwise; a longer form of the name is the same. */
function hasOtherName(page: PageFacts, start: PageFacts, names: readonly string[]): boolean {
  const own = normaliseBrandName(getSiteName(page));
  if (own === '' || getLanguageTag(page) !== getLanguageTag(start)) return false;
  return !names.map(normaliseBrandName).some((name) => name !== '' && (name.includes(own) || own.includes(name)));
}

function judgeViewport({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const content = getMetaContent(page, 'viewport');
  const evidence = buildEvidence(exchange, { selector: 'meta[name=viewport]', excerpt: content });
  if (/width\s{0,9}=\s{0,9}device-width/i.test(content))
    return verdict.pass('The page fits the width of the device.', evidence);
  return verdict.fail(
    content === '' ? 'The page has no viewport.' : 'The viewport is not that of the device.',
    evidence,
  );
}
