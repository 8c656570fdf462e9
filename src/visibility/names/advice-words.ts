import {
  advising,
  anaphors,
  beside,
  blaming,
  blamingInJapanese,
  choosing,
  clitics,
  doubting,
  faults,
  formerly,
  leaving,
  negators,
  praising,
  praisingInJapanese,
  refusalFillers,
  regretting,
  seconds,
  warning,
} from './words/advice-words-data.ts';

/**
 * Words, and starts of words with at least three letters; `fronts` are the first three of each start, and `openings` those of
 * all.
 */
type WordList = {
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  fronts: ReadonlySet<string>;
  openings: readonly string[];
};

const STEM_MARK = '~';
const MIN_STEM_CHARS = 3;
const MAX_STEM_CHARS = 14;

function makeWordList(source: string): WordList {
  const all = source.split(' ');
  const stems = all.filter((one) => one.endsWith(STEM_MARK)).map((one) => one.slice(0, -1));
  return {
    words: new Set(all.map((one) => one.replace(STEM_MARK, ''))),
    stems: new Set(stems),
    fronts: new Set(stems.map((stem) => stem.slice(0, MIN_STEM_CHARS))),
    openings: [...new Set(all.map((one) => one.replace(STEM_MARK, '').slice(0, MIN_STEM_CHARS)))],
  };
}

function hasWord({ words, stems, fronts }: WordList, word: string): boolean {
  if (words.has(word)) return true;
  if (!fronts.has(word.slice(0, MIN_STEM_CHARS))) return false;
  const last = Math.min(word.length, MAX_STEM_CHARS);
  for (let length = MIN_STEM_CHARS; length <= last; length += 1) if (stems.has(word.slice(0, length))) return true;
  return false;
}

const lists = {
  negator: makeWordList(negators),
  warning: makeWordList(warning),
  avoiding: makeWordList(`${warning} ${leaving}`),
  advising: makeWordList(advising),
  faults: makeWordList(faults),
  doubting: makeWordList(doubting),
  praising: makeWordList(praising.join(' ')),
  blaming: makeWordList(blaming),
  formerly: makeWordList(formerly),
  beside: makeWordList(beside),
  anaphor: makeWordList(anaphors),
  clitic: makeWordList(clitics),
  choosing: makeWordList(choosing),
  regretting: makeWordList(regretting),
  second: makeWordList(seconds),
  filler: makeWordList(refusalFillers),
} as const;

/** What a word does in advice. */
export type AdviceRole = keyof typeof lists;

/** Whether a folded word in lower case has a role. "Wouldn't" is a negator. */
export const hasRole = (word: string, role: AdviceRole): boolean =>
  hasWord(lists[role], word) || (role === 'negator' && word.endsWith("n't"));

/** Whether a word of the role may be in a text: where none of their first letters are, its words need not be read. */
export const canHaveRole = (lower: string, role: 'regretting'): boolean =>
  lists[role].openings.some((opening) => lower.includes(opening));

/** Whether a text praises anything, in words or in pieces of Japanese. */
export const isPraising = (lower: string): boolean =>
  readAdviceWords(lower).some((word) => hasRole(word, 'praising')) ||
  praisingInJapanese.some((piece) => lower.includes(piece));

/** Whether a text only finds fault. */
export const isBlaming = (lower: string): boolean =>
  !isPraising(lower) &&
  (readAdviceWords(lower).some((word) => hasRole(word, 'blaming')) ||
    blamingInJapanese.some((piece) => lower.includes(piece)));

/** The words of a folded text in lower case: an apostrophe is inside a word, and ends "l'", "j'" and "dell'". */
export const readAdviceWords = (lower: string): readonly string[] =>
  (lower.includes("'") ? lower.replace(ELISION, '$& ') : lower).match(/[\p{L}\p{N}][\p{L}\p{N}']{0,40}/gu) ?? [];

const ELISION = /(?<![\p{L}\p{N}])(?:[ldmnjstc]|qu|dell|all|nell|dall|sull)'(?=\p{L})/gu;
