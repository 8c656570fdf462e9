import { countSpacedWords } from '../hidden-text/facts/characters.ts';
import { PAGE_LIMITS } from '../page/facts/page-facts.ts';
import { isMonthName } from './written-dates.ts';

/** Scripts that write no spaces between words. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** A run of them; a longer one is cut, since V8 of Node 20 copies the whole input for each segment of it. */
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]{1,200}`, 'gu');

/**
 * Counts words: runs of letters and digits; in scripts that write no spaces, the segments of `Intl.Segmenter`
 * (at most `PAGE_LIMITS.segmenterChars` characters of them).
 */
export function countWords(text: string): number {
  const spaced = countSpacedWords(text);
  if (spaced !== undefined) return spaced;
  const rest = countSpacedWords(text.replace(UNSPACED_RUN, ' ')) ?? 0;
  return rest + countSegments(text.slice(0, PAGE_LIMITS.segmenterChars));
}

function countSegments(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(UNSPACED_RUN)) {
    for (const { isWordLike } of segmenter.segment(run)) if (isWordLike === true) count += 1;
  }
  return count;
}

/** Made once: each one holds tables of its own. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
/** What ends a word in any script that writes no spaces; a run without any of it is cut at 200 characters. */
const PIECE = /[^\s。、，．！？；：「」『』（）]{1,200}/gu;

/**
 * The words of a text by `Intl.Segmenter`, piece by piece: V8 of Node 20 copies the whole input for each segment, which
 * made a line of 90,000 characters take 16 seconds.
 */
export function* splitWords(text: string): Generator<string> {
  for (const [piece] of text.matchAll(PIECE)) {
    for (const { segment, isWordLike } of segmenter.segment(piece)) if (isWordLike === true) yield segment;
  }
}

/**
 * Sentences of one paragraph. Ends at . ! ? or their full-width forms before a space or the end; not after a known
 * abbreviation, a single initial, or the number of an ordinal, a day or an item of a list.
 */
export function splitSentences(text: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  for (const end of text.matchAll(/[.!?](?:\s?»\.?|["'”’“»«)]{0,2})\s|[。！？]/gu)) {
    const stop = end.index + end[0].length;
    const sentence = text.slice(start, end.index + 1);
    const next = text.slice(stop, stop + NEXT_CHARS);
    if (isPause(sentence, end[0], next) || isAbbreviation(sentence, next) || isOrdinal(sentence, next)) continue;
    found.push(text.slice(start, stop).trim());
    start = stop;
  }
  const rest = text.slice(start).trim();
  return rest === '' ? found : [...found, rest];
}

/** Whether a sentence goes on: `“Stop!” she said`, `so ... she came`. A point alone ends one before small letters too, as people write in forums. */
const isPause = (sentence: string, end: string, next: string): boolean =>
  /^\p{Ll}/u.test(next) && (/^[!?]\s?["'”’“»«)]/.test(end) || sentence.endsWith('..'));

const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st hon rt rev lt col capt sgt vs a.m p.m jan feb apr aug sept oct nov dec e.g i.e etc inc ltd co corp no fig approx u.s u.k ft feat jr gen sen rep al ' +
    'z.b u.a d.h o.ä u.ä i.d.r hl bzw ca vgl nr bd hrsg evtl ggf inkl exkl abb abs art mio mrd dipl ing mag sog geb str ' +
    'cf env mme mlle p.ex av p.ej ej pág núm sra dra ecc dott sig pag ul tzw np m.in tj prof.dr bijv o.a dhr mevr т.е т.д им ул'
  ).split(' '),
);

/** Abbreviations of several letters with spaces between them, after the first and after the last point. */
const SPACED = /(?:^|[\s(])(?:z\.\sB|u\.\s[aÄä]|d\.\sh|o\.\s[aÄä]|p\.\se[jx]|m\.\sin)\.$/u;
const SPACED_START: ReadonlyMap<string, RegExp> = new Map([
  ['z', /^B\./],
  ['u', /^[aÄä]\./],
  ['d', /^h\./],
  ['o', /^[aÄä]\./],
  ['p', /^e[jx]\./],
  ['m', /^in\./],
  ['s', /^\d/],
]);

/** Looks only at the last words, so that a long text costs no more than a short one. */
function isAbbreviation(sentence: string, next: string): boolean {
  if (!sentence.endsWith('.')) return false;
  const word = readLastWord(sentence);
  if (ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word)) return true;
  return SPACED_START.get(word)?.test(next) === true || SPACED.test(sentence.slice(-LAST_CHARS));
}

function readLastWord(sentence: string): string {
  const tail = sentence.slice(-LAST_CHARS, -1);
  return tail.slice(tail.lastIndexOf(' ') + 1).replace(/^["'“„«([]{1,3}/u, '');
}

const LAST_CHARS = 12;
/** What follows a point and decides whether it ends a sentence: one word. */
const NEXT_CHARS = 20;
/** Words before the number of an ordinal, which German writes before capitals too. */
const BEFORE_ORDINAL =
  /(?:^|[\s(])(?:am|vom|zum|im|beim|ins|der|die|das|dem|den|des|und|oder|bis|ab|seit|nach|vor|dieser|jeder|zur|ihrem|seinem|ihren|seinen)\s\d{1,3}\.$/iu;

/** Whether a sentence that seems to end in a number goes on: `3. Februar`, `im 19. Jahrhundert`, or only the number of an item. */
function isOrdinal(sentence: string, next: string): boolean {
  const tail = sentence.slice(-LAST_CHARS * 2);
  if (!/(?:^|[\s(])\d{1,3}\.$/.test(tail)) return false;
  if (/^\s*\d{1,3}\.$/.test(sentence)) return true;
  const word = /^\p{L}{1,20}/u.exec(next)?.[0] ?? '';
  return /^\p{Ll}/u.test(word) || isMonthName(word) || BEFORE_ORDINAL.test(tail);
}

const ASKS =
  /^(?:how (?:to|do|does|can|much|many|long|is|are)|what (?:is|are|does|do|can)|what's|why (?:is|are|do|does|should)|when (?:is|are|do|does|should)|where (?:is|are|can|do)|who (?:is|are|can)|which|qual (?:é|è)|quais (?:são|as|os)|o que é|qué es|cuál es|cuáles son|was (?:ist|sind)|quel(?:le)?s? (?:est|sont)|quali sono|co to jest) /iu;

/** Whether a heading asks: it ends in a question mark of any script or opens as a question that cannot be another sentence. */
export const isQuestion = (heading: string): boolean => /[?？؟]["'”’)]?$/u.test(heading) || ASKS.test(heading);

/** White space of any kind as one space, ends trimmed. A single space is left alone, which saves most replacements. */
export const toOneLine = (text: string): string => text.replace(/ \s+|[^\S ]\s*/g, ' ').trim();

/** Whether a sentence ends in a line: the point of "3.80%" or of an address does not end one. */
export const hasSentenceEnd = (line: string): boolean => /[.!?](?:["'”’»)\]]{0,3})(?:\s|$)|[。！？؟۔।]/u.test(line);

/** The letters and digits of a text, lower case and in one spelling: what two places must share to say the same. */
export const normaliseLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** An entry of a list of references: a year, volume and page, or the number of a document. */
const REFERENCE = /(?:19|20)\d\d;\s?\d{1,4}(?:\(\d{1,4}\))?:\d|\[PMID|\bdoi(?::|\.org)/i;

/** Whether a line is an entry of a list of references, which is no prose. */
export const isReference = (line: string): boolean => REFERENCE.test(line);
