import { hasUnspaced, splitSpacedWords } from '../../hidden-text/facts/characters.ts';
import { listHiddenKeywords } from '../../hidden-text/facts/hidden-keywords.ts';
import { findHiddenInstructions, type HiddenInstruction } from '../../hidden-text/facts/hidden-instructions.ts';
import { getStatistics, type Statistic } from '../../language/statistics.ts';
import { STOP_WORDS } from '../../language/stop-words-data.ts';
import { countWords, hasSentenceEnd, isReference, splitSentences, splitWords } from '../../language/words.ts';
import { findByline } from '../../page/facts/byline.ts';
import { type PageKind, classifyPage, MAX_PROSE_LINK_SHARE, measureLinkShare } from '../../page/facts/kind.ts';
import type { HiddenText, PageFacts } from '../../page/facts/page-facts.ts';
import { type CitedSource, findCitedSources } from './cited-sources.ts';
import { type MainText, getMainText } from './sample-text.ts';
import { createNameTest, findQuotations, hasNamedSource, type Quotation } from './quotations.ts';
import { DANGLING, SUMMARY_IDS, SUMMARY_UNSPACED, SUMMARY_WORDS } from './text-words-data.ts';

/** Sentences measured at most. */
const MAX_SENTENCES = 5000;
/** A longer sentence strains a reader. */
export const LONG_SENTENCE_WORDS = 40;
const EXAMPLES = 3;

/** How long sentences are, in words. `longest` are the longest ones over the bound, longest first. */
type Fluency = { count: number; medianWords: number; longShare: number; longest: readonly string[] };

/** Measures the sentences of a text: of lines that hold at least one sentence end, so that menus and headings do not count. */
function computeFluency(text: string): Fluency {
  const measured: { sentence: string; words: number }[] = [];
  for (const line of text.split('\n')) {
    if (!hasSentenceEnd(line) || isReference(line)) continue;
    for (const sentence of splitSentences(line)) {
      const words = countWords(sentence);
      if (words > 0) measured.push({ sentence, words });
    }
    if (measured.length >= MAX_SENTENCES) break;
  }
  const sorted = measured.map(({ words }) => words).toSorted((a, b) => a - b);
  const long = measured.filter(({ words }) => words > LONG_SENTENCE_WORDS);
  return {
    count: measured.length,
    medianWords: computeMedian(sorted),
    longShare: measured.length === 0 ? 0 : long.length / measured.length,
    longest: long
      .toSorted((a, b) => b.words - a.words)
      .slice(0, EXAMPLES)
      .map(({ sentence }) => sentence.slice(0, 200)),
  };
}

function computeMedian(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return (upper + lower) / 2;
}

const DANGLING_BY_LANGUAGE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(DANGLING).map(([language, source]) => [language, new RegExp(`^["'“„«「『(]?(?:${source})`, 'iu')]),
);

/** The opening of a text that is looked at. */
const OPENING_CHARS = 80;

/** Whether a text opens with a word that refers to something outside it; undefined for a language without a list. */
export function hasDanglingOpening(text: string, language: string): boolean | undefined {
  return DANGLING_BY_LANGUAGE.get(language)?.test(text.trimStart().slice(0, OPENING_CHARS));
}

const SUMMARY = new RegExp(`(?<![\\p{L}\\p{N}])(?:${SUMMARY_WORDS})(?![\\p{L}\\p{N}])|${SUMMARY_UNSPACED}`, 'iu');
const SUMMARY_START = new RegExp(`^(?:${SUMMARY_WORDS}|${SUMMARY_UNSPACED})\\s?[:：–—-]`, 'iu');
const SUMMARY_ID = new RegExp(`^${SUMMARY_IDS}$`, 'i');
const MAX_HEADING_CHARS = 80;

/** Whether a heading announces a summary. */
export const isSummaryHeading = (text: string): boolean => text.length <= MAX_HEADING_CHARS && SUMMARY.test(text);

/** Whether a paragraph says of itself that it is a summary ("In short: ..."). */
export const hasSummaryOpening = (text: string): boolean => SUMMARY_START.test(text.slice(0, OPENING_CHARS));

