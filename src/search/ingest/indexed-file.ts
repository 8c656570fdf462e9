import { toOneLine } from '../../audit/language/words.ts';
import { toHex } from '../../lib/digest.ts';
import type { Metadata, NewChunk, NewItem } from '../index/item.ts';
import type { InstanceConfig } from '../order.ts';

/** A part of a text from a heading to the next. Sections follow each other without a gap. */
type Section = { start: number; end: number; heading: string };

/** Between the parts of a heading's path. */
const BETWEEN = ' > ';
const MAX_HEADING_CHARS = 200;
/** A path is cut here, from its front. */
const MAX_PATH_CHARS = 600;

/**
 * The sections of Markdown, with the path of headings down to each: `Title > Chapter > Part`. Headings are those of `#` and
 * those underlined by `=` or `-`, outside fenced blocks. A heading without text of its own belongs to the section after it.
 */
function splitIntoSections(text: string, title: string): readonly Section[] {
  const found: Section[] = [];
  const path: string[] = [];
  let isBare = true;
  let open: Section = { start: 0, end: 0, heading: formatHeadingPath(title, path) };
  for (const line of readLines(text)) {
    if (line.level === 0) {
      isBare &&= line.isBlank;
    } else {
      if (!isBare) {
        found.push({ ...open, end: line.start });
        open = { ...open, start: line.start };
      }
      path.length = Math.min(path.length, line.level - 1);
      path[line.level - 1] = line.heading;
      open.heading = formatHeadingPath(title, path);
      isBare = true;
    }
  }
  return [...found, { ...open, end: text.length }];
}

function formatHeadingPath(title: string, path: readonly (string | undefined)[]): string {
  const parts = path.filter((part) => part !== undefined && part !== '');
  const all = title === '' || parts[0] === title ? parts : [title, ...parts];
  return all.join(BETWEEN).slice(-MAX_PATH_CHARS).toWellFormed();
}

/** `level` is 0 for what is no heading; else `heading` is its text. An underline is part of its heading. */
type Line = { start: number; level: number; heading: string; isBlank: boolean };

