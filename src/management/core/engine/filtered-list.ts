import { buildShownItems, type Collection, listBody } from './collection.ts';
import type { Call, Context } from './operation.ts';
import type { ListCursor, ListedRow, ResourceRow } from './stored-row.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** Reads rows in order, after a place, at most `limit`: an index of the store. */
export type RowSource = (after: ListCursor | undefined, limit: number) => readonly ListedRow[];

/** A page, and the place where the next one begins: absent when nothing follows. */
export type RowPage = { found: readonly ListedRow[]; next?: ListCursor };

/** Rows that are read at once when not all of them fit: at most, and at least. */
const MAX_BATCH_ROWS = 500;
const MIN_BATCH_ROWS = 25;
/** So much more is read than would do if as many fitted as before. */
const MARGIN = 1.25;

/**
 * How many rows to read next for a page that lacks some: twice as many as before where none of those fitted.
 * @param before how many were read last, and how many of them fitted
 */
export function computeNextBatch({ read, fitted }: { read: number; fitted: number }, missing: number): number {
  const wanted = fitted === 0 ? read * 2 : Math.ceil(missing * (read / fitted) * MARGIN);
  return Math.min(Math.max(wanted, MIN_BATCH_ROWS), MAX_BATCH_ROWS);
}

/** Rows that one call looks at. A page that is not full by then carries a token all the same (AIP-158). */
const MAX_SCANNED_ROWS = 20_000;
/** SQL statements that showing one row may take: so many are kept back for each row of the page. */
const STATEMENTS_PER_ROW = 4;

/**
 * A page of `size` rows of a source, from the call's page token on. Without `matches` it reads no row more than one
 * beyond the page; with it, it reads on until the page is full, 20,000 rows are seen, or the statements that the call
 * may need would not do for more.
 */
export function readRowPage(
  source: RowSource,
  size: number,
  context: Context,
  matches?: (row: ResourceRow) => boolean,
): RowPage {
  const start = context.pages.open();
  if (matches === undefined) return buildPage(source(start, size + 1), size);
  return readFilteredPage(createMeteredSource(source, size, context), size, start, matches);
}

function buildPage(rows: readonly ListedRow[], size: number): RowPage {
  const found = rows.slice(0, size);
  const last = found.at(-1);
  return rows.length > size && last !== undefined ? { found, next: last.cursor } : { found };
}

/** A source that knows whether the call can afford to read as much again and still show a page. */
type Metered = { read: RowSource; affordsMore: () => boolean };

function createMeteredSource(source: RowSource, size: number, { store }: Context): Metered {
  let cost = 0;
  return {
    read: (after, limit) => {
      const before = store.statements();
      const rows = source(after, limit);
      cost = Math.max(cost, store.statements() - before);
      return rows;
    },
    affordsMore: () => store.statementsLeft() >= cost + size * STATEMENTS_PER_ROW,
  };
}

function readFilteredPage(
  { read, affordsMore }: Metered,
  size: number,
  start: ListCursor | undefined,
  matches: (row: ResourceRow) => boolean,
): RowPage {
  const found: ListedRow[] = [];
  let after = start;
  let limit = Math.min(size + 1, MAX_BATCH_ROWS);
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS && (scanned === 0 || affordsMore());) {
    const batch = read(after, limit);
    const before = found.length;
    for (const listed of batch) {
      if (!matches(listed.row)) continue;
      if (found.length === size) return buildPage([...found, listed], size);
      found.push(listed);
    }
    if (batch.length < limit) return { found };
    after = batch.at(-1)?.cursor;
    scanned += limit;
    limit = computeNextBatch({ read: limit, fitted: found.length - before }, size + 1 - found.length);
  }
  return after === undefined ? { found } : { found, next: after };
}

/** The body of a list method for a page. */
export function answerRowPage(collection: Collection, page: RowPage, call: Call, context: Context): JsonObject {
  const rows = page.found.map(({ row }) => row);
  return listBody(collection, buildShownItems(collection, rows, call, context), page.next, context);
}
