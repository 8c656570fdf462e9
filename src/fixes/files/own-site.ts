import { listNumberedExchanges, getExchangeLookup } from '../../audit/core/snapshot.ts';
import { getMetaContent } from '../../audit/page/facts/page.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { getPageFacts, isHtmlAnswer } from '../../audit/reach/facts/html-page.ts';
import type { Audited } from './generated-file.ts';
import { normalisePageKey } from './llms-txt-known.ts';
import { listOwnQuestions, listOwnTexts, type OwnQuestion, type OwnText } from './own-texts.ts';
import { listOwnFacts, type OwnFact } from './own-facts.ts';
import { cleanFirstText, normaliseOwnUrl } from './safe-site.ts';

/** Pages of a site that are read for its words. */
const MAX_OWN_PAGES = 25;
const MAX_TITLE_CHARS = 80;
const MAX_SUMMARY_CHARS = 200;

/** A page of the site. `title` and `summary` are '' for what it does not say. */
export type OwnPage = { url: string; title: string; summary: string };

/**
 * What a site says of its owner, cleaned for generated files and each with the address of the page where it was found.
 * All of it is the site's: nothing is concluded or added.
 */
export type OwnSite = {
  facts: readonly OwnFact[];
  texts: readonly OwnText[];
  questions: readonly OwnQuestion[];
  pages: readonly OwnPage[];
};

/** Reads it from the pages that an audit read, the start page first. */
export function readOwnSite({ snapshot, site }: Pick<Audited, 'snapshot' | 'site'>): OwnSite {
  const find = getExchangeLookup(snapshot);
  const read = new Map<string, { url: string; page: PageFacts }>();
  for (const exchange of [find('home'), find('page'), find('faq'), ...listNumberedExchanges(snapshot, 'sample')]) {
    if (exchange === undefined || read.size >= MAX_OWN_PAGES) continue;
    const { answer } = exchange;
    if (!answer.ok || answer.status !== 200 || !isHtmlAnswer(answer)) continue;
    const url = normaliseOwnUrl(answer.url, site.start);
    if (url !== undefined && !read.has(normalisePageKey(url)))
      read.set(normalisePageKey(url), { url, page: getPageFacts(answer) });
  }
  const pages = [...read.values()];
  return {
    facts: pages.flatMap(({ url, page }) => listOwnFacts(page, url, site.start)),
    texts: pages.flatMap(({ url, page }) => listOwnTexts(page, url)),
    questions: pages.flatMap(({ url, page }) => listOwnQuestions(page, url)),
    pages: pages.map(({ url, page }) => ({ url, title: readTitle(page), summary: readSummary(page) })),
  };
}

function readTitle(page: PageFacts): string {
  const h1 = page.headings.find(({ level, hidden }) => level === 1 && hidden === undefined);
  const [title] = (page.titles[0] ?? '').split(/\s[|–—·•-]\s/u);
  return cleanFirstText([h1?.text, title], MAX_TITLE_CHARS);
}

const readSummary = (page: PageFacts): string =>
  cleanFirstText([getMetaContent(page, 'description'), page.openGraph['description']?.[0]], MAX_SUMMARY_CHARS);
