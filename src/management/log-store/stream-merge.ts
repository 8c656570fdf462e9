import { comparePlaces, type Place } from './places.ts';
import type { Stream } from './streams.ts';

/** What of a stream is read: times from `from` to before `until`, of one trace where one is named. */
export type Lane = { stream: Stream; from: string; until: string; trace?: string };

/** An entry as it was read, and where it stands. */
export type Read = { place: Place; stream: Stream; json: string };

/**
 * How lanes are read together. `after`: the list goes on behind this place. `expected`: how many rows are likely wanted.
 * `spent` counts the statements.
 */
export type Way = {
  isDescending: boolean;
  after?: Place | undefined;
  expected: number;
  spent: { statements: number };
};

/** A lane while it is read. `at` is the place of its next row, or one that is not behind it. */
export type Open = {
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

/** Behind every id. */
const LAST_ID = '\u{10FFFF}';

/** A lane with the first place that it may have. Undefined where nothing of it can be in the list. */
export function opened(lane: Lane, { isDescending, after }: Way, chunk: number): Open | undefined {
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
  const at: Place = { ts: after.ts, insertId: after.insertId, container };
  if (isDescending ? at.ts < first || at.ts < from : at.ts > last || at.ts >= until) return undefined;
  return { ...open, at, isAfter: !isBehind(at, after, isDescending) && !isUnseen(stream, after, container) };
}

/** Of a place that was left half-way, streams are looked at in the order of their ids. */
const isUnseen = ({ id }: Stream, after: Place, container: string): boolean =>
  after.stream !== undefined && container === after.container && id > after.stream;

function isBehind(place: Place, before: Place, isDescending: boolean): boolean {
  const order = comparePlaces(place, before);
  return isDescending ? order < 0 : order > 0;
}
