import { refuseMissingName } from '../../core/engine/named-collection.ts';
import type { Call } from '../../core/engine/operation.ts';
import { createPageTokens } from '../../core/engine/page-token.ts';
import type { ListCursor } from '../../core/engine/stored-row.ts';
import type { Sql, SqlRow } from '../../../lib/sqlite.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Refusal } from '../../../lib/refusal.ts';
import { MAX_SPANS_A_TRACE, MAX_TRACE_CHARS } from '../../interfaces/tracing/rows.ts';
import { isTraceMatch, parseTraceQuery, type TraceQuery } from '../../interfaces/tracing/v1/query.ts';
import { type V1Span, toV1Span } from '../../interfaces/tracing/v1/spans.ts';
import type { TraceRow, TraceRows } from '../entry-object.ts';
import type { EntryOrder } from '../order.ts';
import { readStoredSpan } from './write.ts';

/** Traces that one page looks at, and spans that it reads; then it ends, with a token for the rest. */
export const MAX_TRACE_PAGE_SCAN = { traces: 2_000, spans: 20_000 } as const;
/** Of the traces of one page, in characters of JSON; the first is shown whatever it has. */
const MAX_PAGE_CHARS = MAX_TRACE_CHARS;

type GetOrder = Extract<EntryOrder, { do: 'getTrace' }>;

export const refuseMissingTrace = ({ project, traceId }: GetOrder): Refusal =>
  refuseMissingName(`${project}/traces/${traceId}`);

/** One trace with all its spans, in the order of their start. @throws Refusal 404 when there is none */
export function readTrace(order: GetOrder, sql: Sql): JsonObject {
  const { project, traceId } = order;
  const spans = readTraceSpans(sql, project, traceId);
  if (spans.length === 0) throw refuseMissingTrace(order);
  return { projectId: extractProjectId(project), traceId, spans };
}

/**
 * A page of traces: `{ traces?, nextPageToken? }`. A page may have fewer than asked for, or none, and still a token.
 * A trace is in an interval when its root span begins there.
 * @param nowMs real time, for page tokens
 * @throws Refusal for a token of another query
 */
export function listTraces(
  call: Call,
  { project, salt }: Extract<EntryOrder, { do: 'listTraces' }>,
  nowMs: number,
  sql: Sql,
): JsonObject {
  const { query, after, answer } = readTracesCall(call, { salt }, nowMs);
  const { items, next } = readTracePage(query, project, after, sql);
  return answer(
    items.map(({ trace }) => trace),
    next,
  );
}

/** A call of `traces.list`, judged: where its page begins, and the body that answers it. @throws Refusal */
export function readTracesCall(call: Call, { salt }: { salt: string }, nowMs: number) {
  const query = parseTraceQuery(call);
  const pages = createPageTokens(call, call.caller.tenant, salt, nowMs);
  const answer = (traces: readonly JsonObject[], next: ListCursor | undefined): JsonObject => ({
    ...(traces.length > 0 && { traces: [...traces] }),
    ...(next !== undefined && { nextPageToken: pages.seal(next) }),
  });
  return { query, after: pages.open(), answer };
}

/** Traces with their places in the list. */
export function readTracePage(query: TraceQuery, project: string, after: ListCursor | undefined, sql: Sql): TraceRows {
  const items: TraceRow[] = [];
  const scanned = { traces: 0, spans: 0 };
  let chars = 0;
  let last: ListCursor | undefined;
  for (const row of listTraceRows(query, project, after, sql)) {
    if (items.length === query.size || isSpent(scanned)) return withNext(items, last);
    scanned.traces += 1;
    const trace = buildShownTrace(row, query, project, scanned, sql);
    const more = trace === undefined ? 0 : JSON.stringify(trace).length;
    if (items.length > 0 && chars + more > MAX_PAGE_CHARS) return withNext(items, last);
    last = { sort: String(row[query.order.by]), id: String(row['trace']) };
    if (trace !== undefined) items.push({ key: last, trace });
    chars += more;
  }
  return { items };
}

const withNext = (items: TraceRow[], next: ListCursor | undefined): TraceRows => ({
  items,
  ...(next !== undefined && { next }),
});

/** One more row is read than may be looked at: that there is one is what a token needs. */
const isSpent = ({ traces, spans }: { traces: number; spans: number }): boolean =>
  traces === MAX_TRACE_PAGE_SCAN.traces || spans >= MAX_TRACE_PAGE_SCAN.spans;

/** A trace as its view shows it; undefined where it does not fit the query. */
function buildShownTrace(
  row: SqlRow,
  query: TraceQuery,
  project: string,
  scanned: { spans: number },
  sql: Sql,
): JsonObject | undefined {
  const [traceId, start] = [String(row['trace']), String(row['start'])];
  if (start < (query.from ?? '') || (query.until !== undefined && start > query.until)) return undefined;
  let known: V1Span[] | undefined;
  const spans = (): V1Span[] => {
    known ??= readTraceSpans(sql, project, traceId);
    return known;
  };
  const summary = { rootName: String(row['name']), durationNanos: Number(row['duration']) };
  const fits = isTraceMatch(query.terms, summary, spans);
  const trace = fits
    ? { projectId: extractProjectId(project), traceId, ...selectShownSpans(query, row, project, spans, sql) }
    : undefined;
  scanned.spans += known?.length ?? 0;
  return trace;
}

function selectShownSpans(
  { view }: TraceQuery,
  row: SqlRow,
  project: string,
  spans: () => V1Span[],
  sql: Sql,
): { spans?: V1Span[] } {
  if (view === 'MINIMAL') return {};
  if (view === 'COMPLETE') return { spans: spans() };
  const query = 'SELECT json FROM span WHERE project = ? AND trace = ? AND span = ?';
  const found = sql.exec(query, project, String(row['trace']), String(row['root'])).toArray();
  return { spans: found.map((each) => toV1Span(readStoredSpan(each))) };
}

function readTraceSpans(sql: Sql, project: string, traceId: string): V1Span[] {
  const query = 'SELECT json FROM span WHERE project = ? AND trace = ? ORDER BY start, span LIMIT ?';
  return sql
    .exec(query, project, traceId, MAX_SPANS_A_TRACE)
    .toArray()
    .map((row) => toV1Span(readStoredSpan(row)));
}

/** Traces of a project in the order asked for, read as they are needed. By start, none outside the interval is read. */
function listTraceRows({ order, from, until }: TraceQuery, project: string, after: ListCursor | undefined, sql: Sql) {
  const { by, isDescending } = order;
  const conditions = ['project = ?'];
  const bindings: (string | number)[] = [project];
  if (by === 'start' && from !== undefined) {
    conditions.push('start >= ?');
    bindings.push(from);
  }
  if (by === 'start' && until !== undefined) {
    conditions.push('start <= ?');
    bindings.push(until);
  }
  if (after !== undefined) {
    conditions.push(`(${by}, trace) ${isDescending ? '<' : '>'} (?, ?)`);
    bindings.push(by === 'duration' ? Number(after.sort) : after.sort, after.id);
  }
  const direction = isDescending ? 'DESC' : 'ASC';
  const select = `SELECT trace, root, name, start, duration FROM trace WHERE ${conditions.join(' AND ')}`;
  const sorted = `${select} ORDER BY ${by} ${direction}, trace ${direction} LIMIT ?`;
  return sql.exec(sorted, ...bindings, MAX_TRACE_PAGE_SCAN.traces + 1);
}

const extractProjectId = (project: string): string => project.slice('projects/'.length);
