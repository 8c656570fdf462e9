import { hangulBrandEnds, hangulParticles, hanWordEnds, hanWordStarts, kanaBrandEnds } from './word-edges-data.ts';

/** Longest continuation of a word that is compared with the lists. */
const MAX_TAIL_CHARS = 8;

/**
 * Whether the letters from `start` to `end` are only a part of a longer word. Latin and other spaced letters end where no
 * letter or digit follows; a letter of a script without spaces ends them as well. In Chinese, Japanese and Korean words
 * run on: there a list of endings tells a particle or a product from a longer word.
 */
export function isInsideWord(text: string, start: number, end: number): boolean {
  return continuesBefore(text, start, end) || continuesAfter(text, start, end);
}

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
const KATAKANA = /^[\p{Script=Katakana}ー]/u;
const HANGUL = /^\p{Script=Hangul}/u;
const HAN = /^\p{Script=Han}/u;
const WORD = /^[\p{L}\p{N}\p{Mn}\p{Mc}]/u;
const PLAIN_WORD = /^[A-Za-z0-9]/u;
/** With one of these a short name is another name: "H&M" is not M, "C++" is not C. */
const TIES = '+#&';
const MAX_TIED_CHARS = 2;

function continuesBefore(text: string, start: number, end: number): boolean {
  if (start === 0) return false;
  const first = charAt(text, start);
  const before = charBefore(text, start);
  if (KATAKANA.test(first)) return KATAKANA.test(before);
  if (HANGUL.test(first)) return HANGUL.test(before);
  if (HAN.test(first)) return isEndOfHanWord(text, start);
  if (UNSPACED.test(first) || UNSPACED.test(before)) return false;
  if (before === '&') return end - start <= MAX_TIED_CHARS && PLAIN_WORD.test(text.charAt(start - 2));
  return WORD.test(first) && WORD.test(before);
}

function continuesAfter(text: string, start: number, end: number): boolean {
  if (end >= text.length) return false;
  const last = charBefore(text, end);
  const after = charAt(text, end);
  const tail = text.slice(end, end + MAX_TAIL_CHARS);
  if (KATAKANA.test(last)) return KATAKANA.test(after) && !kanaBrandEnds.some((word) => tail.startsWith(word));
  if (HANGUL.test(last)) return HANGUL.test(after) && !isParticle(tail);
  if (HAN.test(last)) return hanWordEnds.some((word) => tail.startsWith(word));
  if (/^\p{M}/u.test(after)) return /^[\p{Mn}\p{Mc}]/u.test(after);
  if (!WORD.test(last)) return after === last || /^[A-Za-z]/u.test(after);
  if (UNSPACED.test(after) || UNSPACED.test(last)) return false;
  return WORD.test(after) || isTied(text, start, end);
}

const isEndOfHanWord = (text: string, start: number): boolean =>
  hanWordStarts.some(({ word, unless }) => {
    if (!text.startsWith(word, start - 1)) return false;
    return start < 2 || !unless.includes(text.charAt(start - 2));
  });

/** Hangul up to the next space or other script is a particle, or starts with a product's name. */
function isParticle(tail: string): boolean {
  const run = /^\p{Script=Hangul}{1,8}/u.exec(tail)?.[0] ?? '';
  return hangulParticles.includes(run) || hangulBrandEnds.some((word) => run.startsWith(word));
}

/** "C++", "F#" and "A&B" go on after their first letters. */
function isTied(text: string, start: number, end: number): boolean {
  const sign = text.charAt(end);
  if (sign === '' || !TIES.includes(sign) || end - start > MAX_TIED_CHARS) return false;
  return sign !== '&' || PLAIN_WORD.test(text.charAt(end + 1));
}

/** The character that starts at a position, whole. */
const charAt = (text: string, position: number): string => {
  const code = text.codePointAt(position);
  return code === undefined ? '' : String.fromCodePoint(code);
};

/** The character that ends before a position, whole. */
const charBefore = (text: string, position: number): string => {
  if (position < 1) return '';
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(position - 1));
  return charAt(text, isPair && position > 1 ? position - 2 : position - 1);
};
