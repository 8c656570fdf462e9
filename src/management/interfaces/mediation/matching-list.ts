import { readPageSize } from '../../core/engine/collection.ts';
import type { CollectionDefinition } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ListCursor, ListedRow, ListQuery, ResourceRow } from '../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** Rows that one statement reads: as many of the largest as it may answer. */
const BATCH_ROWS = 200;
/** Rows that one call looks at, shown or not. */
const MAX_SCANNED_ROWS = 20_000;
/** Characters of the items of one page. */
const MAX_SHOWN_CHARS = 6_000_000;
/** Characters of an answer beside its items: their name, and the token of the next page. */
const AROUND_CHARS = 10_000;

/** Characters that the items of a page may have: fewer in a batch. A page that is full before its time has a token. */
export const computePageChars = ({ maxAnswerChars = Infinity }: Call): number =>
  Math.min(MAX_SHOWN_CHARS, maxAnswerChars - AROUND_CHARS);

/**
 * One page of the rows that match, `{ <items>, nextPageToken? }`: it is filled up from behind those that do not. It may
 * have fewer than asked for where they are large, or where few of many match; it then has a token all the same (AIP-158).
 * @param place where the rows are, and their order
 */
export function listMatching(
  collection: CollectionDefinition,
  place: Pick<ListQuery, 'parent' | 'order' | 'prefix'>,
  call: Call,
  context: Context,
  matches: (row: ResourceRow) => boolean = () => true,
): JsonObject {
  const size = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...collection.page });
  const read = (after: ListCursor | undefined): readonly ListedRow[] =>
    context.store.list({ collection: collection.name, ...place, after, limit: BATCH_ROWS });
  const view = (row: ResourceRow): JsonObject => collection.view(row, call, context);
  const { items, next } = readMatchingPage(
    read,
    { rows: size, chars: computePageChars(call), matches, view },
    context.pages.open(),
  );
  return {
    ...(items.length > 0 && { [collection.items]: items }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** What a page has: how much, which rows, and how they are shown. */
type Page = {
  rows: number;
  chars: number;
  matches: (row: ResourceRow) => boolean;
  view: (row: ResourceRow) => JsonObject;
};

function readMatchingPage(
  read: (after: ListCursor | undefined) => readonly ListedRow[],
  page: Page,
  start: ListCursor | undefined,
): { items: readonly JsonObject[]; next: ListCursor | undefined } {
  const items: JsonObject[] = [];
  let last = start;
  let chars = 0;
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS; scanned += BATCH_ROWS) {
    const batch = read(last);
    for (const { row, cursor } of batch) {
      if (page.matches(row)) {
        if (items.length === page.rows) return { items, next: last };
        const item = page.view(row);
        chars += JSON.stringify(item).length + 1;
        if (chars > page.chars && items.length > 0) return { items, next: last };
        items.push(item);
      }
      last = cursor;
    }
    if (batch.length < BATCH_ROWS) return { items, next: undefined };
  }
  return { items, next: last };
}
