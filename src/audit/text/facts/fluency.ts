import { countWords, endsSentence, sentences } from '../../language/words.ts';

/** Sentences measured at most. */
const MAX_SENTENCES = 5000;
/** A longer sentence strains a reader. */
export const LONG_SENTENCE_WORDS = 40;
const EXAMPLES = 3;

/** How long sentences are, in words. `longest` are the longest ones over the bound, longest first. */
export type Fluency = { count: number; medianWords: number; longShare: number; longest: readonly string[] };

/** Measures the sentences of a text: of lines that hold at least one sentence end, so that menus and headings do not count. */
export function fluencyOf(text: string): Fluency {
  const measured: { sentence: string; words: number }[] = [];
  for (const line of text.split('\n')) {
    if (!endsSentence(line)) continue;
    for (const sentence of sentences(line)) {
      const words = countWords(sentence);
      if (words > 0) measured.push({ sentence, words });
    }
    if (measured.length >= MAX_SENTENCES) break;
  }
  const sorted = measured.map(({ words }) => words).toSorted((a, b) => a - b);
  const long = measured.filter(({ words }) => words > LONG_SENTENCE_WORDS);
  return {
    count: measured.length,
    medianWords: median(sorted),
    longShare: measured.length === 0 ? 0 : long.length / measured.length,
    longest: long
      .toSorted((a, b) => b.words - a.words)
      .slice(0, EXAMPLES)
      .map(({ sentence }) => sentence.slice(0, 200)),
  };
}

function median(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return (upper + lower) / 2;
}
