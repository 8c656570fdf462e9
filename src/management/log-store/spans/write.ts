import { parseNanos, formatNanos } from '../../../lib/nanos.ts';
import { refuseExhausted } from '../../core/conventions/invalid.ts';
import { createTables, type Sql, type SqlRow } from '../../../lib/sqlite.ts';
import { isText, type JsonObject, getObjectMember, getTextMember } from '../../../lib/json.ts';
import { MAX_SPANS_A_TRACE, MAX_TRACE_CHARS, splitSpanName } from '../../interfaces/tracing/rows.ts';
import { mergeSpan } from '../../interfaces/tracing/v1/spans.ts';
import type { EntryOrder } from '../order.ts';

type WriteOrder = Extract<EntryOrder, { do: 'writeSpans' }>;

/** A span that is to be written, with the key it is found by. */
type SpanToWrite = { traceId: string; spanId: string; span: JsonObject; at: string };

/** How much the service's own spans have grown, in characters of JSON, and how many spans were left out. */
export type OwnSpans = { grown: number; leftOut: number };

/**
 * Stores the spans of an order. One that is there is replaced (or merged, where the order merges), but only the service
 * changes what it wrote itself.
 * @param nowMs real time of receipt
 * @throws Refusal when a trace would have more than it may: roll back. The service's own, and those of an order that
 *   leaves out, are left out then instead
 */
export function writeSpans(order: WriteOrder, nowMs: number, sql: Sql): OwnSpans {
  const own: OwnSpans = { grown: 0, leftOut: 0 };
  for (const [traceId, written] of groupSpansPerTrace(order)) {
    const size = readTraceSize(sql, order.project, traceId);
    for (const each of written) writeSpan(each, order, { nowMs, sql, size, own });
    refreshTrace(sql, order.project, traceId, size);
  }
  return own;
}

function groupSpansPerTrace({ spans, indexes }: WriteOrder): Map<string, SpanToWrite[]> {
  const traces = new Map<string, SpanToWrite[]>();
  for (const [index, span] of spans.entries()) {
    const at = `spans[${indexes?.[index] ?? index}]`;
    const { traceId, spanId } = splitSpanName(getTextMember(span, 'name'), `${at}.name`);
    const written = traces.get(traceId) ?? [];
    written.push({ traceId, spanId, span, at });
    traces.set(traceId, written);
  }
  return traces;
}

/** `size` and `own` are counted on as spans are written. */
type Tools = { nowMs: number; sql: Sql; size: TraceSize; own: OwnSpans };

function writeSpan(
  { traceId, spanId, span, at }: SpanToWrite,
  order: WriteOrder,
  { nowMs, sql, size, own }: Tools,
): void {
  const isOwn = order.isOwn === true;
  const before = findStoredSpan(sql, order.project, traceId, spanId);
  const wasOwn = before !== undefined && Number(before['own']) === 1;
  if (wasOwn && !isOwn) return;
  const kept = order.merges === true ? mergeSpan(before && readStoredSpan(before), span, at) : span;
  const json = JSON.stringify(kept);
  const grown = {
    spans: size.spans + (before === undefined ? 1 : 0),
    chars: size.chars + json.length - Number(before?.['chars'] ?? 0),
  };
  if (grown.spans > MAX_SPANS_A_TRACE || grown.chars > MAX_TRACE_CHARS) {
    if (!isOwn && order.leavesOut !== true)
      throw refuseExhausted(`Trace ${traceId} would have more than ${MAX_SPANS_A_TRACE} spans, or be too large`);
    own.leftOut += 1;
    return;
  }
  const key = [order.project, traceId, spanId] as const;
  const columns = [...computeSpanColumns(kept), json.length, json, nowMs, isOwn ? 1 : 0] as const;
  if (before === undefined) sql.exec(INSERT, ...key, ...columns);
  else sql.exec(UPDATE, ...columns, ...key);
  Object.assign(size, grown);
  if (isOwn) own.grown += json.length - (wasOwn ? Number(before['chars']) : 0);
}

const INSERT = `INSERT INTO span (project, trace, span, has_parent, start, duration, name, chars, json, received_ms, own)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = `UPDATE span SET has_parent = ?, start = ?, duration = ?, name = ?, chars = ?, json = ?, received_ms = ?,
  own = ? WHERE project = ? AND trace = ? AND span = ?`;

function findStoredSpan(sql: Sql, project: string, traceId: string, spanId: string): SqlRow | undefined {
  const query = 'SELECT json, chars, own FROM span WHERE project = ? AND trace = ? AND span = ?';
  return sql.exec(query, project, traceId, spanId).toArray()[0];
}

/** A stored span. */
export const readStoredSpan = (row: SqlRow): JsonObject =>
  JSON.parse(isText(row['json']) ? row['json'] : '{}') as JsonObject; // SpanToWrite here.

/** Whether it has a parent, start, duration in nanoseconds, name. */
function computeSpanColumns(span: JsonObject): [number, string, number, string] {
  const start = parseNanos(getTextMember(span, 'startTime')) ?? 0n;
  const end = parseNanos(getTextMember(span, 'endTime')) ?? start;
  const hasParent = getTextMember(span, 'parentSpanId') !== '';
  return [
    hasParent ? 1 : 0,
    formatNanos(start),
    Number(end - start),
    getTextMember(getObjectMember(span, 'displayName'), 'value'),
  ];
}

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
export const createSpanTables = (sql: Sql): void => void createTables(sql, SCHEMA);

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
