import type { Candidate } from './candidates.ts';
import { isCommonWord } from '../names/common-words.ts';
import type { Corpus } from './corpus.ts';
import { adjectiveEnds, commonNouns, definiteWords, indefiniteWords } from './german-data.ts';
import { isLower, type Piece } from './pieces.ts';
import { germanNounEnds, properWords, stopFirstWords, stopHeads } from './words-data.ts';

/** A word of so many answers may be a name: a noun that is not in our lists hardly returns so often without an adjective. */
const MIN_ANSWERS = 3;
const MIN_NAME_CHARS = 3;

/**
 * Single names in German prose, where capitals tell nothing: "Die Postbank", "bei der DKB", "und die ING". They are
 * right behind a definite article or a preposition in three answers or more, never behind "eine" or an adjective, and
 * are no noun that answers often use. Names of several words are left to the structure. Nothing when the answers are
 * not German.
 */
export function findGermanNames(texts: readonly (readonly string[])[], corpus: Corpus): readonly Candidate[] {
  if (!corpus.isGerman) return [];
  const places = new Map<string, Place[]>();
  const nouns = new Set<string>();
  for (const [answer, blocks] of corpus.blocks.entries())
    for (const [block, { pieces }] of blocks.entries())
      for (const [index, piece] of pieces.entries()) {
        const before = pieces[index - 1];
        if (before === undefined || isLower(piece.text) || before.end + 1 !== piece.start) continue;
        if (texts[answer]?.[block]?.charAt(before.end) !== ' ') continue;
        if (isNounSign(before)) nouns.add(piece.key);
        if (!definiteWords.has(before.key) || !isPossibleGermanName(piece, corpus)) continue;
        const known = places.get(piece.key) ?? [];
        places.set(piece.key, known);
        known.push({ name: piece.text, answer, block });
      }
  return [...places]
    .filter(([key, found]) => !nouns.has(key) && new Set(found.map(({ answer }) => answer)).size >= MIN_ANSWERS)
    .flatMap(([, found]) =>
      found.map((one) => ({
        ...one,
        place: 'passing' as const,
        isDoubtful: false,
        isWarning: false,
        under: undefined,
      })),
    );
}

type Place = Pick<Candidate, 'name' | 'answer' | 'block'>;

const isNounSign = ({ key, text }: Piece): boolean =>
  indefiniteWords.has(key) || (isLower(text) && key.length > 4 && adjectiveEnds.some((end) => key.endsWith(end)));

function isPossibleGermanName({ key, text }: Piece, { lower }: Corpus): boolean {
  if (text.length < MIN_NAME_CHARS || /^\p{N}/u.test(text)) return false;
  if (stopHeads.has(key) || properWords.has(key) || stopFirstWords.has(key) || commonNouns.has(key)) return false;
  if (/^\p{Lu}{2,6}$/u.test(text)) return true;
  if (lower.has(key) || isCommonWord(key)) return false;
  // "Postbank" and "Commerzbank" are names, a "Datenbank" is none.
  return !germanNounEnds.some((end) => key.endsWith(end) && (end !== 'bank' || key === 'datenbank'));
}
