import { type LineChange, diffLines } from './line-diff.ts';

/** Unchanged lines shown around a change, as `diff -u` does. */
const CONTEXT_LINES = 3;

/**
 * A unified diff from `before` to `after` that `git apply` and `patch -p1` take: '' when both are the same.
 * Lines end at LF only, so that a CR belongs to its line and comes through.
 * @param file relative path; `created` when there is nothing yet to change.
 */
export function unifiedDiff(file: string, before: string, after: string, created = false): string {
  if (before === after) return '';
  const hunks = hunksOf(diffLines(linesOf(before), linesOf(after)));
  return [`--- ${created ? '/dev/null' : `a/${file}`}`, `+++ b/${file}`, ...hunks].join('\n') + '\n';
}

/** Lines with their LF; the last one without it when the text does not end in one. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

type Hunk = { from: number; to: number };

/** Runs of changes with their context; runs whose contexts meet are one. */
function hunksOf(changes: readonly LineChange[]): readonly string[] {
  const ranges: Hunk[] = [];
  for (const [index, { kind }] of changes.entries()) {
    if (kind === 'keep') continue;
    const from = Math.max(0, index - CONTEXT_LINES);
    const to = Math.min(changes.length, index + CONTEXT_LINES + 1);
    const open = ranges.at(-1);
    if (open && from <= open.to) open.to = to;
    else ranges.push({ from, to });
  }
  const start = { before: 1, after: 1 };
  let seen = 0;
  return ranges.flatMap((range) => {
    advance(start, changes.slice(seen, range.from));
    const lines = changes.slice(range.from, range.to);
    const header = headerOf(start, lines);
    advance(start, lines);
    seen = range.to;
    return [header, ...lines.map(lineOf)];
  });
}

function advance(start: { before: number; after: number }, changes: readonly LineChange[]): void {
  for (const { kind } of changes) {
    if (kind !== 'add') start.before += 1;
    if (kind !== 'remove') start.after += 1;
  }
}

/** A range of no lines is written from the line before it. */
function headerOf(start: { before: number; after: number }, lines: readonly LineChange[]): string {
  const removed = lines.filter(({ kind }) => kind !== 'add').length;
  const added = lines.filter(({ kind }) => kind !== 'remove').length;
  const range = (from: number, count: number): string => `${count === 0 ? from - 1 : from},${count}`;
  return `@@ -${range(start.before, removed)} +${range(start.after, added)} @@`;
}

const SIGNS = { keep: ' ', remove: '-', add: '+' } as const;

const lineOf = ({ kind, line }: LineChange): string =>
  line.endsWith('\n') ? `${SIGNS[kind]}${line.slice(0, -1)}` : `${SIGNS[kind]}${line}\n\\ No newline at end of file`;
