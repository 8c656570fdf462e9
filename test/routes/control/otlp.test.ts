import { BinaryReader } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { encodeOtlp, textValue } from '../../support/management/otlp.ts';
import { tokenFor, unknownToken } from '../../support/workers/control-tokens.ts';
import { bytesOf, call, gzipOf, json } from './world.ts';

const TENANT = 'C0000otlp';
const PROJECT = 'otlp-project';
const token = tokenFor({ tenant: TENANT });
const PROTOBUF = 'application/x-protobuf';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const MIB = 1_048_576;

const resource = (project: string | null = PROJECT) => ({
  attributes: [textValue('service.name', 'shop'), ...(project === null ? [] : [textValue('gcp.project_id', project)])],
});
const nanosAgo = (ms: number): string => `${Date.now() - ms}000000`;
const span = (traceId: string, spanId: number | string, more: JsonObject = {}): JsonObject => ({
  traceId,
  spanId: typeof spanId === 'number' ? spanId.toString(16).padStart(16, '0') : spanId,
  name: 'work',
  startTimeUnixNano: nanosAgo(1_000),
  endTimeUnixNano: nanosAgo(0),
  ...more,
});
const tracesOf = (spans: JsonObject[], project?: string | null): JsonObject => ({
  resourceSpans: [{ resource: resource(project), scopeSpans: [{ spans }] }],
});
const logsOf = (logRecords: JsonObject[], project?: string | null): JsonObject => ({
  resourceLogs: [{ resource: resource(project), scopeLogs: [{ logRecords }] }],
});

type Sending = { type?: string; headers?: Record<string, string>; token?: string | null };
const post = (
  path: string,
  body: unknown,
  { type = 'application/json', headers = {}, token: by = token }: Sending = {},
) => call(path, { method: 'POST', token: by, body, headers: { 'content-type': type, ...headers } });
const traces = (body: JsonObject, sending?: Sending) => post('/v1/traces', JSON.stringify(body), sending);
const logs = (body: JsonObject, sending?: Sending) => post('/v1/logs', JSON.stringify(body), sending);

type Read = { spans?: { name: string; kind?: string; labels?: Record<string, string>; parentSpanId?: string }[] };
const readTrace = async (traceId: string) => json<Read>(call(`/v1/projects/${PROJECT}/traces/${traceId}`, { token }));
const MAX_PAGES = 5;
/** Entries of all pages: one looks at 2,000. */
const readEntries = async (filter: string): Promise<JsonObject[]> => {
  type Page = { entries?: JsonObject[]; nextPageToken?: string };
  const read: JsonObject[] = [];
  let pageToken: string | undefined = '';
  for (let page = 0; page < MAX_PAGES && pageToken !== undefined; page += 1) {
    const body = { resourceNames: [`projects/${PROJECT}`], filter, pageToken };
    const listed: Page = await json<Page>(call('/v2/entries:list', { method: 'POST', token, body }));
    read.push(...(listed.entries ?? []));
    pageToken = listed.nextPageToken;
  }
  return read;
};
/** Field 1 of google.rpc.Status, and 2. */
async function readStatus(answer: Response): Promise<{ code: number; message: string }> {
  const reader = new BinaryReader(new Uint8Array(await answer.arrayBuffer()));
  reader.tag();
  const code = reader.int32();
  reader.tag();
  return { code, message: reader.string() };
}

