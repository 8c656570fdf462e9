import { isObject, isText, type Json, type JsonObject } from '../lib/json.ts';
import { buildLogEntry, describeDropped, formatLogId } from './project-writes.ts';
import type { AttributeValue, Dropped, LineRecord, SpanRecord, TelemetryBatch } from './wire.ts';

/** What goes to an OTLP address of a batch: bodies of `/v1/logs` and `/v1/traces` in the JSON form, and how much is in them. */
export type OtlpParcel = {
  signal: 'logs' | 'traces';
  body: string;
  /** Log records or spans of the batch. */
  records: number;
  /** What a record of its own says was left out before: lost with the parcel, it is to be said again. */
  dropped: Dropped;
};

/** Numbers of severities (OpenTelemetry, "Logs Data Model"). */
const SEVERITY_NUMBERS: Readonly<Record<string, number>> = {
  DEBUG: 5,
  INFO: 9,
  NOTICE: 11,
  WARNING: 13,
  ERROR: 17,
  CRITICAL: 21,
  ALERT: 23,
  EMERGENCY: 24,
};
const KINDS = { INTERNAL: 1, SERVER: 2, CLIENT: 3, CONSUMER: 5 } as const;
const STATUS_ERROR = 2;
const SAMPLED = 0x1;
/** Flags of a span: it is known whether its parent is another service's, and it is. */
const HAS_REMOTE = 0x1_00;
const IS_REMOTE = 0x2_00;
const NANOS_A_MS = '000000';
const MS_A_SECOND = 1_000;

/**
 * What a batch comes to at an OTLP address.
 * @param projectId of the operator's project, where there is one
 */
export function buildOtlpParcels(
  batch: TelemetryBatch,
  projectId: string | undefined,
  nowMs: number,
): readonly OtlpParcel[] {
  const resource = { attributes: formatAttributes(describeService(batch, projectId)) };
  const scope = { name: 'sightline' };
  const logRecords = [...batch.lines, ...describeDropped(batch, nowMs)].map(formatLogRecord);
  const spans = batch.spans.map(formatOtlpSpan);
  const logs = { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] };
  const traces = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
  const parcels: OtlpParcel[] = [
    { signal: 'logs', body: JSON.stringify(logs), records: batch.lines.length, dropped: batch.dropped },
    { signal: 'traces', body: JSON.stringify(traces), records: spans.length, dropped: NOTHING },
  ];
  return parcels.filter((parcel) => countParcelRecords(parcel) > 0);
}

const NOTHING: Dropped = { lines: 0, spans: 0 };

/** Records in the body of a parcel, with the one that says what was left out. */
export const countParcelRecords = ({ records, dropped }: OtlpParcel): number =>
  records + (dropped.lines === 0 && dropped.spans === 0 ? 0 : 1);

const describeService = (
  { service, instance }: Pick<TelemetryBatch, 'service' | 'instance'>,
  projectId: string | undefined,
): Readonly<Record<string, AttributeValue>> => ({
  'service.name': formatLogId(service),
  'service.namespace': 'sightline',
  'service.instance.id': instance,
  ...(projectId !== undefined && { 'gcp.project_id': projectId }),
});

function formatLogRecord(record: LineRecord): JsonObject {
  const { atMs, line, trace, http } = record;
  const { severity = 'DEFAULT', labels, jsonPayload, insertId = '' } = buildLogEntry(record, '', NO_ORIGIN);
  const severityText = isText(severity) ? severity : '';
  const event = isObject(jsonPayload) ? jsonPayload['event'] : undefined;
  const attributes: Record<string, AttributeValue> = {
    ...(isText(insertId) && insertId !== '' && { 'log.record.uid': insertId }),
    ...(isObject(labels) && isText(labels['request_id']) && { request_id: labels['request_id'] }),
    ...(http !== undefined && {
      'http.request.method': http.method,
      ...(http.route !== '' && { 'http.route': http.route }),
      'http.response.status_code': http.status,
      'http.server.request.duration': http.latencyMs / MS_A_SECOND,
    }),
  };
  return {
    timeUnixNano: formatUnixMs(atMs),
    severityNumber: SEVERITY_NUMBERS[severityText] ?? 0,
    severityText,
    body: formatAnyValue(jsonPayload !== undefined && isShallow(jsonPayload) ? jsonPayload : line),
    attributes: formatAttributes(attributes),
    ...(isText(event) && { eventName: event }),
    ...(trace !== undefined && {
      traceId: trace.traceId,
      spanId: trace.spanId,
      flags: trace.isSampled ? SAMPLED : 0,
    }),
  };
}

/** Lists and objects of a line within each other: OTLP's own are three deeper each, and readers take some 64 (our own) to 100. */
const MAX_LINE_DEPTH = 20;

/** Whether a value has no more of them. It looks no deeper. */
const isShallow = (value: Json, left = MAX_LINE_DEPTH): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((member) => isShallow(member, left - 1)));

/** Of an entry only what the line itself says is taken. */
const NO_ORIGIN = { project: '', service: 'control', instance: '' } as const;

function formatOtlpSpan(span: SpanRecord): JsonObject {
  const { traceId, spanId, parentSpanId, isRemoteChild, name, kind, startMs, endMs, attributes, isError } = span;
  const flags = SAMPLED | (parentSpanId === undefined ? 0 : HAS_REMOTE) | (isRemoteChild === true ? IS_REMOTE : 0);
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: formatUnixMs(startMs),
    endTimeUnixNano: formatUnixMs(endMs),
    attributes: formatAttributes(attributes),
    ...(isError === true && { status: { code: STATUS_ERROR } }),
  };
}

const formatUnixMs = (ms: number): string => (ms === 0 ? '0' : `${ms}${NANOS_A_MS}`);

const formatAttributes = (attributes: Readonly<Record<string, AttributeValue>>): JsonObject[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: formatAnyValue(value) }));

/** A value of JSON as an AnyValue; null is one without a value. */
function formatAnyValue(value: Json): JsonObject {
  if (value === null) return {};
  if (isText(value)) return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(formatAnyValue) } };
  const values = Object.entries(value).map(([key, member]) => ({ key, value: formatAnyValue(member) }));
  return { kvlistValue: { values } };
}
