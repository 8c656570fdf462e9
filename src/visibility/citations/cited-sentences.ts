import { formatPlainLine } from '../../lib/safe-text.ts';
import type { AnswerSource } from '../../models/port.ts';
import { type FoldedText, foldText, toFoldedIndex } from '../names/folded-text.ts';
import { findSentence, formatQuote, MAX_SENTENCE_QUOTE_CHARS } from '../names/sentences.ts';

/** Sentences of one answer that are looked for a source. */
export const MAX_SENTENCES_A_SOURCE = 3;
/** Markers of sources in one answer that are read. */
const MAX_MARKERS = 1_000;

/** The sentences of one answer that a source is given for, as a reader sees them; empty where the answer does not say. */
export type SentenceFinder = (sources: readonly { position: number; source: AnswerSource }[]) => readonly string[];

/**
 * Finds which sentences of an answer its sources are given for. By the stretches that the engine names; where it names none
 * for any source, by markers such as `[2]`, which count the sources from 1; a marker beyond the last source says that the list
 * has lost some, so that none is read. A sentence is never guessed from where a source is in a list.
 * @param all the sources of the answer in its order, since markers count them
 */
export function createSentenceFinder(text: string, all: readonly AnswerSource[]): SentenceFinder {
  const hasSpans = all.some(({ spans }) => spans !== undefined && spans.length > 0);
  const unmarked = hasSpans ? undefined : removeMarkers(text, all.length);
  const folded = foldText(unmarked?.text ?? text);
  return (sources) => {
    const places = sources.flatMap(({ position, source }) =>
      unmarked === undefined
        ? (source.spans ?? []).map((span) => locateSpan(folded.original, span))
        : (unmarked.places.get(position) ?? []).map((at) => locateBefore(folded.original, at)),
    );
    const sentences = places.filter((place) => place !== undefined).map((place) => quote(folded, place));
    return [...new Set(sentences)].filter((sentence) => sentence !== '').slice(0, MAX_SENTENCES_A_SOURCE);
  };
}

type Place = { from: number; to: number };

const MARKER = /[ \t]?\[(\d{1,3})\](?![(:\d])/g;

type Unmarked = { text: string; places: ReadonlyMap<number, readonly number[]> };

/** The text without its markers, and where in it each source was marked. */
function removeMarkers(text: string, count: number): Unmarked {
  const places = new Map<number, number[]>();
  const kept: string[] = [];
  let from = 0;
  let length = 0;
  let markers = 0;
  for (const { 0: marker, 1: digits, index } of text.matchAll(MARKER)) {
    const number = Number(digits);
    if (number > count) return { text, places: new Map() };
    markers += 1;
    if (markers > MAX_MARKERS) break;
    kept.push(text.slice(from, index));
    length += index - from;
    from = index + marker.length;
    places.set(number, [...(places.get(number) ?? []), length]);
  }
  kept.push(text.slice(from));
  return { text: kept.join(''), places };
}

/** A stretch that is nothing but the mark of a source is given for what is before it. */
function locateSpan(text: string, [from, to]: readonly [number, number]): Place | undefined {
  const isStretch = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to > from;
  if (!isStretch || from >= text.length) return undefined;
  const stretch = text.slice(from, to);
  if (SOURCE_MARK.test(stretch)) return locateBefore(text, from);
  const lead = stretch.length - stretch.trimStart().length;
  const end = Math.min(text.length, from + stretch.trimEnd().length);
  // The full stop at its end would hide that the sentence ends there.
  const last = findWordEnd(text, from + lead, end);
  return last === undefined ? undefined : { from: from + lead, to: last };
}

const SOURCE_MARK =
  /^\s{0,9}(?:\(?\[[^\]]{0,300}\]\([^)]{0,2100}\)[\s,;]{0,3}\)?|\[\d{1,3}\]|【[^】]{1,80}】)[\s.]{0,3}$/;

/** The last word before `at`, on its line. */
function locateBefore(text: string, at: number): Place | undefined {
  const line = text.lastIndexOf('\n', Math.max(0, at - 1)) + 1;
  const end = findWordEnd(text, at === 0 ? 0 : line, at);
  return end === undefined ? undefined : { from: end - 1, to: end };
}

/** Where the last letter or digit of a stretch ends; undefined where it has none. */
function findWordEnd(text: string, from: number, to: number): number | undefined {
  for (let at = Math.min(to, text.length); at > from; at -= 1) if (WORD.test(text.charAt(at - 1))) return at;
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
