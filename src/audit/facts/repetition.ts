import { STOP_WORDS } from './stop-words-data.ts';

/** Words weighed at most; a longer text has shown its habits by then. */
const MAX_WORDS = 60_000;
const SEGMENTER_CHARS = 100_000;

/** The most repeated pair of content words and its share of all words (0 to 1). */
export type Repetition = { pair: string; count: number; share: number };

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.-]{0,100}/gu;

/** The words of a line, lower case; scripts without spaces by `Intl.Segmenter`. */
function wordsOf(line: string): readonly string[] {
  if (!UNSPACED.test(line))
    return (line.toLowerCase().match(WORD) ?? []).map((word) => word.replace(/[.'’-]{1,5}$/, ''));
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  const segments = [...segmenter.segment(line.slice(0, SEGMENTER_CHARS).toLowerCase())];
  return segments.filter((segment) => segment.isWordLike).map((segment) => segment.segment);
}

const isTopic = (word: string): boolean =>
  /\p{L}/u.test(word) && !STOP_WORDS.has(word) && (word.length > 1 || UNSPACED.test(word));

/** The pair of neighbouring content words that occurs most, the first of equals; undefined when none occurs twice. */
export function mostRepeated(text: string): Repetition | undefined {
  const counts = new Map<string, number>();
  let words = 0;
  for (const line of text.split('\n')) {
    const own = wordsOf(line);
    words += own.length;
    own.forEach((word, index) => {
      const next = own[index + 1];
      if (next === undefined || !isTopic(word) || !isTopic(next)) return;
      const pair = `${word} ${next}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    });
    if (words >= MAX_WORDS) break;
  }
  let best: Repetition | undefined;
  for (const [pair, count] of counts)
    if (count > Math.max(1, best?.count ?? 0)) best = { pair, count, share: count / words };
  return best;
}
