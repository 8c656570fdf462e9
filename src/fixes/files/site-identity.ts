import { getExchangeLookup, listNumberedExchanges, type Snapshot } from '../../audit/core/snapshot.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { getPageFacts, isHtmlAnswer } from '../../audit/reach/facts/html-page.ts';
import { readPageFacts } from '../../audit/reach/facts/site-files.ts';
import { listBrandNames, normaliseBrandName } from '../../audit/structured-data/facts/brand-names.ts';
import { getJsonLd } from '../../audit/structured-data/facts/json-ld.ts';
import { listNodesOfType, listPropertyTexts } from '../../audit/structured-data/facts/schema-nodes.ts';
import { countOccurrences } from '../../lib/numbers.ts';
import type { Audited } from './generated-file.ts';
import { describePage, MAX_PAGE_NAME_CHARS } from './llms-txt-known.ts';
import { cleanFirstText } from './safe-site.ts';

const MAX_SUMMARY_CHARS = 300;

/**
 * What the site calls itself and says it is, '' for what it does not say. Both come from its start page `/`: what a page
 * below it says of itself (a product, a chapter) is not what the site is. `title` is that of its start page, for files that
 * need some name. `home` is absent where `/` was not read.
 */
export type SiteIdentity = { name: string; title: string; summary: string; home: PageFacts | undefined };

/** Reads it from the snapshot, the same for every generated file. */
export function readSiteIdentity({ snapshot }: Pick<Audited, 'snapshot'>): SiteIdentity {
  const artifact = readPageFacts(snapshot);
  const page = artifact.state === 'ready' ? artifact.value : undefined;
  const home = findHomePage(snapshot, page);
  return {
    name: (home ? findSiteName(home) : '') || (page ? findStatedName(page) : ''),
    title: cleanFirstText([home?.titles[0]], MAX_PAGE_NAME_CHARS),
    summary: (home ? findSiteSummary(home) : '') || (page ? findStatedSummary(page) : ''),
    home,
  };
}

/** The start page of the site, which is the audited page as a rule. */
function findHomePage(snapshot: Snapshot, page: PageFacts | undefined): PageFacts | undefined {
  if (isRoot(snapshot.url)) return page;
  const find = getExchangeLookup(snapshot);
  const read = [find('home'), ...listNumberedExchanges(snapshot, 'sample')];
  const found = read.find((exchange) => exchange !== undefined && isRoot(exchange.url));
  const answer = found?.answer;
  return answer?.ok === true && answer.status === 200 && isHtmlAnswer(answer) ? getPageFacts(answer) : undefined;
}

const isRoot = (href: string): boolean => URL.parse(href)?.pathname === '/';

/** Places that name the whole site, the most telling first; a title names a page. */
const SITE_PLACES = ['WebSite.name', 'Organization.name', 'publisher.name', 'og:site_name'];

/** The name that most places of the page give, one of several alike by the place that says most; '' for none. */
const findSiteName = (page: PageFacts): string =>
  cleanFirstText(rankNames(page, [...SITE_PLACES, 'title', 'footer ©']), MAX_PAGE_NAME_CHARS);

const findStatedName = (page: PageFacts): string => cleanFirstText(rankNames(page, SITE_PLACES), MAX_PAGE_NAME_CHARS);

function rankNames(page: PageFacts, places: readonly string[]): readonly string[] {
  const names = listBrandNames(page, getJsonLd(page)).filter(({ from }) => places.includes(from));
  const counts = countOccurrences(names.map(({ name }) => normaliseBrandName(name)));
  const count = (name: string): number => counts.get(normaliseBrandName(name)) ?? 0;
  return names
    .toSorted((a, b) => count(b.name) - count(a.name) || places.indexOf(a.from) - places.indexOf(b.from))
    .map(({ name }) => name);
}

/** What the page says the site is, in one line; '' when it says nothing. */
function findSiteSummary(page: PageFacts): string {
  return describePage(page, MAX_SUMMARY_CHARS) || findStatedSummary(page);
}

function findStatedSummary(page: PageFacts): string {
  const { graph } = getJsonLd(page);
  const nodes = [...listNodesOfType(graph, 'WebSite'), ...listNodesOfType(graph, 'Organization')].slice(0, 10);
  return cleanFirstText(
    nodes.flatMap((node) => listPropertyTexts(graph, node, 'description')),
    MAX_SUMMARY_CHARS,
  );
}
