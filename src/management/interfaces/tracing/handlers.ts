import { refuseExhausted, refuseField } from '../../core/conventions/invalid.ts';
import {
  refuseExistingName,
  buildChangedBody,
  listNamed,
  maskPaths,
  buildNewBody,
  putChanged,
  splitName,
} from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { selectWritable } from '../../core/engine/write.ts';
import { type JsonObject, getMember, getObjectList } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { refuseTraceId } from './refusals.ts';
import {
  formatSpanName,
  generateSinkAccount,
  MAX_SINKS,
  parseTraceId,
  requireSinkRow,
  splitSpanName,
  toTraceSinkResource,
  TRACE_SINKS,
  traceSinks,
} from './rows.ts';
import { requireSinkDataset, requireSinkName, requireSpanCount, validateSpan } from './schemas.ts';
import { parseTraceQuery } from './v1/query.ts';
import { readTraceSpans } from './v1/spans.ts';

/** Spans are written: v2. */
export const spanHandlers: Handlers = {
  'cloudtrace.projects.traces.batchWrite': writeSpanBatch,
  'cloudtrace.projects.traces.spans.createSpan': createSpan,
};

/** Sinks of spans: they are kept and shown, and nothing is exported through them. v2beta1. */
export const traceSinkHandlers: Handlers = {
  'cloudtrace.projects.traceSinks.create': create,
  'cloudtrace.projects.traceSinks.get': (call, context) =>
    toTraceSinkResource(requireSinkRow(call, context), call, context),
  'cloudtrace.projects.traceSinks.list': (call, context) => {
    const { pageSize } = call.query;
    // What is not above 0 is as if it were not there, as the vendor documents it.
    const isLess = typeof pageSize === 'number' && pageSize < 0;
    const asked = isLess ? { ...call, query: { ...call.query, pageSize: 0 } } : call;
    return listNamed(traceSinks, call.path['parent'] ?? '', asked, context);
  },
  'cloudtrace.projects.traceSinks.patch': patch,
  'cloudtrace.projects.traceSinks.delete': (call, context) => {
    context.store.remove(requireSinkRow(call, context));
    return {};
  },
};

/** Traces are read, and spans of theirs written: v1. */
export const traceHandlers: Handlers = {
  'cloudtrace.v1.projects.traces.list': listProjectTraces,
  'cloudtrace.v1.projects.traces.get': getTrace,
  'cloudtrace.v1.projects.patchTraces': patchTraces,
};

/** Keeps spans of new and known traces of one project: of each store all of them or none (docs/platform/entries.md). */
function writeSpanBatch(call: Call, context: Context): JsonObject {
  const project = call.path['name'] ?? '';
  const sent = getObjectList(selectWritable('BatchWriteSpansRequest', call.body, context.row), 'spans');
  requireSpanCount(sent.length);
  const kept = sent.map((span, index) => validateSpan(span, `spans[${index}]`, project));
  sendSpans(project, kept, call, context);
  return {};
}

/** Keeps one span. @returns it as it is kept */
function createSpan(call: Call, context: Context): JsonObject {
  const path = splitSpanName(call.path['name'] ?? '', 'name');
  const sent = selectWritable('Span', call.body, context.row);
  const span = validateSpan({ ...sent, name: getMember(sent, 'name') ?? formatSpanName(path) }, 'span', path.project);
  if (span['name'] !== formatSpanName(path)) throw refuseField('span.name', 'must be the name in the path');
  sendSpans(path.project, [span], call, context);
  return span;
}

/** Hands spans to the store of entries and spans. */
function sendSpans(project: string, spans: readonly JsonObject[], call: Call, context: Context, merges?: true): void {
  context.hand({
    do: 'writeSpans',
    nowMs: context.now(),
    project,
    spans,
    ...(merges === true && { merges }),
    ...(call.isOwn === true && { isOwn: true }),
    ...(call.leavesOut === true && { leavesOut: true }),
  });
}

/** Traces of a project, read from the store of entries and spans. */
function listProjectTraces(call: Call, context: Context): JsonObject {
  parseTraceQuery(call); // Refused here, before the store is asked.
  const { salt } = context;
  context.hand({ do: 'listTraces', nowMs: context.now(), project: requireProject(call), salt });
  return {};
}

/** One trace with all its spans. */
function getTrace(call: Call, context: Context): JsonObject {
  const traceId = parseTraceId(call.path['traceId'] ?? '');
  if (traceId === undefined) throw refuseTraceId('traceId');
  context.hand({ do: 'getTrace', project: requireProject(call), traceId });
  return {};
}

/** Keeps spans of new and known traces; what is sent of a known span is laid over it. Likewise. */
function patchTraces(call: Call, context: Context): JsonObject {
  const project = requireProject(call);
  // As sent: what a stored body would be cleaned of, `kind`, is a field of these spans.
  const spans = getObjectList(call.body, 'traces').flatMap((trace, index) =>
    readTraceSpans(trace, `traces[${index}]`, project),
  );
  requireSpanCount(spans.length);
  sendSpans(project, spans, call, context, true);
  return {};
}

function requireProject({ path }: Call): string {
  const id = path['projectId'] ?? '';
  if (id.includes('/')) throw vendorRefusals.invalidInput('projectId');
  return `projects/${id}`;
}

function create(call: Call, context: Context): JsonObject {
  const parent = call.path['parent'] ?? '';
  const { name: sent, ...body } = buildNewBody(traceSinks, call.body, context);
  const name = requireSinkName(sent, parent);
  requireSinkDataset(body);
  if (context.store.count(TRACE_SINKS, parent) >= MAX_SINKS)
    throw refuseExhausted(`A project has at most ${MAX_SINKS} trace sinks`);
  const { id } = splitName(name);
  const made = { ...body, writerIdentity: generateSinkAccount(context) };
  const row = context.store.insert({ collection: TRACE_SINKS, parent, id, body: made });
  if (row === undefined) throw refuseExistingName(name);
  return toTraceSinkResource(row, call, context);
}

function patch(call: Call, context: Context): JsonObject {
  const row = requireSinkRow(call, context);
  const paths = maskPaths(call, traceSinks.schema, context);
  const isWhole = call.query['updateMask'] === '*';
  if (!isWhole && paths?.some(([field]) => field === 'name') === true)
    throw refuseField('updateMask', 'must not have the name: it cannot be changed');
  const { name: _unchanged, ...body } = buildChangedBody(traceSinks, row.body, call.body, call, context, 'required');
  requireSinkDataset(body);
  return toTraceSinkResource(putChanged(row, body, context), call, context);
}
