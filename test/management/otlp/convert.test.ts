import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { convertLogRecords } from '../../../src/management/otlp/log-records.ts';
import { convertSpans } from '../../../src/management/otlp/spans.ts';
import { MAX_OTLP_RECORDS, MAX_SHARED_CHARS } from '../../../src/management/otlp/values.ts';
import { textValue } from '../../support/management/otlp.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = '00f067aa0ba902b7';
const START = '1700000000000000001';
const END = '1700000001500000000';
const RESOURCE = { attributes: [textValue('service.name', 'shop'), textValue('gcp.project_id', 'acme')] };
const span = (more: JsonObject = {}): JsonObject => ({
  traceId: TRACE,
  spanId: SPAN,
  name: 'GET /',
  startTimeUnixNano: START,
  endTimeUnixNano: END,
  ...more,
});
const spansOf = (...spans: JsonObject[]): JsonObject => ({
  resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: { name: 'lib' }, spans }] }],
});
const logsOf = (...logRecords: JsonObject[]): JsonObject => ({
  resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: { name: 'lib' }, logRecords }] }],
});

function convertedSpans(...spans: JsonObject[]) {
  const converted = convertSpans(spansOf(...spans), undefined);
  if ('problem' in converted) throw new Error(converted.message);
  return { ...converted, kept: converted.projects.get('projects/acme') ?? [] };
}

function entryOf(record: JsonObject): JsonObject {
  const converted = convertLogRecords(logsOf(record), undefined);
  if ('problem' in converted) throw new Error(converted.message);
  return converted.projects.get('projects/acme')?.[0] ?? {};
}

test('a span keeps its place in the trace, its times to the nanosecond, and what it says', () => {
  const { kept } = convertedSpans(
    span({
      parentSpanId: 'b7ad6b7169203331',
      kind: 3,
      flags: 0x3_01,
      attributes: [
        { key: 'n', value: { intValue: '5' } },
        { key: 'ok', value: { boolValue: true } },
      ],
      events: [{ timeUnixNano: START, name: 'retry', attributes: [textValue('why', 'late')] }],
      links: [{ traceId: TRACE, spanId: SPAN, attributes: [] }],
      status: { code: 2, message: 'gone' },
    }),
  );
  expect(kept).toEqual([
    {
      name: `projects/acme/traces/${TRACE}/spans/${SPAN}`,
      spanId: SPAN,
      parentSpanId: 'b7ad6b7169203331',
      sameProcessAsParentSpan: false,
      displayName: { value: 'GET /' },
      startTime: '2023-11-14T22:13:20.000000001Z',
      endTime: '2023-11-14T22:13:21.500000000Z',
      spanKind: 'CLIENT',
      attributes: {
        attributeMap: {
          'service.name': { stringValue: { value: 'shop' } },
          n: { intValue: '5' },
          ok: { boolValue: true },
          'gcp.project_id': { stringValue: { value: 'acme' } },
          'otel.scope.name': { stringValue: { value: 'lib' } },
        },
      },
      timeEvents: {
        timeEvent: [
          {
            time: '2023-11-14T22:13:20.000000001Z',
            annotation: {
              description: { value: 'retry' },
              attributes: { attributeMap: { why: { stringValue: { value: 'late' } } } },
            },
          },
        ],
      },
      links: { link: [{ traceId: TRACE, spanId: SPAN, attributes: { attributeMap: {} } }] },
      status: { code: 2, message: 'gone' },
    },
  ]);
});

test('kinds that no one knows are unspecified, and a status of OK is code 0', () => {
  const { kept } = convertedSpans(span({ kind: 99, status: { code: 1 } }), span({ kind: -1, status: { code: 7 } }));
  expect(kept[0]).toMatchObject({ spanKind: 'SPAN_KIND_UNSPECIFIED', status: { code: 0 } });
  expect(kept[1]).toMatchObject({ spanKind: 'SPAN_KIND_UNSPECIFIED' });
  expect(kept[1]).not.toHaveProperty('status');
});

test('what is beyond the limits of a span is left out and counted, with what the client left out', () => {
  const attributes = Array.from({ length: 100_000 }, (_, at) => textValue(`a${at}`, 'x'));
  const events = Array.from({ length: 40 }, () => ({ name: 'e', timeUnixNano: START }));
  const { kept } = convertedSpans(
    span({ attributes, droppedAttributesCount: 2, events, links: [{ traceId: 'no', spanId: SPAN }] }),
  );
  expect(kept[0]).toMatchObject({
    attributes: { droppedAttributesCount: 100_000 + 3 - 32 + 2 },
    timeEvents: { droppedAnnotationsCount: 8 },
    links: { link: [], droppedLinksCount: 1 },
  });
  const { attributeMap = {} } = (kept[0]?.['attributes'] ?? {}) as { attributeMap?: object };
  expect(Object.keys(attributeMap)).toHaveLength(32);
});

test('a span that is none is rejected by itself, with where it stands', () => {
  const { kept, rejected, message } = convertedSpans(
    span({ traceId: '0'.repeat(32) }),
    span({ spanId: 'abc' }),
    span({ endTimeUnixNano: '0' }),
    span({ startTimeUnixNano: END, endTimeUnixNano: START }),
    span({ parentSpanId: 'abcd' }),
    span(),
  );
  expect([kept.length, rejected]).toEqual([1, 5]);
  expect(message).toContain('resourceSpans[0].scopeSpans[0].spans[0]');
});

