import { listAnswer, type Collection } from '../engine/collection.ts';
import type { Call, Context } from '../engine/operation.ts';
import type { Cursor, Listed, StoredRow } from '../engine/resources.ts';
import type { JsonObject } from '../json.ts';

/** Reads rows in order, after a place, at most `limit`: an index of the store. */
export type Source = (after: Cursor | undefined, limit: number) => readonly Listed[];

/** A page, and the place where the next one begins: absent when nothing follows. */
export type Page = { found: readonly Listed[]; next?: Cursor };

/** Rows that are read at once when not all of them fit. */
const BATCH_ROWS = 500;
/** Rows that one call looks at. A page that is not full by then carries a token all the same (AIP-158). */
const MAX_SCANNED_ROWS = 20_000;

/**
 * A page of `size` rows of a source, from the call's page token on. Without `matches` it reads no row more than one
 * beyond the page; with it, it reads on until the page is full or 20,000 rows are seen.
 */
export function pageOf(source: Source, size: number, context: Context, matches?: (row: StoredRow) => boolean): Page {
  const start = context.pages.open();
  return matches === undefined ? whole(source(start, size + 1), size) : filtered(source, size, start, matches);
}

function whole(rows: readonly Listed[], size: number): Page {
  const found = rows.slice(0, size);
  const last = found.at(-1);
  return rows.length > size && last !== undefined ? { found, next: last.cursor } : { found };
}

function filtered(source: Source, size: number, start: Cursor | undefined, matches: (row: StoredRow) => boolean): Page {
  const found: Listed[] = [];
  let after = start;
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS; scanned += BATCH_ROWS) {
    const batch = source(after, BATCH_ROWS);
    for (const listed of batch) {
      if (!matches(listed.row)) continue;
      if (found.length === size) return whole([...found, listed], size);
      found.push(listed);
    }
    if (batch.length < BATCH_ROWS) return { found };
    after = batch.at(-1)?.cursor;
  }
  return after === undefined ? { found } : { found, next: after };
}

/** The body of a list method for a page. */
export function pageAnswer(collection: Collection, page: Page, call: Call, context: Context): JsonObject {
  const answer = listAnswer(collection, page.found, page.found.length, call, context);
  if (page.next !== undefined) answer['nextPageToken'] = context.pages.seal(page.next);
  return answer;
}
