/** What a character is to the counting of words, as flags: one look-up answers all three questions. */
const STARTS_WORD = 1;
const IN_WORD = 2;
const UNSPACED = 4;
/** Set for every character that was looked up, even one with none of the other properties. */
const KNOWN = 8;

/** Characters of one word; a longer run counts as the next word. */
const MAX_WORD_CHARS = 500;

const WORD_START = /[\p{L}\p{N}]/u;
const WORD_PART = /[\p{L}\p{N}\p{M}'’.-]/u;
/** Scripts that write no spaces between words. */
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

// Classes of the basic plane, filled as characters are met: a page has few different ones, and asking the engine's
// Unicode tables for each occurrence took most of the time of an audit.
const classes = new Uint8Array(0x1_00_00);

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const found =
    KNOWN |
    (WORD_START.test(character) ? STARTS_WORD : 0) |
    (WORD_PART.test(character) ? IN_WORD : 0) |
    (UNSPACED_SCRIPT.test(character) ? UNSPACED : 0);
  // Half a surrogate pair says nothing of the whole: those stay unknown.
  if (codePoint < classes.length && !isSurrogate(codePoint)) classes[codePoint] = found;
  return found;
}

const isSurrogate = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdfff;

/**
 * Counts runs of letters and digits, with marks, apostrophes, points and hyphens inside them.
 * @returns undefined when the text holds a character of a script that writes no spaces between words.
 */
export function countSpacedWords(text: string): number | undefined {
  let count = 0;
  let chars = 0;
  let seen = 0;
  for (let index = 0; index < text.length; index += 1) {
    let found = classes[text.charCodeAt(index)] ?? 0;
    if (found === 0) {
      const codePoint = text.codePointAt(index) ?? 0;
      if (codePoint > 0xffff) index += 1;
      found = classify(codePoint);
    }
    seen |= found;
    if (chars > 0 && chars < MAX_WORD_CHARS && (found & IN_WORD) !== 0) {
      chars += 1;
    } else if ((found & STARTS_WORD) === 0) {
      chars = 0;
    } else {
      count += 1;
      chars = 1;
    }
  }
  return (seen & UNSPACED) === 0 ? count : undefined;
}

/**
 * The runs that `countSpacedWords` counts, as written; a longer one is cut into pieces of `maxChars`.
 * For texts without unspaced scripts: it does not separate their words.
 */
export function splitSpacedWords(text: string, maxChars: number): readonly string[] {
  const words: string[] = [];
  let from = -1;
  let chars = 0;
  for (let index = 0; index < text.length; index += 1) {
    const start = index;
    let found = classes[text.charCodeAt(index)] ?? 0;
    if (found === 0) {
      const codePoint = text.codePointAt(index) ?? 0;
      if (codePoint > 0xffff) index += 1;
      found = classify(codePoint);
    }
    if (from !== -1 && chars < maxChars && (found & IN_WORD) !== 0) {
      chars += 1;
      continue;
    }
    if (from !== -1) words.push(text.slice(from, start));
    [from, chars] = (found & STARTS_WORD) === 0 ? [-1, 0] : [start, 1];
  }
  if (from !== -1) words.push(text.slice(from));
  return words;
}

/** Whether a text holds a character of a script that writes no spaces between words. */
export const hasUnspaced = (text: string): boolean => countSpacedWords(text) === undefined;
