import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { decodeExportJson } from '../../src/management/otlp/decode.ts';
import { convertLogRecords } from '../../src/management/otlp/log-records.ts';
import { convertSpans } from '../../src/management/otlp/spans.ts';
import { buildOtlpParcels } from '../../src/telemetry/otlp-records.ts';
import { MAX_LINE_CHARS, type TelemetryBatch } from '../../src/telemetry/wire.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const [ROOT, CHILD] = ['00f067aa0ba902b7', '00f067aa0ba902b8'];
const AT = 1_700_000_000_250;
const BATCH: TelemetryBatch = {
  service: 'api',
  instance: '0badcafe',
  lines: [
    {
      atMs: AT,
      line: '{"event":"request","request_id":"r1"}',
      trace: { traceId: TRACE, spanId: ROOT, isSampled: true },
      http: { method: 'GET', route: '/x', status: 503, latencyMs: 250 },
    },
    { atMs: AT, line: '{"event":"operator_action","by":"ada","n":[1,null,0.5],"ok":true}', insertId: 'once' },
    { atMs: AT, line: 'no JSON' },
  ],
  spans: [
    {
      traceId: TRACE,
      spanId: ROOT,
      parentSpanId: CHILD,
      isRemoteChild: true,
      name: 'GET /x',
      kind: 'SERVER',
      startMs: AT,
      endMs: AT + 250,
      attributes: { 'http.route': '/x', 'http.response.status_code': 503, share: 0.5, ok: false },
      isError: true,
    },
  ],
  dropped: { lines: 0, spans: 0 },
};

const decodeParcel = (signal: 'logs' | 'traces', batch = BATCH): JsonObject => {
  const { body = '' } = buildOtlpParcels(batch, 'acme', AT).find((parcel) => parcel.signal === signal) ?? {};
  const decoded = decodeExportJson(new TextEncoder().encode(body), signal === 'logs' ? 'LogsRequest' : 'TraceRequest');
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.request;
};

test('spans come back through our own reader of OTLP as they were', () => {
  expect(convertSpans(decodeParcel('traces'), undefined)).toMatchObject({
    rejected: 0,
    projects: new Map([
      [
        'projects/acme',
        [
          expect.objectContaining({
            name: `projects/acme/traces/${TRACE}/spans/${ROOT}`,
            parentSpanId: CHILD,
            sameProcessAsParentSpan: false,
            displayName: { value: 'GET /x' },
            startTime: '2023-11-14T22:13:20.250000000Z',
            endTime: '2023-11-14T22:13:20.500000000Z',
            spanKind: 'SERVER',
            status: { code: 2 },
            attributes: {
              attributeMap: expect.objectContaining({
                'service.name': { stringValue: { value: 'sightline-api' } },
                'http.response.status_code': { intValue: '503' },
                share: { stringValue: { value: '0.5' } },
                ok: { boolValue: false },
              }) as object,
            },
          }),
        ],
      ],
    ]),
  });
});

test('lines come back with their severity, trace, request and payload', () => {
  const converted = convertLogRecords(decodeParcel('logs'), undefined);
  if ('problem' in converted) throw new Error(converted.message);
  expect(converted.projects.get('projects/acme')).toMatchObject([
    {
      logName: 'projects/acme/logs/sightline-api',
      resource: { type: 'generic_task', labels: { job: 'sightline-api', namespace: 'sightline', task_id: '0badcafe' } },
      timestamp: '2023-11-14T22:13:20.250000000Z',
      severity: 'ERROR',
      trace: `projects/acme/traces/${TRACE}`,
      spanId: ROOT,
      traceSampled: true,
      labels: {
        request_id: 'r1',
        'http.route': '/x',
        'http.response.status_code': '503',
        'http.server.request.duration': '0.25',
      },
      jsonPayload: { event: 'request', request_id: 'r1' },
    },
    {
      severity: 'NOTICE',
      insertId: 'once',
      labels: { 'event.name': 'operator_action' },
      jsonPayload: { by: 'ada', n: [1, null, 0.5], ok: true },
    },
    { severity: 'INFO', textPayload: 'no JSON' },
  ]);
});

const nest = (open: string, close: string, depth: number): string =>
  `{"event":"deep","a":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`;

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('values within 20 %s come back; a line of more is text, however many', (_what, open, close) => {
  const payloadOf = (line: string): unknown => {
    const converted = convertLogRecords(decodeParcel('logs', { ...BATCH, lines: [{ atMs: AT, line }] }), undefined);
    if ('problem' in converted) throw new Error(converted.message);
    const [{ jsonPayload, textPayload, labels } = {}] = converted.projects.get('projects/acme') ?? [];
    expect(labels).toMatchObject({ 'event.name': 'deep' });
    return jsonPayload ?? textPayload;
  };
  const shallow = nest(open, close, 20);
  expect(payloadOf(shallow)).toEqual(JSON.parse(shallow));
  for (const depth of [21, 1_300]) expect(payloadOf(nest(open, close, depth))).toBe(nest(open, close, depth));
});

test('the deepest line that fits into a batch costs it nothing', () => {
  const line = nest('[', ']', 4_080);
  expect(line.length).toBeLessThanOrEqual(MAX_LINE_CHARS);
  const [parcel] = buildOtlpParcels({ ...BATCH, lines: [{ atMs: AT, line }] }, undefined, AT);
  expect(parcel).toMatchObject({ records: 1, body: expect.stringContaining('"stringValue":"{') as string });
});

test('what was left out before is a record of its own; an empty batch is nothing', () => {
  const none = { ...BATCH, lines: [], spans: [] };
  expect(buildOtlpParcels(none, undefined, AT)).toEqual([]);
  const [parcel] = buildOtlpParcels({ ...none, dropped: { lines: 3, spans: 1 } }, undefined, AT);
  expect(parcel).toMatchObject({ signal: 'logs', records: 0, dropped: { lines: 3, spans: 1 } });
  expect(parcel?.body).toContain('telemetry_dropped');
});
