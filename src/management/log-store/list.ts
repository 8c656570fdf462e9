import type { Call, QueryValue } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { pageTokens } from '../core/engine/page-token.ts';
import type { Cursor } from '../core/engine/stored-row.ts';
import { isText, type Json, type JsonObject, memberOf } from '../../lib/json.ts';
import { refuse } from '../../lib/refusal.ts';
import { requiredFilter } from './matchers.ts';
import type { EntryOrder } from './order.ts';
import { pageOf, type PageTools } from './page.ts';
import type { Place } from './places.ts';

/** `pageSize` of entries:list (facts, Logging). */
const USUAL_PAGE = 50;
export const MAX_PAGE = 1_000;

type ListOrder = Extract<EntryOrder, { do: 'list' }>;
/** @param now real time: page tokens live by it */
type ListTools = PageTools & { now: () => number };

/** `entries:list`: one page of what the sources have. @throws Refusal for a filter, order, size or token that is none */
export function listEntries(tenant: Tenant, call: Call, order: ListOrder, tools: ListTools): JsonObject {
  const { body } = call;
  const filter = requiredFilter(textOf(memberOf(body, 'filter')));
  const isDescending = descends(textOf(memberOf(body, 'orderBy')));
  const limit = pageSizeOf(memberOf(body, 'pageSize'));
  const tokens = pageTokens(asQuery(call, isDescending), tenant.id, order.salt, tools.now());
  const after = placeIn(tokens.open());
  const { entries, next } = pageOf({ ...order, filter, isDescending, limit, after }, tools);
  return {
    ...(entries.length > 0 && { entries }),
    ...(next !== undefined && { nextPageToken: tokens.seal(cursorOf(next)) }),
  };
}

/**
 * A call whose body is its query: a token is good for the same body only, but for the page's size (rule K9). What says no
 * more than nothing does is left out.
 */
function asQuery(call: Call, isDescending: boolean): Call {
  const { pageToken = '', pageSize: _size, orderBy: _order, ...rest } = call.body;
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isNothing(value)));
  const query = { ...(said as Record<string, QueryValue>), isDescending, pageToken: textOf(pageToken) }; // Its scope is JSON.
  return { ...call, query };
}

const isNothing = (value: Json): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function descends(orderBy: string): boolean {
  const words = orderBy.trim().split(/\s+/).join(' ');
  if (words === '' || words === 'timestamp' || words === 'timestamp asc') return false;
  if (words === 'timestamp desc') return true;
  throw refuse.invalid('orderBy must be "timestamp asc" or "timestamp desc"');
}

function pageSizeOf(sent: Json | undefined): number {
  const size = typeof sent === 'number' ? sent : 0;
  if (size < 0 || size > MAX_PAGE) throw refuse.invalid(`pageSize must be between 0 and ${MAX_PAGE}`);
  return size === 0 ? USUAL_PAGE : size;
}

const cursorOf = ({ ts, insertId, container, stream }: Place): Cursor => ({
  sort: ts,
  id: JSON.stringify([insertId, container, ...(stream === undefined ? [] : [stream])]),
});

function placeIn(cursor: Cursor | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [insertId, container, stream] = JSON.parse(cursor.id) as [string, string, number?]; // Ours: the token was sealed.
  return { ts: cursor.sort, insertId, container, ...(stream !== undefined && { stream }) };
}

const textOf = (value: Json | undefined): string => (isText(value) ? value : '');
