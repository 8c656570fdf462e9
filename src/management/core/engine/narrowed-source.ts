import type { RowSource } from './filtered-list.ts';
import type { Context } from './operation.ts';
import type { ListCursor, ListedRow, PlaceQuery, RowSortOrder } from './stored-row.ts';

/** Rows of a collection at the top, in an order, of which only those in some ranges are wanted. */
export type NarrowedList = {
  collection: string;
  order: { by: RowSortOrder['by']; descending: boolean };
  /** Members of bodies that are read; all when absent. */
  members?: readonly string[] | undefined;
};
export type Range = Pick<PlaceQuery, 'by' | 'value'>;

/** Ranges that are merged: each is one statement a page. */
export const MAX_RANGES = 24;
/** So few rows are sorted in memory, place by place, where no index has the order. */
export const MAX_SORTED_PLACES = 2_000;
/** So many rows are searched for a text, in the order on disk: about 80 ms for 100,000 users. */
const MAX_SEARCHED_ROWS = 200_000;

/**
 * The rows of some ranges in one order: by an index where the order is `s1`, else sorted where they are few.
 * Undefined where they are many: all rows are then read in order, and a page of those that fit is full soon.
 */
export function createRangeSource(
  list: NarrowedList,
  ranges: readonly Range[],
  { store }: Context,
): RowSource | undefined {
  const { collection, order } = list;
  const { by } = order;
  if (ranges.length > MAX_RANGES || by === 'id') return undefined;
  if (by === 's1')
    return createPlaceSource(list, store, (after, limit) =>
      ranges.flatMap((range) => store.places({ collection, ...range, descending: order.descending, after, limit })),
    );
  const places: ListCursor[] = [];
  for (const range of ranges) {
    const limit = MAX_SORTED_PLACES + 1 - places.length;
    places.push(...store.places({ collection, ...range, sort: by, limit }));
    if (places.length > MAX_SORTED_PLACES) return undefined;
  }
  return createPlaceSource(list, store, () => places);
}

/** Whether the ranges have so few rows together that each of them may be looked at for one page. */
export function hasFewRows(collection: string, ranges: readonly Range[], { store }: Context): boolean {
  if (ranges.length > MAX_RANGES) return false;
  let rows = 0;
  for (const range of ranges) {
    rows += store.places({ collection, ...range, limit: MAX_SORTED_PLACES + 1 - rows }).length;
    if (rows > MAX_SORTED_PLACES) return false;
  }
  return true;
}

/**
 * The rows whose stored bodies hold some texts (patterns of LIKE), in any order: all rows are searched at once, so that a
 * search which finds nothing is answered in one page. Undefined where they are many, or there are too many rows to search.
 */
export function createHoldingSource(
  list: NarrowedList,
  patterns: readonly string[],
  { store }: Context,
): RowSource | undefined {
  if (patterns.length === 0 || store.count(list.collection, '') > MAX_SEARCHED_ROWS) return undefined;
  const places = store.holding(list.collection, patterns, list.order.by, MAX_SORTED_PLACES + 1);
  return places.length > MAX_SORTED_PLACES ? undefined : createPlaceSource(list, store, () => places);
}

/** @param find places in any order; of those after a cursor, at least `limit` of each range where there are as many */
function createPlaceSource(
  { collection, order, members }: NarrowedList,
  store: Context['store'],
  find: (after: ListCursor | undefined, limit: number) => readonly ListCursor[],
): RowSource {
  const sign = order.descending ? -1 : 1;
  const compare = (a: ListCursor, b: ListCursor): number =>
    (compareCodePoints(a.sort, b.sort) || compareCodePoints(a.id, b.id)) * sign;
  return (after, limit) => {
    const places = find(after, limit)
      .filter((place) => after === undefined || compare(place, after) > 0)
      .toSorted(compare)
      .slice(0, limit);
    const ids = places.map(({ id }) => id);
    const rows = new Map(store.rowsOf(collection, ids, members).map((row) => [row.id, row]));
    return places.flatMap((cursor): ListedRow[] => {
      const row = rows.get(cursor.id);
      return row === undefined ? [] : [{ row, cursor }];
    });
  };
}

/** As SQLite compares texts: by code points, where `<` compares UTF-16. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
  }
  return a.length - b.length;
}

/** Longest piece of a text that a pattern has: a pattern of LIKE may have 50 bytes in a Durable Object. */
const MAX_PIECE_CHARS = 24;

/**
 * A pattern of LIKE that every stored body matches which has a text with these letters in any case: the longest piece of
 * ASCII letters and digits in it. `member` comes before it in the JSON. Undefined where there is no such piece.
 */
export function buildHoldingPattern(text: string, member?: string): string | undefined {
  const pieces = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const [longest] = pieces.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return undefined;
  // Two other letters become k and i when they are lowered, the Kelvin sign and the dotted capital I.
  const piece = longest.slice(0, MAX_PIECE_CHARS).replaceAll(/[ki]/g, '_');
  const isShort = member !== undefined && /^[A-Za-z0-9]{1,20}$/.test(member);
  return isShort ? `%"${member}"%${piece}%` : `%${piece}%`;
}
