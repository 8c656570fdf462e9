import { getObjectMember, getTextMember, type JsonObject } from '../../lib/json.ts';
import { formatRequestName } from './spans.ts';
import { formatCsv } from './tables.tsx';

/** An entry as the page shows it. Every text may be anyone's. */
export type LogEntryLine = {
  timestamp: string;
  severity: string;
  /** Id of its log. */
  log: string;
  message: string;
  /** The entry as JSON, and how many characters of it are left out. */
  json: string;
  leftOut: number;
  /** Id of its trace, where the project may have it. */
  traceId: string | undefined;
};

const MAX_MESSAGE_CHARS = 300;
const MAX_JSON_CHARS = 8_000;
const TRACE_ID = /^[0-9a-f]{32}$/;
/** Members that say what happened, the plainest first. */
const MESSAGES = ['message', 'event', 'methodName', '@type'] as const;

/**
 * @param entry as the logging interface lists it: its writer decides what it holds
 * @param project `projects/p`: traces of others lead nowhere
 */
export function readLogEntry(entry: JsonObject, project: string): LogEntryLine {
  const json = JSON.stringify(entry, null, 2);
  return {
    timestamp: getTextMember(entry, 'timestamp'),
    severity: getTextMember(entry, 'severity') || 'DEFAULT',
    log: readLogId(getTextMember(entry, 'logName')),
    message: formatLogMessage(entry).slice(0, MAX_MESSAGE_CHARS),
    json: json.slice(0, MAX_JSON_CHARS),
    leftOut: Math.max(0, json.length - MAX_JSON_CHARS),
    traceId: entry['traceSampled'] === false ? undefined : readTraceId(getTextMember(entry, 'trace'), project),
  };
}

const COLUMNS = ['timestamp', 'severity', 'log', 'message', 'request_id', 'trace', 'span_id', 'insert_id', 'entry'];

/** Entries as CSV (rule X8), the whole of each in the last column. */
export const formatLogsCsv = (entries: readonly JsonObject[]): string =>
  formatCsv([COLUMNS, ...entries.map(listLogCells)]);

/** Entries as they are, one a line. */
export const formatLogsJsonl = (entries: readonly JsonObject[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

function listLogCells(entry: JsonObject): readonly string[] {
  const { timestamp, severity, log, message } = readLogEntry(entry, '');
  const ids = [
    getTextMember(getObjectMember(entry, 'labels'), 'request_id'),
    ...['trace', 'spanId', 'insertId'].map((id) => getTextMember(entry, id)),
  ];
  return [timestamp, severity, log, message, ...ids, JSON.stringify(entry)];
}

/** What happened, in a line: a request with its answer after it. */
function formatLogMessage(entry: JsonObject): string {
  const [text, request] = [
    getTextMember(entry, 'textPayload'),
    formatLoggedRequest(getObjectMember(entry, 'httpRequest')),
  ];
  const payload = { ...getObjectMember(entry, 'protoPayload'), ...getObjectMember(entry, 'jsonPayload') };
  const said = MESSAGES.map((name) => getTextMember(payload, name)).find((each) => each !== '') ?? '';
  // A request says all of itself, with what was bought in the place of the route.
  const about =
    said === TOOL_CALL || (said === REQUEST && request !== '')
      ? [formatBoughtRequest(entry, payload)]
      : [said, formatReason(payload), request];
  const parts = [text, ...about].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' · ') : JSON.stringify(payload);
}

const REQUEST = 'request';
/** How a call over MCP in a session ended. */
const TOOL_CALL = 'tool_call';
/** Members that say which of several things it was, or why. */
const REASONS = ['code', 'reason', 'name', 'error'] as const;

function formatReason(payload: JsonObject): string {
  const found = REASONS.map((name) => getTextMember(payload, name)).find((each) => each !== '');
  return found ?? '';
}

/** `POST full_audit 200 0x12ab… 0.35s`, `tools/call full_audit 402 0.01s`. */
function formatBoughtRequest(entry: JsonObject, payload: JsonObject): string {
  const request = getObjectMember(entry, 'httpRequest');
  return formatRequestName({
    method: getTextMember(payload, 'mcp_method') || getTextMember(request, 'requestMethod'),
    subject:
      getTextMember(payload, 'capability') || getTextMember(payload, 'method') || getTextMember(request, 'requestUrl'),
    status: readNumberText(payload, 'status') || readNumberText(request, 'status'),
    payer: getTextMember(payload, 'payer'),
    rest: getTextMember(request, 'latency'),
  });
}

const readNumberText = (members: JsonObject, name: string): string =>
  typeof members[name] === 'number' ? String(members[name]) : '';

function formatLoggedRequest(request: JsonObject): string {
  const { status } = request;
  const texts = ['requestMethod', 'requestUrl', 'latency'].map((name) => getTextMember(request, name));
  const [method = '', url = '', latency = ''] = texts;
  return [method, url, typeof status === 'number' ? String(status) : '', latency]
    .filter((part) => part !== '')
    .join(' ');
}

function readLogId(name: string): string {
  const id = name.slice(name.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // A name that is not encoded as names are: shown as it is.
  }
}

function readTraceId(name: string, project: string): string | undefined {
  const prefix = `${project}/traces/`;
  const id = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return TRACE_ID.test(id) ? id : undefined;
}
