import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import {
  type StreamRange,
  locateNextRows,
  type Open,
  openStreamRange,
  type StreamRow,
  type Way,
  comparePlaces,
} from './stream-merge.ts';
import type { Stream } from './streams.ts';

/** A binary heap: the least of what it holds comes first. */
type Heap<T> = {
  push: (item: T) => void;
  peek: () => T | undefined;
  pop: () => T | undefined;
  size: () => number;
};

function createHeap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  const isLess = (a: T | undefined, b: T | undefined): boolean =>
    a !== undefined && b !== undefined && compare(a, b) < 0;
  const swap = (a: number, b: number): void => {
    const [left, right] = [items[a], items[b]];
    if (left === undefined || right === undefined) return;
    items[a] = right;
    items[b] = left;
  };
  const rise = (from: number): void => {
    let at = from;
    for (let parent = (at - 1) >> 1; at > 0 && isLess(items[at], items[parent]); parent = (at - 1) >> 1) {
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const [left, right] = [at * 2 + 1, at * 2 + 2];
      const least = isLess(items[right], items[left]) ? right : left;
      if (!isLess(items[least], items[at])) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    push(item) {
      items.push(item);
      rise(items.length - 1);
    },
    peek: () => items[0],
    pop() {
      swap(0, items.length - 1);
      const least = items.pop();
      sink();
      return least;
    },
    size: () => items.length,
  };
}

/** Rows that one statement reads at most, and at first where there are many lanes. */
const MAX_CHUNK = 256;
const MIN_CHUNK = 2;
/** Each further chunk of a lane is so many times the one before. */
const GROWTH = 2;
/** Characters of entries that one statement reads, more or less. */
export const MAX_CHUNK_CHARS = 500_000;
/** Characters of entries that all lanes have in hand together, beside what one statement reads. */
export const MAX_CHARS_IN_HAND = 16_000_000;
/** Of more lanes it is first found where they begin, so many at a time. */
const FEW_LANES = 32;
const LOCATED_AT_ONCE = 500;

/** By direction and whether the first place itself is left out. Texts have no values in them (rule K9). */
const buildSelectStatements = (index: string, where: string) => {
  const text = (compare: string, end: string, direction: string): string =>
    `SELECT ts, insert_id, json FROM entry INDEXED BY ${index} WHERE ${where}stream = ? AND (ts, insert_id) ${compare} (?, ?)
     AND ts ${end} ? ORDER BY ts ${direction}, insert_id ${direction} LIMIT ?`;
  return {
    ascending: { from: text('>=', '<', 'ASC'), after: text('>', '<', 'ASC') },
    descending: { from: text('<=', '>=', 'DESC'), after: text('<', '>=', 'DESC') },
  };
};
const ofStream = buildSelectStatements('entry_place', '');
const ofTrace = buildSelectStatements('entry_trace', 'trace = ? AND ');

/**
 * The entries of all lanes in one order, read as they are asked for: a lane is not touched before its turn may have come,
 * and then by few rows first. Entries of the same place come one after the other, by the ids of their streams. Between two
 * entries there are a few statements, however many lanes there are: an entry is read where one is known to be next.
 */
export function* readLanes(lanes: readonly StreamRange[], way: Way, sql: Sql): Generator<StreamRow, undefined> {
  const sign = way.isDescending ? -1 : 1;
  const order = (a: Open, b: Open): number => sign * comparePlaces(a.at, b.at) || a.lane.stream.id - b.lane.stream.id;
  const [unknown, known] = [createHeap(order), createHeap(order)];
  const chunk = Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, Math.ceil(way.expected / Math.max(1, lanes.length))));
  for (const lane of lanes) {
    const open = openStreamRange(lane, way, chunk);
    if (open !== undefined) (lanes.length > FEW_LANES ? unknown : known).push(open);
  }
  const hand = createRowBuffer();
  const isUnknown = (): boolean => {
    const [next, beside] = [unknown.peek(), known.peek()];
    return next !== undefined && (beside === undefined || order(next, beside) <= 0);
  };
  for (;;) {
    while (isUnknown())
      for (const open of locateNextRows(takeFromHeap(unknown, LOCATED_AT_ONCE), way, sql)) known.push(open);
    const open = known.pop();
    if (open === undefined) return undefined;
    const read = hand.take(open);
    if (read !== undefined) yield read;
    else if (!open.isRead) hand.hold(open, readNextRows(open, way, sql));
    const next = open.rows.at(-1);
    if (next !== undefined) open.at = next.place;
    if (next !== undefined || !open.isRead) known.push(open);
  }
}

function takeFromHeap(heap: Heap<Open>, most: number): Open[] {
  const found: Open[] = [];
  for (let open = heap.pop(); open !== undefined; open = found.length < most ? heap.pop() : undefined) found.push(open);
  return found;
}

/** The rows that lanes have in hand. What is too much is read again when its turn comes. */
function createRowBuffer(): {
  take: (open: Open) => StreamRow | undefined;
  hold: (open: Open, rows: StreamRow[]) => void;
} {
  const holding = new Set<Open>();
  let chars = 0;
  const drop = (open: Open): void => {
    holding.delete(open);
    chars -= countRowChars(open.rows);
    open.rows = [];
    open.isAfter = false; // It is at the first of them.
    open.isRead = false;
    open.chunk = MIN_CHUNK;
  };
  return {
    take(open) {
      const read = open.rows.pop();
      chars -= read?.json.length ?? 0;
      if (open.rows.length === 0) holding.delete(open);
      if (read !== undefined && open.rows.length === 0) advancePastRow(open, read);
      return read;
    },
    hold(open, rows) {
      open.rows = rows.toReversed();
      chars += countRowChars(rows);
      for (const other of holding) {
        if (chars <= MAX_CHARS_IN_HAND) break;
        drop(other);
      }
      if (rows.length > 0) holding.add(open);
    },
  };
}

/** The lane goes on behind its last row in hand. */
function advancePastRow(open: Open, { place }: StreamRow): void {
  open.at = place;
  open.isAfter = true;
}

const countRowChars = (rows: readonly StreamRow[]): number => rows.reduce((chars, { json }) => chars + json.length, 0);

/** Reads the next rows of a lane. */
function readNextRows(open: Open, { isDescending, spent }: Way, sql: Sql): StreamRow[] {
  const { lane, at, chunk } = open;
  const { from, until, stream, trace } = lane;
  const texts = (trace === undefined ? ofStream : ofTrace)[isDescending ? 'descending' : 'ascending'];
  const named = trace === undefined ? [stream.id] : [trace, stream.id];
  const bindings = [...named, at.ts, at.insertId, isDescending ? from : until, chunk];
  const rows: StreamRow[] = [];
  let chars = 0;
  spent.statements += 1;
  for (const row of sql.exec(open.isAfter ? texts.after : texts.from, ...bindings)) {
    const read = readStreamRow(row, stream);
    rows.push(read);
    chars += read.json.length;
    if (chars >= MAX_CHUNK_CHARS) break;
  }
  open.isRead = rows.length < chunk && chars < MAX_CHUNK_CHARS;
  open.chunk = Math.min(MAX_CHUNK, chunk * GROWTH);
  return rows;
}

const readStreamRow = (row: SqlRow, stream: Stream): StreamRow => ({
  place: { ts: String(row['ts']), insertId: String(row['insert_id']), container: stream.container },
  stream,
  json: String(row['json']),
});