describe('what is kept', () => {
  test('spans in JSON are read by the tracing interface', async () => {
    const root = span(TRACE, 1, { kind: 2, attributes: [textValue('http.route', '/x')] });
    const answer = await traces(tracesOf([root, span(TRACE, 2, { parentSpanId: '0'.repeat(15) + '1' })]));
    expect([answer.status, await answer.json(), answer.headers.get('content-type')]).toEqual([
      200,
      {},
      'application/json',
    ]);
    const { spans = [] } = await readTrace(TRACE);
    expect(spans).toMatchObject([
      { name: 'work', kind: 'RPC_SERVER', labels: { 'service.name': 'shop', 'http.route': '/x' } },
      { name: 'work', parentSpanId: '1' },
    ]);
  });

  test('log records in protobuf and gzip are read by the logging interface', async () => {
    const record = {
      timeUnixNano: nanosAgo(10),
      severityNumber: 17,
      traceId: TRACE,
      body: { kvlistValue: { values: [textValue('message', 'zipped')] } },
    };
    const body = await gzipOf(Uint8Array.from(encodeOtlp(logsOf([record]), 'LogsRequest')));
    const answer = await post('/v1/logs', body, { type: PROTOBUF, headers: { 'content-encoding': 'gzip' } });
    expect([answer.status, answer.headers.get('content-type'), (await answer.arrayBuffer()).byteLength]).toEqual([
      200,
      PROTOBUF,
      0,
    ]);
    const [entry] = await readEntries('jsonPayload.message="zipped"');
    expect(entry).toMatchObject({
      logName: `projects/${PROJECT}/logs/shop`,
      severity: 'ERROR',
      trace: `projects/${PROJECT}/traces/${TRACE}`,
      labels: { 'service.name': 'shop' },
    });
  });

  test('an empty export is taken', async () => {
    expect((await traces({})).status).toBe(200);
    expect((await post('/v1/logs', new Uint8Array(), { type: PROTOBUF })).status).toBe(200);
  });

  test("the project is the header's where the resource names none", async () => {
    const record = { body: { stringValue: 'by header' } };
    expect((await logs(logsOf([record], null))).status).toBe(400);
    expect((await logs(logsOf([record], null), { headers: { 'x-goog-user-project': PROJECT } })).status).toBe(200);
    expect(await readEntries('textPayload="by header"')).toHaveLength(1);
  });

  test('records of one request beyond those of one call of the interface are all kept', async () => {
    const records = Array.from({ length: 2_500 }, (_, at) => ({
      timeUnixNano: nanosAgo(at),
      body: { intValue: String(at) },
      attributes: [textValue('run', 'many')],
    }));
    expect(await (await logs(logsOf(records))).json()).toEqual({});
    expect(await readEntries('labels.run="many" AND textPayload="2499"')).toHaveLength(1);
    expect(await readEntries('labels.run="many" AND textPayload="0"')).toHaveLength(1);
  });
});

describe('what is kept in part', () => {
  test('bad spans are counted, good ones kept', async () => {
    const traceId = '1'.repeat(32);
    const answer = await traces(tracesOf([span(traceId, 1), span(traceId, 'no'), span('0'.repeat(32), 3)]));
    expect(answer.status).toBe(200);
    const { partialSuccess } = await json<{ partialSuccess: { rejectedSpans: string; errorMessage: string } }>(answer);
    expect(partialSuccess.rejectedSpans).toBe('2');
    expect(partialSuccess.errorMessage).toContain('spans[1]');
    expect((await readTrace(traceId)).spans).toHaveLength(1);
  });

  test('spans that their trace has no room for are counted, those of other traces kept', async () => {
    const [full, other] = ['2'.repeat(32), '3'.repeat(32)];
    const answer = await traces(
      tracesOf([...Array.from({ length: 1_005 }, (_, at) => span(full, at + 1)), span(other, 1)]),
    );
    expect(await answer.json()).toMatchObject({ partialSuccess: { rejectedSpans: '5' } });
    expect((await readTrace(full)).spans).toHaveLength(1_000);
    expect((await readTrace(other)).spans).toHaveLength(1);
  });

  test('an entry that is too large is counted, in protobuf as in JSON', async () => {
    const records = [{ body: { stringValue: 'x'.repeat(300_000) } }, { body: { stringValue: 'small one' } }];
    const answer = await post('/v1/logs', encodeOtlp(logsOf(records), 'LogsRequest'), { type: PROTOBUF });
    const reader = new BinaryReader(new Uint8Array(await answer.arrayBuffer()));
    expect(reader.tag()).toEqual([1, 2]);
    reader.uint32();
    expect([reader.tag(), String(reader.int64())]).toEqual([[1, 0], '1']);
    expect(reader.tag()).toEqual([2, 2]);
    expect(reader.string()).toContain('exceeds maximum size');
    expect(await readEntries('textPayload="small one"')).toHaveLength(1);
  });
});

