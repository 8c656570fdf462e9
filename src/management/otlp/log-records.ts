import { getObjectMember, getTextMember, isObject, isText, type JsonObject } from '../../lib/json.ts';
import { LOG_SEVERITIES } from '../../lib/severities.ts';
import { isKey } from '../core/engine/stored-row.ts';
import { parseSpanId, parseTraceId } from '../interfaces/tracing/rows.ts';
import { parseLogName } from '../log-store/log-name.ts';
import {
  addRecord,
  type ConvertedExport,
  type ExportProblem,
  findAttributeText,
  formatUnixNanos,
  type OtlpAttribute,
  readAttributes,
  type RecordOrigin,
  toAttributeText,
  toJsonObject,
  toJsonValue,
  walkRecords,
} from './values.ts';

/** Labels of one entry (the vendor's quota). */
const MAX_LABELS = 64;
const DROPPED_LABEL = 'otel.dropped_attributes_count';
/** What makes a record one of its kind: sent again it is the same entry (OpenTelemetry, "General logs attributes"). */
const RECORD_ID = 'log.record.uid';
const DEFAULT_LOG = 'otlp';
const SAMPLED = 1;

/** The severity from its number on, the highest first: TRACE is DEBUG, INFO3 and INFO4 are NOTICE, FATAL is CRITICAL and above. */
const SEVERITIES_FROM = [
  [24, 'EMERGENCY'],
  [23, 'ALERT'],
  [21, 'CRITICAL'],
  [17, 'ERROR'],
  [13, 'WARNING'],
  [11, 'NOTICE'],
  [9, 'INFO'],
  [1, 'DEBUG'],
] as const;
const MAX_SEVERITY = 24;
/** Words that programs write for severities of the interface. */
const WORDS: Readonly<Record<string, string>> = { TRACE: 'DEBUG', WARN: 'WARNING', FATAL: 'CRITICAL' };
const NAMES: ReadonlySet<string> = new Set(LOG_SEVERITIES);

/**
 * The log records of a request as entries of an `entries:write`, by project. The store judges them.
 * @param fallback id of the project of a resource that names none
 */
export function convertLogRecords(request: JsonObject, fallback: string | undefined): ConvertedExport | ExportProblem {
  const projects = new Map<string, JsonObject[]>();
  const problem = walkRecords(request, ['resourceLogs', 'scopeLogs', 'logRecords'], fallback, (record, origin) =>
    addRecord(projects, origin.project, convertLogRecord(record, origin)),
  );
  return problem ?? { projects, rejected: 0, message: '' };
}

function convertLogRecord(sent: JsonObject, origin: RecordOrigin): JsonObject {
  const own = readAttributes(sent);
  const timestamp = formatUnixNanos(sent['timeUnixNano']) ?? formatUnixNanos(sent['observedTimeUnixNano']);
  return {
    logName: formatLogName(own, origin),
    resource: convertResource(origin),
    ...(timestamp !== undefined && { timestamp }),
    ...(hasOwnId(own) && { insertId: findAttributeText(own, RECORD_ID) }),
    severity: convertSeverity(sent),
    labels: convertLabels(sent, own, origin),
    ...convertTrace(sent, origin),
    ...convertBody(getObjectMember(sent, 'body')),
  };
}

/** Whether the record has an id that an entry may have. */
function hasOwnId(own: readonly OtlpAttribute[]): boolean {
  const id = findAttributeText(own, RECORD_ID);
  return id !== '' && isKey(id);
}

/** The log that the record names, else the service's own. */
function formatLogName(own: readonly OtlpAttribute[], { project, shared }: RecordOrigin): string {
  const ids = [findAttributeText(own, 'gcp.log_name'), findAttributeText(shared, 'service.name')];
  const id = ids.find((each) => each !== '' && parseLogName(`${project}/logs/${each}`) !== undefined) ?? DEFAULT_LOG;
  return `${project}/logs/${id}`;
}

/** A named service is a task of it; anything else is from anywhere. */
function convertResource({ project, shared }: RecordOrigin): JsonObject {
  const project_id = project.slice('projects/'.length);
  const job = findAttributeText(shared, 'service.name');
  if (job === '') return { type: 'global', labels: { project_id } };
  const place = findAttributeText(shared, 'cloud.availability_zone') || findAttributeText(shared, 'cloud.region');
  return {
    type: 'generic_task',
    labels: {
      project_id,
      location: place || 'global',
      namespace: findAttributeText(shared, 'service.namespace'),
      job,
      task_id: findAttributeText(shared, 'service.instance.id'),
    },
  };
}

function convertSeverity(sent: JsonObject): string {
  const number = Number(sent['severityNumber'] ?? 0);
  const known = number <= MAX_SEVERITY ? SEVERITIES_FROM.find(([from]) => number >= from)?.[1] : undefined;
  if (known !== undefined) return known;
  const text = getTextMember(sent, 'severityText').toUpperCase();
  const word = WORDS[text] ?? text;
  return NAMES.has(word) ? word : 'DEFAULT';
}

/** The record's attributes first, then those of its resource and scope; what has no room is counted. */
function convertLabels(sent: JsonObject, own: readonly OtlpAttribute[], origin: RecordOrigin): JsonObject {
  const event = getTextMember(sent, 'eventName');
  const named: OtlpAttribute[] = event === '' ? [] : [['event.name', { stringValue: event }]];
  const labels = new Map<string, JsonObject>();
  for (const [key, value] of [...named, ...own, ...origin.shared]) if (!labels.has(key)) labels.set(key, value);
  labels.delete('gcp.log_name');
  labels.delete('gcp.project_id');
  if (hasOwnId(own)) labels.delete(RECORD_ID);
  const before = sent['droppedAttributesCount'];
  const surplus = labels.size > MAX_LABELS ? labels.size - (MAX_LABELS - 1) : 0;
  const dropped = surplus + origin.dropped + (typeof before === 'number' ? before : 0);
  const kept = [...labels].slice(0, dropped > 0 ? MAX_LABELS - 1 : MAX_LABELS);
  return {
    ...Object.fromEntries(kept.map(([key, value]) => [key, toAttributeText(value)])),
    ...(dropped > 0 && { [DROPPED_LABEL]: String(dropped) }),
  };
}

/** Ids that are none are left out: a record is worth more than its trace. */
function convertTrace(sent: JsonObject, { project }: RecordOrigin): JsonObject {
  const traceId = parseTraceId(getTextMember(sent, 'traceId'));
  if (traceId === undefined) return {};
  const spanId = parseSpanId(getTextMember(sent, 'spanId'));
  return {
    trace: `${project}/traces/${traceId}`,
    ...(spanId !== undefined && { spanId }),
    traceSampled: (Number(sent['flags'] ?? 0) & SAMPLED) === SAMPLED,
  };
}

/** An object is JSON, any other body is text. */
function convertBody(body: JsonObject): JsonObject {
  const { kvlistValue } = body;
  if (isObject(kvlistValue)) return { jsonPayload: toJsonObject(kvlistValue) };
  const value = toJsonValue(body);
  if (value === null) return {};
  return { textPayload: isText(value) ? value : JSON.stringify(value) };
}