export const isSummaryId = (id: string): boolean => id.length <= MAX_HEADING_CHARS && SUMMARY_ID.test(id);

/** Words weighed at most; a longer text has shown its habits by then. */
const MAX_WORDS = 60_000;
const SEGMENTER_CHARS = 100_000;

/** The most repeated pair of content words and its share of all words (0 to 1); `name` where it is written as one. */
type Repetition = { pair: string; count: number; share: number; name: boolean };

const MAX_WORD_CHARS = 101;

const TAIL = new Set(".'’-");
const withoutTail = (word: string): string => word.replace(/[.'’-]{1,5}$/, '');

/** The words of a line, lower case; scripts without spaces by `Intl.Segmenter`. */
function splitLineWords(line: string): readonly string[] {
  if (!hasUnspaced(line))
    return splitSpacedWords(line.toLowerCase(), MAX_WORD_CHARS).map((word) =>
      TAIL.has(word.at(-1) ?? '') ? withoutTail(word) : word,
    );
  return [...splitWords(line.slice(0, SEGMENTER_CHARS).toLowerCase())];
}

const isTopic = (word: string): boolean =>
  /\p{L}/u.test(word) && !STOP_WORDS.has(word) && (word.length > 1 || hasUnspaced(word));

/** Addresses that stand in a text, with or without their scheme. */
const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s<>"]{1,500}|(?<![\p{L}\p{N}.@-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}\/[^\s<>"]{0,500}/giu;
/** What a link says to people who do not see where it opens, in the languages of the public tools that add it. */
const NEW_WINDOW =
  /(?<!\p{L})(?:(?:opens?|öffnet|ouvre|abre|apre|opent|öppnas|åbner|åpner|avautuu|otwiera|откроется|открывается)\s(?:\p{L}{1,10}\s){0,4})?(?:new|neue[nms]?|nouvelle|nouvel|nueva|nuova|nova|novo|nieuwe?|nytt|nyt|uuteen|now(?:ym|ej)|нов(?:ом|ой|ое))\s(?:window|tab|browser tab|fenster|browserfenster|registerkarte|fenêtre|onglet|ventana|pestaña|finestra|scheda|janela|aba|guia|separador|venster|tabblad|fönster|flik|vindue|vindu|fane|ikkunaan|oknie|karcie|окне|вкладке|окно)/giu;

/** A stop between two words, so that they are no neighbours. */
const STOP = ' 1 ';

/**
 * The pair of neighbouring content words that occurs most, the first of equals; undefined when none occurs twice.
 * Addresses, hints about windows and the labels of links and buttons are no text of the writer's: each is taken off once.
 */
function findMostRepeated(text: string, labels: readonly string[]): Repetition | undefined {
  const topics: string[] = [];
  const topicOf = createWordNumberer(topics);
  const counts = new Map<number, number>();
  const countPairs = (line: string, step: 1 | -1): number => {
    const own = splitLineWords(line.replace(ADDRESS, STOP).replace(NEW_WINDOW, STOP));
    let before = NO_TOPIC;
    for (const word of own) {
      const topic = topicOf(word);
      if (before !== NO_TOPIC && topic !== NO_TOPIC) {
        const pair = before * MAX_TOPICS + topic;
        counts.set(pair, (counts.get(pair) ?? 0) + step);
      }
      before = topic;
    }
    return own.length;
  };
  let words = 0;
  for (const line of text.split('\n')) {
    words += countPairs(line, 1);
    if (words >= MAX_WORDS) break;
  }
  for (const label of labels) countPairs(label, -1);
  let [best, most] = [-1, 1];
  for (const [pair, count] of counts) if (count > most) [best, most] = [pair, count];
  if (best === -1) return undefined;
  const pair = [topics[Math.floor(best / MAX_TOPICS)] ?? '', topics[best % MAX_TOPICS] ?? ''] as const;
  return { pair: pair.join(' '), count: most, share: most / words, name: isWrittenAsName(text, pair) };
}

/** Whether both words of a pair begin with a capital wherever they stand together; no word takes the place of a name. */
function isWrittenAsName(text: string, [first, second]: readonly [string, string]): boolean {
  const [First, Second] = [capitalise(first), capitalise(second)];
  if (First === first || Second === second) return false;
  return ![`${first} ${second}`, `${First} ${second}`, `${first} ${Second}`].some((pair) => text.includes(pair));
}

const capitalise = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The labels of links and buttons that are seen in the main text. */
const listLabels = (page: PageFacts): readonly string[] => [
  ...page.anchors.filter(({ inContent, hidden }) => inContent && hidden === undefined).map(({ text }) => text),
  ...page.controls
    .filter(({ tag, inContent, hidden }) => tag === 'button' && inContent && hidden === undefined)
    .map(({ label }) => label),
  ...page.clickables.filter(({ inContent, hidden }) => inContent && hidden === undefined).map(({ text }) => text),
];

const NO_TOPIC = -1;
/** More than a text can have, since text is cut long before; the square of it is still a safe integer. */
const MAX_TOPICS = 2 ** 26;

/** Numbers the content words as they come, so that pairs are counted without making a text of each. */
function createWordNumberer(topics: string[]): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const number = known.get(word) ?? (isTopic(word) ? topics.push(word) - 1 : NO_TOPIC);
    known.set(word, number);
    return number;
  };
}

