import type { FieldType } from './ast.ts';

export type FieldTree = { readonly [name: string]: FieldType | FieldTree };

/**
 * The fields of a log entry and how they compare.
 * @see https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry
 */
export const LOG_ENTRY_FIELDS: FieldTree = {
  apphub: 'json',
  apphubDestination: 'json',
  apphubSource: 'json',
  errorGroups: { id: 'string' },
  httpRequest: {
    cacheFillBytes: 'int',
    cacheHit: 'bool',
    cacheLookup: 'bool',
    cacheValidatedWithOriginServer: 'bool',
    latency: 'duration',
    protocol: 'string',
    referer: 'string',
    remoteIp: 'string',
    requestMethod: 'string',
    requestSize: 'int',
    requestUrl: 'string',
    responseSize: 'int',
    serverIp: 'string',
    status: 'int',
    userAgent: 'string',
  },
  insertId: 'identifier',
  jsonPayload: 'json',
  labels: 'map',
  logName: 'identifier',
  metadata: { systemLabels: 'json', userLabels: 'map' },
  operation: { first: 'bool', id: 'string', last: 'bool', producer: 'string' },
  otel: 'json',
  protoPayload: 'proto',
  receiveTimestamp: 'timestamp',
  resource: { labels: 'map', type: 'string' },
  severity: 'severity',
  sourceLocation: { file: 'string', function: 'string', line: 'int' },
  spanId: 'identifier',
  split: { index: 'int', totalSplits: 'int', uid: 'string' },
  textPayload: 'string',
  timestamp: 'timestamp',
  trace: 'identifier',
  traceSampled: 'bool',
};
