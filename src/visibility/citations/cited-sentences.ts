import { formatPlainLine } from '../../lib/safe-text.ts';
import type { AnswerSource } from '../../models/port.ts';
import { type FoldedText, foldText, toFoldedIndex } from '../names/folded-text.ts';
import { findSentence, formatQuote, MAX_SENTENCE_QUOTE_CHARS } from '../names/sentences.ts';

/** Sentences of one answer that are looked for a source. */
export const MAX_SENTENCES_A_SOURCE = 3;
/** Markers of sources in one answer that are read. */
const MAX_MARKERS = 1_000;
/** Characters without a letter or digit between a sentence's last word and its source. */
const MAX_GAP_CHARS = 200;
/** Stretches or markers of one source that are read. */
const MAX_PLACES = 20;

/** The sentences of one answer that a source is given for, as a reader sees them; empty where the answer does not say. */
export type SentenceFinder = (sources: readonly { position: number; source: AnswerSource }[]) => readonly string[];

/**
 * Finds which sentences of an answer its sources are given for. By the stretches that the engine names: the sentence itself, or the mark of the
 * source behind it. Where it names none for any source, by markers such as `[2]`, which count the sources from 1; a marker beyond the last source
 * says that the list has lost some, so that none is read. A sentence is never guessed from where a source is in a list.
 * @param all the sources of the answer in its order, since markers count them
 */
export function createSentenceFinder(text: string, all: readonly AnswerSource[]): SentenceFinder {
  const spans = all.flatMap((source) => listSpans(text, source));
  // Where the engine names stretches, markers are only in the way.
  const markers = listMarkers(text, spans.length > 0 ? Number.POSITIVE_INFINITY : all.length);
  const marks = spans.filter(({ from, to }) => SOURCE_MARK.test(text.slice(from, to)));
  const plain = cutOut(text, [...marks, ...markers]);
  const folded = foldText(plain.text);
  const locate = ({ from, to }: Place): Place | undefined => {
    const [start, end] = [plain.toPlain(from), plain.toPlain(to)];
    // What is nothing but a mark is given for what is before it.
    return start === end ? locateBefore(folded.original, start) : locateStretch(folded.original, start, end);
  };
  return (sources) => {
    const places = sources.flatMap(({ position, source }) =>
      spans.length > 0 ? listSpans(text, source) : markers.filter(({ number }) => number === position),
    );
    const found = places.slice(0, MAX_PLACES).flatMap((place) => locate(place) ?? []);
    const sentences = new Set(found.map((place) => quote(folded, place)));
    return [...sentences].filter((sentence) => sentence !== '').slice(0, MAX_SENTENCES_A_SOURCE);
  };
}

type Place = { from: number; to: number };

/** The stretches of a source that are some of the text. */
const listSpans = (text: string, { spans = [] }: AnswerSource): readonly Place[] =>
  spans.slice(0, MAX_PLACES).flatMap(([from, to]) => {
    const isStretch = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to > from;
    return isStretch && from < text.length ? [{ from, to: Math.min(to, text.length) }] : [];
  });

const MARKER = /[ \t]?\[(\d{1,3})\](?![(:\d])/g;

/** Markers that count the sources; none where one counts further than they go. */
function listMarkers(text: string, count: number): readonly (Place & { number: number })[] {
  const markers: (Place & { number: number })[] = [];
  for (const { 0: marker, 1: digits, index } of text.matchAll(MARKER)) {
    const number = Number(digits);
    if (number > count) return [];
    if (markers.length < MAX_MARKERS) markers.push({ from: index, to: index + marker.length, number });
  }
  return markers;
}

/** The text without these parts, which may overlap: marks would hide where a sentence ends. `toPlain` says where an offset is then. */
function cutOut(text: string, parts: readonly Place[]): { text: string; toPlain: (at: number) => number } {
  const kept: string[] = [];
  const cuts: (Place & { before: number })[] = [];
  let from = 0;
  let before = 0;
  for (const part of parts.toSorted((one, other) => one.from - other.from)) {
    const start = Math.max(from, part.from);
    if (part.to <= start) continue;
    kept.push(text.slice(from, start));
    cuts.push({ from: start, to: part.to, before });
    before += part.to - start;
    from = part.to;
  }
  kept.push(text.slice(from));
  const toPlain = (at: number): number => {
    const cut = cuts.findLast((one) => one.from < at);
    return cut === undefined ? at : at - cut.before - (Math.min(at, cut.to) - cut.from);
  };
  return { text: kept.join(''), toPlain };
}

/** A stretch without the marks at its end: the full stop there would hide that the sentence ends. */
function locateStretch(text: string, from: number, to: number): Place | undefined {
  const stretch = text.slice(from, to);
  const lead = stretch.length - stretch.trimStart().length;
  const last = findWordEnd(text, from + lead, to);
  return last === undefined ? undefined : { from: from + lead, to: last };
}

const SOURCE_MARK =
  /^\s{0,9}(?:\(?\[[^\]]{0,300}\]\([^)]{0,2100}\)[\s,;]{0,3}\)?|\[\d{1,3}\]|【[^】]{1,80}】)[\s.]{0,3}$/;

/** The last word before `at`, on its line. */
function locateBefore(text: string, at: number): Place | undefined {
  const line = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const end = findWordEnd(text, line, at);
  return end === undefined ? undefined : { from: end - 1, to: end };
}

/** Where the last letter or digit of a stretch ends; undefined where there is none near its end. */
function findWordEnd(text: string, from: number, to: number): number | undefined {
  for (let at = Math.min(to, text.length); at > Math.max(from, to - MAX_GAP_CHARS); at -= 1)
    if (WORD.test(text.charAt(at - 1))) return at;
  return undefined;
}

const WORD = /[\p{L}\p{N}\uD800-\uDFFF]/u;

function quote(text: FoldedText, { from, to }: Place): string {
  const start = toFoldedIndex(text, from);
  const end = toFoldedIndex(text, to);
  const sentence = findSentence(text, start, end);
  return formatPlainLine(removeMarkdown(formatQuote(text, sentence, start, end)), MAX_SENTENCE_QUOTE_CHARS);
}

const LINK = /!?\[([^[\]]{0,300})\]\([^()\s]{0,2100}\)/g;
/** Marks at the start of a line: a list, a heading, a quotation, a cell. */
const LINE_MARK = /^(?:\s{0,9}(?:[-*+•>|]|#{1,6}|\d{1,3}[.)])(?=\s)){1,4}\s{0,9}/;

/** The text as a page shows it, near enough for a quotation. */
const removeMarkdown = (text: string): string =>
  text
    .replaceAll(LINK, '$1')
    .replace(LINE_MARK, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();
