import { rememberPerObject } from '../../lib/memo.ts';
import { isCommonWord } from './common-words.ts';
import { type FoldedText, toOriginalIndex } from './folded-text.ts';
import { type NameForm, type NamePart, TOP_LEVEL } from './forms.ts';
import {
  hangulBrandEnds,
  hangulParticles,
  hanWordEnds,
  hanWordStarts,
  kanaBrandEnds,
} from './words/word-edges-data.ts';

/** Longest continuation of a word that is compared with the lists. */
const MAX_TAIL_CHARS = 8;

/**
 * Whether the letters from `start` to `end` are only a part of a longer word. Latin and other spaced letters end where
 * no letter or digit follows; a letter of a script without spaces ends them as well. In Chinese, Japanese and Korean
 * words run on: there a list of endings distinguishes a particle or a product from a longer word.
 */
function isInsideWord(text: string, start: number, end: number): boolean {
  return isContinuedBefore(text, start, end) || isContinuedAfter(text, start, end);
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

function isContinuedBefore(text: string, start: number, end: number): boolean {
  if (start === 0) return false;
  const first = getCharAt(text, start);
  const before = getCharBefore(text, start);
  if (KATAKANA.test(first)) return KATAKANA.test(before);
  if (HANGUL.test(first)) return HANGUL.test(before);
  if (HAN.test(first)) return isEndOfHanWord(text, start);
  if (UNSPACED.test(first) || UNSPACED.test(before)) return false;
  if (before === '&') return end - start <= MAX_TIED_CHARS && PLAIN_WORD.test(text.charAt(start - 2));
  return WORD.test(first) && WORD.test(before);
}

function isContinuedAfter(text: string, start: number, end: number): boolean {
  if (end >= text.length) return false;
  const last = getCharBefore(text, end);
  const after = getCharAt(text, end);
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
const getCharAt = (text: string, position: number): string => {
  const code = text.codePointAt(position);
  return code === undefined ? '' : String.fromCodePoint(code);
};

/** The character that ends before a position, whole. */
const getCharBefore = (text: string, position: number): string => {
  if (position < 1) return '';
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(position - 1));
  return getCharAt(text, isPair && position > 1 ? position - 2 : position - 1);
};

/** A place where a form of a name occurs as complete words. Positions are in the folded text. */
export type NameHit = {
  start: number;
  end: number;
  form: NameForm;
  /** Whether its words are written apart there. */
  isSplit: boolean;
  /** Whether it is the first part of a domain: "acme.com". */
  isDomain: boolean;
};

/** Places of one form in one block that are looked at: a name after so many others of it is not seen. */
const MAX_HITS = 1000;

/**
 * Where the forms of a name are in a text, whatever their capitals, in order and without overlap; the longest first.
 */
export function findHits(text: FoldedText, forms: readonly NameForm[]): readonly NameHit[] {
  const found: NameHit[] = [];
  for (const form of forms) for (const hit of findFormHits(text, form)) found.push(hit);
  if (found.length < 2) return found;
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sorted.filter((hit) => {
    if (hit.start < end) return false;
    end = hit.end;
    return true;
  });
}

const NO_HITS: readonly NameHit[] = [];

function findFormHits(text: FoldedText, form: NameForm): readonly NameHit[] {
  const [first, ...rest] = form.parts;
  if (first === undefined) return [];
  let from = text.lower.indexOf(first.lower);
  if (from === -1 && form.isApart !== true && listMarkedWords(text).length === 0) return NO_HITS;
  const hits: NameHit[] = [];
  for (; from !== -1 && hits.length < MAX_HITS; from = text.lower.indexOf(first.lower, from + 1)) {
    const end = findPartsEnd(text.lower, rest, from + first.lower.length);
    if (end === undefined) continue;
    const hit = readHit(text, form, from, end);
    if (hit === undefined) continue;
    hits.push(hit);
    from = end - 1;
  }
  if (hits.length === 0 && form.isApart === true) hits.push(...findApartHits(text, form));
  return listMarkedWords(text).length > 0 ? [...hits, ...findMarkedHits(text, form)] : hits;
}

/** Letters of a name that may be written apart: shorter ones are in too many words. */
const MIN_APART_CHARS = 6;
const MAX_APART_CHARS = 24;

/** The letters of a name that a text may have with spaces between them, in lower case; undefined when it may not. */
export function joinApartLetters({ parts }: NameForm): string | undefined {
  const name = parts.map(({ lower }) => lower).join('');
  if (name.length < MIN_APART_CHARS || name.length > MAX_APART_CHARS) return undefined;
  return /^[a-z0-9]+$/u.test(name) ? name : undefined;
}

/** "Le Bon Coin" is Leboncoin, "Cool Blue" Coolblue: capitals or numbers begin each of its words. */
function findApartHits(text: FoldedText, form: NameForm): readonly NameHit[] {
  const name = form.parts.map(({ lower }) => lower).join('');
  const hits: NameHit[] = [];
  const { lower, exact } = text;
  for (let at = lower.indexOf(name.charAt(0)); at !== -1 && hits.length < MAX_HITS;) {
    const end = findApartEnd(lower, name, at);
    if (end !== undefined && isWordsOfName(exact.slice(at, end))) hits.push(...listHit(readHit(text, form, at, end)));
    at = lower.indexOf(name.charAt(0), at + 1);
  }
  return hits;
}

/** Where the letters of the name end that begin at a place, with at most one space between two of them. */
function findApartEnd(lower: string, name: string, start: number): number | undefined {
  let at = start;
  for (let letter = 0; letter < name.length; letter += 1) {
    if (letter > 0 && lower.charAt(at) === ' ') at += 1;
    if (lower.charAt(at) !== name.charAt(letter)) return undefined;
    at += 1;
  }
  return at;
}

const isWordsOfName = (written: string): boolean =>
  written.split(' ').every((word) => /^(?:\p{Lu}\p{Ll}|\d)/u.test(word));

const listHit = (hit: NameHit | undefined): readonly NameHit[] => (hit === undefined ? [] : [hit]);

/** "FRITZ!Box" is Fritzbox as well: two words with a mark between them, which are one in the name. */
function findMarkedHits(text: FoldedText, form: NameForm): readonly NameHit[] {
  const name = form.parts.map(({ lower }) => lower).join('');
  return listMarkedWords(text)
    .filter(({ joined }) => joined === name)
    .slice(0, MAX_HITS)
    .flatMap(({ start, end }) => readHit(text, form, start, end) ?? []);
}

type MarkedWord = { joined: string; start: number; end: number };

/** Two words of a text with an exclamation mark between them: where, and the letters of both. */
export const listMarkedWords = (text: FoldedText): readonly MarkedWord[] =>
  text.lower.includes('!') && LETTER_BEHIND.test(text.lower) ? readMarkedWords(text) : NO_WORDS;

/** Most exclamation marks end a sentence. */
const LETTER_BEHIND = /!\p{L}/u;

const NO_WORDS: readonly MarkedWord[] = [];

/** Once for all names that are looked for in the text. */
const readMarkedWords = rememberPerObject(({ lower }: FoldedText): readonly MarkedWord[] =>
  Array.from(lower.matchAll(MARKED), ({ 0: marked, index }) => ({
    joined: marked.replace('!', ''),
    start: index,
    end: index + marked.length,
  })),
);

/** Two words that only an exclamation mark parts. */
const MARKED = /(?<![\p{L}\p{N}])\p{L}{3,20}!\p{L}{2,20}(?![\p{L}\p{N}])/gu;

/** The end of the parts that follow `position`; undefined when the text goes on otherwise. */
function findPartsEnd(lower: string, parts: readonly NamePart[], position: number): number | undefined {
  let end: number | undefined = position;
  for (const part of parts) {
    end = part.kind === 'and' ? findAndEnd(lower, end) : findPartEnd(lower, part, end);
    if (end === undefined) return undefined;
  }
  return end;
}

function findPartEnd(lower: string, part: NamePart, position: number): number | undefined {
  if (lower.startsWith(part.lower, position)) return position + part.lower.length;
  const { ownGap } = part;
  if (ownGap !== '' && lower.startsWith(ownGap + part.lower, position))
    return position + ownGap.length + part.lower.length;
  // "Dr. Martens" is Dr Martens.
  if (lower.startsWith(`. ${part.lower}`, position) && TITLE_END.test(lower.slice(Math.max(0, position - 5), position)))
    return position + 2 + part.lower.length;
  if (part.isQuotable) {
    const gap = QUOTED_GAP.exec(lower.slice(position, position + MAX_QUOTED_GAP))?.[0] ?? '';
    if (gap !== '' && lower.startsWith(part.lower, position + gap.length))
      return position + gap.length + part.lower.length;
  }
  const isGap = position < lower.length && part.gap.includes(lower.charAt(position));
  return isGap && lower.startsWith(part.lower, position + 1) ? position + 1 + part.lower.length : undefined;
}

const TITLE_END = /(?<!\p{L})(?:dr|st|mr|mrs|prof)$/u;

/** A quote on either side of a space, or without one. */
const QUOTED_GAP = /^"?[ -]?"?/u;
const MAX_QUOTED_GAP = 3;

const AND = [' & ', '&', ' and ', ' und ', ' et ', ' y ', ' + '] as const;
/** Between numbers only these are a name: "1 + 1" and "1 and 1" are sums. */
const AND_OF_NUMBERS = [' & ', '&', ' und ', 'und'] as const;

function findAndEnd(lower: string, position: number): number | undefined {
  const isNumber = /\d/u.test(lower.charAt(position - 1));
  const sign = (isNumber ? AND_OF_NUMBERS : AND).find((one) => lower.startsWith(one, position));
  return sign === undefined ? undefined : position + sign.trimEnd().length;
}

function readHit(text: FoldedText, form: NameForm, start: number, end: number): NameHit | undefined {
  if (isInsideWord(text.lower, start, end) && !isGenitive(text, start, end)) return undefined;
  const { exact } = text;
  if (
    form.isWithUmlaut === true &&
    !UMLAUT.test(text.original.slice(toOriginalIndex(text, start), toOriginalIndex(text, end)))
  )
    return undefined;
  const domain = classifyDomain(exact, end);
  if (domain === 'other_host' || isMailHost(exact, start)) return undefined;
  if (domain === 'domain' && isHostPart(exact, start)) return undefined;
  const letters = form.parts.reduce((sum, { lower }) => sum + lower.length, 0);
  const isMarked = form.mark !== '' && exact.charAt(end) === form.mark;
  return {
    start,
    end: isMarked ? end + 1 : end,
    form,
    isSplit: end - start > letters,
    isDomain: domain === 'domain',
  };
}

const UMLAUT = /[äöüÄÖÜ]|[aouAOU]\u0308/u;

/** "Personios Stärke": German and Dutch put an "s" behind a name. Plurals of words are refused with the words. */
function isGenitive({ exact, lower }: FoldedText, start: number, end: number): boolean {
  if (end - start < MIN_GENITIVE_CHARS || exact.charAt(end) !== 's' || exact.charAt(end - 1).toLowerCase() === 's')
    return false;
  if (!/^\p{Lu}/u.test(exact.charAt(start)) || !/^[\s,.;:!?)]/u.test(exact.slice(end + 1, end + 2))) return false;
  return (
    !isContinuedBefore(lower, start, end) &&
    !isCommonWord(lower.slice(start, end)) &&
    /^\s\p{Lu}|^\s\p{Ll}{3,20}(?:e|er|es|en) \p{Lu}|^\s\p{Ll}{3,20}e \p{Ll}{3}/u.test(exact.slice(end + 1, end + 40))
  );
}

