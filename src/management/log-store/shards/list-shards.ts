import type { JsonObject } from '../../../lib/json.ts';
import type { Call } from '../../core/engine/operation.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import type { EntryObject } from '../entry-object.ts';
import { findStorePlace, type ListPlace, readListCall } from '../list.ts';
import { readLogsCall } from '../logs.ts';
import type { Compiled } from '../matchers.ts';
import type { EntryOrder } from '../order.ts';
import { type EntryPage, type EntryRow, MAX_PAGE_CHARS } from '../page.ts';
import { MAX_AHEAD_MS } from '../retention.ts';
import { comparePlaces, type EntryPlace } from '../stream-merge.ts';
import { formatNanoTime } from '../times.ts';
import type { ShardRow } from './directory.ts';
import { type LaneStop, type MergeLane, mergeLanes } from './merge.ts';
import type { ShardName } from './placement.ts';

/**
 * Questions that one page of entries asks of all stores of a tenant: a page ends there, and the next goes on. More only where
 * more stores may have the next entry: each of these is asked once.
 */
export const MAX_PAGE_ASKS = 64;
/** The same for each store of a page of logs or traces: every one of them may have the next. */
export const MAX_ASKS_A_STORE = 4;

type ListOrder = Extract<EntryOrder, { do: 'list' | 'copy' }>;

/** Stores of a tenant, and how each is asked. */
export type LaneTools = { lanes: readonly ShardRow[]; object: (name: ShardName) => EntryObject };

/** Behind every id, and every container. */
const LAST_TEXT = '\u{10FFFF}';

/** `entries:list` over all stores. @throws Refusal for a call that is none, Error where a store does not answer */
export async function listShardEntries(
  tenant: Tenant,
  { call, order, nowMs }: { call: Call; order: Extract<EntryOrder, { do: 'list' }>; nowMs: number },
  tools: LaneTools,
): Promise<JsonObject> {
  const { answer, ...ask } = readListCall(tenant, call, order, nowMs);
  return answer(await readShardPage(tenant, { ...ask, order }, tools));
}

/** `text`: the filter as it was sent. */
type ShardQuery = {
  order: ListOrder;
  filter: Compiled;
  text: string;
  isDescending: boolean;
  limit: number;
  after: ListPlace | undefined;
};
export type ShardPage = Omit<EntryPage, 'next'> & { next?: ListPlace };

/** One page of entries of all stores, each place once. */
export async function readShardPage(tenant: Tenant, query: ShardQuery, tools: LaneTools): Promise<ShardPage> {
  const { isDescending, limit, after, order, text } = query;
  const lanes = selectLanes(query, tools.lanes);
  const sign = isDescending ? -1 : 1;
  const sharing = Math.max(1, Math.min(lanes.length, SHARING_LANES), lanes.length / MAX_PAGES_HELD);
  const maxChars = Math.ceil(MAX_PAGE_CHARS / sharing);
  const merged = await mergeLanes(
    lanes.map((lane): MergeLane<EntryRow, EntryPlace> => ({
      edge: computeEdge(lane, isDescending),
      after: findStorePlace(after, lane.name),
      ask: (from, most) =>
        tools.object(lane.name).rows(tenant, order, { filter: text, isDescending, after: from, limit: most, maxChars }),
    })),
    {
      compare: (a, b) => sign * comparePlaces(a, b),
      placeOf: ([ts, insertId, container]) => ({ ts, insertId, container }),
      limit,
      maxAsks: MAX_PAGE_ASKS,
      charsOf: ([, , , json]) => json.length,
      maxChars: MAX_PAGE_CHARS,
    },
  );
  const entries = merged.items.map(([, , , json]) => JSON.parse(json) as JsonObject); // Ours: it was stored.
  if (merged.end.kind === 'all') return { entries };
  if (merged.end.kind === 'stopped') return { entries, next: computeStop(merged.end.stops, lanes, sign) };
  const [ts, insertId, container] = merged.items.at(-1) ?? ['', '', '', ''];
  return { entries, next: { ts, insertId, container } };
}

/** Of pages from so many stores the characters are shared out ... */
const SHARING_LANES = 8;
/** ... and of more so that all together have these times a page: an answer of each fits into the Worker's memory. */
const MAX_PAGES_HELD = 8;

/** Stores that may have entries that are asked for: the others are not asked. */
function selectLanes({ order, isDescending, after, filter }: ShardQuery, lanes: readonly ShardRow[]) {
  if (filter.pushdown.isNothing === true) return [];
  const from = selectLaterText(filter.pushdown.from ?? '', isDescending ? '' : (after?.ts ?? ''));
  const visible = formatNanoTime(order.nowMs + MAX_AHEAD_MS + 1);
  const until = filter.pushdown.until ?? visible;
  return lanes.filter(
    ({ first, last }) =>
      last >= from && first < until && first < visible && (!isDescending || after === undefined || first <= after.ts),
  );
}

const selectLaterText = (a: string, b: string): string => (a > b ? a : b);

/** A place that nothing of a store comes before. */
const computeEdge = ({ first, last }: ShardRow, isDescending: boolean): EntryPlace =>
  isDescending ? { ts: last, insertId: LAST_TEXT, container: LAST_TEXT } : { ts: first, insertId: '', container: '' };

/** Where the next page begins: the nearest place that a store stopped at, with all that left it half-way. */
function computeStop(stops: readonly LaneStop<EntryPlace>[], lanes: readonly ShardRow[], sign: number): ListPlace {
  const [nearest, ...others] = stops.toSorted((a, b) => sign * comparePlaces(a.place, b.place));
  if (nearest === undefined) throw new Error('A page stopped at no store');
  const { ts, insertId, container } = nearest.place;
  const streams: Record<string, number> = {};
  for (const { lane, place } of [nearest, ...others]) {
    const name = lanes[lane]?.name;
    if (name !== undefined && place.stream !== undefined && comparePlaces(place, nearest.place) === 0)
      streams[name] = place.stream;
  }
  return { ts, insertId, container, ...(Object.keys(streams).length > 0 && { streams }) };
}

/** `logs.list` over all stores: a name is shown once, however many have it. */
export async function listShardLogs(
  tenant: Tenant,
  { call, order, nowMs }: { call: Call; order: Extract<EntryOrder, { do: 'logs' }>; nowMs: number },
  { lanes, object }: LaneTools,
): Promise<JsonObject> {
  const { after, limit, answer } = readLogsCall(tenant, call, order, nowMs);
  const { items, end } = await mergeLanes(
    lanes.map(({ name }): MergeLane<string, string> => ({
      after,
      ask: (from = after, most) => object(name).logNames(tenant, order, { after: from, limit: most }),
    })),
    {
      compare: compareText,
      placeOf: (log) => log,
      limit,
      maxAsks: lanes.length * MAX_ASKS_A_STORE,
      charsOf: () => 0,
      maxChars: 0,
      isAlike: true,
    },
  );
  if (end.kind === 'all') return answer({ items });
  const next = end.kind === 'full' ? items.at(-1) : end.stops.map(({ place }) => place).toSorted(compareText)[0];
  return answer({ items, ...(next !== undefined && { next }) });
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
