import type { RunStatement, SqlRow } from '../../lib/sqlite.ts';
import type { MonitorRun, RunCause, RunPart, MonitorRunState, MonitorSummary } from '../core/run.ts';

/** Where a reserved run is: to be sent, sent, held by an attempt, or waiting for its next one. */
export const RUN_PLACE = { unsent: 0, sent: 1, held: 2, waiting: 3 } as const;
export type RunPlace = (typeof RUN_PLACE)[keyof typeof RUN_PLACE];

/** `wake_ms`: when something is to be done about a reserved run; NULL for one that ended. */
export const RUN_SCHEMA = [
  `CREATE TABLE IF NOT EXISTS monitor_runs (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, monitor_id TEXT NOT NULL, due_ms INTEGER NOT NULL,
     state TEXT NOT NULL, place INTEGER NOT NULL, wake_ms INTEGER, attempt INTEGER NOT NULL, sends INTEGER NOT NULL,
     missed INTEGER NOT NULL, details TEXT NOT NULL, summary TEXT)`,
  'CREATE INDEX IF NOT EXISTS monitor_runs_of ON monitor_runs (monitor_id, seq)',
  'CREATE INDEX IF NOT EXISTS monitor_runs_waking ON monitor_runs (wake_ms) WHERE wake_ms IS NOT NULL',
  `CREATE INDEX IF NOT EXISTS monitor_runs_held ON monitor_runs (wake_ms) WHERE place = ${RUN_PLACE.held}`,
];

/** What is known of a run when it has begun, and when it has ended. */
type RunDetails = {
  cause: RunCause;
  startedAtMs?: number;
  endedAtMs?: number;
  lateMs?: number;
  reason?: string;
  parts?: readonly RunPart[];
  alerts?: number;
};

/** A run as it is kept. */
export type RunRow = {
  seq: number;
  run: MonitorRun;
  place: RunPlace;
  wakeMs: number | null;
  attempt: number;
  sends: number;
};

export type NewRun = { id: string; monitorId: string; dueMs: number; missed: number; cause: RunCause };

/** What of a run may change, and of where it is. */
export type RunChange = Partial<Omit<MonitorRun, 'id' | 'monitorId' | 'dueMs' | 'cause' | 'missed'>>;
export type RunMove = Partial<Pick<RunRow, 'place' | 'wakeMs' | 'attempt'>>;

export type RunRows = ReturnType<typeof openRunRows>;

/** What is parsed here was written here. */
function toRunRow(row: SqlRow): RunRow {
  const details = JSON.parse(String(row['details'])) as RunDetails;
  return {
    seq: Number(row['seq']),
    run: {
      id: String(row['id']),
      monitorId: String(row['monitor_id']),
      dueMs: Number(row['due_ms']),
      cause: details.cause,
      state: row['state'] as MonitorRunState,
      startedAtMs: details.startedAtMs ?? null,
      endedAtMs: details.endedAtMs ?? null,
      lateMs: details.lateMs ?? 0,
      missed: Number(row['missed']),
      reason: details.reason ?? null,
      parts: details.parts ?? [],
      summary: typeof row['summary'] === 'string' ? (JSON.parse(row['summary']) as MonitorSummary) : null,
      alerts: details.alerts ?? 0,
    },
    place: Number(row['place']) as RunPlace,
    wakeMs: row['wake_ms'] === null ? null : Number(row['wake_ms']),
    attempt: Number(row['attempt']),
    sends: Number(row['sends']),
  };
}

const toDetails = ({ cause, startedAtMs, endedAtMs, lateMs, reason, parts, alerts }: MonitorRun): RunDetails => ({
  cause,
  ...(startedAtMs === null ? {} : { startedAtMs }),
  ...(endedAtMs === null ? {} : { endedAtMs }),
  ...(lateMs === 0 ? {} : { lateMs }),
  ...(reason === null ? {} : { reason }),
  ...(parts.length === 0 ? {} : { parts }),
  ...(alerts === 0 ? {} : { alerts }),
});

const SELECT_READ = `SELECT * FROM monitor_runs WHERE monitor_id = ? AND seq < ? AND summary IS NOT NULL
  AND json_extract(summary, '$.unread') IS NULL`;