const MIN_GENITIVE_CHARS = 5;

/** Longest run of letters, digits and dots that is read as the rest of a host name. */
const MAX_HOST_CHARS = 80;
const HOST_REST = /^\.([a-z0-9-]{1,24}(?:\.[a-z0-9-]{1,24}){0,4})(?![a-z0-9-])/iu;

/** What a dot right after a name makes of it: a domain, the host of someone else, or nothing. */
function classifyDomain(exact: string, end: number): 'domain' | 'other_host' | undefined {
  if (exact.charAt(end) !== '.') return undefined;
  const rest = HOST_REST.exec(exact.slice(end, end + MAX_HOST_CHARS))?.[1];
  if (rest === undefined || /^\p{Lu}/u.test(rest)) return undefined;
  const labels = rest.split('.');
  if (labels.length === 1) return TOP_LEVEL.test(rest) ? 'domain' : undefined;
  const isCountry = labels.length === 2 && /^(?:com?|org|net|ac|gov)\.[a-z]{2}$/u.test(rest);
  return isCountry ? 'domain' : 'other_host';
}

/** Whether the name is the host of a mail address: no one speaks of a brand there. */
const isMailHost = (exact: string, start: number): boolean =>
  exact.charAt(start - 1) === '@' && /[\p{L}\p{N}]/u.test(exact.charAt(start - 2));

/** Whether a domain starts before the name: "on-target.com". */
const isHostPart = (exact: string, start: number): boolean =>
  exact.charAt(start - 1) === '-' && /[\p{L}\p{N}]/u.test(exact.charAt(start - 2));
