import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../routes/control/app.ts';
import type { ControlEnv } from '../../../routes/control/bindings/env.ts';
import { writeTelemetry } from '../../../routes/control/bindings/telemetry-writer.ts';
import type { Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { OwnOutcome, OwnRecords } from '../../../src/management/log-store/self-telemetry.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { TelemetryBatch } from '../../../src/telemetry/wire.ts';
import { shortenWaits } from '../shared/telemetry-world.ts';
import { CONTROL_URL, tokenFor } from '../../support/workers/control-tokens.ts';

const env = bindings as unknown as ControlEnv; // The project's settings hold all that it names.
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const MARK = 'S3cretMark';

let logs: string[] = [];
beforeEach(() => {
  shortenWaits();
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const BUCKET = 'projects/telemetry/locations/global/buckets/_Default';
const ORDER = {
  do: 'write',
  nowMs: 2_000,
  routes: { 'projects/telemetry': [] },
  buckets: [{ name: BUCKET, retentionDays: 30 }],
} as const;

type Kept = { tenant: Tenant; records: OwnRecords };

/** The Worker's bindings, with stores that write down what the service itself asks for and keeps. */
function writingDown(changes: object = {}, outcome: Partial<OwnOutcome> = {}, answer: object = { ok: true }) {
  const [asked, kept, others]: [Call[], Kept[], string[]] = [[], [], []];
  const store = {
    call: async (_tenant: Tenant, call: Call) => {
      if (call.isOwn === true) asked.push(call);
      return { answer: { status: 200, body: {}, ...answer }, delayMs: 0, ...(call.isOwn === true && { order: ORDER }) };
    },
  };
  const entries = {
    keepOwn: async (tenant: Tenant, text: string) => {
      kept.push({ tenant, records: JSON.parse(text) as OwnRecords });
      return { refused: [], entries: 0, spans: 0, ...outcome };
    },
    run: async (_tenant: Tenant, { method }: Call) => void others.push(method),
  };
  const written = {
    ...env,
    TELEMETRY: 'control',
    OPERATOR_TENANT: 'C0telemetry',
    OPERATOR_PROJECT: 'telemetry',
    ENTRY_SHARDS: '1',
    ENTRY_STORE: { idFromName: (name: string) => name, get: () => entries },
    RESOURCE_STORE: { idFromName: (name: string) => name, get: () => store },
    ...changes,
  } as unknown as ControlEnv;
  return { env: written, asked, kept, others };
}

/** Nothing is sent on by OTLP. */
const NOWHERE = { waitUntil: () => undefined, allowsPlainLoopback: false };

const batch = (changes: Partial<TelemetryBatch> = {}): TelemetryBatch => ({
  service: 'webhook',
  instance: '0badcafe',
  lines: [{ atMs: 1_000, line: '{"event":"cron"}' }],
  spans: [
    { traceId: TRACE, spanId: '1'.repeat(16), name: 'cron', kind: 'INTERNAL', startMs: 1, endMs: 2, attributes: {} },
  ],
  dropped: { lines: 0, spans: 0 },
  ...changes,
});

describe("a batch of another Worker's telemetry", () => {
  test("is written to the operator's project, in one call with entries and spans", async () => {
    const { env: own, kept, others } = writingDown();
    await writeTelemetry(batch(), own, NOWHERE);
    expect(kept).toMatchObject([
      {
        tenant: { id: 'C0telemetry' },
        records: {
          project: 'projects/telemetry',
          order: ORDER,
          body: { logName: 'projects/telemetry/logs/sightline-webhook', entries: [{ jsonPayload: { event: 'cron' } }] },
          spans: [{ name: `projects/telemetry/traces/${TRACE}/spans/${'1'.repeat(16)}` }],
        },
      },
    ]);
    expect(others).toEqual([]);
  });

  test("costs one call: the operator's sinks are asked for once in five seconds, and time goes on meanwhile", async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const { env: own, asked, kept } = writingDown();
    for (const laterMs of [0, 1_000, 3_999, 1]) {
      vi.setSystemTime(Date.now() + laterMs);
      await writeTelemetry(batch(), own, NOWHERE);
    }
    vi.useRealTimers();
    expect(kept.map(({ records }) => records.order.nowMs)).toEqual([2_000, 3_000, 6_999, 2_000]);
    expect(asked).toMatchObject([
      { method: 'logging.entries.write', body: { containers: ['projects/telemetry'] }, isOwn: true },
      { method: 'logging.entries.write' },
    ]);
  });

  test.each<[string, object, string]>([
    ['there is no operator tenant', { OPERATOR_TENANT: '' }, 'no_operator_project'],
    ['the tenant has no project', { OPERATOR_PROJECT: '' }, 'no_operator_project'],
  ])('goes nowhere where %s', async (_why, changes, reason) => {
    vi.setSystemTime(Date.now() + 3_600_000 * (1 + Object.keys(changes).join('').length));
    const { env: own, kept } = writingDown(changes);
    expect(await writeTelemetry(batch(), own, NOWHERE)).toBe('all');
    vi.useRealTimers();
    expect(kept).toEqual([]);
    expect(logs.join()).toContain(reason);
  });

  test("K1: goes to the operator's own project, though another tenant named it first", async () => {
    await writeTelemetry(batch(), writingDown({ OPERATOR_TENANT: 'C0first', OPERATOR_PROJECT: 'taken' }).env, NOWHERE);
    const { env: own, kept } = writingDown({ OPERATOR_TENANT: 'C0second', OPERATOR_PROJECT: 'taken' });
    await writeTelemetry(batch(), own, NOWHERE);
    expect(kept.map(({ tenant }) => tenant.id)).toEqual(['C0second']);
    expect(logs).toEqual([]);
  });

  test('that is none is told to the console, without its content', async () => {
    const { env: own, kept } = writingDown();
    expect(await writeTelemetry({ ...batch(), project: MARK }, own, NOWHERE)).toBe('all');
    expect(kept).toEqual([]);
    expect(logs).toEqual(['{"event":"telemetry_not_written","reason":"invalid_batch","detail":""}']);
  });

  test('that is refused is told to the console by its reason alone', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const refusal = { status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'quota', message: MARK };
    const { env: own, kept } = writingDown({}, {}, { ok: false, refusal });
    expect(await writeTelemetry(batch(), own, NOWHERE)).toBe('all');
    vi.setSystemTime(Date.now() + 3_600_000);
    await writeTelemetry(
      batch(),
      writingDown({}, { refused: ['entries RESOURCE_EXHAUSTED'], entries: 1 }).env,
      NOWHERE,
    );
    vi.useRealTimers();
    expect(kept).toEqual([]);
    expect(logs).toEqual([
      '{"event":"telemetry_not_written","reason":"refused","detail":"logging.entries.write RESOURCE_EXHAUSTED"}',
      '{"event":"telemetry_not_written","reason":"refused","detail":"entries RESOURCE_EXHAUSTED"}',
    ]);
  });
});

describe('a batch that goes to an OTLP address as well', () => {
  test('is written with a line of any depth', async () => {
    const sent: string[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      sent.push(typeof init?.body === 'string' ? init.body : '');
      return new Response('{}');
    });
    const under: Promise<unknown>[] = [];
    const forwarding = {
      waitUntil: (promise: Promise<unknown>) => void under.push(promise),
      allowsPlainLoopback: false,
    };
    const { env: own, kept } = writingDown({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.test' });
    const deep = `{"event":"deep","a":${'['.repeat(4_000)}${']'.repeat(4_000)}}`;
    await writeTelemetry(batch({ lines: [{ atMs: 1_000, line: deep }] }), own, forwarding);
    await Promise.all(under);
    expect(kept).toMatchObject([{ records: { body: { entries: [{ jsonPayload: { event: 'deep' } }] } } }]);
    expect(sent.map((body) => body.includes('"eventName":"deep"'))).toEqual([true, false]);
    expect(logs).toEqual([]);
  });

  test("does not go there where it is the webhook Worker's, and is written all the same", async () => {
    const changes = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://hooks.test./x', WEBHOOK_URL: 'https://hooks.test' };
    const { env: own, kept } = writingDown(changes);
    await writeTelemetry(batch(), own, NOWHERE);
    expect(kept).toHaveLength(1);
    expect(logs.join()).toContain('own_address');
  });
});

describe('the sender hears what is not kept', () => {
  const lines = [1, 2].map((atMs) => ({ atMs, line: '{"event":"cron"}' }));
  const dropped = { lines: 10, spans: 20 };
  test.each<[string, Partial<OwnOutcome>, Partial<TelemetryBatch>, object]>([
    ['nothing', {}, { lines, dropped }, { lines: 0, spans: 0 }],
    ['one of two lines', { entries: 1 }, { lines, dropped }, { lines: 1, spans: 0 }],
    ['all lines, and what they told was left out', { entries: 3 }, { lines, dropped }, { lines: 12, spans: 20 }],
    ['all lines of a batch before which nothing was', { entries: 2 }, { lines }, { lines: 2, spans: 0 }],
    ['the word of what was left out alone', { entries: 1 }, { lines: [], dropped }, { lines: 10, spans: 20 }],
    ['a span', { spans: 1 }, { lines, dropped }, { lines: 0, spans: 1 }],
  ])('%s', async (_what, outcome, changes, expected) => {
    expect(await writeTelemetry(batch(changes), writingDown({}, outcome).env, NOWHERE)).toEqual(expected);
  });
});

/** Sends a request to the app and gives what it wrote of itself. */
async function told(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; own: readonly Kept[]; entries: JsonObject[]; spans: JsonObject[] }> {
  const world = writingDown();
  const context = createExecutionContext();
  const answer = await createControlApp().fetch(new Request(`${CONTROL_URL}${path}`, init), world.env, context);
  await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  const own = world.kept;
  const entries = own.flatMap(({ records }) => (records.body['entries'] ?? []) as JsonObject[]);
  return { status: answer.status, own, entries, spans: own.flatMap(({ records }) => records.spans) };
}

const authorization = `Bearer ${tokenFor({ tenant: 'C0caller' })}`;

describe("the control Worker's own requests", () => {
  beforeAll(async () => {
    await told('/$discovery/rest', {}); // With it goes what the files before this one have left to be written.
  });

  test('are told by the row of their method, and written without a request', async () => {
    const { own, entries, spans } = await told('/admin/directory/v1/users/liz@example.com?fields=id', {
      headers: { authorization, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
    });
    expect(own.map(({ records }) => records.body['logName'])).toEqual(['projects/telemetry/logs/sightline-control']);
    expect(entries).toMatchObject([
      {
        trace: `projects/telemetry/traces/${TRACE}`,
        httpRequest: { requestMethod: 'GET', requestUrl: '/admin/directory/v1/users/{userKey}', status: 200 },
        jsonPayload: { event: 'request', method: 'directory.users.get' },
      },
    ]);
    expect(spans).toMatchObject([
      {
        parentSpanId: '00f067aa0ba902b7',
        displayName: { value: 'GET /admin/directory/v1/users/{userKey}' },
        attributes: { attributeMap: { 'rpc.method': { stringValue: { value: 'directory.users.get' } } } },
      },
    ]);
    expect(JSON.stringify([own, logs])).not.toContain('liz@example.com');
  });

  test('of AI Search are told by the row of their method', async () => {
    const path = '/client/v4/accounts/acme/ai-search/namespaces/shop/instances/docs/items/1';
    const { entries } = await told(path, { headers: { authorization } });
    const template = '/client/v4/accounts/{account_id}/ai-search/namespaces/{name}/instances/{id}/items/{item_id}';
    expect(entries).toMatchObject([
      {
        httpRequest: { requestUrl: template },
        jsonPayload: { event: 'request', method: 'aisearch.namespaces.instances.items.get' },
      },
    ]);
  });

  test.each<[string, string, RequestInit]>([
    ['a path', `/admin/directory/v1/users/${MARK}`, { headers: { authorization } }],
    ['a path of no row', `/v2/${MARK}/${MARK}`, {}],
    [
      'a query',
      `/admin/directory/v1/users?customer=my_customer&query=${MARK}&key=${MARK}`,
      { headers: { authorization } },
    ],
    [
      'a token',
      '/admin/directory/v1/users?customer=my_customer',
      { headers: { authorization: `Bearer slm_${MARK}`, cookie: MARK } },
    ],
    [
      'a body',
      '/admin/directory/v1/users',
      {
        method: 'POST',
        body: `{"password":"${MARK}"}`,
        headers: { authorization, 'content-type': 'application/json' },
      },
    ],
    [
      'a search',
      `/client/v4/accounts/${MARK}/ai-search/instances/${MARK}/search?${MARK}=${MARK}`,
      {
        method: 'POST',
        body: `{"query":"${MARK}"}`,
        headers: { authorization, 'content-type': 'application/json' },
      },
    ],
    ['a search of no row', `/client/v4/${MARK}`, {}],
    [
      'an upload',
      `/client/v4/accounts/a/ai-search/namespaces/${MARK}/instances/i/items`,
      {
        method: 'POST',
        body: `--${MARK}\r\nContent-Disposition: form-data; name="file"; filename="${MARK}.md"\r\n\r\n${MARK}\r\n--${MARK}--\r\n`,
        headers: { authorization, 'content-type': `multipart/form-data; boundary=${MARK}` },
      },
    ],
    ['a control of the emulator', `/v1/snapshots/${MARK}:restore`, { method: 'POST', headers: { authorization } }],
    [
      'a batch',
      '/batch/directory/v1',
      { method: 'POST', body: MARK, headers: { authorization, 'content-type': `multipart/mixed; boundary=${MARK}` } },
    ],
  ])('X9: %s leaves nothing of what was sent', async (_what, path, init) => {
    const { own, entries } = await told(path, init);
    expect(entries.length).toBeGreaterThan(0);
    const all = JSON.stringify([own, logs]);
    expect(all).not.toContain(MARK);
    expect(all).not.toContain(authorization);
  });
});
