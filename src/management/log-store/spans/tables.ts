import type { Sql } from '../../../lib/sqlite.ts';

/**
 * Spans of one tenant, and of each trace what lists need: its root span (or the earliest, where the root is missing) and
 * how much it has. `own_spans` counts what the service wrote itself. Times are of fixed width, durations in nanoseconds.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS span (seq INTEGER PRIMARY KEY, project TEXT NOT NULL, trace TEXT NOT NULL, span TEXT NOT NULL,
     has_parent INTEGER NOT NULL, start TEXT NOT NULL, duration REAL NOT NULL, name TEXT NOT NULL, chars INTEGER NOT NULL,
     json TEXT NOT NULL, received_ms INTEGER NOT NULL, own INTEGER NOT NULL)`,
  'CREATE UNIQUE INDEX IF NOT EXISTS span_name ON span (project, trace, span)',
  'CREATE INDEX IF NOT EXISTS span_root ON span (project, trace, has_parent, start, span)',
  'CREATE INDEX IF NOT EXISTS span_received ON span (received_ms)',
  'CREATE INDEX IF NOT EXISTS span_own ON span (received_ms) WHERE own = 1',
  'CREATE TABLE IF NOT EXISTS own_spans (id INTEGER PRIMARY KEY CHECK (id = 1), chars INTEGER NOT NULL)',
  'INSERT OR IGNORE INTO own_spans VALUES (1, 0)',
  `CREATE TABLE IF NOT EXISTS trace (project TEXT NOT NULL, trace TEXT NOT NULL, root TEXT NOT NULL, name TEXT NOT NULL,
     start TEXT NOT NULL, duration REAL NOT NULL, spans INTEGER NOT NULL, chars INTEGER NOT NULL,
     PRIMARY KEY (project, trace)) WITHOUT ROWID`,
  ...['start', 'name', 'duration'].map(
    (by) => `CREATE INDEX IF NOT EXISTS trace_${by} ON trace (project, ${by}, trace)`,
  ),
];

/** Makes the tables where they are missing. */
export function makeSpanTables(sql: Sql): void {
  for (const statement of SCHEMA) sql.exec(statement);
}

/** Counts what the service's own spans take, in characters of JSON. @returns all of them */
export function countOwn(sql: Sql, grown: number): number {
  const query = 'UPDATE own_spans SET chars = max(0, chars + ?) RETURNING chars';
  return Number(sql.exec(query, grown).toArray()[0]?.['chars']);
}

/** What a trace has. */
export type TraceSize = { spans: number; chars: number };

/** What a trace has; nothing where it is not there. */
export function readTraceSize(sql: Sql, project: string, trace: string): TraceSize {
  const query = 'SELECT spans, chars FROM trace WHERE project = ? AND trace = ?';
  const [row] = sql.exec(query, project, trace).toArray();
  return { spans: Number(row?.['spans'] ?? 0), chars: Number(row?.['chars'] ?? 0) };
}

/** Writes anew what lists need of a trace whose spans changed; without spans it is gone. */
export function refreshTrace(sql: Sql, project: string, trace: string, { spans, chars }: TraceSize): void {
  if (spans <= 0) {
    sql.exec('DELETE FROM trace WHERE project = ? AND trace = ?', project, trace);
    return;
  }
  sql.exec(
    `INSERT OR REPLACE INTO trace SELECT project, trace, span, name, start, duration, ?, ? FROM span
       WHERE project = ? AND trace = ? ORDER BY has_parent, start, span LIMIT 1`,
    spans,
    chars,
    project,
    trace,
  );
}

/** The same where spans went without being counted. */
export function refreshTraceSize(sql: Sql, project: string, trace: string): void {
  const query = 'SELECT count(*) AS spans, total(chars) AS chars FROM span WHERE project = ? AND trace = ?';
  const [row] = sql.exec(query, project, trace).toArray();
  refreshTrace(sql, project, trace, { spans: Number(row?.['spans']), chars: Number(row?.['chars']) });
}
