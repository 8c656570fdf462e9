import type { JsonObject } from '../../lib/json.ts';
import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import type { StoredJob } from './item.ts';

/** Of an instance: the oldest goes, with its lines of the log, once it has ended. */
export const MAX_JOBS = 100;
const MAX_PAGE = 100;

/** What changes of a job. Undefined: as it was. Times are Unix milliseconds. */
export type JobChange = Partial<Pick<StoredJob, 'state'>> & {
  startedMs?: number;
  seenMs?: number;
  endedMs?: number;
  endReason?: string;
};

export function addJob(
  sql: Sql,
  job: { id: string; source: StoredJob['source']; description?: string; state?: JsonObject },
  nowMs: number,
): StoredJob {
  const { id, source, description = null, state = {} } = job;
  const insert = 'INSERT INTO job (id, source, description, created_ms, state) VALUES (?, ?, ?, ?, ?) RETURNING *';
  const [row = {}] = sql.exec(insert, id, source, description, nowMs, JSON.stringify(state)).toArray();
  const old = 'SELECT id FROM job WHERE ended_ms IS NOT NULL ORDER BY n LIMIT max(0, (SELECT count(*) FROM job) - ?)';
  for (const { id: gone } of sql.exec(old, MAX_JOBS).toArray()) {
    sql.exec('DELETE FROM log WHERE owner = ?', String(gone));
    sql.exec('DELETE FROM job WHERE id = ?', String(gone));
  }
  return jobIn(row);
}

/** @returns the job as it is then; undefined where there is none */
export function changeJob(sql: Sql, id: string, change: JobChange): StoredJob | undefined {
  const { startedMs = null, seenMs = null, endedMs = null, endReason = null, state } = change;
  const [row] = sql
    .exec(
      `UPDATE job SET started_ms = coalesce(?, started_ms), seen_ms = coalesce(?, seen_ms),
         ended_ms = coalesce(?, ended_ms), end_reason = coalesce(?, end_reason), state = coalesce(?, state)
       WHERE id = ? RETURNING *`,
      startedMs,
      seenMs,
      endedMs,
      endReason,
      state === undefined ? null : JSON.stringify(state),
      id,
    )
    .toArray();
  return row && jobIn(row);
}

export function jobById(sql: Sql, id: string): StoredJob | undefined {
  const [row] = sql.exec('SELECT * FROM job WHERE id = ?', id).toArray();
  return row && jobIn(row);
}

/** The newest first; pages are counted from 1. */
export function listJobs(sql: Sql, page: number, perPage: number): { jobs: readonly StoredJob[]; total: number } {
  const size = Math.min(perPage, MAX_PAGE);
  const rows = sql.exec('SELECT * FROM job ORDER BY n DESC LIMIT ? OFFSET ?', size, (page - 1) * size).toArray();
  const [counted = {}] = sql.exec('SELECT count(*) AS total FROM job').toArray();
  return { jobs: rows.map(jobIn), total: Number(counted['total']) };
}

/** Jobs that have not ended, the oldest first. */
export const openJobs = (sql: Sql): readonly StoredJob[] =>
  sql.exec('SELECT * FROM job WHERE ended_ms IS NULL ORDER BY n LIMIT ?', MAX_JOBS).toArray().map(jobIn);

const jobIn = (row: SqlRow): StoredJob => ({
  id: String(row['id']),
  source: row['source'] as StoredJob['source'], // As `addJob` wrote it; so is `state`.
  description: textOrNull(row['description']),
  createdMs: Number(row['created_ms']),
  startedMs: numberOrNull(row['started_ms']),
  endedMs: numberOrNull(row['ended_ms']),
  endReason: textOrNull(row['end_reason']),
  seenMs: numberOrNull(row['seen_ms']),
  state: JSON.parse(String(row['state'])) as JsonObject,
});

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));
