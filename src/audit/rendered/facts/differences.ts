import { countOccurrences, sum } from '../../../lib/numbers.ts';
import { listInternalLinks, type PageFacts } from '../../page/facts/page-facts.ts';
import { getMetaContent } from '../../page/facts/page.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';

/** What exists only after scripts. Lists are cut at `MAX_LISTED`. */
export type ScriptShare = {
  /** Words after rendering, and those of them that the raw HTML does not have. */
  words: number;
  addedWords: number;
  /** Addresses of the same host. */
  links: readonly string[];
  headings: readonly string[];
  /** Types of JSON-LD. */
  types: readonly string[];
  prices: readonly string[];
  /** Of title, description and canonical link. */
  headTags: readonly string[];
};

const MAX_LISTED = 20;
/** Characters of each text that are compared. */
const MAX_COMPARED_CHARS = 500_000;

/** Runs of letters and digits; where words have no spaces between them, each character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]{1,60}/gu;
const PRICE =
  /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY)) {0,2}\d[\d.,]{0,12}|\b\d[\d.,]{0,12} {0,2}(?:[€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|kr|zł)\b)/gu;

/** Compares the raw HTML with the page that the browser showed. Words are counted, so that moved text is no new text. */
export function comparePages(raw: PageFacts, rendered: PageFacts): ScriptShare {
  const before = countOccurrences(listWords(raw.text));
  const after = countOccurrences(listWords(rendered.text));
  const added = [...after].map(([word, count]) => Math.max(0, count - (before.get(word) ?? 0)));
  return {
    words: sum([...after.values()]),
    addedWords: sum(added),
    links: listNew(listInternalLinks(raw).map(getHref), listInternalLinks(rendered).map(getHref)),
    headings: listNew(raw.headings.map(getText), rendered.headings.map(getText)),
    types: listNew(listTypes(raw), listTypes(rendered)),
    prices: listNew(listPrices(raw), listPrices(rendered)),
    headTags: listNew(listHeadTags(raw), listHeadTags(rendered)),
  };
}

const getHref = ({ href }: { href: string }): string => href;
const getText = ({ text }: { text: string }): string => text;

const listWords = (text: string): readonly string[] =>
  text.slice(0, MAX_COMPARED_CHARS).normalize('NFKC').toLowerCase().match(WORD) ?? [];

const listTypes = (page: PageFacts): readonly string[] => getJsonLd(page).blocks.flatMap(({ types }) => types);

/** The tags of the head that say what the page is, each by its name. */
const listHeadTags = (page: PageFacts): readonly string[] =>
  [
    page.titles.some((title) => title !== '') ? 'title' : '',
    getMetaContent(page, 'description') === '' ? '' : 'description',
    page.canonicals.length === 0 ? '' : 'canonical',
  ].filter((name) => name !== '');

const listPrices = ({ text }: PageFacts): readonly string[] =>
  (text.slice(0, MAX_COMPARED_CHARS).match(PRICE) ?? []).map((price) =>
    price.replaceAll(' ', '').replace(/[.,]{1,12}$/, ''),
  );

function listNew(before: readonly string[], after: readonly string[]): readonly string[] {
  const known = new Set(before);
  return [...new Set(after)].filter((one) => one !== '' && !known.has(one)).slice(0, MAX_LISTED);
}