test('a log record keeps its log, resource, time, trace and labels', () => {
  const entry = entryOf({
    timeUnixNano: START,
    severityNumber: 13,
    traceId: TRACE,
    spanId: SPAN,
    flags: 1,
    eventName: 'cart.left',
    attributes: [textValue('user', 'u1'), { key: 'list', value: { arrayValue: { values: [{ intValue: '1' }] } } }],
    body: { stringValue: 'left' },
  });
  expect(entry).toEqual({
    logName: 'projects/acme/logs/shop',
    resource: {
      type: 'generic_task',
      labels: { project_id: 'acme', location: 'global', namespace: '', job: 'shop', task_id: '' },
    },
    timestamp: '2023-11-14T22:13:20.000000001Z',
    severity: 'WARNING',
    labels: { 'event.name': 'cart.left', user: 'u1', list: '[1]', 'otel.scope.name': 'lib', 'service.name': 'shop' },
    trace: `projects/acme/traces/${TRACE}`,
    spanId: SPAN,
    traceSampled: true,
    textPayload: 'left',
  });
});

test('the severity goes by its number, else by its text', () => {
  const severityOf = (record: JsonObject) => entryOf(record)['severity'];
  expect([1, 5, 9, 12, 13, 17, 20, 21, 23, 24].map((severityNumber) => severityOf({ severityNumber }))).toEqual([
    'DEBUG',
    'DEBUG',
    'INFO',
    'NOTICE',
    'WARNING',
    'ERROR',
    'ERROR',
    'CRITICAL',
    'ALERT',
    'EMERGENCY',
  ]);
  expect(['warn', 'Fatal', 'notice', 'loud', ''].map((severityText) => severityOf({ severityText }))).toEqual([
    'WARNING',
    'CRITICAL',
    'NOTICE',
    'DEFAULT',
    'DEFAULT',
  ]);
  expect(severityOf({ severityNumber: 4_000 })).toBe('DEFAULT');
});

test('a body that is an object is JSON, any other is text', () => {
  expect(
    entryOf({ body: { kvlistValue: { values: [textValue('a', 'b'), textValue('__proto__', 'x')] } } }),
  ).toMatchObject({ jsonPayload: { a: 'b' } });
  expect(entryOf({ body: { arrayValue: { values: [{ boolValue: true }] } } })).toMatchObject({ textPayload: '[true]' });
  expect(entryOf({})).not.toHaveProperty('textPayload');
});

test('the id of a record is that of its entry: sent again it is the same; one that no entry may have stays a label', () => {
  expect(entryOf({ attributes: [textValue('log.record.uid', '01J')] })).toMatchObject({
    insertId: '01J',
    labels: { 'otel.scope.name': 'lib', 'service.name': 'shop' },
  });
  expect(entryOf({ attributes: [textValue('log.record.uid', '01J')] })['labels']).not.toHaveProperty('log.record.uid');
  const long = 'x'.repeat(2_000);
  const entry = entryOf({ attributes: [textValue('log.record.uid', long)] });
  expect(entry).not.toHaveProperty('insertId');
  expect(entry).toMatchObject({ labels: { 'log.record.uid': long } });
});

test('labels beyond 64 are left out and counted', () => {
  const attributes = Array.from({ length: 100_000 }, (_, at) => textValue(`a${at}`, 'x'));
  const labels = entryOf({ attributes })['labels'] as JsonObject;
  expect(Object.keys(labels)).toHaveLength(64);
  expect(labels['otel.dropped_attributes_count']).toBe(String(100_002 - 63));
});

test('what all records of a resource share is bounded: beyond it is left out and counted, its name kept', () => {
  const attributes = [
    ...Array.from({ length: 50_000 }, (_, at) => textValue(`a${at}`, 'x'.repeat(100))),
    ...RESOURCE.attributes,
  ];
  const resource = { attributes };
  const logs = convertLogRecords({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [{}] }] }] }, undefined);
  const spans = convertSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span()] }] }] }, undefined);
  if ('problem' in logs || 'problem' in spans) throw new Error('refused');
  const entry = logs.projects.get('projects/acme')?.[0];
  const labels = entry?.['labels'] as JsonObject;
  expect(entry).toMatchObject({ logName: 'projects/acme/logs/shop', resource: { labels: { job: 'shop' } } });
  expect(JSON.stringify(labels).length).toBeLessThan(MAX_SHARED_CHARS);
  // The project is no label, the count is one more.
  const kept = Object.keys(labels).length - 1;
  expect(kept + Number(labels['otel.dropped_attributes_count'])).toBe(attributes.length - 1);
  expect(spans.projects.get('projects/acme')?.[0]).toMatchObject({
    attributes: { droppedAttributesCount: attributes.length - 32 },
  });
});

test('a resource without a project has the one of its caller, or refuses the request', () => {
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [{}] }] }] };
  expect(convertLogRecords(request, 'own')).toMatchObject({
    projects: new Map([['projects/own', [expect.anything()]]]),
  });
  expect(convertLogRecords(request, undefined)).toMatchObject({ problem: 'no_project' });
  expect(convertLogRecords(request, 'a/b')).toMatchObject({ problem: 'no_project' });
});

test('more records than a request may have refuse it', () => {
  const spans = Array.from({ length: MAX_OTLP_RECORDS + 1 }, () => ({}));
  expect(convertSpans(spansOf(...spans), undefined)).toMatchObject({ problem: 'too_many' });
});
