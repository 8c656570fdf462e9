import type { Sql } from '../../lib/sqlite.ts';
import { type ItemStatus, type ItemRecord, UPLOADED } from './item.ts';
import { readItemRow } from './tables.ts';

/** What can be said of an item without its content. Undefined: as it was; null: nothing more. */
export type ItemMark = {
  status?: ItemStatus;
  error?: string | null;
  nextAction?: ItemRecord['nextAction'];
  /** When it was found at its source again, Unix milliseconds. */
  seenMs?: number;
};

/** @returns the item as it is then; undefined where there is none */
export function markItem(sql: Sql, id: string, mark: ItemMark): ItemRecord | undefined {
  const { status, error, nextAction, seenMs } = mark;
  const [row] = sql
    .exec(
      `UPDATE item SET status = coalesce(?, status), seen_ms = coalesce(?, seen_ms),
         error = CASE ? WHEN 1 THEN error ELSE ? END, next_action = CASE ? WHEN 1 THEN next_action ELSE ? END
       WHERE id = ? RETURNING *`,
      status ?? null,
      seenMs ?? null,
      error === undefined ? 1 : 0,
      error ?? null,
      nextAction === undefined ? 1 : 0,
      nextAction ?? null,
      id,
    )
    .toArray();
  return row && readItemRow(row);
}

/** All items that are completed are to be indexed anew: they are found as they were until then. */
export function markItemsOutdated(sql: Sql): void {
  sql.exec("UPDATE item SET status = 'outdated', next_action = 'INDEX' WHERE status = 'completed'");
}

/** Whether an item is indexed anew from the content that is kept of it: uploads, and pages whose chunks alone are old. */
export const isFromKept = ({ source, status }: ItemRecord): boolean => source === UPLOADED || status === 'outdated';

const WAITING = 'SELECT * FROM item WHERE next_action IS NOT NULL ORDER BY n LIMIT ?';
const WAITING_KEPT = `SELECT * FROM item WHERE next_action IS NOT NULL
  AND (next_action = 'DELETE' OR source = ? OR status = 'outdated') ORDER BY n LIMIT ?`;

/** Items with something to be done, by their age. @param which `kept`: without those that their site is asked for */
export function listWaitingItems(sql: Sql, limit: number, which: 'all' | 'kept' = 'all'): readonly ItemRecord[] {
  const rows = which === 'all' ? sql.exec(WAITING, limit) : sql.exec(WAITING_KEPT, UPLOADED, limit);
  return rows.toArray().map(readItemRow);
}

/** Items of a source that were not seen since a time, Unix milliseconds. */
export function listUnseenItems(sql: Sql, source: string, sinceMs: number, limit: number): readonly ItemRecord[] {
  const query = 'SELECT * FROM item WHERE source = ? AND seen_ms < ? ORDER BY seen_ms, n LIMIT ?';
  return sql.exec(query, source, sinceMs, limit).toArray().map(readItemRow);
}
