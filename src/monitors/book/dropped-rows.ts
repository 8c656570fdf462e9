import type { RunStatement } from '../../lib/sqlite.ts';

export const DROPPED_SCHEMA = [
  'CREATE TABLE IF NOT EXISTS monitor_dropped_reports (report_id TEXT PRIMARY KEY) WITHOUT ROWID',
];

/** Reports that are named at once. */
const MAX_LISTED = 500;

export type DroppedRows = ReturnType<typeof openDroppedRows>;

/** Reports that no run holds any more: their copies are to be deleted, and are named until that is done. */
export const openDroppedRows = (run: RunStatement) => ({
  add: (reportIds: readonly string[]): void => {
    for (const id of reportIds) run('INSERT OR IGNORE INTO monitor_dropped_reports VALUES (?)', id);
  },
  list: (): readonly string[] =>
    run('SELECT report_id FROM monitor_dropped_reports LIMIT ?', MAX_LISTED).map((row) => String(row['report_id'])),
  remove: (reportIds: readonly string[]): void => {
    for (const id of reportIds) run('DELETE FROM monitor_dropped_reports WHERE report_id = ?', id);
  },
});
