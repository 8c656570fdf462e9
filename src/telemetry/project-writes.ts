import type { JsonObject, Json } from '../lib/json.ts';
import type { AttributeValue, SpanRecord, TelemetryBatch, HttpFacts, LineRecord, ServiceName } from './wire.ts';
import { LOG_SEVERITIES } from '../lib/severities.ts';
import { EVENT_SEVERITIES } from './severities-data.ts';

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
export function describeDropped({ dropped }: TelemetryBatch, nowMs: number) {
  if (dropped.lines === 0 && dropped.spans === 0) return [];
  return [{ atMs: nowMs, line: JSON.stringify({ event: 'telemetry_dropped', ...dropped }) }];
}

/** Who wrote a record, and where it goes: `project` is `projects/p`. */
export type Origin = { project: string; service: ServiceName; instance: string };

const MS_PER_S = 1_000;
const SERVER_FAULT = 500;

/** Id of a service's log: `sightline-api`. */
export const formatLogId = (service: ServiceName): string => `sightline-${service}`;

/** Full name of a service's log. */
export const formatLogName = ({ project, service }: Origin): string => `${project}/logs/${formatLogId(service)}`;

/**
 * A log line as an entry of the logging interface. `ownId` distinguishes lines of one millisecond and keeps their
 * order. Log name and resource are those of all entries of its origin. A line that is no JSON object becomes a text.
 */
export function buildLogEntry(record: LineRecord, ownId: string, { project }: Origin): JsonObject {
  const { atMs, line, trace, http, insertId = ownId } = record;
  const payload = parseObjectLine(line);
  const requestId = payload?.['request_id'];
  return {
    timestamp: new Date(atMs).toISOString(),
    insertId,
    severity: computeSeverity(payload, http),
    ...(typeof requestId === 'string' ? { labels: { request_id: requestId } } : {}),
    ...(trace === undefined
      ? {}
      : { trace: `${project}/traces/${trace.traceId}`, spanId: trace.spanId, traceSampled: trace.isSampled }),
    ...(http === undefined ? {} : { httpRequest: buildHttpRequest(http) }),
    ...(payload === undefined ? { textPayload: line } : { jsonPayload: payload }),
  };
}

/** An isolate of a Worker as a monitored resource. */
export const buildMonitoredResource = ({ project, service, instance }: Origin): JsonObject => ({
  type: 'generic_task',
  labels: {
    project_id: project.slice(project.indexOf('/') + 1),
    location: 'global',
    namespace: 'sightline',
    job: formatLogId(service),
    task_id: instance,
  },
});

const buildHttpRequest = ({ method, route, status, latencyMs }: HttpFacts): JsonObject => ({
  requestMethod: method,
  ...(route === '' ? {} : { requestUrl: route }),
  status,
  latency: `${latencyMs / MS_PER_S}s`,
});

function computeSeverity(payload: JsonObject | undefined, http: HttpFacts | undefined): string {
  if (http !== undefined) return http.status >= SERVER_FAULT ? 'ERROR' : 'INFO';
  const own = getText(payload?.['severity']).toUpperCase();
  const event = getText(payload?.['event']);
  const least = Object.hasOwn(EVENT_SEVERITIES, event) ? EVENT_SEVERITIES[event] : undefined;
  if (isSeverity(own)) return least === undefined ? own : getHigherSeverity(own, least);
  return least ?? (event.endsWith('_failed') ? 'ERROR' : 'INFO');
}

const order: readonly string[] = LOG_SEVERITIES;
const isSeverity = (text: string): boolean => order.includes(text);
const getHigherSeverity = (one: string, other: string): string =>
  order.indexOf(one) > order.indexOf(other) ? one : other;

const getText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function parseObjectLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined; // Parsed JSON.
  } catch {
    return undefined;
  }
}
