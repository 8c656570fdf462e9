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

function countWordForms(answers: readonly AnswerStructure[], read: readonly (readonly BlockWords[])[]): WordForms {
  const lower = new Map<string, number>();
  const capitalised = new Map<string, number>();
  const afterArticle = new Map<string, number>();
  const lowerPairs = new Map<string, number>();
  const between = new Map<string, number>();
  const everCapitalised = new Set<string>();
  for (const { pieces } of read.flat())
    for (const { text, key } of pieces) if (!isLower(text)) everCapitalised.add(key);
  for (const [answer, blocks] of read.entries())
    for (const [block, { pieces: words }] of blocks.entries()) {
      const text = answers[answer]?.blocks[block]?.text ?? '';
      let before: Piece | undefined;
      let isBeforeLower = false;
      for (let index = 0; index < words.length; index += 1) {
        const word = words[index];
        if (word === undefined) continue;
        const isSmall = isLower(word.text);
        if (isSmall) {
          count(lower, word.key);
          // Pairs are asked about words that some answer capitalises: the others would be most of a large map.
          if (before !== undefined && everCapitalised.has(word.key)) count(lowerPairs, `${before.key} ${word.key}`);
          const isBetween = before !== undefined && !isBeforeLower && word.text.length <= MAX_JOINING_CHARS;
          if (isBetween && !isLower(words[index + 1]?.text ?? 'a')) count(between, word.key);
        } else if (before !== undefined && isBeforeLower && text.slice(before.end, word.start) === ' ')
          count(germanArticles.has(before.key) ? afterArticle : capitalised, word.key);
        [before, isBeforeLower] = [word, isSmall];
      }
    }
  return { lower, capitalised, afterArticle, lowerPairs, between };
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
