import type { NewChunk } from '../index/item.ts';
import { type Section, sectionsOf } from './sections.ts';
import { type Span, unitsOf } from './units.ts';

/** What one token is taken for, in UTF-16 code units. */
export const CHARS_PER_TOKEN = 4;
/** No chunk is smaller, whatever is asked for. */
const MIN_CHUNK_CHARS = 64;
/** Of a chunk, the part that may repeat the one before. */
const MAX_OVERLAP_SHARE = 0.5;

export type ChunkOptions = {
  chunkTokens: number;
  overlapTokens: number;
  /** What the document calls itself: the first part of each heading's path. */
  title?: string;
};

/**
 * Cuts Markdown into chunks of at most `chunkTokens` tokens of four characters. A heading begins a chunk, and `heading` is the
 * path down to it. Within a section chunks end between blocks where they can, else between lines, sentences, words, and
 * never inside a character; each repeats up to `overlapTokens` of the one before it. A chunk is a slice of the text
 * by its byte offsets in UTF-8; between two of them nothing but white space is left out. Same text, same chunks; linear.
 */
export function chunksOf(text: string, options: ChunkOptions): readonly NewChunk[] {
  const maxChars = Math.max(MIN_CHUNK_CHARS, Math.floor(options.chunkTokens) * CHARS_PER_TOKEN);
  const wanted = Math.max(0, Math.floor(options.overlapTokens)) * CHARS_PER_TOKEN;
  const overlapChars = Math.min(wanted, Math.floor(maxChars * MAX_OVERLAP_SHARE));
  const spans = sectionsOf(text, options.title ?? '').flatMap((section) =>
    packed(text, section, { maxChars, overlapChars }).map((span) => ({ span, heading: section.heading })),
  );
  const byteAt = byteCounter(text);
  const ends = byteCounter(text);
  return spans.map(({ span, heading }) => ({
    text: text.slice(span.start, span.end),
    heading,
    startByte: byteAt(span.start),
    endByte: ends(span.end),
  }));
}

/** The chunks of one section, without the white space at their ends. */
function packed(text: string, section: Section, limits: { maxChars: number; overlapChars: number }): readonly Span[] {
  const { maxChars, overlapChars } = limits;
  const found: Span[] = [];
  let open: Span | undefined;
  for (const unit of unitsOf(text, section, maxChars - overlapChars)) {
    if (open && unit.end - open.start <= maxChars) {
      open.end = unit.end;
      continue;
    }
    if (open) found.push(open);
    open = { start: open ? overlapStart(text, open, overlapChars) : unit.start, end: unit.end };
  }
  if (open) found.push(open);
  return found.map((span) => trimmed(text, span)).filter(({ start, end }) => end > start);
}

/** Where a chunk begins that repeats the end of the one before: at a word, if there is one. */
function overlapStart(text: string, before: Span, overlapChars: number): number {
  const from = Math.max(before.start, before.end - overlapChars);
  if (from === before.start) return from;
  for (let at = from; at < before.end; at += 1) if (isSpace(text.charCodeAt(at - 1))) return at;
  return isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
}

function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Bytes of UTF-8 before a place in a well-formed text. Asked for ascending places it walks the text once. */
function byteCounter(text: string): (at: number) => number {
  let known = 0;
  let bytes = 0;
  return (at) => {
    if (at < known) [known, bytes] = [0, 0];
    for (; known < at; known += 1) bytes += bytesOf(text.charCodeAt(known));
    return bytes;
  };
}

/** Each half of a surrogate pair counts two. */
function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
}
