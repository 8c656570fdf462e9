import type { JsonObject } from './entry.ts';
import type { AttributeValue, SpanRecord } from './wire.ts';

/** google.rpc.Code UNKNOWN: the work failed, and nobody said how. */
const FAILED = 2;

/** Longest name of a span that the tracing interface keeps; ours have no other characters than one byte takes. */
const MAX_SHOWN_CHARS = 128;

/** A span as the tracing interface keeps it (v2), below `projects/p`. */
export function vendorSpanOf(record: SpanRecord, project: string): JsonObject {
  const { traceId, spanId, parentSpanId, isRemoteChild, name, kind, startMs, endMs, attributes, isError } = record;
  return {
    name: `${project}/traces/${traceId}/spans/${spanId}`,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId, sameProcessAsParentSpan: isRemoteChild === undefined }),
    displayName: { value: name.slice(0, MAX_SHOWN_CHARS) },
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    spanKind: kind,
    attributes: { attributeMap: attributeMap(attributes) },
    ...(isError === undefined ? {} : { status: { code: FAILED } }),
  };
}

const attributeMap = (attributes: SpanRecord['attributes']): JsonObject =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, attributeValue(value)]));

function attributeValue(value: AttributeValue): JsonObject {
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { stringValue: { value: String(value) } };
}
