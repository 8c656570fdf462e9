import { rememberPerObject } from '../../../lib/memo.ts';
import { countOccurrences, sum } from '../../../lib/numbers.ts';
import { extractContentStems } from '../../language/stems.ts';
import { countWords, splitSentences } from '../../language/words.ts';
import type { PageFacts, Paragraph } from '../../page/facts/page-facts.ts';

/** Main text beyond this is not weighed: it is longer than most novels. */
const MAX_MAIN_CHARS = 500_000;
const MAX_MAIN_LINES = 20_000;

/** How far above the main text its headline may be. */
const HEADLINE_REACH_LINES = 8;
const HEADLINE_REACH_CHARS = 2000;

/**
 * The text that a main-content extractor keeps, one line per block. `from` says whether the page marks it or it was found
 * by its text alone, `hasHeadline` whether the page's h1 is in it or right above.
 */
export type MainText = { text: string; words: number; from: 'landmark' | 'scored'; hasHeadline: boolean };

/** The main text of a page, once per page. */
export const getMainText = rememberPerObject(
  (page: Pick<PageFacts, 'text' | 'contentText' | 'contentFrom' | 'headings'>): MainText => {
    const text = page.contentText.slice(0, MAX_MAIN_CHARS).split('\n', MAX_MAIN_LINES).join('\n');
    const headline = page.headings.find((heading) => heading.level === 1 && heading.text !== '')?.text;
    return {
      text,
      words: countWords(text),
      from: page.contentFrom,
      hasHeadline: hasHeadlineNear(page.text, text, headline),
    };
  },
);

function hasHeadlineNear(all: string, main: string, headline: string | undefined): boolean {
  if (headline === undefined || main === '') return false;
  if (main.replaceAll('\n', ' ').includes(headline)) return true;
  const start = all.indexOf(main.split('\n', 1)[0] ?? '');
  const above = all
    .slice(Math.max(0, start - HEADLINE_REACH_CHARS), Math.max(0, start))
    .trimEnd()
    .split('\n');
  return above.slice(-HEADLINE_REACH_LINES).join(' ').includes(headline);
}

/** A line of the main text and its sentences. */
type SentenceLine = { line: string; sentences: readonly string[] };

/** The sentences of the main text, line by line, cut once for all checks that read them. */
export const getSentenceLines = rememberPerObject((main: Pick<MainText, 'text'>): readonly SentenceLine[] =>
  main.text
    .slice(0, MAX_MAIN_CHARS)
    .split('\n')
    .map((line) => ({ line, sentences: splitSentences(line) })),
);

/** Shorter paragraphs are repeated on purpose: notices, labels, calls to act. */
const PASSAGE_WORDS = 25;

/** A passage that occurs on more than one page, as written on the page it is counted for. */
export type Repeated = { page: number; line: number; text: string };

/** Passages of several pages: how many there are in all, and which occur on another page too. */
export type Passages = { total: number; repeated: readonly Repeated[] };

/**
 * Compares the passages (visible paragraphs of 25 words or more outside header, footer and menu) of pages with one
 * another, letter by letter after case and white space. A passage that one page repeats counts once there.
 */
export function comparePassages(pages: readonly PageFacts[]): Passages {
  const byPage = pages.map(collectPassages);
  const places = new Map<string, number>();
  for (const passages of byPage) for (const key of passages.keys()) places.set(key, (places.get(key) ?? 0) + 1);
  const repeated = byPage.flatMap((passages, page) =>
    [...passages].flatMap(([key, { line, text }]) => ((places.get(key) ?? 0) > 1 ? [{ page, line, text }] : [])),
  );
  return { total: sum(byPage.map(({ size }) => size)), repeated };
}

function collectPassages(page: PageFacts): ReadonlyMap<string, Paragraph> {
  const own = page.paragraphs.filter(
    ({ words, hidden, region }) =>
      words >= PASSAGE_WORDS && hidden === undefined && region !== 'header' && region !== 'footer' && region !== 'nav',
  );
  return new Map(own.map((paragraph) => [paragraph.text.toLowerCase(), paragraph]));
}

/** Pages that are one by their own account: the same final address, or a canonical that names another of the pages. */
export function selectDistinctPages<T extends { page: PageFacts }>(pages: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return pages.filter(({ page }) => {
    const names = [page.url, page.canonicals[0]?.href ?? page.url].map((url) => url.split('#')[0] ?? url);
    const known = names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return !known;
  });
}

/** Stems of one page that are weighed. */
const MAX_STEMS = 3000;

/**
 * Mean cosine of the tf-idf vectors of the pages' main texts, over all pairs, 0 (nothing in common) to 1; undefined with
 * fewer than two pages that have text. The weights are log tf x smoothed idf, as text search has them.
 */
export function computeTopicCoherence(pages: readonly PageFacts[]): number | undefined {
  const counts = pages
    .map((page) => countOccurrences(extractContentStems(getMainText(page).text).slice(0, MAX_STEMS)))
    .filter((one) => one.size > 0);
  if (counts.length < 2) return undefined;
  const pagesWith = new Map<string, number>();
  for (const terms of counts) for (const term of terms.keys()) pagesWith.set(term, (pagesWith.get(term) ?? 0) + 1);
  const vectors = counts.map((terms) => {
    const weights = [...terms].map(([term, count]): [string, number] => {
      const idf = Math.log((1 + counts.length) / (1 + (pagesWith.get(term) ?? 0))) + 1;
      return [term, (1 + Math.log(count)) * idf];
    });
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    return new Map(weights.map(([term, weight]) => [term, weight / length]));
  });
  const pairs = vectors.flatMap((one, index) => vectors.slice(index + 1).map((other) => computeDotProduct(one, other)));
  return sum(pairs) / pairs.length;
}

function computeDotProduct(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [term, weight] of one) product += weight * (other.get(term) ?? 0);
  return product;
}