/** The rows of runs. Nothing here decides anything. */
export const openRunRows = (run: RunStatement) => {
  const rows = (query: string, ...of: (string | number)[]): readonly RunRow[] => run(query, ...of).map(toRunRow);
  return {
    find: (id: string): RunRow | undefined => rows('SELECT * FROM monitor_runs WHERE id = ?', id)[0],
    /** A run that is to be sent at once. */
    insert: ({ id, monitorId, dueMs, missed, cause }: NewRun, nowMs: number): void =>
      void run(
        `INSERT INTO monitor_runs (id, monitor_id, due_ms, state, place, wake_ms, attempt, sends, missed, details)
           VALUES (?, ?, ?, 'reserved', ${RUN_PLACE.unsent}, ?, 0, 0, ?, ?)`,
        id,
        monitorId,
        dueMs,
        nowMs,
        missed,
        JSON.stringify({ cause } satisfies RunDetails),
      ),
    update: (row: RunRow, move: RunMove, change: RunChange = {}): RunRow => {
      const next: RunRow = { ...row, ...move, run: { ...row.run, ...change } };
      const { state, summary } = next.run;
      run(
        `UPDATE monitor_runs SET state = ?, place = ?, wake_ms = ?, attempt = ?, details = ?, summary = ?
           WHERE seq = ?`,
        state,
        next.place,
        next.wakeMs,
        next.attempt,
        JSON.stringify(toDetails(next.run)),
        summary === null ? null : JSON.stringify(summary),
        row.seq,
      );
      return next;
    },
    /** The newest of a monitor. */
    newest: (monitorId: string): RunRow | undefined =>
      rows('SELECT * FROM monitor_runs WHERE monitor_id = ? ORDER BY seq DESC LIMIT 1', monitorId)[0],
    /** Those of a monitor before a place, newest first. */
    list: (monitorId: string, beforeSeq: number, limit: number): readonly RunRow[] =>
      rows(
        'SELECT * FROM monitor_runs WHERE monitor_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
        monitorId,
        beforeSeq,
        limit,
      ),
    /** The same of those that found something; a site that answered with an error page was not read. */
    listRead: (monitorId: string, beforeSeq: number, limit: number): readonly RunRow[] =>
      rows(`${SELECT_READ} ORDER BY seq DESC LIMIT ?`, monitorId, beforeSeq, limit),
    /** Report ids of the runs of a monitor. */
    listReports: (monitorId: string): readonly string[] =>
      run('SELECT details FROM monitor_runs WHERE monitor_id = ?', monitorId).flatMap(readReportIds),
    /** Drops all but the newest of a monitor. The report ids that they had. */
    dropOld: (monitorId: string, keep: number): readonly string[] =>
      run(
        `DELETE FROM monitor_runs WHERE monitor_id = ? AND seq <= coalesce((
           SELECT seq FROM monitor_runs WHERE monitor_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?), 0) RETURNING details`,
        monitorId,
        monitorId,
        keep,
      ).flatMap(readReportIds),
    removeOf: (monitorId: string): void => void run('DELETE FROM monitor_runs WHERE monitor_id = ?', monitorId),
    firstWakeMs: (): number | undefined => {
      const ms = run('SELECT min(wake_ms) AS ms FROM monitor_runs WHERE wake_ms IS NOT NULL')[0]?.['ms'];
      return typeof ms === 'number' ? ms : undefined;
    },
  };
};

const readReportIds = (row: SqlRow): readonly string[] =>
  ((JSON.parse(String(row['details'])) as RunDetails).parts ?? []).map(({ reportId }) => reportId);

export const DROPPED_SCHEMA = [
  'CREATE TABLE IF NOT EXISTS monitor_dropped_reports (report_id TEXT PRIMARY KEY) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS monitor_copies (
     monitor_id TEXT NOT NULL, report_id TEXT NOT NULL, PRIMARY KEY (monitor_id, report_id)) WITHOUT ROWID`,
];

/** Reports that are named at once. */
const MAX_LISTED = 500;

export type DroppedRows = ReturnType<typeof openDroppedRows>;

/** Reports that no run holds any more: their copies are to be deleted, and are named until that is done. */
export const openDroppedRows = (run: RunStatement) => ({
  /** Reports that a run under way may have copies of by now. */
  announce: (monitorId: string, reportIds: readonly string[]): void => {
    for (const id of reportIds) run('INSERT OR IGNORE INTO monitor_copies VALUES (?, ?)', monitorId, id);
  },
  /** The run is over. @returns what was announced */
  takeAnnounced: (monitorId: string): readonly string[] =>
    run('DELETE FROM monitor_copies WHERE monitor_id = ? RETURNING report_id', monitorId).map((row) =>
      String(row['report_id']),
    ),
  add: (reportIds: readonly string[]): void => {
    for (const id of reportIds) run('INSERT OR IGNORE INTO monitor_dropped_reports VALUES (?)', id);
  },
  list: (): readonly string[] =>
    run('SELECT report_id FROM monitor_dropped_reports LIMIT ?', MAX_LISTED).map((row) => String(row['report_id'])),
  remove: (reportIds: readonly string[]): void => {
    for (const id of reportIds) run('DELETE FROM monitor_dropped_reports WHERE report_id = ?', id);
  },
});
