import type { InstanceConfig } from '../order.ts';

export type Tokenizer = InstanceConfig['tokenizer'];

/** Of one query. */
const MAX_TERMS = 64;
/** Of one query, in characters: what is behind is not read. */
const MAX_QUERY_CHARS = 8_192;
/** Shorter words are in no index of trigrams. */
const TRIGRAM = 3;

/** Scripts that write words without spaces, or, like Korean, with endings grown on. With the marks behind a letter. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const IS_SPACELESS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What the tokenizer takes for words. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Accents that have no letter of their own with them, points of Hebrew, vowels of Arabic: few write them in a query. */
const MARKS = /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670]/g;

/** A text as SQLite gives it back: bytes in UTF-8 stay as many. */
export const normaliseStoredText = (text: string): string => text.toWellFormed().replaceAll('\0', ' ');

/** A text as its words are indexed: NFKC, with letters of scripts without spaces apart. */
export function tokeniseText(text: string, tokenizer: Tokenizer): string {
  const plain = foldCase(normaliseStoredText(text));
  // Two spaces: one letter is a trigram then.
  return plain.replaceAll(SPACELESS, tokenizer === 'porter' ? ' $& ' : '$&  ');
}

/**
 * The words of a query, each once, as strings of FTS5: nothing in them is its syntax. Runs of letters without spaces
 * become pairs, which match where they are adjacent.
 */
export function parseQueryTerms(query: string, tokenizer: Tokenizer): readonly string[] {
  const plain = foldCase(normaliseStoredText(query.slice(0, MAX_QUERY_CHARS)));
  const words = tokenizer === 'porter' ? (plain.match(WORD) ?? []) : plain.split(' ').map(trimWord);
  const terms = new Map<string, string>();
  for (const term of words.flatMap((word) => splitWord(word, tokenizer))) {
    const same = term.toLowerCase();
    if (terms.size === MAX_TERMS) break;
    if (!terms.has(same)) terms.set(same, `"${term.replaceAll('"', '""')}"`);
  }
  return [...terms.values()];
}

const foldCase = (text: string): string => text.normalize('NFKC').replaceAll(MARKS, '').replaceAll(/\s/g, ' ');

/** A word without the characters around it: in `(a.b)?` it is `a.b`. */
function trimWord(word: string): string {
  const within = [...word.matchAll(WORD)];
  const [first, last] = [within[0], within.at(-1)];
  return first === undefined || last === undefined ? '' : word.slice(first.index, last.index + last[0].length);
}

function splitWord(word: string, tokenizer: Tokenizer): readonly string[] {
  const parts: string[] = [];
  let run: string[] = [];
  for (const part of word.replaceAll(SPACELESS, ' $& ').split(' ')) {
    if (part === '') continue;
    if (IS_SPACELESS.test(part)) {
      run.push(part);
      continue;
    }
    parts.push(...buildCharacterPairs(run, tokenizer), ...(isWord(part, tokenizer) ? [part] : []));
    run = [];
  }
  return [...parts, ...buildCharacterPairs(run, tokenizer)];
}

const isWord = (part: string, tokenizer: Tokenizer): boolean =>
  tokenizer === 'porter' || Array.from(part).length >= TRIGRAM;

function buildCharacterPairs(run: readonly string[], tokenizer: Tokenizer): readonly string[] {
  const joined = (letters: readonly string[]): string =>
    tokenizer === 'porter' ? letters.join(' ') : letters.map((letter) => `${letter}  `).join('');
  if (run.length < 2) return run.length === 0 ? [] : [joined(run)];
  return run.slice(1).map((letter, at) => joined([run[at] ?? '', letter]));
}
