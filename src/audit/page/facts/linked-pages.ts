import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, listNumberedExchanges, type Snapshot } from '../../core/snapshot.ts';
import { isSameOwner, listPageAddresses, normaliseComparableUrl } from '../../reach/facts/urls.ts';
import type { LinkTag, PageFacts } from './page-facts.ts';

export const LANGUAGE_ROLE = 'language-version';
export const NEXT_PAGE_ROLE = 'next-page';
/** Language versions of the start page that are asked for. */
export const MAX_LANGUAGE_VERSIONS = 2;
/** Language links of one page that are looked at. */
const MAX_LINKS = 300;

/** The links of a page to its versions in other languages; `x-default` names none, and the page itself is no other. */
export function listLanguageLinks(page: PageFacts): readonly LinkTag[] {
  const own = new Set(listPageAddresses(page));
  return page.linkTags
    .filter(({ rels, hreflang, href }) => rels.includes('alternate') && hreflang !== '' && /^https?:/.test(href))
    .slice(0, MAX_LINKS)
    .filter(({ hreflang, href }) => hreflang.toLowerCase() !== 'x-default' && !own.has(normaliseComparableUrl(href)));
}

/** The versions of the start page that are worth a request: the first ones of the same owner, each once. */
export function listVersionsToAsk(page: PageFacts, start: URL): readonly string[] {
  const urls = listLanguageLinks(page)
    .map(({ href }) => href.split('#')[0] ?? href)
    .filter((href) => isSameOwner(new URL(href), start));
  return [...new Set(urls)].slice(0, MAX_LANGUAGE_VERSIONS);
}

/** Artifact `languageVersions`: the answers of the versions in other languages that were asked for. */
export const readLanguageVersions = (snapshot: Snapshot): Artifact<readonly Exchange[]> => ({
  state: 'ready',
  value: listNumberedExchanges(snapshot, LANGUAGE_ROLE),
});

/** A link from one page of a list to its second one. */
export type NextLink = { href: string; line: number };

const PAGE_PARAMETER = /^(?:page|paged|p|pg|seite|pagina|página|pagenumber)$/i;
const PAGE_PATH = /\/(?:page|seite|pagina|p)[/-](\d{1,5})\/?$/i;

/** The number of a page of a list, by its address; 1 for any other. */
export function findPageNumber(url: URL): number {
  for (const [name, value] of url.searchParams)
    if (PAGE_PARAMETER.test(name) && /^\d{1,5}$/.test(value)) return Number(value);
  return Number(PAGE_PATH.exec(url.pathname)?.[1] ?? 1);
}

/** An address of a page of a list without its number: that of the whole list. */
export function withoutPageNumber(url: URL): string {
  const list = new URL(url.href);
  for (const name of Array.from(list.searchParams.keys()))
    if (PAGE_PARAMETER.test(name)) list.searchParams.delete(name);
  list.pathname = list.pathname.replace(PAGE_PATH, '/');
  return normaliseComparableUrl(list.href);
}

/** The link to the second page of the list that a page shows; undefined when it has none. */
export function findNextLink(page: PageFacts): NextLink | undefined {
  const here = new URL(page.url);
  const list = withoutPageNumber(here);
  const next = findPageNumber(here) + 1;
  const isNext = (href: string): boolean => {
    const url = URL.parse(href);
    return url !== null && url.host === here.host && findPageNumber(url) === next && withoutPageNumber(url) === list;
  };
  const found =
    page.linkTags.find(({ rels, href }) => rels.includes('next') && isNext(href)) ??
    page.anchors.find(({ href, hidden }) => (hidden === undefined || hidden === 'aria-hidden') && isNext(href));
  return found && { href: found.href, line: found.line };
}

/** Artifact `nextPage`: the second page of a list that the audit read, or that there was none to ask for. */
export const readNextPage = (snapshot: Snapshot): Artifact<Exchange | 'not_asked'> => ({
  state: 'ready',
  value: getExchangeLookup(snapshot)(NEXT_PAGE_ROLE) ?? 'not_asked',
});
