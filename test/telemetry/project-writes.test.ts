import { describe, expect, test } from 'vitest';
import { batchSchema } from '../../src/telemetry/batch-schema.ts';
import { buildProjectWrites } from '../../src/telemetry/project-writes.ts';
import { scrubLine } from '../../src/telemetry/recorder.ts';
import { MAX_BATCH_RECORDS, MAX_LINE_CHARS, type TelemetryBatch } from '../../src/telemetry/wire.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const AT_MS = Date.UTC(2026, 10, 22, 12, 0, 0, 250);

const batch = (changes: Partial<TelemetryBatch> = {}): TelemetryBatch => ({
  service: 'api',
  instance: '0badcafe',
  lines: [],
  spans: [],
  dropped: { lines: 0, spans: 0 },
  ...changes,
});

const written = (given: TelemetryBatch) => buildProjectWrites(given, 'projects/acme', 'feedfacefeedface', AT_MS);
/** As many as go into a batch. */
const many = <T>(record: T): T[] => Array.from({ length: MAX_BATCH_RECORDS }, () => record);

const entriesOf = (lines: TelemetryBatch['lines']): unknown => written(batch({ lines })).body.entries;

test('a request is an entry with its trace, its template and its status', () => {
  const lines = [
    {
      atMs: AT_MS,
      line: `{"event":"request","request_id":"${TRACE}"}`,
      trace: { traceId: TRACE, spanId: SPAN, isSampled: true },
      http: { method: 'POST', route: '/api/agent/{capability}', status: 402, latencyMs: 12 },
    },
  ];
  expect(written(batch({ lines }))).toEqual({
    body: {
      partialSuccess: true,
      logName: 'projects/acme/logs/sightline-api',
      resource: {
        type: 'generic_task',
        labels: {
          project_id: 'acme',
          location: 'global',
          namespace: 'sightline',
          job: 'sightline-api',
          task_id: '0badcafe',
        },
      },
      entries: [
        {
          timestamp: '2026-11-22T12:00:00.250Z',
          insertId: 'feedfacefeedface-0000',
          severity: 'INFO',
          labels: { request_id: TRACE },
          trace: `projects/acme/traces/${TRACE}`,
          spanId: SPAN,
          traceSampled: true,
          httpRequest: {
            requestMethod: 'POST',
            requestUrl: '/api/agent/{capability}',
            status: 402,
            latency: '0.012s',
          },
          jsonPayload: { event: 'request', request_id: TRACE },
        },
      ],
    },
    spans: [],
  });
});

test.each([
  ['{"event":"sold"}', 'INFO'],
  ['{"event":"bug"}', 'ERROR'],
  ['{"event":"cron_inbox_failed"}', 'ERROR'],
  ['{"event":"directory_user_changed"}', 'NOTICE'],
  ['{"event":"alert","severity":"ERROR"}', 'ERROR'],
  ['{"event":"alert"}', 'WARNING'],
  ['{"event":"alert","severity":"INFO"}', 'WARNING'],
  ['{"event":"operator_action","severity":"DEBUG"}', 'NOTICE'],
  ['{"event":"operator_action"}', 'NOTICE'],
  ['{"event":"operator_access_ended"}', 'NOTICE'],
  ['{"event":"channels_operated"}', 'NOTICE'],
  ['{"event":"last_operator_kept"}', 'WARNING'],
  ['{"event":"payment_reorged"}', 'ERROR'],
  ['{"event":"settlement_mismatch"}', 'ERROR'],
  ['{"event":"refused","status":402}', 'INFO'],
  ['{"event":"request"}', 'INFO'],
  ['{"event":"sold","severity":"NONSENSE"}', 'INFO'],
  ['{"event":"__proto__"}', 'INFO'],
])('the line %s has the severity %s', (line, severity) => {
  expect(entriesOf([{ atMs: AT_MS, line }])).toMatchObject([{ severity }]);
});

test.each([
  [200, 'INFO'],
  [402, 'INFO'],
  [500, 'ERROR'],
  [503, 'ERROR'],
])('a request that is answered %i has the severity %s', (status, severity) => {
  const http = { method: 'GET', route: '', status, latencyMs: 1 };
  expect(entriesOf([{ atMs: AT_MS, line: '{}', http }])).toMatchObject([{ severity }]);
});

