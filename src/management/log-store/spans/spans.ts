import { refuseExhausted } from '../../core/conventions/invalid.ts';
import { MAX_TENANT_BYTES, requireShort } from '../../core/engine/execute.ts';
import type { CallAnswer, Call } from '../../core/engine/operation.ts';
import type { ListCursor } from '../../core/engine/stored-row.ts';
import type { Sql } from '../../../lib/sqlite.ts';
import { countUtf8Bytes } from '../../../lib/utf8.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { SPAN_RETENTION_MS } from '../../interfaces/tracing/rows.ts';
import type { EntryOrder } from '../order.ts';
import type { RoomAsk } from '../shards/lease.ts';
import { parseTraceQuery } from '../../interfaces/tracing/v1/query.ts';
import type { TraceRows } from '../entry-object.ts';
import { listTraces, readTrace, readTracePage } from './read.ts';
import { countOwn, createSpanTables, refreshTraceSize, writeSpans } from './write.ts';

/** What a store of spans works with: that of log entries has the same. */
export type SpanTools = {
  sql: Sql;
  /** Runs it all or not at all: what it throws rolls back. */
  transaction: <T>(work: () => T) => T;
  /** Real time, Unix milliseconds. */
  now: () => number;
  /** Bytes that the tenant's store of entries and spans takes. */
  databaseBytes: () => number;
  /** Bytes that it may take. */
  mostBytes?: () => number;
  /** Of a shard, in the place of the tenant's bound: whether its lease covers a write. @throws LeaseNeeded where not */
  requireLease?: (asked: () => RoomAsk) => boolean;
  /** Shards that have a part of the service's own spans each. */
  parts?: () => number;
};

/** The orders that are about spans. */
export type SpanOrder = Extract<EntryOrder, { do: 'writeSpans' | 'listTraces' | 'getTrace' }>;

/** The spans of one tenant. */
export type SpanStore = {
  /** @returns the answer in the place of the first one; null where that holds */
  run: (call: Call, order: SpanOrder) => CallAnswer | null;
  /** Deletes spans that were received longer than 30 days ago, as many at once as it may: see `nextPurgeMs`. */
  purge: () => void;
  /** When there is something to purge next, Unix milliseconds; undefined without spans. */
  nextPurgeMs: () => number | undefined;
  /** Deletes all but what the service wrote itself (rule K2). */
  reset: () => void;
  /** A page of traces, to be merged with those of other stores. */
  rows: (call: Call, project: string, ask: { after: ListCursor | undefined; limit: number }) => TraceRows;
  isVoid: () => boolean;
  /** Which of these traces there are. */
  has: (project: string, traceIds: readonly string[]) => readonly string[];
};

/** Spans that one purge deletes. */
export const PURGED_AT_ONCE = 2_000;

/** Of the service's own spans, in characters of JSON: beyond it new ones take the place of the oldest. */
export const MAX_OWN_CHARS = 134_217_728;

/** Makes the tables where they are missing, and what works on them. */
export function createSpanStore(tools: SpanTools): SpanStore {
  const { sql, transaction, now } = tools;
  createSpanTables(sql);
  return {
    run: (call, order) => captureSpanAnswer(() => runSpanOrder(call, order, tools)),
    purge: () => transaction(() => purge(sql, now() - SPAN_RETENTION_MS)),
    nextPurgeMs: () => {
      const [row] = sql.exec('SELECT min(received_ms) AS first FROM span').toArray();
      return typeof row?.['first'] === 'number' ? row['first'] + SPAN_RETENTION_MS : undefined;
    },
    reset: () => transaction(() => reset(sql)),
    rows: (call, project, { after, limit }) =>
      readTracePage({ ...parseTraceQuery(call), size: limit }, project, after, sql),
    isVoid: () => sql.exec('SELECT seq FROM span LIMIT 1').toArray().length === 0,
    has: (project, traceIds) =>
      sql
        .exec(
          'SELECT trace FROM trace WHERE project = ? AND trace IN (SELECT value FROM json_each(?))',
          project,
          JSON.stringify(traceIds),
        )
        .toArray()
        .map(({ trace }) => String(trace)),
  };
}

