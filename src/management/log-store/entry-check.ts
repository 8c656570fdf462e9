import { isObject, isText, type Json, type JsonObject, getMember } from '../../lib/json.ts';
import { countUtf8Bytes } from '../../lib/utf8.ts';
import { isKey } from '../core/engine/stored-row.ts';
import { parseNanoTimestamp, getSeverityRank } from '../core/filter/index.ts';
import { type LogName, parseLogName } from './log-name.ts';
import { RESOURCE_TYPES } from './resource-types-data.ts';
import { formatShownTime } from './times.ts';

/** Labels of one entry (the vendor's quota). */
const MAX_LABELS = 64;
/** The vendor cuts longer keys and values, and says so with an ellipsis. */
const MAX_KEY_BYTES = 512;
const MAX_VALUE_BYTES = 64 * 1_024;
const ELLIPSIS = '...';

/** The labels of an entry over those of its call. Undefined where there are more than an entry may have. */
function mergeEntryLabels(given: JsonObject, own: JsonObject): JsonObject | undefined {
  const labels = new Map<string, string>();
  const all = [...Object.entries(given), ...Object.entries(own)];
  if (all.length === 0) return {};
  for (const [key, value] of all) if (isText(value)) labels.set(cut(key, MAX_KEY_BYTES), cut(value, MAX_VALUE_BYTES));
  return labels.size > MAX_LABELS ? undefined : Object.fromEntries(labels);
}

/** A text in so many bytes of UTF-8. */
function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || countUtf8Bytes(text) <= maxBytes) return text;
  const room = new Uint8Array(maxBytes - ELLIPSIS.length);
  const { read } = new TextEncoder().encodeInto(text, room);
  return `${text.slice(0, read)}${ELLIPSIS}`;
}

/** Longest entry, in bytes of its JSON (the vendor's quota). */
export const MAX_ENTRY_BYTES = 256 * 1_024;
const KB = 1_024;

/** An entry that may be kept. */
export type CheckedEntry = {
  log: LogName;
  ts: string;
  insertId: string;
  severity: number;
  trace: string | null;
  /** As it is shown. */
  entry: JsonObject;
  json: string;
};

/** What a call says for entries that do not say it themselves, and what the service says where neither does. */
export type EntryDefaults = {
  logName: string;
  resource: JsonObject | undefined;
  labels: JsonObject;
  receiveTimestamp: string;
  /** The parts of this call's log names: few names occur in many entries. */
  logs: Map<string, LogName | undefined>;
  /** The time and id of an entry that has none; later ones sort after earlier ones. */
  next: () => { ts: string; insertId: string };
};

/** An entry, or what is wrong with it. */
export type Checked = { ok: true; checked: CheckedEntry } | { ok: false; message: string };

const PAYLOADS = ['textPayload', 'jsonPayload', 'protoPayload'] as const;
/** What of an entry is kept as sent; all else is set here, or is for the service only. */
const SENT_MEMBERS = [
  'httpRequest',
  'jsonPayload',
  'operation',
  'otel',
  'protoPayload',
  'sourceLocation',
  'spanId',
  'split',
  'textPayload',
  'trace',
  'traceSampled',
] as const;
/** Messages: their `null`s are members that were not sent. In payloads `null` is a value. */
const MESSAGES: ReadonlySet<string> = new Set(['httpRequest', 'operation', 'sourceLocation', 'split']);

/** Judges one entry of a call and completes it. Its body has been judged by the schema of the method. */
export function checkEntry(sent: JsonObject, defaults: EntryDefaults): Checked {
  const logName = findEntryText(sent, 'logName') ?? defaults.logName;
  const log = parseRememberedLogName(defaults.logs, logName);
  if (log === undefined) return rejectEntry(logName === '' ? 'Log name is required' : 'Log name is not valid');
  const resource = readMonitoredResource(getMember(sent, 'resource')) ?? defaults.resource;
  if (resource === undefined) return rejectEntry('Monitored resource type is required');
  if (PAYLOADS.filter((name) => (getMember(sent, name) ?? null) !== null).length > 1)
    return rejectEntry('Only one of textPayload, jsonPayload and protoPayload may be set');
  const own = getMember(sent, 'labels');
  const labels = mergeEntryLabels(defaults.labels, isObject(own) ? own : {});
  if (labels === undefined) return rejectEntry('An entry has at most 64 labels');
  const placed = readEntryPlace(sent, defaults);
  if ('ok' in placed) return placed;
  return completeEntry(sent, { log, resource: fillProject(resource, log), labels, ...placed }, defaults);
}

