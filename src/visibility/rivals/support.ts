import type { AnswerStructure } from '../structure/structure.ts';
import { isPlaceWord } from './more-words.ts';
import { type BlockWords, isLower, type Piece, splitPieces } from './pieces.ts';
import { nameConnectors, sharedFirstWords } from './words-data.ts';

/**
 * In how many answers of a run a word is part of a name: of a head, a bold text, or a capitalised run inside a sentence. Answers
 * vote: a brand comes back in others, a label of one answer does not.
 */
export type Support = {
  answers: ReadonlyMap<string, number>;
  /** Words that some name begins with. */
  fronts: ReadonlySet<string>;
  texts: readonly string[];
  /** What was counted for names already. */
  counted: Map<string, number>;
};

/** Shorter words are initials, units and articles. */
const MIN_WORD_CHARS = 3;
const CASELESS = /^\p{Lo}/u;
/** Characters of a name in such letters that another answer must have, too: "柊家" of "柊家旅館". */
const CASELESS_FRONT = 2;

/** `capitalsShowNames`: a capital inside a sentence is no noun's, as it is in German. */
export function countSupport(
  answers: readonly AnswerStructure[],
  blocks: readonly (readonly BlockWords[])[],
  capitalsShowNames: boolean,
): Support {
  const counts = new Map<string, number>();
  const fronts = new Set<string>();
  for (const [answer, { blocks: read }] of answers.entries()) {
    const words = new Set<string>();
    for (const [index, block] of read.entries()) {
      const { pieces, runs } = blocks[answer]?.[index] ?? { pieces: [], runs: [] };
      if (block.head !== undefined) addHead(block.text, block.head, pieces, words, fronts);
      for (const text of block.bold) if (text !== block.head) addName(text, words, fronts);
      if (!capitalsShowNames) continue;
      for (const { first, last } of runs)
        if (isInsideSentence(block.text, pieces, first)) addWords(pieces, first, last, words, fronts);
    }
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const isCaseless = answers.some(({ blocks: read }) => read.some(({ head }) => CASELESS.test(head ?? '')));
  const texts = isCaseless ? answers.map(({ blocks: read }) => read.map(({ text }) => text).join('\n')) : [];
  return { answers: counts, fronts, texts, counted: new Map() };
}

/** Whether a comma precedes, or a small word that does not join it to a name: not "Cup of Excellence". */
const isInsideSentence = (text: string, pieces: readonly Piece[], first: number): boolean => {
  const [further, before, at] = [pieces[first - 2], pieces[first - 1], pieces[first]];
  if (before === undefined || at === undefined) return false;
  if (!isLower(before.text)) return /^(?:, | ?\/ ?)$/u.test(text.slice(before.end, at.start));
  return further === undefined || isLower(further.text) || !nameConnectors.has(before.key);
};

/** A head is the front of its text more often than not: its words are split already. */
function addHead(text: string, head: string, pieces: readonly Piece[], words: Set<string>, fronts: Set<string>): void {
  if (!text.startsWith(head)) return addName(head, words, fronts);
  let last = -1;
  while ((pieces[last + 1]?.end ?? Infinity) <= head.length) last += 1;
  addWords(pieces, 0, last, words, fronts);
}

function addName(text: string, words: Set<string>, fronts: Set<string>): void {
  const pieces = splitPieces(text);
  addWords(pieces, 0, pieces.length - 1, words, fronts);
}

function addWords(
  pieces: readonly Piece[],
  first: number,
  last: number,
  words: Set<string>,
  fronts: Set<string>,
): void {
  for (let at = first; at <= last; at += 1) {
    const piece = pieces[at];
    if (piece === undefined || (words.has(piece.key) && (at > first || fronts.has(piece.key)))) continue;
    if (!isTelling(piece.text, piece.key)) continue;
    words.add(piece.key);
    if (at === first) fronts.add(piece.key);
  }
}

/** Two or three capitals are what a thing can do as often as who makes it: "PID". */
const isTelling = (text: string, key: string): boolean =>
  text.length >= MIN_WORD_CHARS &&
  !isLower(text) &&
  !(text.length === 3 && text === text.toUpperCase()) &&
  !sharedFirstWords.has(key) &&
  !isPlaceWord(key);

/** In how many answers of the run some word of the name is a name's. */
export function countNaming(name: string, support: Support): number {
  const known = support.counted.get(name) ?? countWords(name, support);
  support.counted.set(name, known);
  return known;
}

function countWords(name: string, { answers, texts }: Support): number {
  if (CASELESS.test(name)) {
    const front = name.slice(0, CASELESS_FRONT);
    return texts.filter((text) => text.includes(front)).length;
  }
  const words = splitPieces(name).filter(({ text, key }) => isTelling(text, key));
  return Math.max(0, ...words.map(({ key }) => answers.get(key) ?? 0));
}

/** Whether another answer than its own has a word of the name as a name, too. */
export const isSupported = (name: string, support: Support): boolean => countNaming(name, support) > 1;
