import { type BlockWords, findRuns, isLower, splitPieces } from './pieces.ts';
import { conjunctions, findLanguage, joinRuns } from './joins.ts';
import { countSupport, type Support } from './support.ts';
import { findSharedWords, type SharedWords } from './roles.ts';
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
  /** Whether the answers are German, where every noun is capitalised. */
  isGerman: boolean;
  /** What most of the answers' words in Latin letters are of: "en", "de", "fr", "es", "it", "nl" or "pt". */
  language: string;
  /** In how many answers words are parts of names. */
  support: Support;
  shared: SharedWords;
};

/** Counts how the words of a run's answers are written, which distinguishes names from capitalised common words. */
export function buildCorpus(answers: readonly AnswerStructure[]): Corpus {
  const read = answers.map(({ blocks }) =>
    blocks.map(({ text }) => {
      const pieces = splitPieces(text);
      return { pieces, runs: findRuns(text, pieces) };
    }),
  );
  const lower = new Map<string, number>();
  const capitalised = new Map<string, number>();
  const afterArticle = new Map<string, number>();
  const lowerPairs = new Map<string, number>();
  const between = new Map<string, number>();
  const everCapitalised = new Set(
    read.flatMap((blocks) =>
      blocks.flatMap(({ pieces }) => pieces.filter(({ text }) => !isLower(text)).map(({ key }) => key)),
    ),
  );
  for (const [answer, blocks] of read.entries())
    for (const [block, { pieces: words }] of blocks.entries()) {
      const text = answers[answer]?.blocks[block]?.text ?? '';
      for (const [index, word] of words.entries()) {
        if (isLower(word.text)) count(lower, word.key);
        const before = words[index - 1];
        if (word.text.length <= 3 && isLower(word.text) && before !== undefined && !isLower(before.text) && !isLower(words[index + 1]?.text ?? 'a')) count(between, word.key);
        // Pairs are asked about words that some answer capitalises: the others would be most of a large map.
        if (before !== undefined && isLower(word.text) && everCapitalised.has(word.key))
          count(lowerPairs, `${before.key} ${word.key}`);
        if (before === undefined || isLower(word.text) || !isLower(before.text)) continue;
        if (text.slice(before.end, word.start) !== ' ') continue;
        count(germanArticles.has(before.key) ? afterArticle : capitalised, word.key);
      }
    }
  const german = isGerman(lower);
  const language = findLanguage(lower);
  const support = countSupport(answers, read, !german);
  const isKnown = (key: string): boolean => support.fronts.has(key);
  // "Rent and Go" in Italian: a small word that the answers only have between two capitals is part of a name.
  const isForeign = (key: string): boolean =>
    key.length <= 3 && key !== 'vs' && between.has(key) && lower.get(key) === between.get(key) && conjunctions[language]?.has(key) !== true;
  const joined = read.map((blocks, answer) =>
    blocks.map((words, block) => {
      const runs = joinRuns(answers[answer]?.blocks[block]?.text ?? '', words, isKnown, isForeign);
      return german || runs === words.runs ? words : { ...words, runs };
    }),
  );
  return {
    blocks: joined,
    lower,
    capitalised,
    lowerPairs,
    afterArticle,
    isGerman: german,
    language,
    support,
    shared: german || support.texts.length > 0 ? new Set() : findSharedWords(answers, joined, language),
  };
}

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
