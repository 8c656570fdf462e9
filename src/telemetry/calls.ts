import { buildLogEntry, formatLogName, type Origin, buildMonitoredResource } from './entry.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AttributeValue, SpanRecord, TelemetryBatch } from './wire.ts';

/** google.rpc.Code UNKNOWN: the work failed, and no one said how. */
const FAILED = 2;

/** Longest name of a span that the tracing interface keeps; ours have no other characters than one byte takes. */
const MAX_SHOWN_CHARS = 128;

/** A span as the tracing interface keeps it (v2), below `projects/p`. */
function formatVendorSpan(record: SpanRecord, project: string): JsonObject {
  const { traceId, spanId, parentSpanId, isRemoteChild, name, kind, startMs, endMs, attributes, isError } = record;
  return {
    name: `${project}/traces/${traceId}/spans/${spanId}`,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId, sameProcessAsParentSpan: isRemoteChild === undefined }),
    displayName: { value: name.slice(0, MAX_SHOWN_CHARS) },
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    spanKind: kind,
    attributes: { attributeMap: formatAttributes(attributes) },
    ...(isError === undefined ? {} : { status: { code: FAILED } }),
  };
}

const formatAttributes = (attributes: SpanRecord['attributes']): JsonObject =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, formatAttributeValue(value)]));

function formatAttributeValue(value: AttributeValue): JsonObject {
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { stringValue: { value: String(value) } };
}

/** A batch as it is written to a project: the body of an `entries:write`, and spans of the tracing interface. */
export type ProjectWrites = { body: JsonObject & { entries: JsonObject[] }; spans: readonly JsonObject[] };

const NUMBER_DIGITS = 4;

/**
 * What a batch comes to in a project, `projects/p`: its lines as entries, its spans. Members common to all entries are
 * written once.
 * @param id random text, other for each batch: it makes entries unique
 */
export function buildProjectWrites(batch: TelemetryBatch, project: string, id: string, nowMs: number): ProjectWrites {
  const { service, instance, spans } = batch;
  const origin: Origin = { project, service, instance };
  const lines = [...batch.lines, ...describeDropped(batch, nowMs)];
  const insertIdOf = (at: number): string => `${id}-${String(at).padStart(NUMBER_DIGITS, '0')}`;
  const entries = lines.map((line, at) => buildLogEntry(line, insertIdOf(at), origin));
  return {
    body: { logName: formatLogName(origin), resource: buildMonitoredResource(origin), partialSuccess: true, entries },
    spans: spans.map((span) => formatVendorSpan(span, project)),
  };
}

/** An operator who reads the log learns what is missing from it. */
function describeDropped({ dropped }: TelemetryBatch, nowMs: number) {
  if (dropped.lines === 0 && dropped.spans === 0) return [];
  return [{ atMs: nowMs, line: JSON.stringify({ event: 'telemetry_dropped', ...dropped }) }];
}