type Parts = { log: LogName; resource: JsonObject; labels: JsonObject; ts: string; insertId: string };

/** Its time and id. */
function readEntryPlace(sent: JsonObject, { next }: EntryDefaults): { ts: string; insertId: string } | Checked {
  const sentTime = findEntryText(sent, 'timestamp');
  const ts = sentTime === undefined ? undefined : parseNanoTimestamp(sentTime);
  if (sentTime !== undefined && ts === undefined) return rejectEntry('Timestamp is not valid');
  const insertId = findEntryText(sent, 'insertId');
  if (insertId !== undefined && !isKey(insertId)) return rejectEntry('Insert id is too long');
  if (ts !== undefined && insertId !== undefined) return { ts, insertId };
  const made = next();
  return { ts: ts ?? made.ts, insertId: insertId ?? made.insertId };
}

function completeEntry(
  sent: JsonObject,
  { log, resource, labels, ts, insertId }: Parts,
  defaults: EntryDefaults,
): Checked {
  const severity = findEntryText(sent, 'severity') ?? 'DEFAULT';
  const entry: JsonObject = { insertId, logName: log.name, timestamp: formatShownTime(ts), severity, resource };
  for (const name of SENT_MEMBERS) {
    const value = getMember(sent, name) ?? null;
    if (value !== null) entry[name] = MESSAGES.has(name) ? withoutNulls(value) : value;
  }
  if (Object.keys(labels).length > 0) entry['labels'] = labels;
  entry['receiveTimestamp'] = defaults.receiveTimestamp;
  const json = JSON.stringify(entry);
  const bytes = json.length * 3 <= MAX_ENTRY_BYTES ? 0 : countUtf8Bytes(json);
  if (bytes > MAX_ENTRY_BYTES)
    return rejectEntry(
      `Log entry with size ${(bytes / KB).toFixed(1)}K exceeds maximum size of ${MAX_ENTRY_BYTES / KB}.0K`,
    );
  const trace = findEntryText(entry, 'trace') ?? null;
  return { ok: true, checked: { log, ts, insertId, severity: getSeverityRank(severity), trace, entry, json } };
}

function parseRememberedLogName(logs: EntryDefaults['logs'], text: string): LogName | undefined {
  if (!logs.has(text)) logs.set(text, parseLogName(text));
  return logs.get(text);
}

/** A monitored resource as it is kept; undefined for one without a type. */
export function readMonitoredResource(sent: Json | undefined): JsonObject | undefined {
  if (!isObject(sent) || findEntryText(sent, 'type') === undefined) return undefined;
  const labels = getMember(sent, 'labels');
  return { type: getMember(sent, 'type') ?? '', labels: isObject(labels) ? withoutNulls(labels) : {} };
}

const PROJECT_LABEL = 'project_id';
const PROJECT_TYPES: ReadonlySet<Json> = new Set(
  RESOURCE_TYPES.filter(({ labels }) => PROJECT_LABEL in labels).map(({ type }) => type),
);

/**
 * The resource of an entry, with the project that its log is in where its type has that label and the writer left it out, as
 * the vendor's own example of a write does (`gce_instance` with zone and instance). The service knows no other label.
 */
function fillProject(resource: JsonObject, { container }: LogName): JsonObject {
  const [kind, id = ''] = container.split('/', 2);
  if (kind !== 'projects' || !PROJECT_TYPES.has(getMember(resource, 'type') ?? '')) return resource;
  const sent = getMember(resource, 'labels');
  const labels = isObject(sent) ? sent : {};
  if ((getMember(labels, PROJECT_LABEL) ?? '') !== '') return resource;
  return { ...resource, labels: { ...labels, [PROJECT_LABEL]: id } };
}

const withoutNulls = (value: Json): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;

/** A text that says something. */
function findEntryText(object: JsonObject, name: string): string | undefined {
  const value = getMember(object, name);
  return isText(value) && value !== '' ? value : undefined;
}

const rejectEntry = (message: string): { ok: false; message: string } => ({ ok: false, message });