test('a line that is no JSON object is kept as a text, and what may be told twice keeps its own id', () => {
  expect(
    entriesOf([
      { atMs: AT_MS, line: 'plain' },
      { atMs: AT_MS, line: '{}', insertId: 'effect-1' },
    ]),
  ).toMatchObject([
    { textPayload: 'plain', insertId: 'feedfacefeedface-0000' },
    { jsonPayload: {}, insertId: 'effect-1' },
  ]);
});

test('an operator reads how much is not in the log', () => {
  expect(written(batch({ dropped: { lines: 3, spans: 4 } })).body.entries).toMatchObject([
    { severity: 'WARNING', jsonPayload: { event: 'telemetry_dropped', lines: 3, spans: 4 } },
  ]);
});

test('with nothing to write there are no entries and no spans', () => {
  expect(written(batch())).toMatchObject({ body: { entries: [] }, spans: [] });
});

test('spans have the form of the tracing interface', () => {
  const spans = [
    {
      traceId: TRACE,
      spanId: SPAN,
      parentSpanId: '1'.repeat(16),
      isRemoteChild: true,
      name: 'POST /token',
      kind: 'SERVER',
      startMs: AT_MS,
      endMs: AT_MS + 5,
      attributes: { 'http.route': '/token', 'http.response.status_code': 500, ok: false },
      isError: true,
    },
  ] as const;
  expect(written(batch({ spans })).spans).toEqual([
    {
      name: `projects/acme/traces/${TRACE}/spans/${SPAN}`,
      spanId: SPAN,
      parentSpanId: '1'.repeat(16),
      sameProcessAsParentSpan: false,
      displayName: { value: 'POST /token' },
      startTime: '2026-11-22T12:00:00.250Z',
      endTime: '2026-11-22T12:00:00.255Z',
      spanKind: 'SERVER',
      attributes: {
        attributeMap: {
          'http.route': { stringValue: { value: '/token' } },
          'http.response.status_code': { intValue: '500' },
          ok: { boolValue: false },
        },
      },
      status: { code: 2 },
    },
  ]);
});

test('a name is cut to what the tracing interface keeps', () => {
  const spans = [
    { traceId: TRACE, spanId: SPAN, name: 'x'.repeat(129), kind: 'SERVER', startMs: 1, endMs: 2, attributes: {} },
  ] as const;
  expect(written(batch({ spans })).spans).toMatchObject([{ displayName: { value: 'x'.repeat(128) } }]);
});

describe('K9: a batch is taken up to its limits', () => {
  const line = { atMs: AT_MS, line: '{}' };
  const span = {
    traceId: TRACE,
    spanId: SPAN,
    name: 'work',
    kind: 'INTERNAL',
    startMs: 1,
    endMs: 2,
    attributes: {},
  } as const;

  test('a full one is good', () => {
    const full = batch({ lines: many(line), spans: many(span) });
    expect(batchSchema.safeParse(full).success).toBe(true);
  });

  test.each<[string, object]>([
    ['one line more', { lines: [line, ...many(line)] }],
    ['one span more', { spans: [span, ...many(span)] }],
    ['a line that is too long', { lines: [{ ...line, line: 'x'.repeat(MAX_LINE_CHARS + 1) }] }],
    ['a span id of another form', { spans: [{ ...span, spanId: '../../x' }] }],
    ['a line of another type', { lines: [null] }],
    ['a line with something else', { lines: [{ ...line, path: '/reports/1' }] }],
    ['a line with a time of the past of all times', { lines: [{ ...line, atMs: -1 }] }],
    ['an empty insert id', { lines: [{ ...line, insertId: '' }] }],
    ['a trace id of another form', { lines: [{ ...line, trace: { traceId: 'x', spanId: SPAN, isSampled: true } }] }],
    ['a trace without a span', { lines: [{ ...line, trace: { traceId: TRACE, isSampled: true } }] }],
    ['a request without a status', { lines: [{ ...line, http: { method: 'GET', route: '', latencyMs: 1 } }] }],
    [
      'a route that is too long',
      { lines: [{ ...line, http: { method: 'GET', route: 'x'.repeat(257), status: 200, latencyMs: 1 } }] },
    ],
    ['a span without a name', { spans: [{ ...span, name: '' }] }],
    ['a kind of span that is none', { spans: [{ ...span, kind: 'OTHER' }] }],
    ['a flag that is none', { spans: [{ ...span, isError: false }] }],
    ['an attribute that is an object', { spans: [{ ...span, attributes: { a: {} } }] }],
    ['an attribute that is too long', { spans: [{ ...span, attributes: { a: 'x'.repeat(257) } }] }],
    ['attributes in a list', { spans: [{ ...span, attributes: ['a'] }] }],
    ['a span with something else', { spans: [{ ...span, links: [] }] }],
    ['a time that is none', { spans: [{ ...span, startMs: 9e15 }] }],
    [
      'too many attributes',
      { spans: [{ ...span, attributes: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [n, n])) }] },
    ],
    ['a project of its own', { project: 'projects/other' }],
    ['another service', { service: 'other' }],
  ])('%s is refused', (_what, changes) => {
    expect(batchSchema.safeParse({ ...batch(), ...changes }).success).toBe(false);
  });
});