/** What the main text of a page offers a writer who wants to cite it. */
export type TextEvidence = {
  main: MainText;
  kind: PageKind;
  /** Whether the main text is sentences more than links. */
  prose: boolean;
  byline: string;
  statistics: readonly (Statistic & { sourced: boolean })[];
  quotations: readonly Quotation[];
  sources: readonly CitedSource[];
  repeated: Repetition | undefined;
  fluency: Fluency;
  hidden: readonly HiddenInstruction[];
  hiddenKeywords: readonly HiddenText[];
};

/** Weighs the text of a page; linear in its size. `ownUrls` are the organisation's `sameAs`, which are no sources. */
export function computeTextEvidence(page: PageFacts, ownUrls: readonly string[]): TextEvidence {
  const main = getMainText(page);
  const sources = findCitedSources(page, ownUrls);
  const lines = main.text.split('\n');
  const isSourced = createSourcedLineTest(page, sources, main.text);
  return {
    main,
    kind: classifyPage(page, main),
    prose: measureLinkShare(page, main) <= MAX_PROSE_LINK_SHARE,
    byline: findByline(page),
    statistics: getStatistics(main).map((found) => ({ ...found, sourced: isSourced(lines[found.line] ?? '') })),
    quotations: findQuotations(main.text, page),
    sources,
    repeated: findMostRepeated(main.text, listLabels(page)),
    fluency: computeFluency(main.text),
    hidden: findHiddenInstructions(page),
    hiddenKeywords: listHiddenKeywords(page),
  };
}

/** Link texts that are looked for in a line; a page with more sources has shown its habits. */
const MAX_LINK_TEXTS = 100;
/** A link text this short ("here") is in too many lines to prove anything. */
const MIN_LINK_CHARS = 5;
const MAX_LINE_CHARS = 5000;

/** Whether a line of the main text holds one of the sources' links, or names a source in words. */
function createSourcedLineTest(
  page: PageFacts,
  sources: readonly CitedSource[],
  mainText: string,
): (line: string) => boolean {
  const isKnownName = createNameTest(mainText);
  const hrefs = new Set(sources.map((source) => source.href));
  const linked = new Set(
    page.paragraphs
      .filter((paragraph) => paragraph.links.some((href) => hrefs.has(href.split('#')[0] ?? href)))
      .map((paragraph) => paragraph.text),
  );
  const texts = sources
    .map((source) => source.text)
    .filter((text) => text.length >= MIN_LINK_CHARS)
    .slice(0, MAX_LINK_TEXTS);
  // A line has several statistics and is looked through once.
  const known = new Map<string, boolean>();
  return (line) => {
    const start = line.slice(0, MAX_LINE_CHARS);
    const sourced =
      known.get(line) ??
      (linked.has(line) || hasNamedSource(start, isKnownName) || texts.some((text) => start.includes(text)));
    known.set(line, sourced);
    return sourced;
  };
}
