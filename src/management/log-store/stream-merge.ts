import type { Sql } from '../../lib/sqlite.ts';
import type { Stream } from './streams.ts';

/** By index and direction, and whether the first place itself is left out. Texts have no values in them (rule K9). */
const buildLocateStatements = (index: string, where: string) => {
  const text = (compare: string, end: string, direction: string): string =>
    `SELECT lane.key AS lane, entry.ts AS ts, entry.insert_id AS insert_id FROM json_each(?) AS lane
     CROSS JOIN entry ON entry.seq = (SELECT next.seq FROM entry AS next INDEXED BY ${index}
       WHERE ${where}next.stream = lane.value ->> 0 AND (next.ts, next.insert_id) ${compare} (lane.value ->> 1, ?)
       AND next.ts ${end} lane.value ->> 2 ORDER BY next.ts ${direction}, next.insert_id ${direction} LIMIT 1)`;
  return {
    ascending: { from: text('>=', '<', 'ASC'), after: text('>', '<', 'ASC') },
    descending: { from: text('<=', '>=', 'DESC'), after: text('<', '>=', 'DESC') },
  };
};
const ofStream = buildLocateStatements('entry_place', '');
const ofTrace = buildLocateStatements('entry_trace', 'next.trace = lane.value ->> 3 AND ');

/**
 * Finds the places of the next rows of many lanes by few statements: one look into the index for each lane, and no entry.
 * @returns lanes that have a row, each at it
 */
export function locateNextRows(opens: readonly Open[], way: Way, sql: Sql): readonly Open[] {
  const groups = new Map<string, Open[]>();
  for (const open of opens) {
    const key = JSON.stringify([open.lane.trace === undefined, open.isAfter, open.at.insertId]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [open]);
    else group.push(open);
  }
  return [...groups.values()].flatMap((group) => locateSimilarRanges(group, way, sql));
}

/** Of lanes that differ in stream, trace and times only. */
function locateSimilarRanges(opens: readonly Open[], { isDescending, spent }: Way, sql: Sql): Open[] {
  const [first] = opens;
  if (first === undefined) return [];
  const texts = (first.lane.trace === undefined ? ofStream : ofTrace)[isDescending ? 'descending' : 'ascending'];
  const lanes = opens.map(({ lane: { stream, from, until, trace }, at }) => [
    stream.id,
    at.ts,
    isDescending ? from : until,
    ...(trace === undefined ? [] : [trace]),
  ]);
  spent.statements += 1;
  const found: Open[] = [];
  const rows = sql.exec(first.isAfter ? texts.after : texts.from, JSON.stringify(lanes), first.at.insertId);
  for (const row of rows) {
    const open = opens[Number(row['lane'])];
    if (open === undefined) continue;
    const { container } = open.lane.stream;
    open.at = { ts: String(row['ts']), insertId: String(row['insert_id']), container };
    open.isAfter = false;
    found.push(open);
  }
  return found;
}

/** What of a stream is read: times from `from` to before `until`, of one trace where one is named. */
export type StreamRange = { stream: Stream; from: string; until: string; trace?: string };

/** An entry as it was read, and its place. */
export type StreamRow = { place: EntryPlace; stream: Stream; json: string };

/**
 * How lanes are read together. `after`: the list goes on behind this place. `expected`: how many rows are likely wanted.
 * `spent` counts the statements.
 */
export type Way = {
  isDescending: boolean;
  after?: EntryPlace | undefined;
  expected: number;
  spent: { statements: number };
};

/** A lane while it is read. `at` is the place of its next row, or one that is not behind it. */
export type Open = {
  lane: StreamRange;
  at: EntryPlace;
  /** Rows in hand, the next one last. */
  rows: StreamRow[];
  chunk: number;
  /** The table has no more rows. */
  isRead: boolean;
  /** Whether the next row comes strictly after `at`, or may be at it. */
  isAfter: boolean;
};

/** Behind every id. */
const LAST_ID = '\u{10FFFF}';

/** A lane with the first place that it may have. Undefined where nothing of it can be in the list. */
export function openStreamRange(lane: StreamRange, { isDescending, after }: Way, chunk: number): Open | undefined {
  const { stream, from, until } = lane;
  const { container, first, last } = stream;
  if (last < from || first >= until || from >= until) return undefined;
  const edge: EntryPlace = isDescending
    ? last < until
      ? { ts: last, insertId: LAST_ID, container }
      : { ts: until, insertId: '', container }
    : { ts: first > from ? first : from, insertId: '', container };
  const open = { lane, rows: [], chunk, isRead: false };
  if (after === undefined || isBehind(edge, after, isDescending)) return { ...open, at: edge, isAfter: false };
  const at: EntryPlace = { ts: after.ts, insertId: after.insertId, container };
  if (isDescending ? at.ts < first || at.ts < from : at.ts > last || at.ts >= until) return undefined;
  return { ...open, at, isAfter: !isBehind(at, after, isDescending) && !isUnseen(stream, after, container) };
}

/** Of a place that was left half-way, streams are looked at in the order of their ids. */
const isUnseen = ({ id }: Stream, after: EntryPlace, container: string): boolean =>
  after.stream !== undefined && container === after.container && id > after.stream;

function isBehind(place: EntryPlace, before: EntryPlace, isDescending: boolean): boolean {
  const order = comparePlaces(place, before);
  return isDescending ? order < 0 : order > 0;
}

/** An entry's position in a list: two entries with the same three values are the same entry (the vendor's rule). */
export type EntryPlace = {
  ts: string;
  insertId: string;
  container: string;
  /** Of the entries at this place, those of streams up to this one were looked at, and none was shown. */
  stream?: number;
};

/** The order of places: by time, then by id, then by the log's container. */
export const comparePlaces = (a: EntryPlace, b: EntryPlace): number =>
  compareByCodePoint(a.ts, b.ts) ||
  compareByCodePoint(a.insertId, b.insertId) ||
  compareByCodePoint(a.container, b.container);

/** Surrogates come after the characters from U+E000 in UTF-8, which SQLite compares by, and before them in UTF-16. */
const HIGHEST_UNITS = 0xd800;

/** The order of two texts as SQLite has it: by code point. */
export function compareByCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === length) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (left < HIGHEST_UNITS || right < HIGHEST_UNITS) return left - right;
  return rank(left) - rank(right);
}

const LAST_SURROGATE = 0xdfff;
/** Surrogates behind all other units. */
const rank = (unit: number): number => (unit > LAST_SURROGATE ? unit - 0x10000 : unit);
