import { type MainText, getSentenceLines } from '../text/facts/sample-text.ts';
import { hasSentenceEnd } from './words.ts';

/** Words measured; a longer text has shown its style by then. */
const MAX_WORDS = 40_000;

/** `ease` is the Flesch reading ease, about 0 (hard) to 100 (easy), one decimal. `hardest` are the sentences with most syllables a word. */
export type FleschScore = { ease: number; words: number; sentences: number; hardest: readonly string[] };

const EXAMPLES = 3;
/** A shorter sentence is hard by one word. */
const MIN_EXAMPLE_WORDS = 8;

/**
 * The Flesch reading ease of an ENGLISH text: 206.835 - 1.015 x words/sentences - 84.6 x syllables/words. Only lines with a
 * sentence end count, so that menus and headings do not. Syllables are counted by their vowels, as all such tools do.
 * @see Flesch, A new readability yardstick, Journal of Applied Psychology 32(3), 1948
 */
export function computeFleschScore(main: Pick<MainText, 'text'>): FleschScore {
  const known = new Map<string, number>();
  const measured: { sentence: string; words: number; syllables: number }[] = [];
  let words = 0;
  for (const { line, sentences } of getSentenceLines(main)) {
    if (!hasSentenceEnd(line)) continue;
    for (const sentence of sentences) {
      const own = sentence.toLowerCase().match(/[a-z][a-z'’]{0,60}/g) ?? [];
      if (own.length === 0) continue;
      words += own.length;
      measured.push({
        sentence,
        words: own.length,
        syllables: own.reduce((sum, word) => sum + getSyllableCount(word, known), 0),
      });
    }
    if (words >= MAX_WORDS) break;
  }
  const syllables = measured.reduce((sum, one) => sum + one.syllables, 0);
  const ease = words === 0 ? 0 : 206.835 - (1.015 * words) / Math.max(1, measured.length) - (84.6 * syllables) / words;
  const hardest = measured
    .filter((one) => one.words >= MIN_EXAMPLE_WORDS)
    .toSorted((a, b) => b.syllables / b.words - a.syllables / a.words)
    .slice(0, EXAMPLES)
    .map(({ sentence }) => sentence.slice(0, 200));
  return { ease: Math.round(ease * 10) / 10, words, sentences: measured.length, hardest };
}

function getSyllableCount(word: string, known: Map<string, number>): number {
  const counted = known.get(word) ?? countSyllables(word.replaceAll(/['’]/g, ''));
  known.set(word, counted);
  return counted;
}

/** Groups of vowels, without a silent e at the end; at least one. */
function countSyllables(word: string): number {
  if (word.length <= 3) return 1;
  const spoken = word.replace(/(?:[^laeiouy]es|[^dtaeiouy]ed|[^laeiouy]e)$/, '').replace(/^y/, '');
  return Math.max(1, spoken.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}
