import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWebhookApp } from '../../../routes/webhook/app.ts';
import { runWebhookCron } from '../../../routes/webhook/bindings/cron.ts';
import type { WebhookEnv } from '../../../routes/webhook/bindings/env.ts';
import { wakeQueue } from '../../../routes/webhook/bindings/wake-queue.ts';
import { tokenFor } from '../../support/webhooks/webhook-tokens.ts';
import { telling } from '../shared/telemetry-world.ts';
import { genuine, keeps, known, knows, USER_BODY, WEBHOOK_URL } from './world.ts';

const app = createWebhookApp();
const env = bindings as unknown as WebhookEnv; // The project's settings hold all that it names.

let logs: string[] = [];
beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const MARK = 'S3cretMark';

const requestTo = (path: string, init: RequestInit = {}): Request => new Request(`${WEBHOOK_URL}${path}`, init);

describe('a request is told with its template alone', () => {
  test.each([
    ['GET', `/channels/${MARK}`, 200, '/channels/{id}', 404],
    ['GET', '/openapi.json', 200, '/openapi.json', 200],
    ['GET', `/problems/${MARK}`, 404, '/problems/{code}', 404],
    ['POST', `/notifications/${MARK}`, 401, '/notifications/{watch}', 401],
    ['GET', `/${MARK}`, 404, '', 404],
  ])('%s %s', async (method, path, _status, route, status) => {
    const told = telling(app, env);
    const answer = await told.send(requestTo(path, { method }));
    expect(answer.status).toBe(status);
    expect(told.lines().map(({ http }) => http?.route)).toContain(route);
    expect(told.spans()).toMatchObject([
      { kind: 'SERVER', attributes: { 'server.address': 'webhook.sightline.test' } },
    ]);
    expect(JSON.stringify([told.batches, logs])).not.toContain(MARK);
  });
});

test('X9: a genuine notification leaves neither its token nor its address nor its body in any line, entry or span', async () => {
  const channel = known();
  knows(channel);
  keeps();
  const told = telling(app, env);
  const headers = genuine(channel.id, { 'X-Goog-Resource-URI': `https://admin.googleapis.com/${MARK}` });
  const answer = await told.send(
    requestTo('/notifications/w1a2b3c4d5e6f708', { method: 'POST', headers, body: USER_BODY }),
  );
  expect(answer.status).toBe(200);
  expect(told.lines()).toMatchObject([{ http: { route: '/notifications/{watch}', status: 200 } }]);
  const all = JSON.stringify([told.batches, logs]);
  for (const secret of [headers['X-Goog-Channel-Token'] ?? '-', MARK, 'liz@example.com', 'w1a2b3c4d5e6f708'])
    expect(all).not.toContain(secret);
});

test.each<[string, string, RequestInit]>([
  [
    'a forged notification',
    `/notifications/w1a2b3c4d5e6f708?x=${MARK}`,
    { method: 'POST', headers: { 'X-Goog-Channel-Token': MARK, 'X-Goog-Channel-ID': MARK }, body: MARK },
  ],
  ['an operation', `/channels?customer=${MARK}`, { headers: { authorization: `Bearer ${tokenFor()}${MARK}` } }],
  [
    'a body',
    '/channels',
    { method: 'POST', body: `{"x":"${MARK}"}`, headers: { authorization: `Bearer ${tokenFor()}` } },
  ],
  ['cookies', '/status', { headers: { cookie: `s=${MARK}` } }],
])('X9: %s leaves nothing of what was sent', async (_what, path, init) => {
  const told = telling(app, env);
  await told.send(requestTo(path, init));
  expect(told.lines().length).toBeGreaterThan(0);
  const all = JSON.stringify([told.batches, logs]);
  expect(all).not.toContain(MARK);
  expect(all).not.toContain(tokenFor());
});

test('a batch of wake-ups and a tick of the clock are spans of their own', async () => {
  const told = telling(app, env);
  const batch = { queue: 'sightline-wake', messages: [], ackAll: () => undefined } as unknown as MessageBatch; // As much of it as is read.
  const context = createExecutionContext();
  const own = told.env as unknown as WebhookEnv;
  await wakeQueue(batch, own, context);
  await runWebhookCron(undefined, own, context);
  await waitOnExecutionContext(context);
  expect(told.spans().map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'CONSUMER process sightline-wake',
    'INTERNAL cron',
  ]);
});
