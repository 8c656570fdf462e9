import type { RunStatement, SqlRow } from '../../lib/sqlite.ts';
import type { AlertKind, MonitorAlert } from '../core/alert.ts';

export const ALERT_SCHEMA = [
  `CREATE TABLE IF NOT EXISTS monitor_alerts (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, monitor_id TEXT NOT NULL, kind TEXT NOT NULL,
     key TEXT NOT NULL, run_id TEXT, alert TEXT NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS monitor_alerts_of ON monitor_alerts (monitor_id, seq)',
  'CREATE INDEX IF NOT EXISTS monitor_alerts_by_kind ON monitor_alerts (monitor_id, kind, seq)',
];

export type KeptAlert = { seq: number; alert: MonitorAlert };
export type AlertRows = ReturnType<typeof openAlertRows>;

/** What is parsed here was written here. */
const toKeptAlert = (row: SqlRow): KeptAlert => ({
  seq: Number(row['seq']),
  alert: JSON.parse(String(row['alert'])) as MonitorAlert,
});

/** The rows of alerts. Nothing here decides anything. */
export const openAlertRows = (run: RunStatement) => ({
  insert: (alert: MonitorAlert): void =>
    void run(
      'INSERT INTO monitor_alerts (id, monitor_id, kind, key, run_id, alert) VALUES (?, ?, ?, ?, ?, ?)',
      alert.id,
      alert.monitorId,
      alert.kind,
      alert.key,
      alert.runId,
      JSON.stringify(alert),
    ),
  find: (monitorId: string, id: string): MonitorAlert | undefined =>
    run('SELECT seq, alert FROM monitor_alerts WHERE id = ? AND monitor_id = ?', id, monitorId).map(toKeptAlert)[0]
      ?.alert,
  list: (monitorId: string, beforeSeq: number, limit: number): readonly KeptAlert[] =>
    run(
      'SELECT seq, alert FROM monitor_alerts WHERE monitor_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
      monitorId,
      beforeSeq,
      limit,
    ).map(toKeptAlert),
  /** Keys that the last run with an alert of this kind rang; of an alert without a run its own. */
  listLastKeys: (monitorId: string, kind: AlertKind): readonly string[] => {
    const [last] = run(
      'SELECT key, run_id FROM monitor_alerts WHERE monitor_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1',
      monitorId,
      kind,
    );
    if (last === undefined) return [];
    const runId = last['run_id'];
    if (typeof runId !== 'string') return [String(last['key'])];
    return run(
      'SELECT key FROM monitor_alerts WHERE monitor_id = ? AND kind = ? AND run_id = ?',
      monitorId,
      kind,
      runId,
    ).map((row) => String(row['key']));
  },
  /** Drops all but the newest of a monitor. @returns how many are left */
  dropOld: (monitorId: string, keep: number): number => {
    run(
      `DELETE FROM monitor_alerts WHERE monitor_id = ? AND seq <= coalesce((
         SELECT seq FROM monitor_alerts WHERE monitor_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?), 0)`,
      monitorId,
      monitorId,
      keep,
    );
    return Number(run('SELECT count(*) AS n FROM monitor_alerts WHERE monitor_id = ?', monitorId)[0]?.['n'] ?? 0);
  },
  removeOf: (monitorId: string): void => void run('DELETE FROM monitor_alerts WHERE monitor_id = ?', monitorId),
});
