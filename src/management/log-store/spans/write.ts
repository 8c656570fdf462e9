import { refuseExhausted } from '../../core/conventions/invalid.ts';
import type { Sql, SqlRow } from '../../../lib/sqlite.ts';
import { isText, type JsonObject, getObjectMember, getTextMember } from '../../../lib/json.ts';
import { MAX_SPANS_A_TRACE, MAX_TRACE_CHARS } from '../../interfaces/tracing/limits.ts';
import { splitSpanName } from '../../interfaces/tracing/span-names.ts';
import { parseNanos, formatNanos } from '../../../lib/nanos.ts';
import { mergeSpan } from '../../interfaces/tracing/v1-spans.ts';
import type { EntryOrder } from '../order.ts';
import { refreshTrace, readTraceSize, type TraceSize } from './tables.ts';

type WriteOrder = Extract<EntryOrder, { do: 'writeSpans' }>;

/** A span that is to be written, with the key it is found by. */
type SpanToWrite = { traceId: string; spanId: string; span: JsonObject; at: string };

/** How much the service's own spans have grown, in characters of JSON, and how many of them were left out. */
export type OwnSpans = { grown: number; leftOut: number };

/**
 * Stores the spans of an order. One that is there is replaced (or merged, where the order merges), but only the service
 * changes what it wrote itself.
 * @param nowMs real time of receipt
 * @throws Refusal when a trace would have more than it may: roll back. The service's own are left out then instead
 */
export function writeSpans(order: WriteOrder, nowMs: number, sql: Sql): OwnSpans {
  const own: OwnSpans = { grown: 0, leftOut: 0 };
  for (const [traceId, written] of groupSpansPerTrace(order.spans)) {
    const size = readTraceSize(sql, order.project, traceId);
    for (const each of written) writeSpan(each, order, { nowMs, sql, size, own });
    refreshTrace(sql, order.project, traceId, size);
  }
  return own;
}

function groupSpansPerTrace(spans: readonly JsonObject[]): Map<string, SpanToWrite[]> {
  const traces = new Map<string, SpanToWrite[]>();
  for (const [index, span] of spans.entries()) {
    const at = `spans[${index}]`;
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
    if (!isOwn)
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
