import { splitLines } from '../../lib/text.ts';
import { type Edit, sortEdits, spliceText } from '../edits/splice.ts';

/** Unchanged lines shown around a change, as `diff -u` does. */
const CONTEXT_LINES = 3;

/** Old lines from `line` (from 0) and what they become. Each has its line feed, if it has one. */
type Block = { line: number; removed: readonly string[]; added: readonly string[] };
type Range = { from: number; to: number; edits: Edit[] };

/**
 * A unified diff of what `edits` do to `text`, for `patch -p0` and `git apply -p0`: '' when they change nothing. It is made
 * of the edits themselves, widened to whole lines: nothing is compared but the lines of one edit. Lines end at LF only, so
 * that a CR belongs to its line and comes through.
 */
export function formatOverridesDiff(
  names: { before: string; after: string },
  text: string,
  edits: readonly Edit[],
): string {
  // Edits can undo one another, which no single one of them shows.
  if (spliceText(text, edits) === text) return '';
  const lines = splitLines(text);
  const hunks = groupIntoHunks(computeBlocks(text, edits));
  let shift = 0;
  const written = hunks.flatMap((blocks) => {
    const hunk = formatHunk(lines, blocks, shift);
    shift += hunk.growth;
    return hunk.rows;
  });
  return (
    [`--- ${formatHeaderName(names.before)}`, `+++ ${formatHeaderName(names.after)}`, ...written].join('\n') + '\n'
  );
}

/** Removed and added lines, by position. Adjacent blocks are merged, so that lines both removed and added drop out. */
function computeBlocks(text: string, edits: readonly Edit[]): readonly Block[] {
  const touching: Block[][] = [];
  let line = 0;
  let seen = 0;
  for (const { from, to, edits: own } of computeLineRanges(text, edits)) {
    line += countLines(text, seen, from);
    seen = from;
    const old = text.slice(from, to);
    const moved = own.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
    const block = trimBlock({ line, removed: splitLines(old), added: splitLines(spliceText(old, moved)) });
    const open = touching.at(-1);
    const before = open?.at(-1);
    if (open && before && getBlockEnd(before) === block.line) open.push(block);
    else touching.push([block]);
  }
  return touching
    .map((blocks) => trimBlock(joinBlocks(blocks)))
    .filter(({ removed, added }) => removed.length + added.length > 0);
}

const joinBlocks = (blocks: readonly Block[]): Block => ({
  line: blocks[0]?.line ?? 0,
  removed: blocks.flatMap(({ removed }) => removed),
  added: blocks.flatMap(({ added }) => added),
});

/** Whole lines around each edit, old and new; those that share one are one. */
function computeLineRanges(text: string, edits: readonly Edit[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const edit of sortEdits(edits)) {
    const from = edit.start === 0 ? 0 : text.lastIndexOf('\n', edit.start - 1) + 1;
    const open = ranges.at(-1);
    const range = open && (from < open.to || !isEnded(text, open)) ? open : { from, to: from, edits: [] };
    if (range !== open) ranges.push(range);
    range.edits.push(edit);
    range.to = Math.max(range.to, edit.end);
    // Else the last line would be joined to one that is outside.
    if (!isLineStart(text, range.to) || !isEnded(text, range)) range.to = findLineEnd(text, range.to);
  }
  return ranges;
}

/** Whether what the edits make of a range ends with a line feed, or is nothing. */
function isEnded(text: string, { from, to, edits }: Range): boolean {
  let at = to;
  for (let index = edits.length - 1; index >= 0; index -= 1) {
    const { start, end, text: piece } = edits[index] ?? { start: at, end: at, text: '' };
    if (end < at) return isLineStart(text, at);
    if (piece !== '') return piece.endsWith('\n');
    at = start;
  }
  return at === from || isLineStart(text, at);
}

function findLineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed + 1;
}

const isLineStart = (text: string, offset: number): boolean => offset === 0 || text[offset - 1] === '\n';

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Without the lines that stay at its beginning and end. */
function trimBlock({ line, removed, added }: Block): Block {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  return {
    line: line + head,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
  };
}

const getBlockEnd = ({ line, removed }: Block): number => line + removed.length;

/** Blocks whose contexts meet are of one hunk. */
function groupIntoHunks(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const hunks: Block[][] = [];
  for (const block of blocks) {
    const open = hunks.at(-1);
    const before = open?.at(-1);
    if (open && before && block.line - getBlockEnd(before) <= 2 * CONTEXT_LINES) open.push(block);
    else hunks.push([block]);
  }
  return hunks;
}

/** @param shift by how many lines the hunks before it made the text longer */
function formatHunk(
  lines: readonly string[],
  blocks: readonly Block[],
  shift: number,
): { rows: readonly string[]; growth: number } {
  const first = Math.max(0, (blocks[0]?.line ?? 0) - CONTEXT_LINES);
  const last = blocks.at(-1);
  const end = Math.min(lines.length, (last ? getBlockEnd(last) : first) + CONTEXT_LINES);
  let at = first;
  const rows: string[] = [];
  for (const block of blocks) {
    rows.push(
      ...formatSignedLines(' ', lines.slice(at, block.line)),
      ...formatSignedLines('-', block.removed),
      ...formatSignedLines('+', block.added),
    );
    at = getBlockEnd(block);
  }
  rows.push(...formatSignedLines(' ', lines.slice(at, end)));
  const growth = blocks.reduce((sum, { removed, added }) => sum + added.length - removed.length, 0);
  const header = `@@ -${formatHunkRange(first, end - first)} +${formatHunkRange(first + shift, end - first + growth)} @@`;
  return { rows: [header, ...rows], growth };
}

/** A range of no lines is written from the line before it. */
const formatHunkRange = (first: number, count: number): string => `${count === 0 ? first : first + 1},${count}`;

const formatSignedLines = (sign: ' ' | '-' | '+', lines: readonly string[]): readonly string[] =>
  lines.map((line) =>
    line.endsWith('\n') ? `${sign}${line.slice(0, -1)}` : `${sign}${line}\n\\ No newline at end of file`,
  );

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
/** What would end a name, or hide in it. */
const UNSAFE_IN_NAME = /["\\\p{Cc}]/gu;

/** As Git and GNU patch write and read a name: in quotes where it needs them, ended by a tab where it has spaces. */
function formatHeaderName(name: string): string {
  const quoted = name.replaceAll(
    UNSAFE_IN_NAME,
    (character) => ESCAPES[character] ?? encodeOctal(character.codePointAt(0) ?? 0),
  );
  if (quoted !== name) return `"${quoted}"`;
  return name.includes(' ') ? `${name}\t` : name;
}

const encodeOctal = (unit: number): string =>
  [...new TextEncoder().encode(String.fromCodePoint(unit))]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');
