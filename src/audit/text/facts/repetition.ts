import { hasUnspaced, spacedWords } from '../../hidden-text/facts/characters.ts';
import { STOP_WORDS } from '../../language/stop-words-data.ts';
import { wordSegments } from '../../language/words.ts';

/** Words weighed at most; a longer text has shown its habits by then. */
const MAX_WORDS = 60_000;
const SEGMENTER_CHARS = 100_000;

/** The most repeated pair of content words and its share of all words (0 to 1). */
export type Repetition = { pair: string; count: number; share: number };

const MAX_WORD_CHARS = 101;

const TAIL = new Set(".'’-");
const withoutTail = (word: string): string => word.replace(/[.'’-]{1,5}$/, '');

/** The words of a line, lower case; scripts without spaces by `Intl.Segmenter`. */
function wordsOf(line: string): readonly string[] {
  if (!hasUnspaced(line))
    return spacedWords(line.toLowerCase(), MAX_WORD_CHARS).map((word) =>
      TAIL.has(word.at(-1) ?? '') ? withoutTail(word) : word,
    );
  return [...wordSegments(line.slice(0, SEGMENTER_CHARS).toLowerCase())];
}

const isTopic = (word: string): boolean =>
  /\p{L}/u.test(word) && !STOP_WORDS.has(word) && (word.length > 1 || hasUnspaced(word));

/** The pair of neighbouring content words that occurs most, the first of equals; undefined when none occurs twice. */
export function mostRepeated(text: string): Repetition | undefined {
  const topics: string[] = [];
  const topicOf = numberer(topics);
  const counts = new Map<number, number>();
  let words = 0;
  for (const line of text.split('\n')) {
    const own = wordsOf(line);
    words += own.length;
    let before = NO_TOPIC;
    for (const word of own) {
      const topic = topicOf(word);
      if (before !== NO_TOPIC && topic !== NO_TOPIC) {
        const pair = before * MAX_TOPICS + topic;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
      before = topic;
    }
    if (words >= MAX_WORDS) break;
  }
  let [best, most] = [-1, 1];
  for (const [pair, count] of counts) if (count > most) [best, most] = [pair, count];
  if (best === -1) return undefined;
  const pair = `${topics[Math.floor(best / MAX_TOPICS)] ?? ''} ${topics[best % MAX_TOPICS] ?? ''}`;
  return { pair, count: most, share: most / words };
}

const NO_TOPIC = -1;
/** More than a text can have, since text is cut long before; the square of it is still a safe integer. */
const MAX_TOPICS = 2 ** 26;

/** Numbers the content words as they come, so that pairs are counted without making a text of each. */
function numberer(topics: string[]): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const number = known.get(word) ?? (isTopic(word) ? topics.push(word) - 1 : NO_TOPIC);
    known.set(word, number);
    return number;
  };
}
