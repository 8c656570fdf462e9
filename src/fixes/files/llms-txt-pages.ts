import { decodePercent } from '../../lib/percent.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { readPageFacts } from '../../audit/reach/facts/site-files.ts';
import { getExchangeLookup, listNumberedExchanges } from '../../audit/core/snapshot.ts';
import { getPageFacts, isHtmlAnswer } from '../../audit/reach/facts/html-page.ts';
import { listLinkUrls, readLlmsFile } from '../../audit/llms-txt/facts/llms-files.ts';
import { capitalise } from '../../lib/text.ts';
import type { Audited } from './generated-file.ts';
import { type PageKnowledge, listKnownPages, MAX_PAGE_NAME_CHARS, normalisePageKey } from './llms-txt-known.ts';
import { cleanSiteText, normaliseOwnUrl } from './safe-site.ts';

/** Pages that one llms.txt lists. */
const MAX_PAGES = 400;

/**
 * A page as llms.txt lists it. `note` is '' when nothing is known; `optional` marks what a reader may skip, `thin` what
 * gives a reader without JavaScript next to nothing.
 */
export type LlmsPage = {
  url: string;
  path: string;
  name: string;
  note: string;
  from: 'start' | 'navigation' | 'sample';
  optional: boolean;
  thin: boolean;
};

/**
 * The pages worth listing, each once: the start page, those of its navigation in their order, the other pages that were
 * read, by address, and those that the site's present llms.txt lists. Left out: pages that are not there, files no model reads, links that act (log out, delete),
 * pages of other sites, and pages outside the navigation that are thin or ask not to be indexed.
 */
export function selectLlmsPages({ snapshot, site }: Audited): readonly LlmsPage[] {
  const known = listKnownPages(snapshot, site.start);
  const page = readPageFacts(snapshot);
  const start = [{ href: snapshot.url, text: '', from: 'start' as const }];
  const navigation = page.state === 'ready' ? listNavigation(page.value) : [];
  const others = [...readPages(snapshot), ...presentLinks(snapshot)];
  const sample = others.map((href) => ({ href, text: '', from: 'sample' as const }));
  const pages = new Map<string, LlmsPage>();
  for (const candidate of [...start, ...navigation, ...sample]) {
    if (pages.size >= MAX_PAGES) break;
    const url = normaliseOwnUrl(candidate.href, site.start);
    if (url === undefined || pages.has(normalisePageKey(url))) continue;
    const found = toPage(url, candidate, known.get(normalisePageKey(url)) ?? {});
    if (found) pages.set(normalisePageKey(url), found);
  }
  return [...pages.values()];
}

type Candidate = { href: string; text: string; from: LlmsPage['from'] };

const listNavigation = (page: PageFacts): readonly Candidate[] =>
  page.anchors
    .filter(({ region }) => region === 'nav')
    .map(({ href, text }) => ({ href, text, from: 'navigation' as const }));

/** Addresses of the pages that were read beside the start page and may be listed, in the order of their addresses. */
function readPages(snapshot: Audited['snapshot']): readonly string[] {
  const faq = getExchangeLookup(snapshot)('faq');
  const exchanges = [...(faq ? [faq] : []), ...listNumberedExchanges(snapshot, 'sample')];
  return exchanges
    .filter(
      ({ answer }) => answer.ok && answer.status === 200 && isHtmlAnswer(answer) && !isNoindex(getPageFacts(answer)),
    )
    .map(({ url }) => url)
    .toSorted((a, b) => (a < b ? -1 : 1));
}

function presentLinks(snapshot: Audited['snapshot']): readonly string[] {
  const file = readLlmsFile(getExchangeLookup(snapshot)('llms'), getExchangeLookup(snapshot)('control'));
  return file.state === 'found' ? listLinkUrls(file).slice(0, MAX_PAGES) : [];
}

const isNoindex = (page: PageFacts): boolean =>
  page.robots.some(
    ({ agent, directives }) => agent === 'robots' && (directives.includes('noindex') || directives.includes('none')),
  );

function toPage(url: string, { text, from }: Candidate, known: PageKnowledge): LlmsPage | undefined {
  const { pathname } = new URL(url);
  if (known.missing === true || NO_TEXT.test(pathname) || ACTS.test(pathname)) return undefined;
  const variant = known.markdown;
  if (from === 'sample' && known.thin === true && variant === undefined) return undefined;
  const given = cleanSiteText(text, MAX_PAGE_NAME_CHARS);
  // A link of one character is an icon or an arrow.
  const name = given.length > 1 ? given : (known.name ?? parseNameFromPath(pathname));
  return {
    url: selectListedUrl(url, variant),
    path: pathname,
    name,
    note: known.note ?? '',
    from,
    optional: OPTIONAL.test(pathname),
    thin: known.thin === true && variant === undefined,
  };
}

/** The Markdown variant where there is one that readers know for the same page by its address. */
function selectListedUrl(url: string, variant: string | undefined): string {
  const safe = variant === undefined ? undefined : normaliseOwnUrl(variant, new URL(url));
  return safe !== undefined && normalisePageKey(safe) === normalisePageKey(url) ? safe : url;
}

/** `Opening hours` for `/opening-hours.html`. */
function parseNameFromPath(pathname: string): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  const words = cleanSiteText(
    // Bytes of another charset say nothing readable.
    (decodePercent(last.replace(/\.\w{1,5}$/u, '')) ?? '').replaceAll(/[-_+.]+/gu, ' '),
    MAX_PAGE_NAME_CHARS,
  );
  return words === '' ? 'Start page' : capitalise(words);
}

const NO_TEXT =
  /\.(?:avif|css|csv|docx?|gif|gz|ico|jpe?g|js|m4a|mp[34]|pdf|png|pptx?|svg|webm|webp|woff2?|xlsx?|zip)$/iu;
const ACTS = /(?:^|[/_-])(?:log-?out|sign-?out|delete|unsubscribe|add-to-cart)(?:$|[/_.-])/iu;
const OPTIONAL =
  /(?:^|[/_-])(?:privacy|terms|imprint|impressum|legal|cookies?|datenschutz|agb|disclaimer|gdpr|dmca|mentions-legales|log-?in|sign-?in|sign-?up|register|cart|basket|checkout)(?:$|[/_.-])/iu;
