import { decodePlaceCursor, encodePlaceCursor } from '../../lib/cursor.ts';
import type { MonitorPage, PageQuery } from '../../monitors/core/protocol.ts';
import { answerMonitorCall, type MonitorAnswer, refuseMonitorCall } from './ports.ts';

/** Items of one page, and the most that a caller may ask for. */
export const MONITOR_PAGE_ITEMS = 25;
export const MAX_MONITOR_PAGE_ITEMS = 100;

/** What a caller asks of a list. */
export type MonitorListQuery = { cursor?: string | undefined; limit?: number | undefined };

export type ListedPage<T> = { items: readonly T[]; nextCursor: string | undefined };

/**
 * One page of a list, newest first.
 * @param scope names the list: its cursors are good for no other
 * @param read undefined where what is listed belongs to something that is not there
 */
export async function listMonitorPage<T>(
  scope: string,
  { cursor, limit = MONITOR_PAGE_ITEMS }: MonitorListQuery,
  read: (query: PageQuery) => Promise<MonitorPage<T> | undefined>,
  absent: MonitorAnswer<never>,
): Promise<MonitorAnswer<ListedPage<T>>> {
  const after = cursor === undefined ? undefined : await decodePlaceCursor(cursor, scope);
  if (cursor !== undefined && after === undefined) return refuseMonitorCall('invalid_cursor');
  const page = await read({ after, limit: Math.min(Math.max(limit, 1), MAX_MONITOR_PAGE_ITEMS) });
  if (page === undefined) return absent;
  const { items, next } = page;
  return answerMonitorCall({ items, nextCursor: next === null ? undefined : await encodePlaceCursor(scope, next) });
}
