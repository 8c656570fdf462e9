import type { Sql, SqlRow } from '../engine/sql.ts';
import { heapOf } from './heap.ts';
import { comparePlaces, type Place } from './places.ts';
import type { Stream } from './streams.ts';

/** What of a stream is read: times from `from` to before `until`, of one trace where one is named. */
export type Lane = { stream: Stream; from: string; until: string; trace?: string };

/** An entry as it was read, and where it stands. */
export type Read = { place: Place; stream: Stream; json: string };

/** Rows that one statement reads at most, and at first where there are many lanes. */
const MAX_CHUNK = 256;
const MIN_CHUNK = 4;
/** Each further chunk of a lane is so many times the one before. */
const GROWTH = 4;
/** Characters of entries that one statement reads, more or less: all lanes' chunks are in memory together. */
const MAX_CHUNK_CHARS = 500_000;
/** Behind every id. */
const LAST_ID = '\u{10FFFF}';

/** By direction and whether the first place itself is left out. Texts have no values in them (rule K9). */
const selects = (index: string, where: string) => {
  const text = (compare: string, end: string, direction: string): string =>
    `SELECT ts, insert_id, json FROM entry INDEXED BY ${index} WHERE ${where}stream = ? AND (ts, insert_id) ${compare} (?, ?)
     AND ts ${end} ? ORDER BY ts ${direction}, insert_id ${direction} LIMIT ?`;
  return {
    ascending: { from: text('>=', '<', 'ASC'), after: text('>', '<', 'ASC') },
    descending: { from: text('<=', '>=', 'DESC'), after: text('<', '>=', 'DESC') },
  };
};
const ofStream = selects('entry_place', '');
const ofTrace = selects('entry_trace', 'trace = ? AND ');

/** How lanes are read together. `after`: the list goes on behind this place. `expected`: how many rows are likely wanted. */
export type Way = { isDescending: boolean; after?: Place | undefined; expected: number };

/** A lane while it is read. `at` is the place of its next row, or one that is not behind it. */
type Open = {
  lane: Lane;
  at: Place;
  /** Rows in hand, the next one last. */
  rows: Read[];
  chunk: number;
  /** The table has no more rows. */
  isRead: boolean;
  /** Whether the next row may stand at `at`, or only behind it. */
  isAfter: boolean;
};

/**
 * The entries of all lanes in one order, read as they are asked for: a lane is not touched before its turn may have come,
 * and then by few rows first. Entries of the same place come one after the other.
 */
export function* readLanes(lanes: readonly Lane[], way: Way, sql: Sql): Generator<Read, undefined> {
  const sign = way.isDescending ? -1 : 1;
  const heap = heapOf<Open>((a, b) => sign * comparePlaces(a.at, b.at) || a.lane.stream.id - b.lane.stream.id);
  const chunk = Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, Math.ceil(way.expected / Math.max(1, lanes.length))));
  for (const lane of lanes) {
    const open = opened(lane, way, chunk);
    if (open !== undefined) heap.push(open);
  }
  for (let open = heap.pop(); open !== undefined; open = heap.pop()) {
    if (open.rows.length === 0 && !open.isRead) fill(open, way, sql);
    else {
      const read = open.rows.pop();
      if (read !== undefined) yield read;
    }
    const next = open.rows.at(-1);
    if (next !== undefined) open.at = next.place;
    if (next !== undefined || !open.isRead) heap.push(open);
  }
  return undefined;
}

/** A lane with the first place that it may have. Undefined where nothing of it can be in the list. */
function opened(lane: Lane, { isDescending, after }: Way, chunk: number): Open | undefined {
  const { stream, from, until } = lane;
  const { container, first, last } = stream;
  if (last < from || first >= until || from >= until) return undefined;
  const edge: Place = isDescending
    ? last < until
      ? { ts: last, insertId: LAST_ID, container }
      : { ts: until, insertId: '', container }
    : { ts: first > from ? first : from, insertId: '', container };
  const open = { lane, rows: [], chunk, isRead: false };
  if (after === undefined || isBehind(edge, after, isDescending)) return { ...open, at: edge, isAfter: false };
  const at = { ...after, container };
  if (isDescending ? at.ts < first || at.ts < from : at.ts > last || at.ts >= until) return undefined;
  return { ...open, at, isAfter: !isBehind(at, after, isDescending) };
}

const isBehind = (place: Place, before: Place, isDescending: boolean): boolean => {
  const order = comparePlaces(place, before);
  return isDescending ? order < 0 : order > 0;
};

/** Reads the next rows of a lane. */
function fill(open: Open, { isDescending }: Way, sql: Sql): void {
  const { lane, at, chunk } = open;
  const { from, until, stream, trace } = lane;
  const texts = (trace === undefined ? ofStream : ofTrace)[isDescending ? 'descending' : 'ascending'];
  const named = trace === undefined ? [stream.id] : [trace, stream.id];
  const bindings = [...named, at.ts, at.insertId, isDescending ? from : until, chunk];
  const rows: Read[] = [];
  let chars = 0;
  for (const row of sql.exec(open.isAfter ? texts.after : texts.from, ...bindings)) {
    const read = readOf(row, stream);
    rows.push(read);
    chars += read.json.length;
    if (chars >= MAX_CHUNK_CHARS) break;
  }
  open.isRead = rows.length < chunk && chars < MAX_CHUNK_CHARS;
  const last = rows.at(-1);
  if (last !== undefined) {
    open.at = last.place;
    open.isAfter = true;
  }
  open.rows = rows.toReversed();
  open.chunk = Math.min(MAX_CHUNK, chunk * GROWTH);
}

const readOf = (row: SqlRow, stream: Stream): Read => ({
  place: { ts: String(row['ts']), insertId: String(row['insert_id']), container: stream.container },
  stream,
  json: String(row['json']),
});
