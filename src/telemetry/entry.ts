import type { Json, JsonObject } from '../lib/json.ts';
import { LOG_SEVERITIES } from '../lib/severities.ts';
import { EVENT_SEVERITIES } from './severities-data.ts';
import type { HttpFacts, LineRecord, ServiceName } from './wire.ts';

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
