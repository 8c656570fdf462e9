import { readExistence } from '../../audit/reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../audit/reach/facts/html-page.ts';
import { getJsonLd } from '../../audit/structured-data/facts/json-ld.ts';
import { MIN_PAGE_WORDS, readLlmsFile, readLlmsLinks, toAbsoluteLink } from '../../audit/llms-txt/facts/llms-files.ts';
import { isMarkdownHref } from '../../audit/llms-txt/facts/llms-txt.ts';
import { readMarkdownCopy } from '../../audit/llms-txt/facts/markdown-copies.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { getMetaContent } from '../../audit/page/facts/page.ts';
import { listPropertyTexts } from '../../audit/structured-data/facts/schema-nodes.ts';
import { readPageFacts } from '../../audit/reach/facts/site-files.ts';
import {
  getExchangeLookup,
  listNumberedExchanges,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
} from '../../audit/core/snapshot.ts';
import { cleanFirstText, cleanSiteText, normaliseOwnUrl } from './safe-site.ts';

/** Characters of a page's name and of the line about it. */
export const MAX_PAGE_NAME_CHARS = 80;
export const MAX_NOTE_CHARS = 200;

/** A first paragraph shorter than this greets more than it says. */
const MIN_PARAGRAPH_CHARS = 40;
/** Nodes and paragraphs of the start page that are looked at for words about other pages. */
const MAX_LOOKED_AT = 1000;

/**
 * What is known of one page of the site. `missing`: the audit asked for it and it is not there. `thin`: it was read,
 * and gives a reader without JavaScript next to nothing. `markdown` is the address of its Markdown variant.
 */
export type PageKnowledge = { name?: string; note?: string; markdown?: string; missing?: boolean; thin?: boolean };

/**
 * One key for a page and its Markdown variants, as `agent.llms.coverage` compares them: `/guide`, `/guide/`,
 * `/guide.html`, `/guide.md` and `/guide/index.html.md` are one page.
 */
export function normalisePageKey(address: string): string {
  const { host, pathname } = new URL(address);
  const path = pathname
    .replace(/\.mdx?$/iu, '')
    .replace(/\.html?$/iu, '')
    .replace(/\/index$/iu, '/')
    .replace(/(?<=.)\/$/u, '');
  return host + path;
}

/** What the audit knows of the site's pages by `normalisePageKey`; what a page says of itself goes before what others say of it. */
export function listKnownPages(snapshot: Snapshot, start: URL): ReadonlyMap<string, PageKnowledge> {
  const known = new Map<string, PageKnowledge>();
  const add = (address: string, facts: PageKnowledge): void => {
    const url = normaliseOwnUrl(address, start);
    if (url !== undefined) known.set(normalisePageKey(url), { ...facts, ...known.get(normalisePageKey(url)) });
  };
  const find = getExchangeLookup(snapshot);
  addReadPages(snapshot, find, add);
  addExistingFile(snapshot, find, add);
  const page = readPageFacts(snapshot);
  if (page.state === 'ready') addMentions(page.value, add);
  return known;
}

type Add = (address: string, facts: PageKnowledge) => void;

function addReadPages(snapshot: Snapshot, find: ExchangeLookup, add: Add): void {
  const copy = readMarkdownCopy(snapshot);
  // A site whose own start page has no copy where it says so is not believed about its other pages.
  const trusted = copy.state === 'ready' && copy.value !== 'none';
  if (copy.state === 'ready' && copy.value !== 'none' && copy.value.url !== snapshot.url) {
    add(snapshot.url, { markdown: copy.value.url });
  }
  for (const exchange of [find('page'), find('faq'), ...listNumberedExchanges(snapshot, 'sample')]) {
    if (exchange) add(exchange.url, readPageKnowledge(exchange, find('control'), trusted));
  }
}