function* readLines(text: string): Generator<Line> {
  let fence = '';
  let held: Line | undefined;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, end).trimEnd();
    const mark = /^ {0,3}(`{3,1000}|~{3,1000})/.exec(line)?.[1] ?? '';
    const wasFenced = fence !== '';
    if (wasFenced && mark.startsWith(fence)) fence = '';
    else if (!wasFenced) fence = mark;
    const isCode = wasFenced || fence !== '';
    const underline = isCode || !held || held.level > 0 || held.isBlank ? 0 : readUnderlineLevel(line);
    if (held && underline > 0) {
      yield { ...held, level: underline };
      held = undefined;
    } else {
      if (held) yield held;
      held = { start, ...(isCode ? PLAIN : parseHeading(line)) };
    }
    start = end;
  }
  if (held) yield held;
}

const PLAIN = { level: 0, heading: '', isBlank: false };

function parseHeading(line: string): Omit<Line, 'start'> {
  const level = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)?.[1]?.length ?? 0;
  const words = level === 0 ? line : line.trimStart().slice(level);
  const heading = toOneLine(words.slice(0, MAX_HEADING_CHARS)).replace(/ #{1,6}$/, '');
  return { level, heading, isBlank: line === '' };
}

const readUnderlineLevel = (line: string): number => {
  if (/^={2,1000}$/.test(line)) return 1;
  return /^-{3,1000}$/.test(line) ? 2 : 0;
};

/** A part of a text, in UTF-16 code units. */
type Span = { start: number; end: number };

/** How far back from where it must be cut a text is looked at for the end of a word. */
const WORD_REACH = 200;

/**
 * The parts of a section that stay whole, each at most `maxChars` and the white space after it with it: blocks between blank
 * lines; of a larger one its lines; of a larger one its sentences; of a larger one runs of words. Together they are
 * the section.
 */
function splitSection(text: string, section: Span, maxChars: number): readonly Span[] {
  return SPLITTERS.reduce<readonly Span[]>(
    (spans, split) =>
      spans.flatMap((span) => (span.end - span.start <= maxChars ? [span] : split(text, span, maxChars))),
    [{ start: section.start, end: section.end }],
  );
}

type Splitter = (text: string, span: Span, maxChars: number) => readonly Span[];

const SPLITTERS: readonly Splitter[] = [
  (text, span) => cutAfter(text, span, /\n(?:[ \t]{0,100}\n){1,100}/g),
  (text, span) => cutAfter(text, span, /\n/g),
  (text, span) => cutAfter(text, span, /[.!?]["'”’)]?\s|[。！？]/gu),
  cutAtWords,
];

function cutAfter(text: string, { start, end }: Span, pattern: RegExp): readonly Span[] {
  const found: Span[] = [];
  let from = start;
  const part = text.slice(start, end);
  for (const match of part.matchAll(pattern)) {
    const to = start + match.index + match[0].length;
    found.push({ start: from, end: to });
    from = to;
  }
  return from < end ? [...found, { start: from, end }] : found;
}

function cutAtWords(text: string, { start, end }: Span, maxChars: number): readonly Span[] {
  const found: Span[] = [];
  for (let from = start; from < end;) {
    const to = end - from <= maxChars ? end : cutBefore(text, from, from + maxChars);
    found.push({ start: from, end: to });
    from = to;
  }
  return found;
}

/** The last place up to `limit` after a space, or else between two characters. */
function cutBefore(text: string, from: number, limit: number): number {
  const least = Math.max(from + 1, limit - WORD_REACH);
  for (let at = limit; at > least; at -= 1) if (/\s/.test(text.charAt(at - 1))) return at;
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit;
}

/** What one token is taken for, in UTF-16 code units. */
export const CHARS_PER_TOKEN = 4;
/** No chunk is smaller, whatever is asked for. */
const MIN_CHUNK_CHARS = 64;
/** Of a chunk, the part that may repeat the one before. */
const MAX_OVERLAP_SHARE = 0.5;

type ChunkOptions = {
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
export function splitIntoChunks(text: string, options: ChunkOptions): readonly NewChunk[] {
  const maxChars = Math.max(MIN_CHUNK_CHARS, Math.floor(options.chunkTokens) * CHARS_PER_TOKEN);
  const wanted = Math.max(0, Math.floor(options.overlapTokens)) * CHARS_PER_TOKEN;
  const overlapChars = Math.min(wanted, Math.floor(maxChars * MAX_OVERLAP_SHARE));
  const spans = splitIntoSections(text, options.title ?? '').flatMap((section) =>
    packChunks(text, section, { maxChars, overlapChars }).map((span) => ({ span, heading: section.heading })),
  );
  const byteAt = createByteCounter(text);
  const ends = createByteCounter(text);
  return spans.map(({ span, heading }) => ({
    text: text.slice(span.start, span.end),
    heading,
    startByte: byteAt(span.start),
    endByte: ends(span.end),
  }));
}

/** The chunks of one section, without the white space at their ends. */
function packChunks(
  text: string,
  section: Section,
  limits: { maxChars: number; overlapChars: number },
): readonly Span[] {
  const { maxChars, overlapChars } = limits;
  const found: Span[] = [];
  let open: Span | undefined;
  for (const unit of splitSection(text, section, maxChars - overlapChars)) {
    if (open && unit.end - open.start <= maxChars) {
      open.end = unit.end;
      continue;
    }
    if (open) found.push(open);
    open = { start: open ? findOverlapStart(text, open, overlapChars) : unit.start, end: unit.end };
  }
  if (open) found.push(open);
  return found.map((span) => trimSpan(text, span)).filter(({ start, end }) => end > start);
}

/** Where a chunk begins that repeats the end of the one before: at a word, if there is one. */
function findOverlapStart(text: string, before: Span, overlapChars: number): number {
  const from = Math.max(before.start, before.end - overlapChars);
  if (from === before.start) return from;
  for (let at = from; at < before.end; at += 1) if (isSpace(text.charCodeAt(at - 1))) return at;
  return isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
}

function trimSpan(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Bytes of UTF-8 before a place in a well-formed text. Asked for ascending places it walks the text once. */
function createByteCounter(text: string): (at: number) => number {
  let known = 0;
  let bytes = 0;
  return (at) => {
    if (at < known) [known, bytes] = [0, 0];
    for (; known < at; known += 1) bytes += countUtf8Bytes(text.charCodeAt(known));
    return bytes;
  };
}

/** Each half of a surrogate pair counts two. */
function countUtf8Bytes(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
}

/** What of a file's text makes its item. */
export type TextFile = {
  source: string;
  key: string;
  type: string;
  title: string;
  text: string;
  bytes: Uint8Array;
  metadata: Metadata;
  modifiedMs?: number | undefined;
};

/** The item of a file and its chunks, ready to be stored. */
export async function buildIndexedFile(
  file: TextFile,
  { chunkTokens, overlapTokens }: Pick<InstanceConfig, 'chunkTokens' | 'overlapTokens'>,
): Promise<{ item: NewItem; chunks: readonly NewChunk[] }> {
  const { text, modifiedMs, ...rest } = file;
  const { title } = rest;
  const chunks = splitIntoChunks(text, { chunkTokens, overlapTokens, title });
  const checksum = await computeChecksum(file.bytes);
  const item = { ...rest, status: 'completed' as const, checksum, ...(modifiedMs !== undefined && { modifiedMs }) };
  return { item, chunks };
}

/** SHA-256 of a content, in hexadecimal. */
export const computeChecksum = async (bytes: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))));
