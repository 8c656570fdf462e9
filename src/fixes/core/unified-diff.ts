import { splitLines } from '../../lib/text.ts';

/** One line of the comparison: in both texts, only in the old one, or only in the new one. */
type LineChange = { kind: 'keep' | 'remove' | 'add'; line: string };

/** Changed lines up to which the shortest script is looked for; beyond it the time would grow with their square. */
export const MAX_EDIT_DISTANCE = 800;

/**
 * The changes that turn `before` into `after`, the fewest there are (Myers 1986) up to `MAX_EDIT_DISTANCE` of them.
 * With more, lines are compared place by place when both texts have as many, else the middle is replaced as a whole.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const head = countCommonStart(before, after);
  const tail = countCommonEnd(before, after, head);
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const middle = findShortestScript(a, b) ?? (a.length === b.length ? compareByPosition(a, b) : replaceAllLines(a, b));
  return [...keep(before.slice(0, head)), ...middle, ...keep(tail === 0 ? [] : before.slice(-tail))];
}

const keep = (lines: readonly string[]): readonly LineChange[] => lines.map((line) => ({ kind: 'keep', line }));
const remove = (line: string): LineChange => ({ kind: 'remove', line });
const add = (line: string): LineChange => ({ kind: 'add', line });

function countCommonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

function countCommonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

const replaceAllLines = (a: readonly string[], b: readonly string[]): readonly LineChange[] => [
  ...a.map(remove),
  ...b.map(add),
];

const compareByPosition = (a: readonly string[], b: readonly string[]): readonly LineChange[] =>
  a.flatMap((line, index) => {
    const other = b[index] ?? '';
    return line === other ? keep([line]) : [remove(line), add(other)];
  });

/** Furthest `x` on each diagonal `k = x - y`, at `k + distance`. */
type Frontier = Int32Array;

/** The greedy search, one frontier kept for each distance; undefined when the texts are further apart than the bound. */
function findShortestScript(a: readonly string[], b: readonly string[]): readonly LineChange[] | undefined {
  const trace: Frontier[] = [];
  for (let distance = 0; distance <= Math.min(MAX_EDIT_DISTANCE, a.length + b.length); distance += 1) {
    const frontier = new Int32Array(2 * distance + 1);
    const last = trace.at(-1);
    trace.push(frontier);
    for (let k = -distance; k <= distance; k += 2) {
      let x = findReach(last, k, distance);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      frontier[k + distance] = x;
      if (x >= a.length && x - k >= b.length) return backtrackScript(trace, a, b);
    }
  }
  return undefined;
}

/** Where diagonal `k` starts at this distance: one step right (a removed line) or down (an added one) from its neighbours. */
function findReach(last: Frontier | undefined, k: number, distance: number): number {
  if (!last) return 0;
  return isDown(last, k, distance)
    ? getFrontierPoint(last, k + 1, distance - 1)
    : getFrontierPoint(last, k - 1, distance - 1) + 1;
}

const getFrontierPoint = (frontier: Frontier, k: number, distance: number): number => frontier[k + distance] ?? -1;

const isDown = (last: Frontier, k: number, distance: number): boolean =>
  k === -distance ||
  (k !== distance && getFrontierPoint(last, k - 1, distance - 1) < getFrontierPoint(last, k + 1, distance - 1));

function backtrackScript(
  trace: readonly Frontier[],
  a: readonly string[],
  b: readonly string[],
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [x, y] = [a.length, b.length];
  for (let distance = trace.length - 1; distance > 0; distance -= 1) {
    const last = trace[distance - 1] ?? new Int32Array(1);
    const k = x - y;
    const down = isDown(last, k, distance);
    const from = getFrontierPoint(last, down ? k + 1 : k - 1, distance - 1);
    const start = down ? from : from + 1;
    for (; x > start; x -= 1) changes.push({ kind: 'keep', line: a[x - 1] ?? '' });
    y = x - k;
    if (down) changes.push(add(b[y - 1] ?? ''));
    else changes.push(remove(a[x - 1] ?? ''));
    [x, y] = down ? [x, y - 1] : [x - 1, y];
  }
  for (; x > 0; x -= 1) changes.push({ kind: 'keep', line: a[x - 1] ?? '' });
  return changes.toReversed();
}

/** Unchanged lines shown around a change, as `diff -u` does. */
const CONTEXT_LINES = 3;

/**
 * A unified diff from `before` to `after` that `git apply` and `patch -p1` take: '' when both are the same.
 * Lines end at LF only, so that a CR belongs to its line and comes through.
 * @param file relative path; `created` when there is nothing yet to change.
 */
export function formatUnifiedDiff(file: string, before: string, after: string, created = false): string {
  if (before === after) return '';
  const hunks = groupIntoHunks(diffLines(splitLines(before), splitLines(after)));
  return [`--- ${created ? '/dev/null' : `a/${file}`}`, `+++ b/${file}`, ...hunks].join('\n') + '\n';
}

/** Lines with their LF; the last one without it when the text does not end in one. */

type Hunk = { from: number; to: number };

/** Runs of changes with their context; runs whose contexts meet are one. */
function groupIntoHunks(changes: readonly LineChange[]): readonly string[] {
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
    const header = formatHunkHeader(start, lines);
    advance(start, lines);
    seen = range.to;
    return [header, ...lines.map(formatDiffLine)];
  });
}

function advance(start: { before: number; after: number }, changes: readonly LineChange[]): void {
  for (const { kind } of changes) {
    if (kind !== 'add') start.before += 1;
    if (kind !== 'remove') start.after += 1;
  }
}

/** A range of no lines is written from the line before it. */
function formatHunkHeader(start: { before: number; after: number }, lines: readonly LineChange[]): string {
  const removed = lines.filter(({ kind }) => kind !== 'add').length;
  const added = lines.filter(({ kind }) => kind !== 'remove').length;
  const range = (from: number, count: number): string => `${count === 0 ? from - 1 : from},${count}`;
  return `@@ -${range(start.before, removed)} +${range(start.after, added)} @@`;
}

const SIGNS = { keep: ' ', remove: '-', add: '+' } as const;

const formatDiffLine = ({ kind, line }: LineChange): string =>
  line.endsWith('\n') ? `${SIGNS[kind]}${line.slice(0, -1)}` : `${SIGNS[kind]}${line}\n\\ No newline at end of file`;
