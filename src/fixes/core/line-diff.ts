/** One line of the comparison: in both texts, only in the old one, or only in the new one. */
export type LineChange = { kind: 'keep' | 'remove' | 'add'; line: string };

/** Changed lines up to which the shortest script is looked for; beyond it the time would grow with their square. */
export const MAX_EDIT_DISTANCE = 800;

/**
 * The changes that turn `before` into `after`, the fewest there are (Myers 1986) up to `MAX_EDIT_DISTANCE` of them.
 * With more, lines are compared place by place when both texts have as many, else the middle is replaced as a whole.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const head = commonStart(before, after);
  const tail = commonEnd(before, after, head);
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const middle = shortestScript(a, b) ?? (a.length === b.length ? placeByPlace(a, b) : replaced(a, b));
  return [...keep(before.slice(0, head)), ...middle, ...keep(tail === 0 ? [] : before.slice(-tail))];
}

const keep = (lines: readonly string[]): readonly LineChange[] => lines.map((line) => ({ kind: 'keep', line }));
const remove = (line: string): LineChange => ({ kind: 'remove', line });
const add = (line: string): LineChange => ({ kind: 'add', line });

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

const replaced = (a: readonly string[], b: readonly string[]): readonly LineChange[] => [
  ...a.map(remove),
  ...b.map(add),
];

const placeByPlace = (a: readonly string[], b: readonly string[]): readonly LineChange[] =>
  a.flatMap((line, index) => {
    const other = b[index] ?? '';
    return line === other ? keep([line]) : [remove(line), add(other)];
  });

/** Furthest `x` on each diagonal `k = x - y`, at `k + distance`. */
type Frontier = Int32Array;

/** The greedy search, one frontier kept for each distance; undefined when the texts are further apart than the bound. */
function shortestScript(a: readonly string[], b: readonly string[]): readonly LineChange[] | undefined {
  const trace: Frontier[] = [];
  for (let distance = 0; distance <= Math.min(MAX_EDIT_DISTANCE, a.length + b.length); distance += 1) {
    const frontier = new Int32Array(2 * distance + 1);
    const last = trace.at(-1);
    trace.push(frontier);
    for (let k = -distance; k <= distance; k += 2) {
      let x = reachOf(last, k, distance);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      frontier[k + distance] = x;
      if (x >= a.length && x - k >= b.length) return backtrack(trace, a, b);
    }
  }
  return undefined;
}

/** Where diagonal `k` starts at this distance: one step right (a removed line) or down (an added one) from its neighbours. */
function reachOf(last: Frontier | undefined, k: number, distance: number): number {
  if (!last) return 0;
  return isDown(last, k, distance) ? at(last, k + 1, distance - 1) : at(last, k - 1, distance - 1) + 1;
}

const at = (frontier: Frontier, k: number, distance: number): number => frontier[k + distance] ?? -1;

const isDown = (last: Frontier, k: number, distance: number): boolean =>
  k === -distance || (k !== distance && at(last, k - 1, distance - 1) < at(last, k + 1, distance - 1));

function backtrack(trace: readonly Frontier[], a: readonly string[], b: readonly string[]): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [x, y] = [a.length, b.length];
  for (let distance = trace.length - 1; distance > 0; distance -= 1) {
    const last = trace[distance - 1] ?? new Int32Array(1);
    const k = x - y;
    const down = isDown(last, k, distance);
    const from = at(last, down ? k + 1 : k - 1, distance - 1);
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
