/**
 * Messages of OTLP 1.x by field number, as far as they mean something here; other fields are passed over. Names are those
 * of the JSON form.
 * @see https://github.com/open-telemetry/opentelemetry-proto
 */
type Scalar = 'string' | 'bool' | 'double' | 'enum' | 'uint32' | 'fixed32' | 'fixed64' | 'int64' | 'bytes' | 'id';

/** A field. `id` is bytes that the JSON form has in hexadecimal. */
export type OtlpField = { name: string; repeated?: true } & ({ kind: Scalar } | { kind: 'message'; of: OtlpMessage });

const scalar = (name: string, kind: Scalar): OtlpField => ({ name, kind });
const one = (name: string, of: OtlpMessage): OtlpField => ({ name, kind: 'message', of });
const many = (name: string, of: OtlpMessage): OtlpField => ({ name, kind: 'message', of, repeated: true });

export type OtlpMessage =
  | 'TraceRequest'
  | 'ResourceSpans'
  | 'ScopeSpans'
  | 'Span'
  | 'Event'
  | 'Link'
  | 'Status'
  | 'LogsRequest'
  | 'ResourceLogs'
  | 'ScopeLogs'
  | 'LogRecord'
  | 'Resource'
  | 'Scope'
  | 'KeyValue'
  | 'AnyValue'
  | 'ArrayValue'
  | 'KeyValueList';

export const OTLP_MESSAGES: Readonly<Record<OtlpMessage, Readonly<Record<number, OtlpField>>>> = {
  TraceRequest: { 1: many('resourceSpans', 'ResourceSpans') },
  ResourceSpans: { 1: one('resource', 'Resource'), 2: many('scopeSpans', 'ScopeSpans') },
  ScopeSpans: { 1: one('scope', 'Scope'), 2: many('spans', 'Span') },
  Span: {
    1: scalar('traceId', 'id'),
    2: scalar('spanId', 'id'),
    4: scalar('parentSpanId', 'id'),
    5: scalar('name', 'string'),
    6: scalar('kind', 'enum'),
    7: scalar('startTimeUnixNano', 'fixed64'),
    8: scalar('endTimeUnixNano', 'fixed64'),
    9: many('attributes', 'KeyValue'),
    10: scalar('droppedAttributesCount', 'uint32'),
    11: many('events', 'Event'),
    12: scalar('droppedEventsCount', 'uint32'),
    13: many('links', 'Link'),
    14: scalar('droppedLinksCount', 'uint32'),
    15: one('status', 'Status'),
    16: scalar('flags', 'fixed32'),
  },
  Event: {
    1: scalar('timeUnixNano', 'fixed64'),
    2: scalar('name', 'string'),
    3: many('attributes', 'KeyValue'),
    4: scalar('droppedAttributesCount', 'uint32'),
  },
  Link: {
    1: scalar('traceId', 'id'),
    2: scalar('spanId', 'id'),
    4: many('attributes', 'KeyValue'),
    5: scalar('droppedAttributesCount', 'uint32'),
  },
  Status: { 2: scalar('message', 'string'), 3: scalar('code', 'enum') },
  LogsRequest: { 1: many('resourceLogs', 'ResourceLogs') },
  ResourceLogs: { 1: one('resource', 'Resource'), 2: many('scopeLogs', 'ScopeLogs') },
  ScopeLogs: { 1: one('scope', 'Scope'), 2: many('logRecords', 'LogRecord') },
  LogRecord: {
    1: scalar('timeUnixNano', 'fixed64'),
    2: scalar('severityNumber', 'enum'),
    3: scalar('severityText', 'string'),
    5: one('body', 'AnyValue'),
    6: many('attributes', 'KeyValue'),
    7: scalar('droppedAttributesCount', 'uint32'),
    8: scalar('flags', 'fixed32'),
    9: scalar('traceId', 'id'),
    10: scalar('spanId', 'id'),
    11: scalar('observedTimeUnixNano', 'fixed64'),
    12: scalar('eventName', 'string'),
  },
  Resource: { 1: many('attributes', 'KeyValue') },
  Scope: { 1: scalar('name', 'string'), 2: scalar('version', 'string') },
  KeyValue: { 1: scalar('key', 'string'), 2: one('value', 'AnyValue') },
  AnyValue: {
    1: scalar('stringValue', 'string'),
    2: scalar('boolValue', 'bool'),
    3: scalar('intValue', 'int64'),
    4: scalar('doubleValue', 'double'),
    5: one('arrayValue', 'ArrayValue'),
    6: one('kvlistValue', 'KeyValueList'),
    7: scalar('bytesValue', 'bytes'),
  },
  ArrayValue: { 1: many('values', 'AnyValue') },
  KeyValueList: { 1: many('values', 'KeyValue') },
};
