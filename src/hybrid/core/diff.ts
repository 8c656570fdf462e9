import { type Edit, inOrder, spliced } from '../edits/splice.ts';

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
export function unifiedDiff(names: { before: string; after: string }, text: string, edits: readonly Edit[]): string {
  // Edits can undo one another, which no single one of them shows.
  if (spliced(text, edits) === text) return '';
  const lines = linesOf(text);
  const hunks = hunksOf(blocksOf(text, edits));
  let shift = 0;
  const written = hunks.flatMap((blocks) => {
    const hunk = hunkOf(lines, blocks, shift);
    shift += hunk.growth;
    return hunk.rows;
  });
  return [`--- ${headerName(names.before)}`, `+++ ${headerName(names.after)}`, ...written].join('\n') + '\n';
}

/** Lines with their LF; the last one without it when the text does not end in one. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** What is removed and added, by place. Blocks that touch are one, so that no line stands on both of its sides in vain. */
function blocksOf(text: string, edits: readonly Edit[]): readonly Block[] {
  const touching: Block[][] = [];
  let line = 0;
  let seen = 0;
  for (const { from, to, edits: own } of rangesOf(text, edits)) {
    line += countLines(text, seen, from);
    seen = from;
    const old = text.slice(from, to);
    const moved = own.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
    const block = trimmed({ line, removed: linesOf(old), added: linesOf(spliced(old, moved)) });
    const open = touching.at(-1);
    const before = open?.at(-1);
    if (open && before && endOf(before) === block.line) open.push(block);
    else touching.push([block]);
  }
  return touching
    .map((blocks) => trimmed(joined(blocks)))
    .filter(({ removed, added }) => removed.length + added.length > 0);
}

const joined = (blocks: readonly Block[]): Block => ({
  line: blocks[0]?.line ?? 0,
  removed: blocks.flatMap(({ removed }) => removed),
  added: blocks.flatMap(({ added }) => added),
});

/** Whole lines around each edit, old and new; those that share one are one. */
function rangesOf(text: string, edits: readonly Edit[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const edit of inOrder(edits)) {
    const from = edit.start === 0 ? 0 : text.lastIndexOf('\n', edit.start - 1) + 1;
    const open = ranges.at(-1);
    const range = open && (from < open.to || !isEnded(text, open)) ? open : { from, to: from, edits: [] };
    if (range !== open) ranges.push(range);
    range.edits.push(edit);
    range.to = Math.max(range.to, edit.end);
    // Else the last line would be joined to one that is outside.
    if (!isLineStart(text, range.to) || !isEnded(text, range)) range.to = lineEnd(text, range.to);
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

function lineEnd(text: string, offset: number): number {
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
function trimmed({ line, removed, added }: Block): Block {
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

const endOf = ({ line, removed }: Block): number => line + removed.length;

/** Blocks whose contexts meet are of one hunk. */
function hunksOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const hunks: Block[][] = [];
  for (const block of blocks) {
    const open = hunks.at(-1);
    const before = open?.at(-1);
    if (open && before && block.line - endOf(before) <= 2 * CONTEXT_LINES) open.push(block);
    else hunks.push([block]);
  }
  return hunks;
}

/** @param shift by how many lines the hunks before it made the text longer */
function hunkOf(
  lines: readonly string[],
  blocks: readonly Block[],
  shift: number,
): { rows: readonly string[]; growth: number } {
  const first = Math.max(0, (blocks[0]?.line ?? 0) - CONTEXT_LINES);
  const last = blocks.at(-1);
  const end = Math.min(lines.length, (last ? endOf(last) : first) + CONTEXT_LINES);
  let at = first;
  const rows: string[] = [];
  for (const block of blocks) {
    rows.push(...signed(' ', lines.slice(at, block.line)), ...signed('-', block.removed), ...signed('+', block.added));
    at = endOf(block);
  }
  rows.push(...signed(' ', lines.slice(at, end)));
  const growth = blocks.reduce((sum, { removed, added }) => sum + added.length - removed.length, 0);
  const header = `@@ -${rangeOf(first, end - first)} +${rangeOf(first + shift, end - first + growth)} @@`;
  return { rows: [header, ...rows], growth };
}

/** A range of no lines is written from the line before it. */
const rangeOf = (first: number, count: number): string => `${count === 0 ? first : first + 1},${count}`;

const signed = (sign: ' ' | '-' | '+', lines: readonly string[]): readonly string[] =>
  lines.map((line) =>
    line.endsWith('\n') ? `${sign}${line.slice(0, -1)}` : `${sign}${line}\n\\ No newline at end of file`,
  );

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
/** What would end a name, or hide in it. */
const UNSAFE_IN_NAME = /["\\\p{Cc}]/gu;

/** As Git and GNU patch write and read a name: in quotes where it needs them, ended by a tab where it has spaces. */
function headerName(name: string): string {
  const quoted = name.replaceAll(
    UNSAFE_IN_NAME,
    (character) => ESCAPES[character] ?? octal(character.codePointAt(0) ?? 0),
  );
  if (quoted !== name) return `"${quoted}"`;
  return name.includes(' ') ? `${name}\t` : name;
}

const octal = (unit: number): string =>
  [...new TextEncoder().encode(String.fromCodePoint(unit))]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');
