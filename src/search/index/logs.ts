import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import type { LogLine, NewLogLine } from './item.ts';

/** Lines that are kept of one item or job: the newest. */
export const MAX_LINES = { item: 100, job: 1_000 } as const;
const MAX_MESSAGE_CHARS = 1_000;
const OLD = `DELETE FROM log WHERE owner = ? AND id <=
  (SELECT id FROM log WHERE owner = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`;

/** @param owner id of an item or a job */
export function addLine(sql: Sql, kind: keyof typeof MAX_LINES, owner: string, line: NewLogLine, nowMs: number): void {
  const { level, action, message, chunks = null, tookMs = null } = line;
  const text = message.slice(0, MAX_MESSAGE_CHARS);
  sql.exec(
    'INSERT INTO log (owner, at_ms, level, action, message, chunks, took_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    owner,
    nowMs,
    level,
    action,
    text,
    chunks,
    tookMs,
  );
  sql.exec(OLD, owner, owner, MAX_LINES[kind]);
}

/** Lines of an item or job, the newest first. @param before only those with a lower id */
export function linesOf(sql: Sql, owner: string, limit: number, before = Number.MAX_SAFE_INTEGER): readonly LogLine[] {
  const query = 'SELECT * FROM log WHERE owner = ? AND id < ? ORDER BY id DESC LIMIT ?';
  return sql.exec(query, owner, before, Math.min(limit, MAX_LINES.job)).toArray().map(lineIn);
}

/** A page of them, counted from 1, and how many there are. */
export function linePage(
  sql: Sql,
  owner: string,
  page: number,
  perPage: number,
): { lines: readonly LogLine[]; total: number } {
  const size = Math.min(perPage, MAX_LINES.job);
  const query = 'SELECT * FROM log WHERE owner = ? ORDER BY id DESC LIMIT ? OFFSET ?';
  const lines = sql
    .exec(query, owner, size, (page - 1) * size)
    .toArray()
    .map(lineIn);
  const [row = {}] = sql.exec('SELECT count(*) AS total FROM log WHERE owner = ?', owner).toArray();
  return { lines, total: Number(row['total']) };
}

const lineIn = (row: SqlRow): LogLine => ({
  id: Number(row['id']),
  atMs: Number(row['at_ms']),
  level: row['level'] as LogLine['level'], // As `addLine` wrote it.
  action: String(row['action']),
  message: String(row['message']),
  chunks: row['chunks'] === null ? null : Number(row['chunks']),
  tookMs: row['took_ms'] === null ? null : Number(row['took_ms']),
});
