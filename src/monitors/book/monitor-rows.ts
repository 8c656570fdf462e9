import type { RunStatement, SqlRow } from '../../lib/sqlite.ts';
import { getWatchedHost, type Monitor, readShardOfId } from '../core/monitor.ts';

/** Points of a sparkline. */
export const MAX_POINTS = 30;

/**
 * `next_ms`: the next due time that has no run yet; `after_ms`: the one after it, so that a pass needs no calendar; NULL until
 * the run before it begins. `is_open`: a run of it is under way; a monitor has one at most. Times are apart from what is long
 * of a monitor: a pass writes few pages for many of them.
 */
export const MONITOR_SCHEMA = [
  `CREATE TABLE IF NOT EXISTS monitors (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL, host TEXT,
     alerts INTEGER NOT NULL DEFAULT 0, points TEXT NOT NULL DEFAULT '[]', token_sha256 TEXT, monitor TEXT NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS monitors_by_account ON monitors (account, seq)',
  `CREATE TABLE IF NOT EXISTS monitor_times (
     id TEXT PRIMARY KEY, next_ms INTEGER, after_ms INTEGER, is_open INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS monitor_times_due ON monitor_times (next_ms, id) WHERE is_open = 0 AND next_ms IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS monitor_creations (
     account TEXT NOT NULL, key TEXT NOT NULL, content_sha256 TEXT NOT NULL, monitor_id TEXT NOT NULL, at_ms INTEGER NOT NULL,
     PRIMARY KEY (account, key)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS monitor_creations_by_time ON monitor_creations (at_ms)',
];

/** One value of a sparkline. */
export type MonitorPoint = { atMs: number; value: number | null };

/** A monitor as it is kept. */
export type MonitorRow = {
  seq: number;
  monitor: Monitor;
  isOpen: boolean;
  alerts: number;
  points: readonly MonitorPoint[];
};

export type MonitorTimes = { nextMs: number | undefined; afterMs: number | undefined };

export type MonitorRows = ReturnType<typeof openMonitorRows>;

const SELECT =
  'SELECT seq, times.next_ms, is_open, alerts, points, monitor FROM monitors JOIN monitor_times AS times USING (id) WHERE';

/** What is parsed here was written here. */
const toMonitorRow = (row: SqlRow): MonitorRow => ({
  seq: Number(row['seq']),
  monitor: {
    ...(JSON.parse(String(row['monitor'])) as Monitor),
    nextDueMs: row['next_ms'] === null ? null : Number(row['next_ms']),
  },
  isOpen: row['is_open'] === 1,
  alerts: Number(row['alerts']),
  points: JSON.parse(String(row['points'])) as MonitorPoint[],
});

/** The rows of monitors. Every method is one synchronous statement or two; nothing here decides anything. */
export const openMonitorRows = (run: RunStatement) => {
  const count = (query: string, ...of: (string | number)[]): number => Number(run(query, ...of)[0]?.['n'] ?? 0);
  return {
    ...openTimes(run),
    ...openCreations(run),
    find: (id: string): MonitorRow | undefined => run(`${SELECT} id = ?`, id).map(toMonitorRow)[0],
    insert: (monitor: Monitor): void => {
      run(
        'INSERT INTO monitors (id, account, host, monitor) VALUES (?, ?, ?, ?)',
        monitor.id,
        monitor.account,
        getWatchedHost(monitor) ?? null,
        JSON.stringify(monitor),
      );
      run('INSERT INTO monitor_times (id) VALUES (?)', monitor.id);
    },
    /** The next due time is written by `setTimes` alone. */
    update: (monitor: Monitor): void =>
      void run(
        'UPDATE monitors SET host = ?, monitor = ? WHERE id = ?',
        getWatchedHost(monitor) ?? null,
        JSON.stringify(monitor),
        monitor.id,
      ),
    setPoints: (id: string, points: readonly MonitorPoint[]): void =>
      void run('UPDATE monitors SET points = ? WHERE id = ?', JSON.stringify(points.slice(-MAX_POINTS)), id),
    setAlerts: (id: string, alerts: number): void =>
      void run('UPDATE monitors SET alerts = ? WHERE id = ?', alerts, id),
    setToken: (id: string, sha256: string): void =>
      void run('UPDATE monitors SET token_sha256 = ? WHERE id = ?', sha256, id),
    token: (id: string): string | undefined => {
      const token = run('SELECT token_sha256 AS token FROM monitors WHERE id = ?', id)[0]?.['token'];
      return typeof token === 'string' ? token : undefined;
    },
    remove: (id: string): void => {
      run('DELETE FROM monitors WHERE id = ?', id);
      run('DELETE FROM monitor_times WHERE id = ?', id);
    },
    countOfAccount: (account: string): number => count('SELECT count(*) AS n FROM monitors WHERE account = ?', account),
    countOfHost: (account: string, host: string): number =>
      count('SELECT count(*) AS n FROM monitors WHERE account = ? AND host = ?', account, host),
    /** The shard that these rows are of; undefined where there is no monitor. */
    findShard: (): number | undefined => {
      const id = run('SELECT id FROM monitors LIMIT 1')[0]?.['id'];
      return typeof id === 'string' ? readShardOfId(id) : undefined;
    },
    /** Those of an account, newest first. */
    list: (account: string, beforeSeq: number, limit: number): readonly MonitorRow[] =>
      run(`${SELECT} account = ? AND seq < ? ORDER BY seq DESC LIMIT ?`, account, beforeSeq, limit).map(toMonitorRow),
    /** Those of an account whose next due time is by a moment. `afterMs`: 0 where the one after it is not known. */
    listDueUntil: (
      account: string,
      untilMs: number,
    ): readonly { monitor: Monitor; nextMs: number; afterMs: number }[] =>
      run(
        `SELECT monitor, times.next_ms, times.after_ms FROM monitors JOIN monitor_times AS times USING (id)
           WHERE account = ? AND times.next_ms <= ? ORDER BY times.next_ms, id`,
        account,
        untilMs,
      ).map((row) => ({
        monitor: JSON.parse(String(row['monitor'])) as Monitor,
        nextMs: Number(row['next_ms']),
        afterMs: Number(row['after_ms']),
      })),
    listIds: (account: string): readonly string[] =>
      run('SELECT id FROM monitors WHERE account = ?', account).map((row) => String(row['id'])),
  };
};

/** Due times that a table of before has among its monitors. */
export function moveTimes(run: RunStatement): void {
  if (!run('PRAGMA table_info(monitors)').some((column) => column['name'] === 'open_run')) return;
  run(
    `INSERT INTO monitor_times (id, next_ms, after_ms, is_open)
       SELECT id, next_ms, after_ms, open_run IS NOT NULL FROM monitors WHERE id NOT IN (SELECT id FROM monitor_times)`,
  );
}

/** When each is due. */
function openTimes(run: RunStatement) {
  return {
    setTimes: (id: string, { nextMs, afterMs }: MonitorTimes): void =>
      void run('UPDATE monitor_times SET next_ms = ?, after_ms = ? WHERE id = ?', nextMs ?? null, afterMs ?? null, id),
    /** Next due time of a monitor whose one after it is not known. */
    findTimeWithoutNext: (id: string): number | undefined => {
      const [row] = run(
        'SELECT next_ms FROM monitor_times WHERE id = ? AND next_ms IS NOT NULL AND after_ms IS NULL',
        id,
      );
      return row && Number(row['next_ms']);
    },
    setOpen: (id: string, isOpen: boolean): void =>
      void run('UPDATE monitor_times SET is_open = ? WHERE id = ?', isOpen ? 1 : 0, id),
    countScheduled: (): number =>
      Number(run('SELECT count(*) AS n FROM monitor_times WHERE next_ms IS NOT NULL')[0]?.['n'] ?? 0),
    firstDueMs: (): number | undefined => {
      const [row] = run('SELECT min(next_ms) AS ms FROM monitor_times WHERE is_open = 0 AND next_ms IS NOT NULL');
      return typeof row?.['ms'] === 'number' ? row['ms'] : undefined;
    },
  };
}

/** Which idempotency key made which monitor. */
function openCreations(run: RunStatement) {
  return {
    findCreation: (account: string, key: string): { contentSha256: string; monitorId: string } | undefined => {
      const [row] = run(
        'SELECT content_sha256, monitor_id FROM monitor_creations WHERE account = ? AND key = ?',
        account,
        key,
      );
      return row && { contentSha256: String(row['content_sha256']), monitorId: String(row['monitor_id']) };
    },
    insertCreation: (account: string, key: string, contentSha256: string, monitorId: string, nowMs: number): void =>
      void run(
        'INSERT OR REPLACE INTO monitor_creations VALUES (?, ?, ?, ?, ?)',
        account,
        key,
        contentSha256,
        monitorId,
        nowMs,
      ),
    /** A key that is kept for longer than others stays, and says that its monitor was there. */
    removeCreations: (monitorId: string, nowMs: number): void =>
      void run('DELETE FROM monitor_creations WHERE monitor_id = ? AND at_ms <= ?', monitorId, nowMs),
    pruneCreations: (beforeMs: number): void => void run('DELETE FROM monitor_creations WHERE at_ms < ?', beforeMs),
  };
}