function runSpanOrder(call: Call, order: SpanOrder, tools: SpanTools): JsonObject | null {
  const { sql, transaction, now, databaseBytes, requireLease } = tools;
  if (order.do === 'writeSpans') {
    const isOwn = order.isOwn === true;
    const isLeased = requireLease?.(() => ({ bytes: estimateSpanBytes(order.spans), isOwn })) === true;
    // The service's own have a bound of their own: a full tenant still shows how it is served.
    if (!isLeased && !isOwn && databaseBytes() >= (tools.mostBytes?.() ?? MAX_TENANT_BYTES))
      throw refuseExhausted('The tenant keeps as many log entries and spans as it may');
    return transaction(() => {
      const { grown, leftOut } = writeSpans(order, now(), sql);
      if (grown !== 0) evictOwn(countOwn(sql, grown) - MAX_OWN_CHARS / (tools.parts?.() ?? 1), sql);
      return leftOut === 0 ? null : { leftOut }; // Who leaves out reports it: self-telemetry.ts, and exports of OTLP.
    });
  }
  const body = order.do === 'getTrace' ? readTrace(order, sql) : listTraces(call, order, now(), sql);
  requireShort(body, call);
  return body;
}

/** A span is in a row with its name in four indexes, and its trace in as many. */
const SPAN_ROW_BYTES = 1_000;

const estimateSpanBytes = (spans: readonly JsonObject[]): number =>
  spans.reduce((sum, span) => sum + SPAN_ROW_BYTES + countUtf8Bytes(JSON.stringify(span)), 0);

/** Refusals are data; anything else that is thrown is a bug. */
function captureSpanAnswer(work: () => JsonObject | null): CallAnswer | null {
  try {
    const body = work();
    return body && { ok: true, status: 200, body };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    throw error;
  }
}

/** Deletes the oldest of the service's own spans that take so many characters, as many at once as a purge may. */
function evictOwn(surplus: number, sql: Sql): void {
  const oldest = 'SELECT seq, chars FROM span WHERE own = 1 ORDER BY received_ms, seq LIMIT ?';
  const seqs: number[] = [];
  let left = surplus;
  for (const { seq, chars } of surplus > 0 ? sql.exec(oldest, PURGED_AT_ONCE) : []) {
    if (left <= 0) break;
    seqs.push(Number(seq));
    left -= Number(chars);
  }
  if (seqs.length > 0) deleteSpans('SELECT value FROM json_each(?)', [JSON.stringify(seqs)], sql);
}

const purge = (sql: Sql, beforeMs: number): void =>
  deleteSpans(
    'SELECT seq FROM span WHERE received_ms < ? ORDER BY received_ms LIMIT ?',
    [beforeMs, PURGED_AT_ONCE],
    sql,
  );

/** @param which a query for their numbers */
function deleteSpans(which: string, bindings: readonly (string | number)[], sql: Sql): void {
  const query = `DELETE FROM span WHERE seq IN (${which}) RETURNING project, trace, chars, own`;
  const rows = sql.exec(query, ...bindings).toArray();
  const own = rows.filter((row) => Number(row['own']) === 1).map(({ chars }) => Number(chars));
  if (own.length > 0)
    countOwn(
      sql,
      own.reduce((sum, chars) => sum - chars, 0),
    );
  const touched = new Map(
    rows.map(({ project, trace }) => [`${String(project)}/${String(trace)}`, { project, trace }]),
  );
  for (const { project, trace } of touched.values()) refreshTraceSize(sql, String(project), String(trace));
}

/** Traces with spans of both kinds are few: those of a caller that took up a trace of the service. */
function reset(sql: Sql): void {
  const mixed = sql
    .exec(
      `SELECT DISTINCT project, trace FROM span AS other WHERE own = 0 AND EXISTS
       (SELECT 1 FROM span WHERE project = other.project AND trace = other.trace AND own = 1)`,
    )
    .toArray();
  sql.exec('DELETE FROM span WHERE own = 0');
  sql.exec(
    `DELETE FROM trace WHERE NOT EXISTS
       (SELECT 1 FROM span WHERE span.project = trace.project AND span.trace = trace.trace)`,
  );
  for (const { project, trace } of mixed) refreshTraceSize(sql, String(project), String(trace));
}
