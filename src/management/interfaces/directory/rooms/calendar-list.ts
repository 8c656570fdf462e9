import { listAnswer, pageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handler } from '../../../core/engine/operation.ts';
import type { Cursor, Listed, StoredRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { calendarTest } from './calendar-query.ts';
import { calendars, calendarView } from './calendars.ts';
import { COLLECTIONS } from '../collections.ts';
import { pageAnswer, pageOf, type Source } from '../filtered-list.ts';
import { requireCustomer } from '../keys.ts';

type Key = { field: string; descending: boolean };

const SORT_FIELDS = ['resourceId', 'resourceName', 'capacity', 'buildingId', 'floorName'];
/** Resources that a list in another order than that of their ids can hold. */
const MAX_SORTED = 10_000;
const SIZES = { parameter: 'maxResults', default: 100, max: 500 } as const;

export const list: Handler = (call, context) => {
  requireCustomer(call.path['customer'] ?? '', context);
  const size = pageSize(call.query['maxResults'], SIZES);
  const matches = testOf(call, context);
  const keys = keysOf(call.query['orderBy']);
  if (keys.length === 0) return pageAnswer(calendars, pageOf(byId(context), size, context, matches), call, context);
  return listAnswer(calendars, sorted(keys, matches, context).slice(0, size + 1), size, call, context);
};

const byId =
  ({ store }: Context): Source =>
  (after, limit) =>
    store.list({ collection: COLLECTIONS.calendars, parent: '', after, limit });

function testOf(call: Call, context: Context): ((row: StoredRow) => boolean) | undefined {
  const { query } = call.query;
  if (!isText(query) || query.trim() === '') return undefined;
  const isMatch = calendarTest(query);
  return (row) => isMatch(calendarView(row, call, context));
}

/** What follows the page token in an order of several fields. A place is the values of a row and its id. */
function sorted(keys: readonly Key[], matches: ((row: StoredRow) => boolean) | undefined, context: Context): Listed[] {
  const rows = byId(context)(undefined, MAX_SORTED + 1);
  if (rows.length > MAX_SORTED) throw refuse.limitExceeded('Too many resources for orderBy');
  const after = context.pages.open();
  return rows
    .filter(({ row }) => matches?.(row) ?? true)
    .map(({ row }) => ({ row, cursor: { sort: JSON.stringify(valuesOf(row.body, keys)), id: row.id } }))
    .filter(({ cursor }) => after === undefined || compare(cursor, after, keys) > 0)
    .toSorted((a, b) => compare(a.cursor, b.cursor, keys));
}

const valuesOf = (body: JsonObject, keys: readonly Key[]): (string | number)[] =>
  keys.map(({ field }) => {
    const value = body[field];
    if (field === 'capacity') return typeof value === 'number' ? value : 0;
    return isText(value) ? value.toLowerCase() : '';
  });

function compare(a: Cursor, b: Cursor, keys: readonly Key[]): number {
  const left = JSON.parse(a.sort) as (string | number)[]; // Written above; tokens are sealed.
  const right = JSON.parse(b.sort) as (string | number)[];
  for (const [index, { descending }] of keys.entries()) {
    const order = compared(left[index] ?? '', right[index] ?? '');
    if (order !== 0) return descending ? -order : order;
  }
  return compared(a.id, b.id);
}

const compared = (a: string | number, b: string | number): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** `buildingId, capacity desc`. @throws Refusal 400 for another field or word */
function keysOf(orderBy: unknown): Key[] {
  if (!isText(orderBy) || orderBy.trim() === '') return [];
  const keys = orderBy.split(',').map((part) => {
    const [field = '', direction = 'asc', ...rest] = part
      .trim()
      .split(' ')
      .filter((word) => word !== '');
    const isKnown = SORT_FIELDS.includes(field) && ['asc', 'desc'].includes(direction) && rest.length === 0;
    if (!isKnown) throw refuse.invalidInput('orderBy');
    return { field, descending: direction === 'desc' };
  });
  if (keys.length > SORT_FIELDS.length) throw refuse.invalidInput('orderBy');
  return keys;
}