describe('X9: a line loses what has the form of a credential', () => {
  test.each([
    ['a password in an address', 'at https://user:hunter2@host.example/a', 'at https://host.example/...'],
    ['a password with a slash', 'at https://user:hun/ter2@host.example/a', 'at https://...'],
    ['a password without a path', 'at https://user:hunter2@host.example.', 'at https://host.example.'],
    ['a scheme in capitals', 'at HTTPS://host.example/secret', 'at HTTPS://host.example/...'],
    ['an address of another scheme', 'at wss://host.example:8443/secret', 'at wss://host.example:8443/...'],
    ['an address with a number for a host', 'at redis://[::1]:6379/secret', 'at redis://[::1]:6379/...'],
    ['an address in quotes', "at 'https://host.example/it's-secret' again", "at 'https://host.example/... again"],
    ['a host that is too long', `at https://${'h'.repeat(261)}/secret`, 'at https://.../...'],
    ['what is no host', 'at https://se%20cret', 'at https://...'],
    ['an address with back slashes', 'at https://host.example\\secret\\a', 'at https://host.example/...'],
    [
      'an address of a JSON text in a text',
      'at {"u":"https:\\/\\/host.example\\/secret"}',
      'at {"u":"https://host.example/..."}',
    ],
    ['the path of a report', `no /reports/${'ab'.repeat(16)}.json here`, 'no /reports/... here'],
    ['the path of a run', 'no /runs/Run-1_2?x=3', 'no /runs/...'],
    ['an address of mail', 'mail for liz.o+x@example.com: none', 'mail for ...@...: none'],
    ['an encoded address of mail', 'users/liz%40example.com', '...@...'],
    ["an engine's key", `key sk-proj-${'A1'.repeat(10)}`, 'key sk-...'],
    ["another engine's key", `key pplx-${'A1'.repeat(10)}`, 'key pplx-...'],
    ["a third engine's key", `key AIza${'A1'.repeat(10)}`, 'key AIza...'],
    ['a header of a bound token', 'Authorization: DPoP abc.def-123', 'Authorization: DPoP ...'],
    ['the path of an address', 'at https://example.com/reports/abc?key=1', 'at https://example.com/...'],
    ['the query of an address', 'at http://example.com?x=secret)', 'at http://example.com/...'],
    ['an authorization header', 'Authorization: Bearer abc.def-123', 'Authorization: Bearer ...'],
    ["a machine's token", `slm_${'A'.repeat(43)}`, 'slm_...'],
    ["a person's token", `${'a'.repeat(32)}:grant:secret`, 'token...'],
    ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_...'],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJ...'],
    ['a transaction hash', `paid by 0x${'5e'.repeat(32)}.`, 'paid by 0x....'],
  ])('%s', (_what, text, expected) => {
    expect(scrubLine(JSON.stringify({ event: 'bug', message: text }))).toBe(
      JSON.stringify({ event: 'bug', message: expected }),
    );
  });

  test.each([
    '{"event":"sold","request_id":"4bf92f3577b34da6a3ce929d0e0e4736"}',
    '{"event":"push","channel":"c1","number":3}',
    '{"origin":"https://example.com"}',
    '{"route":"/reports/{file}","to":"wss://example.com:8443"}',
    '{"task":"risk-assessment-of-things","address":"0x1234567890123456789012345678901234567890"}',
  ])('and %s stays as it is', (line) => {
    expect(scrubLine(line)).toBe(line);
  });
});