describe('what is refused', () => {
  test('without a token: 401 with a challenge, and the body is not read', async () => {
    const answer = await traces(tracesOf([span(TRACE, 1)]), { token: null });
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 16 }]);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    expect((await post('/v1/logs', new Uint8Array(5 * MIB), { type: PROTOBUF, token: null })).status).toBe(401);
    expect((await traces({}, { token: unknownToken() })).status).toBe(401);
  });

  test('with a token that only reads, or writes something else: 403', async () => {
    const by = (...scopes: string[]) => tokenFor({ tenant: TENANT, scopes });
    expect((await traces({}, { token: by('trace.readonly') })).status).toBe(403);
    expect((await logs({}, { token: by('logging.read') })).status).toBe(403);
    expect((await logs({}, { token: by('trace.append') })).status).toBe(403);
    expect((await traces({}, { token: by('trace.append') })).status).toBe(200);
    expect((await logs({}, { token: by('logging.write') })).status).toBe(200);
  });

  test('a project of another tenant: 403', async () => {
    const records = [{ body: { stringValue: 'foreign' } }];
    const owner = tokenFor({ tenant: 'C0000owner' });
    expect((await logs(logsOf(records, 'otlp-first'), { token: owner })).status).toBe(200); // Who names it first owns it.
    const answer = await logs(logsOf(records, 'otlp-first'), { token: tokenFor({ tenant: 'C0000stranger' }) });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 7 }]);
  });

  test.each(['text/plain', 'application/grpc', 'multipart/form-data; boundary=x', ''])(
    'a body of type "%s": 415',
    async (type) => {
      const answer = await post('/v1/traces', 'x', { type });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([415, 'application/json']);
    },
  );

  test('another coding than gzip: 415; a gzip that is none: 400', async () => {
    expect((await post('/v1/traces', 'x', { headers: { 'content-encoding': 'br' } })).status).toBe(415);
    expect((await post('/v1/traces', 'x', { headers: { 'content-encoding': 'gzip' } })).status).toBe(400);
  });

  test('bytes that are no protobuf, cut off or broken: 400 as google.rpc.Status in protobuf', async () => {
    const whole = encodeOtlp(tracesOf([span(TRACE, 1)]), 'TraceRequest');
    for (const body of [whole.subarray(0, -3), bytesOf('{"resourceSpans":[]}'), Uint8Array.of(0xff, 0xff, 0xff)]) {
      const answer = await post('/v1/traces', body, { type: PROTOBUF });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, PROTOBUF]);
      expect(await readStatus(answer)).toMatchObject({ code: 3, message: expect.stringMatching(/./) });
    }
    expect((await post('/v1/logs', '{"resourceLogs":[', {})).status).toBe(400);
  });

  test('10 MB, sent or inflated: 413', async () => {
    const large = new Uint8Array(10 * MIB);
    expect((await post('/v1/traces', large, { type: PROTOBUF })).status).toBe(413);
    const bomb = await gzipOf(large);
    expect(bomb.byteLength).toBeLessThan(MIB / 10);
    expect((await post('/v1/logs', bomb, { type: PROTOBUF, headers: { 'content-encoding': 'gzip' } })).status).toBe(
      413,
    );
  });

  test('another method: 405', async () => {
    const answer = await call('/v1/traces', { token });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a tenant that is told to wait: 429 with Retry-After, by a fault of the method that it writes by', async () => {
    const fault = { method: 'cloudtrace.projects.traces.batchWrite', status: 429, retryAfterS: 7, times: 1 };
    expect((await call('/v1/faults', { method: 'POST', token, body: fault })).status).toBe(200);
    const answer = await traces(tracesOf([span(TRACE, 9)]));
    expect([answer.status, await answer.json()]).toMatchObject([429, { code: 8 }]);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect((await traces(tracesOf([span(TRACE, 9)]))).status).toBe(200);
  });
});

test('100,000 attributes of one span are taken, and 32 kept', async () => {
  const traceId = '4'.repeat(32);
  const attributes = Array.from({ length: 100_000 }, (_, at) => textValue(`a${at}`, ''));
  const body = encodeOtlp(tracesOf([span(traceId, 1, { attributes })]), 'TraceRequest');
  expect((await post('/v1/traces', body, { type: PROTOBUF })).status).toBe(200);
  const { spans = [] } = await readTrace(traceId);
  expect(Object.keys(spans[0]?.labels ?? {})).toHaveLength(32);
});
