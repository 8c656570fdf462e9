import { hasUnspaced } from '../hidden-text/facts/characters.ts';
import { STOP_WORDS } from './stop-words-data.ts';

/** Characters of a text that are read; a title or a heading is far shorter, and a page has shown its topic by then. */
const MAX_CHARS = 100_000;
const STEM_CHARS = 6;
/** Endings that inflect a word in the languages written with spaces; what is left must still be a word. */
const ENDINGS = /(?<=\p{L}{3})(?:ings?|ers?|ed|es|en|em|s|e|n)$/u;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]{0,60}/gu;

/**
 * The content words of a text in order, cut to what inflection leaves alone: "lamps" and "lamp", "prices" and "pricing"
 * give the same. Words without content are left out. A script without spaces gives its pairs of neighbouring characters.
 */
export function extractContentStems(text: string): readonly string[] {
  const plain = text.slice(0, MAX_CHARS).normalize('NFKC').toLowerCase();
  return (plain.match(WORD) ?? []).flatMap((word) =>
    hasUnspaced(word) ? listCharacterPairs(word) : extractStem(word),
  );
}

const extractStem = (word: string): readonly string[] =>
  word.length < 2 || STOP_WORDS.has(word) ? [] : [word.replace(ENDINGS, '').slice(0, STEM_CHARS)];

function listCharacterPairs(word: string): readonly string[] {
  const characters = Array.from(word);
  return characters.length === 1
    ? []
    : characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** Share of common members of two lists, 0 to 1 (Jaccard); 0 when either is empty. */
export function computeOverlap(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [new Set(one), new Set(other)];
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((member) => b.has(member)).length;
  return common / (a.size + b.size - common);
}
