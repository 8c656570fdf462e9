import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../routes/control.ts';
import type { ControlEnv } from '../../../routes/control/env.ts';
import { writeTelemetry } from '../../../routes/control/telemetry-writer.ts';
import type { Call, Tenant } from '../../../src/management/engine/operation.ts';
import type { JsonObject } from '../../../src/management/json.ts';
import type { TelemetryBatch } from '../../../src/telemetry/wire.ts';
import { CONTROL_URL, tokenFor } from '../../support/control-tokens.ts';

const env = bindings as unknown as ControlEnv; // The project's settings hold all that it names.
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const MARK = 'S3cretMark';

let logs: string[] = [];
beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const WRITE_ENTRIES = 'logging.entries.write';
const WRITES: ReadonlySet<string> = new Set([WRITE_ENTRIES, 'cloudtrace.projects.traces.batchWrite']);

type Asked = { tenant: Tenant; call: Call };

/** The Worker's bindings, with a store of resources that writes down what the service itself asks, and answers so. */
function writingDown(changes: object = {}, answer: object = { ok: true, status: 200, body: {} }) {
  const asked: Asked[] = [];
  const own = {
    call: async (tenant: Tenant, call: Call) => {
      if (!WRITES.has(call.method)) return { answer: { ok: true, status: 200, body: {} }, delayMs: 0 };
      if (call.method === WRITE_ENTRIES && !('refusal' in answer))
        return { answer, delayMs: 0, order: { do: 'write' } };
      asked.push({ tenant, call });
      return { answer, delayMs: 0 };
    },
  };
  const entries = {
    isEmpty: async () => true,
    run: async (tenant: Tenant, call: Call) => {
      asked.push({ tenant, call }); // The store of entries gets the call whole.
      return null;
    },
  };
  const RESOURCE_STORE = { idFromName: (name: string) => name, get: () => own };
  const written = {
    ...env,
    TELEMETRY: 'control',
    OPERATOR_TENANT: 'C0telemetry',
    OPERATOR_PROJECT: 'telemetry',
    ENTRY_STORE: { idFromName: (name: string) => name, get: () => entries },
    RESOURCE_STORE,
    ...changes,
  } as unknown as ControlEnv;
  return { env: written, asked, own: () => asked.filter(({ call }) => call.isOwn === true) };
}

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
  test("is written to the operator's project, as the service's own calls of its tenant", async () => {
    const { env: own, asked } = writingDown();
    await writeTelemetry(batch(), own);
    expect(asked).toMatchObject([
      {
        tenant: { id: 'C0telemetry' },
        call: { method: 'logging.entries.write', isOwn: true, caller: { tenant: 'C0telemetry', kind: 'service' } },
      },
      {
        tenant: { id: 'C0telemetry' },
        call: { method: 'cloudtrace.projects.traces.batchWrite', path: { name: 'projects/telemetry' }, isOwn: true },
      },
    ]);
  });

  test.each<[string, object, string]>([
    ['there is no operator tenant', { OPERATOR_TENANT: '' }, 'no_operator_project'],
    ['the tenant has no project', { OPERATOR_PROJECT: '' }, 'no_operator_project'],
  ])('goes nowhere where %s', async (_why, changes, reason) => {
    vi.setSystemTime(Date.now() + 3_600_000 * (1 + Object.keys(changes).join('').length));
    const { env: own, asked } = writingDown(changes);
    await writeTelemetry(batch(), own);
    vi.useRealTimers();
    expect(asked).toEqual([]);
    expect(logs.join()).toContain(reason);
  });

  test("K1: never goes to another tenant's project", async () => {
    await writeTelemetry(batch(), writingDown({ OPERATOR_TENANT: 'C0first', OPERATOR_PROJECT: 'taken' }).env);
    const { env: own, asked } = writingDown({ OPERATOR_TENANT: 'C0second', OPERATOR_PROJECT: 'taken' });
    await writeTelemetry(batch(), own);
    expect(asked).toEqual([]);
    expect(logs).toEqual(['{"event":"telemetry_not_written","reason":"project_of_another_tenant"}']);
  });

  test('that is none is told to the console, without its content', async () => {
    const { env: own, asked } = writingDown();
    await writeTelemetry({ ...batch(), project: MARK }, own);
    expect(asked).toEqual([]);
    expect(logs).toEqual(['{"event":"telemetry_not_written","reason":"invalid_batch","detail":""}']);
  });

  test('that is refused is told to the console by its reason alone', async () => {
    const refusal = { status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'quota', message: MARK };
    const { env: own } = writingDown({}, { ok: false, refusal });
    await expect(writeTelemetry(batch(), own)).resolves.toBeUndefined();
    expect(logs).toEqual([
      '{"event":"telemetry_not_written","reason":"refused","detail":"logging.entries.write RESOURCE_EXHAUSTED"}',
    ]);
  });
});

/** Sends a request to the app and gives what it wrote of itself. */
async function told(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; own: readonly Asked[]; entries: JsonObject[]; spans: JsonObject[] }> {
  const world = writingDown();
  const context = createExecutionContext();
  const answer = await createControlApp().fetch(new Request(`${CONTROL_URL}${path}`, init), world.env, context);
  await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  const own = world.own();
  const bodies = (name: string): JsonObject[] => own.flatMap(({ call }) => (call.body[name] ?? []) as JsonObject[]);
  return { status: answer.status, own, entries: bodies('entries'), spans: bodies('spans') };
}

const authorization = `Bearer ${tokenFor({ tenant: 'C0caller' })}`;

describe("the control Worker's own requests", () => {
  test('are told by the row of their method, and written without a request', async () => {
    const { own, entries, spans } = await told('/admin/directory/v1/users/liz@example.com?fields=id', {
      headers: { authorization, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
    });
    expect(own.map(({ call }) => call.method)).toEqual([
      'logging.entries.write',
      'cloudtrace.projects.traces.batchWrite',
    ]);
    expect(entries).toMatchObject([
      {
        logName: 'projects/telemetry/logs/sightline-control',
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
