import { type BlockWords, findRuns, isLower, type Piece, splitPieces } from './pieces.ts';
import { findLanguage, isConjunction, joinRuns } from './joins.ts';
import { countSupport, type Support } from './support.ts';
import { findSharedWords } from './roles.ts';
import { germanArticles } from './words-data.ts';
import type { AnswerStructure } from '../structure/structure.ts';

/** The words of a run's answers: `blocks[answer][block]`. */
export type Corpus = {
  blocks: readonly (readonly BlockWords[])[];
  /** How often a word is written in lower case, by `key`. */
  lower: ReadonlyMap<string, number>;
  /** How often a word is capitalised straight after a lower-case word that is not an article: where names occur. */
  capitalised: ReadonlyMap<string, number>;
  /** How often a pair of words has its second in lower case ("customer support", "Customer support"), by both `key`s. */
  lowerPairs: ReadonlyMap<string, number>;
  /** How often a capitalised word follows a German article: where nouns occur. */
  afterArticle: ReadonlyMap<string, number>;
  /** How often a short word in lower case has a capitalised one on both sides. */
  between: ReadonlyMap<string, number>;
  /** Whether the answers are German, where every noun is capitalised. */
  isGerman: boolean;
  /** What most of the answers' words in Latin letters are of: "en", "de", "fr", "es", "it", "nl" or "pt"; or '' for too few. */
  language: string;
  /** In how many answers words are parts of names. */
  support: Support;
  /** Words that are in names and are no one's: places. */
  shared: ReadonlySet<string>;
};

/** Counts how the words of a run's answers are written, which distinguishes names from capitalised common words. */
export function buildCorpus(answers: readonly AnswerStructure[]): Corpus {
  const read = answers.map(({ blocks }) =>
    blocks.map(({ text }) => {
      const pieces = splitPieces(text);
      return { pieces, runs: findRuns(text, pieces) };
    }),
  );
  const counts = countWordForms(answers, read);
  const { lower } = counts;
  const german = isGerman(lower);
  const language = findLanguage(lower);
  const support = countSupport(answers, read, !german);
  const isKnown = (key: string): boolean => support.fronts.has(key);
  const joining = listJoiningWords(counts, language);
  const joined = german
    ? read
    : read.map((blocks, answer) =>
        blocks.map((words, block) => {
          const runs = joinRuns(answers[answer]?.blocks[block]?.text ?? '', words, isKnown, joining);
          return runs === words.runs ? words : { ...words, runs };
        }),
      );
  return {
    ...counts,
    blocks: joined,
    isGerman: german,
    language,
    support,
    // Capitals show names in neither.
    shared: german || support.texts.length > 0 ? new Set() : findSharedWords(answers, joined, language),
  };
}

type WordForms = Pick<Corpus, 'lower' | 'capitalised' | 'afterArticle' | 'lowerPairs' | 'between'>;

/** How often one word is written in each way, and whether it ever has a capital. */
type WordCount = { [form in Exclude<keyof WordForms, 'lowerPairs'>]: number } & { isCapital: boolean };

function countWordForms(answers: readonly AnswerStructure[], read: readonly (readonly BlockWords[])[]): WordForms {
  const lowerPairs = new Map<string, number>();
  const words = new Map<string, WordCount>();
  const counted = read.map((blocks) => blocks.map(({ pieces }) => pieces.map((piece) => findWordCount(words, piece))));
  for (const [answer, blocks] of read.entries())
    for (const [block, { pieces }] of blocks.entries()) {
      const text = answers[answer]?.blocks[block]?.text ?? '';
      const counts = counted[answer]?.[block] ?? [];
      let before: Piece | undefined;
      let isBeforeLower = false;
      for (let index = 0; index < pieces.length; index += 1) {
        const [word, known] = [pieces[index], counts[index]];
        if (word === undefined || known === undefined) continue;
        const isSmall = isLower(word.text);
        if (isSmall) {
          known.lower += 1;
          // Pairs are asked about words that some answer capitalises: the others would be most of a large map.
          if (before !== undefined && known.isCapital) count(lowerPairs, `${before.key} ${word.key}`);
          const isBetween = before !== undefined && !isBeforeLower && word.text.length <= MAX_JOINING_CHARS;
          if (isBetween && !isLower(pieces[index + 1]?.text ?? 'a')) known.between += 1;
        } else if (before !== undefined && isBeforeLower && text.slice(before.end, word.start) === ' ')
          known[germanArticles.has(before.key) ? 'afterArticle' : 'capitalised'] += 1;
        [before, isBeforeLower] = [word, isSmall];
      }
    }
  return { ...listWordForms(words), lowerPairs };
}

function findWordCount(words: Map<string, WordCount>, { text, key }: Piece): WordCount {
  let known = words.get(key);
  if (known === undefined) {
    known = { lower: 0, capitalised: 0, afterArticle: 0, between: 0, isCapital: false };
    words.set(key, known);
  }
  known.isCapital ||= !isLower(text);
  return known;
}

function listWordForms(words: ReadonlyMap<string, WordCount>): Omit<WordForms, 'lowerPairs'> {
  const lower = new Map<string, number>();
  const capitalised = new Map<string, number>();
  const afterArticle = new Map<string, number>();
  const between = new Map<string, number>();
  for (const [key, one] of words) {
    if (one.lower > 0) lower.set(key, one.lower);
    if (one.capitalised > 0) capitalised.set(key, one.capitalised);
    if (one.afterArticle > 0) afterArticle.set(key, one.afterArticle);
    if (one.between > 0) between.set(key, one.between);
  }
  return { lower, capitalised, afterArticle, between };
}

/** Longer words between two names are verbs as often as part of one. */
const MAX_JOINING_CHARS = 3;

/** "Rent and Go" in Italian: small words that the answers have between two capitals only, and that join no lists there. */
const listJoiningWords = ({ lower, between }: WordForms, language: string): ReadonlySet<string> =>
  new Set(
    [...between]
      .filter(([key, times]) => key !== 'vs' && lower.get(key) === times && !isConjunction(key, language))
      .map(([key]) => key),
  );

function isGerman(lower: ReadonlyMap<string, number>): boolean {
  const timesOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + (lower.get(word) ?? 0), 0);
  return (
    timesOf(['der', 'und', 'mit', 'für']) > timesOf(['the', 'and', 'with', 'for', 'le', 'et', 'pour', 'y', 'para'])
  );
}

/** Adds one to the count of `key`. */
export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
