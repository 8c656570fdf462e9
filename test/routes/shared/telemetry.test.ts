import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../routes/api/app.ts';
import type { Env } from '../../../routes/api/bindings/env.ts';
import { createPromptsConsumer } from '../../../routes/api/bindings/prompts-queue.ts';
import { recording } from '../../../routes/shared/telemetry.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import type { TelemetryBatch } from '../../../src/telemetry/wire.ts';
import { emptyBuffer, readQueue, shortenWaits, telling } from './telemetry-world.ts';
import { PAYER, signedCredential, type World, world } from '../api/world.ts';

const options = { policy: () => allowPublicOnly(), local: false, engines: { isLocal: false, factories: {} } };
const app = createApp(options);
const env = bindings as unknown as Env; // The project's settings hold all that it names.
const BASE_URL = bindings.BASE_URL;

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${CALLER_SPAN}-01`;

let seen: World;
beforeEach(() => {
  shortenWaits();
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const buying = async (headers: Record<string, string> = {}): Promise<Request> =>
  new Request(`${BASE_URL}/api/agent/check_health?from=secret-query`, {
    method: 'POST',
    body: JSON.stringify({ url: 'https://shop.example/secret-target' }),
    headers: {
      'content-type': 'application/json',
      'payment-signature': await signedCredential(),
      traceparent,
      ...headers,
    },
  });

describe('a paid call', () => {
  test('is a trace from the request to its steps, below the span of its caller', async () => {
    const told = telling(app, env);
    const answer = await told.send(await buying());
    expect(answer.status).toBe(200);
    const spans = told.spans().filter(({ traceId }) => traceId === TRACE);
    const server = spans.find(({ kind }) => kind === 'SERVER');
    expect(server).toMatchObject({
      name: 'POST check_health',
      parentSpanId: CALLER_SPAN,
      isRemoteChild: true,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/agent/{capability}',
        'http.response.status_code': 200,
        'url.scheme': 'https',
        'server.address': 'sightline.test',
      },
    });
    const steps = spans.filter(({ kind }) => kind !== 'SERVER');
    expect(steps.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'INTERNAL parse',
      'INTERNAL claim',
      'CLIENT verify',
      'INTERNAL work',
      'CLIENT settle',
    ]);
    expect(steps.map(({ parentSpanId }) => parentSpanId)).toEqual(steps.map(() => server?.spanId));
  });

  test('its log lines are in the log as on the console, with its trace, beside an entry of the request itself', async () => {
    const told = telling(app, env);
    const answer = await told.send(await buying());
    const lines = told.lines().filter(({ trace }) => trace?.traceId === TRACE);
    expect(lines.map(({ line }) => (JSON.parse(line) as { event: string }).event)).toEqual(['sold', 'request']);
    expect(seen.logs).toContain(lines[0]?.line);
    expect(lines[1]).toMatchObject({
      line: JSON.stringify({
        event: 'request',
        request_id: answer.headers.get('x-request-id'),
        capability: 'check_health',
        payer: PAYER.slice(0, 6),
      }),
      http: { method: 'POST', route: '/api/agent/{capability}', status: 200 },
    });
  });

  test.each<[string, () => Promise<never>]>([
    ['fails', () => Promise.reject(new Error('the control Worker is down'))],
    [
      'breaks',
      () => {
        throw new TypeError('no such method');
      },
    ],
  ])('is sold all the same where the log %s, and that is told to the console once', async (_how, write) => {
    const context = createExecutionContext();
    const broken = { ...env, TELEMETRY: 'control', TELEMETRY_QUEUE: readQueue(write) };
    const answer = await app.fetch(await buying(), broken, context);
    expect(answer.status).toBe(200);
    await answer.text();
    await waitOnExecutionContext(context);
    const complaints = seen.logs.filter((line) => line.includes('telemetry_not_sent'));
    expect(complaints.length).toBeLessThanOrEqual(1);
    const told = telling(app, env);
    await told.send(new Request(`${BASE_URL}/health`));
    expect(told.batches[0]?.dropped.lines).toBeGreaterThan(0);
  });

  test('is answered without waiting for the log', async () => {
    const late = Promise.withResolvers<void>();
    const write = () => late.promise;
    const context = createExecutionContext();
    const answer = await app.fetch(
      await buying(),
      { ...env, TELEMETRY: 'control', TELEMETRY_QUEUE: readQueue(write) },
      context,
    );
    expect(answer.status).toBe(200); // The log has not answered yet.
    late.resolve();
    await waitOnExecutionContext(context);
  });
});

test.each([
  ['GET', '/health', 200, '/health'],
  ['GET', '/api/agent/index', 200, '/api/agent/index'],
  ['POST', '/api/agent/secret-name', 404, '/api/agent/{capability}'],
  ['GET', `/reports/${'ab'.repeat(16)}.json`, 404, '/reports/{file}'],
  ['GET', '/secret-place', 404, ''],
  ['OPTIONS', '/api/agent/check_health', 204, ''],
])('%s %s is told with its template alone', async (method, path, status, route) => {
  const told = telling(app, env);
  const answer = await told.send(new Request(`${BASE_URL}${path}`, { method }));
  const id = answer.headers.get('x-request-id');
  const own = told.lines().find(({ http, trace }) => http !== undefined && trace?.traceId === id);
  expect(own?.http).toMatchObject({ method, status, route });
});

test('without TELEMETRY the binding is never asked', async () => {
  const write = vi.fn<() => Promise<void>>(async () => undefined);
  const context = createExecutionContext();
  await app.fetch(
    new Request(`${BASE_URL}/health`),
    { ...env, TELEMETRY: 'none', TELEMETRY_QUEUE: readQueue(write) },
    context,
  );
  await waitOnExecutionContext(context);
  expect(write).not.toHaveBeenCalled();
});

test('a recorder that throws changes no answer, and is told of without what it said', async () => {
  const bug = (): never => {
    throw new TypeError('a bug of the recorder');
  };
  const plain = await telling(app, env).send(new Request(`${BASE_URL}/api/agent/index`));
  vi.spyOn(recording, 'arrived').mockImplementation(bug);
  const answer = await telling(app, env).send(new Request(`${BASE_URL}/api/agent/index`));
  vi.spyOn(recording, 'arrived').mockImplementation(() => ({ answered: bug }));
  const late = await telling(app, env).send(new Request(`${BASE_URL}/api/agent/index`));
  for (const each of [answer, late]) {
    expect(each.status).toBe(200);
    expect(await each.clone().text()).toBe(await plain.clone().text());
  }
});

test('a binding that throws when it is asked changes no answer', async () => {
  const context = createExecutionContext();
  const write = (): never => {
    throw new TypeError('a fault of the platform');
  };
  const told = { ...env, TELEMETRY: 'control', TELEMETRY_QUEUE: readQueue(write) };
  const answer = await app.fetch(new Request(`${BASE_URL}/health`), told, context);
  await waitOnExecutionContext(context);
  expect(answer.status).toBe(200);
});

test('a log that never answers keeps no invocation alive, and what it was told counts as dropped', async () => {
  vi.mocked(scheduler.wait).mockRestore(); // Time is advanced here.
  await emptyBuffer(app, env);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = Promise.withResolvers<TelemetryBatch>();
  const write = (batch: TelemetryBatch): Promise<never> => {
    asked.resolve(structuredClone(batch));
    return new Promise(() => undefined);
  };
  const context = createExecutionContext();
  const told = { ...env, TELEMETRY: 'control', TELEMETRY_QUEUE: readQueue(write) };
  await app.fetch(new Request(`${BASE_URL}/health`), told, context);
  const { lines, spans } = await asked.promise; // Lines that work of tests before left behind may be among them.
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await waitOnExecutionContext(context);
  const next = telling(app, env);
  await next.send(new Request(`${BASE_URL}/health`));
  expect([lines.length > 0, spans.length]).toEqual([true, 1]);
  expect(next.batches[0]?.dropped).toEqual({ lines: lines.length, spans: 1 });
});

test('a request is told of whatever its Via says: nobody hides from the log by a header', async () => {
  const told = telling(app, env);
  const answer = await told.send(new Request(`${BASE_URL}/health`, { headers: { via: '1.1 sightline' } }));
  await told.send(new Request(`${BASE_URL}/health`)); // It sends what is there.
  const id = answer.headers.get('x-request-id');
  expect(told.lines().filter(({ trace }) => trace?.traceId === id)).toHaveLength(1);
  expect(told.spans().filter(({ traceId }) => traceId === id)).toHaveLength(1);
});

test('a batch of prompts is a span of its own', async () => {
  const told = telling(app, env);
  const context = createExecutionContext();
  const message = { body: 'nothing that parses', attempts: 1, ack: () => undefined, retry: () => undefined };
  const batch = { queue: 'sightline-prompts', messages: [message] } as unknown as MessageBatch; // As much of it as is read.
  await createPromptsConsumer(options)(batch, told.env, context);
  await waitOnExecutionContext(context);
  await told.send(new Request(`${BASE_URL}/health`)); // It sends what a batch leaves that soon after the one before.
  expect(told.spans().filter(({ kind }) => kind === 'CONSUMER')).toMatchObject([
    {
      name: 'process sightline-prompts',
      kind: 'CONSUMER',
      attributes: { 'messaging.destination.name': 'sightline-prompts', 'messaging.batch.message_count': 1 },
    },
  ]);
});

const MARK = 'S3cretMark';
const marked: readonly [string, string, RequestInit][] = [
  ['a path', `/reports/${MARK}.json`, {}],
  ['a path of no route', `/${MARK}/${MARK}`, {}],
  ['a capability', `/api/agent/${MARK}`, { method: 'POST' }],
  ['a query', `/authorize?client_id=https://${MARK}.example/${MARK}&state=${MARK}&redirect_uri=${MARK}`, {}],
  [
    'credentials',
    '/mcp-account',
    { method: 'POST', headers: { authorization: `Bearer slm_${MARK}`, cookie: `s=${MARK}` } },
  ],
  [
    'a payment',
    '/api/agent/check_health',
    { method: 'POST', headers: { 'payment-signature': btoa(`{"a":"${MARK}"}`) } },
  ],
  [
    'a token request',
    '/token',
    { method: 'POST', body: `grant_type=authorization_code&code=${MARK}&client_secret=${MARK}` },
  ],
  [
    'an operator secret',
    '/signin/operator',
    { method: 'POST', body: `{"secret":"${MARK}"}`, headers: { 'content-type': 'application/json' } },
  ],
  ['a body', '/api/agent/check_health', { method: 'POST', body: `{"url":"https://x.example/${MARK}"}` }],
  [
    'trace headers',
    '/health',
    { headers: { traceparent: `00-${MARK}-01`, tracestate: `v=${MARK}`, 'user-agent': MARK } },
  ],
];

describe('X9: what callers send is in no log line, entry or span', () => {
  test.each(marked)('%s', async (_what, path, init) => {
    const told = telling(app, env);
    const answer = await told.send(new Request(`${BASE_URL}${path}`, init));
    expect(answer.status).toBeGreaterThanOrEqual(200);
    expect(told.lines().length).toBeGreaterThan(0);
    const all = JSON.stringify([told.batches, seen.logs]).toLowerCase();
    expect(all).not.toContain(MARK.toLowerCase());
    expect(all).not.toContain(btoa(`{"a":"${MARK}"}`).toLowerCase());
  });

  test('a sale: neither its payment, its transaction, its report id nor what was audited', async () => {
    const told = telling(app, env);
    const request = await buying();
    const credential = request.headers.get('payment-signature') ?? '';
    const answer = await told.send(request);
    const { report_id: reportId } = await answer.json<{ report_id: string }>();
    const all = JSON.stringify([told.batches, seen.logs]);
    for (const secret of [
      credential,
      `0x${'5e'.repeat(32)}`,
      reportId,
      'secret-target',
      'secret-query',
      'shop.example',
    ])
      expect(all).not.toContain(secret);
  });
});
