import { pageSize } from '../engine/collection.ts';
import type { NamedCollection } from '../engine/named-collection.ts';
import type { Call, Context } from '../engine/operation.ts';
import type { Cursor, Listed, ListQuery, StoredRow } from '../engine/resources.ts';
import type { JsonObject } from '../json.ts';

/** Rows that one statement reads: as many of the largest as it may answer. */
const BATCH_ROWS = 200;
/** Rows that one call looks at, shown or not. */
const MAX_SCANNED_ROWS = 20_000;
/** Characters of the rows of one page, as they are kept. */
const MAX_SHOWN_CHARS = 6_000_000;

/**
 * One page of the rows that match, `{ <items>, nextPageToken? }`: it is filled up from behind those that do not. It may
 * have fewer than asked for where they are large, or where few of many match; it then has a token all the same (AIP-158).
 * @param place where the rows are, and their order
 */
export function listMatching(
  collection: NamedCollection,
  place: Pick<ListQuery, 'parent' | 'order' | 'prefix'>,
  call: Call,
  context: Context,
  matches: (row: StoredRow) => boolean = () => true,
): JsonObject {
  const size = pageSize(call.query['pageSize'], { parameter: 'pageSize', ...collection.page });
  const read = (after: Cursor | undefined): readonly Listed[] =>
    context.store.list({ collection: collection.name, ...place, after, limit: BATCH_ROWS });
  const { rows, next } = pageOf(read, context.pages.open(), size, matches);
  const items = rows.map((row) => collection.view(row, call, context));
  return {
    ...(items.length > 0 && { [collection.items]: items }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

function pageOf(
  read: (after: Cursor | undefined) => readonly Listed[],
  start: Cursor | undefined,
  size: number,
  matches: (row: StoredRow) => boolean,
): { rows: readonly StoredRow[]; next: Cursor | undefined } {
  const rows: StoredRow[] = [];
  let last = start;
  let chars = 0;
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS; scanned += BATCH_ROWS) {
    const batch = read(last);
    for (const { row, cursor } of batch) {
      if (matches(row)) {
        chars += JSON.stringify(row.body).length;
        if (rows.length === size || (chars > MAX_SHOWN_CHARS && rows.length > 0)) return { rows, next: last };
        rows.push(row);
      }
      last = cursor;
    }
    if (batch.length < BATCH_ROWS) return { rows, next: undefined };
  }
  return { rows, next: last };
}