/** A refusal or a failure of ours says nothing about the page. */
function readPageKnowledge(exchange: Exchange, control: Exchange | undefined, trusted: boolean): PageKnowledge {
  const { answer } = exchange;
  if (!answer.ok || [401, 403, 429].includes(answer.status)) return {};
  if (answer.status !== 200 || readExistence(exchange, control, 'any').state === 'absent') return { missing: true };
  if (!isHtmlAnswer(answer)) return {};
  const page = getPageFacts(answer);
  const name = readPageName(page);
  const note = describePage(page, MAX_NOTE_CHARS);
  const markdown = trusted ? findMarkdownVariant(page) : undefined;
  return {
    ...(name === '' ? {} : { name }),
    ...(note === '' ? {} : { note }),
    ...(markdown === undefined ? {} : { markdown }),
    ...(page.words < MIN_PAGE_WORDS ? { thin: true } : {}),
  };
}

function readPageName(page: PageFacts): string {
  const h1 = page.headings.find(({ level, hidden }) => level === 1 && hidden === undefined);
  const title = page.titles[0]?.split(/\s[|–—·•-]\s/u, 1)[0];
  return cleanFirstText([h1?.text, page.openGraph['title']?.[0], title], MAX_PAGE_NAME_CHARS);
}

/** What the page says about itself in one line: its meta description, else its first real paragraph; '' for neither. */
export function describePage(page: PageFacts, maxChars: number): string {
  const paragraphs = page.paragraphs.filter(
    ({ text, hidden, region }) =>
      hidden === undefined && (region === 'main' || region === 'none') && text.length >= MIN_PARAGRAPH_CHARS,
  );
  const first = paragraphs.find(({ inContent }) => inContent) ?? paragraphs[0];
  return cleanFirstText(
    [getMetaContent(page, 'description'), page.openGraph['description']?.[0], first?.text],
    maxChars,
  );
}

const findMarkdownVariant = (page: PageFacts): string | undefined =>
  page.linkTags.find(
    ({ rels, type, href }) => rels.includes('alternate') && type.startsWith('text/markdown') && href !== '',
  )?.href;

/** Names, notes and Markdown variants that the site's present llms.txt gives; what it links and is not there is missing. */
function addExistingFile(snapshot: Snapshot, find: ExchangeLookup, add: Add): void {
  const file = readLlmsFile(find('llms'), find('control'));
  if (file.state !== 'found') return;
  const broken = listBrokenLinks(snapshot);
  for (const link of file.file.links.slice(0, MAX_LOOKED_AT)) {
    const url = toAbsoluteLink(link.href, file.url);
    if (!url) continue;
    const markdown = isMarkdownHref(link.href);
    if (broken.has(url.href)) {
      if (!markdown) add(url.href, { missing: true });
      continue;
    }
    const name = cleanSiteText(link.name, MAX_PAGE_NAME_CHARS);
    const note = cleanSiteText(link.note, MAX_NOTE_CHARS);
    add(url.href, {
      ...(name === '' ? {} : { name }),
      ...(note === '' ? {} : { note }),
      ...(markdown ? { markdown: url.href } : {}),
    });
  }
}

function listBrokenLinks(snapshot: Snapshot): ReadonlySet<string> {
  const links = readLlmsLinks(snapshot);
  const states = links.state === 'ready' ? links.value : [];
  return new Set(states.filter(({ state }) => state === 'broken').map(({ exchange }) => exchange.url));
}

/** What the start page says of other pages: nodes of its structured data, and paragraphs that link one page only. */
function addMentions(page: PageFacts, add: Add): void {
  const { graph } = getJsonLd(page);
  for (const node of graph.nodes.slice(0, MAX_LOOKED_AT)) {
    const url = listPropertyTexts(graph, node, 'url')[0];
    const note = cleanFirstText(listPropertyTexts(graph, node, 'description').slice(0, 1), MAX_NOTE_CHARS);
    if (url !== undefined && note !== '' && URL.canParse(url, page.baseUrl))
      add(new URL(url, page.baseUrl).href, { note });
  }
  for (const { text, links, hidden } of page.paragraphs.slice(0, MAX_LOOKED_AT)) {
    const [link, ...others] = links;
    if (link === undefined || others.length > 0 || hidden !== undefined || text.length < MIN_PARAGRAPH_CHARS) continue;
    const note = cleanSiteText(text, MAX_NOTE_CHARS);
    if (note !== '') add(link, { note });
  }
}
