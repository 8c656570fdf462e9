import { isText, type Json, type JsonObject, getMember } from '../../lib/json.ts';
import { vendorRefusals } from '../../lib/refusal.ts';
import type { Call, QueryValue } from '../core/engine/operation.ts';
import { createPageTokens } from '../core/engine/page-token.ts';
import type { ListCursor } from '../core/engine/stored-row.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { type Compiled, requireCompiledFilter } from './matchers.ts';
import type { EntryOrder } from './order.ts';
import type { EntryPlace } from './stream-merge.ts';

/** Default `pageSize` of entries:list. */
const USUAL_PAGE = 50;
const MAX_PAGE = 1_000;

/**
 * Where a list goes on. `stream` of a place is of the tenant's own object; where several stores left the place half-way,
 * `streams` has each by the name of its shard.
 */
export type ListPlace = EntryPlace & { streams?: Readonly<Record<string, number>> };

/** A call of `entries:list`, judged. */
export type ListCall = {
  filter: Compiled;
  /** The filter as it was sent. */
  text: string;
  isDescending: boolean;
  limit: number;
  after: ListPlace | undefined;
  /** The body that answers it. */
  answer: (page: { entries: JsonObject[]; next?: ListPlace | undefined }) => JsonObject;
};

/**
 * @param nowMs real time: page tokens live by it
 * @throws Refusal for a filter, order, size or token that is none
 */
export function readListCall(
  tenant: Tenant,
  call: Call,
  { salt }: Extract<EntryOrder, { do: 'list' }>,
  nowMs: number,
): ListCall {
  const { body } = call;
  const text = toTextOrEmpty(getMember(body, 'filter'));
  const filter = requireCompiledFilter(text);
  const isDescending = isDescendingOrder(toTextOrEmpty(getMember(body, 'orderBy')));
  const limit = readEntryPageSize(getMember(body, 'pageSize'));
  const tokens = createPageTokens(asQuery(call, isDescending), tenant.id, salt, nowMs);
  return {
    filter,
    text,
    isDescending,
    limit,
    after: readPlaceCursor(tokens.open()),
    answer: ({ entries, next }) => ({
      ...(entries.length > 0 && { entries }),
      ...(next !== undefined && { nextPageToken: tokens.seal(buildPlaceCursor(next)) }),
    }),
  };
}

/**
 * A call whose body is its query: a token is good for the same body only, but for the page's size (rule K9). What says no
 * more than nothing does is left out.
 */
function asQuery(call: Call, isDescending: boolean): Call {
  const { pageToken = '', pageSize: _size, orderBy: _order, ...rest } = call.body;
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isNothing(value)));
  const query = { ...(said as Record<string, QueryValue>), isDescending, pageToken: toTextOrEmpty(pageToken) }; // Its scope is JSON.
  return { ...call, query };
}

const isNothing = (value: Json): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function isDescendingOrder(orderBy: string): boolean {
  const words = orderBy.trim().split(/\s+/).join(' ');
  if (words === '' || words === 'timestamp' || words === 'timestamp asc') return false;
  if (words === 'timestamp desc') return true;
  throw vendorRefusals.invalid('orderBy must be "timestamp asc" or "timestamp desc"');
}

function readEntryPageSize(sent: Json | undefined): number {
  const size = typeof sent === 'number' ? sent : 0;
  if (size < 0 || size > MAX_PAGE) throw vendorRefusals.invalid(`pageSize must be between 0 and ${MAX_PAGE}`);
  return size === 0 ? USUAL_PAGE : size;
}

const buildPlaceCursor = ({ ts, insertId, container, stream, streams }: ListPlace): ListCursor => ({
  sort: ts,
  id: JSON.stringify([insertId, container, ...[streams ?? stream ?? []].flat()]),
});

function readPlaceCursor(cursor: ListCursor | undefined): ListPlace | undefined {
  if (cursor === undefined) return undefined;
  const [insertId, container, half] = JSON.parse(cursor.id) as [string, string, (number | Record<string, number>)?]; // Ours: the token was sealed.
  const place = { ts: cursor.sort, insertId, container };
  if (half === undefined) return place;
  return typeof half === 'number' ? { ...place, stream: half } : { ...place, streams: half };
}

/** The place as the store of this name goes on from it. */
export function findStorePlace(place: ListPlace | undefined, shard: string): EntryPlace | undefined {
  if (place === undefined) return undefined;
  const { ts, insertId, container, stream, streams } = place;
  const half = streams?.[shard] ?? (shard === '' ? stream : undefined);
  return { ts, insertId, container, ...(half !== undefined && { stream: half }) };
}

const toTextOrEmpty = (value: Json | undefined): string => (isText(value) ? value : '');
