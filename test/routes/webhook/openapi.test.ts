import { afterEach, describe, expect, test, vi } from 'vitest';
import { commonProblems } from '../../../src/problems/common.ts';
import { createWebhookApp } from '../../../routes/webhook/app.ts';
import type { WebhookEnv } from '../../../routes/webhook/bindings/env.ts';
import { buildWebhookDocument } from '../../../src/notifications/operator-api/openapi.ts';
import { problems } from '../../../src/notifications/operator-api/problems-data.ts';
import { readWebhookSettings } from '../../../src/notifications/core/settings.ts';
import { script } from '../../support/webhooks/webhook-script.ts';
import { call, json, SECOND_KEY, WEBHOOK_URL } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const open = (path: string): Promise<Response> => call(path, { token: null });

describe('what describes the webhook Worker is open to everybody', () => {
  test('its OpenAPI document', async () => {
    const answer = await open('/openapi.json');
    const settings = { BASE_URL: 'https://sightline.test', WEBHOOK_URL, CHANNEL_TOKEN_KEYS: SECOND_KEY };
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
    expect(await answer.json()).toEqual(
      JSON.parse(JSON.stringify(buildWebhookDocument(readWebhookSettings(settings)))),
    );
  });

  test('in which what makes something says where it is then', async () => {
    type Answers = Record<string, { headers?: Record<string, unknown> }>;
    const { paths } = await json<{ paths: Record<string, Record<string, { responses: Answers }>> }>(
      open('/openapi.json'),
    );
    const located = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses).flatMap(([status, { headers = {} }]) =>
          'Location' in headers ? [`${method} ${path} ${status}`] : [],
        ),
      ),
    );
    expect(located).toEqual(['post /channels 201', 'post /probes 201']);
  });

  test('its metadata as a protected resource (RFC 9728)', async () => {
    expect(await json(open('/.well-known/oauth-protected-resource'))).toEqual({
      resource: WEBHOOK_URL,
      authorization_servers: ['https://sightline.test'],
      scopes_supported: ['channels:read', 'channels:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Sightline notification channels',
    });
  });

  test('its health', async () => expect(await json(open('/health'))).toEqual({ status: 'ok' }));

  test('the meaning of each problem, where its type points', async () => {
    for (const [code, { status, title }] of Object.entries(problems)) {
      const answer = await open(`/problems/${code}`);
      expect([answer.status, await answer.text()]).toEqual([200, `${code} (HTTP ${status})\n\n${title}.\n`]);
    }
    expect((await open('/problems/none')).status).toBe(404);
    expect((await open('/problems/constructor')).status).toBe(404);
  });
});

test.each(['/openapi.json', '/health', '/nothing', '/channels'])(
  '%s answers with an id, and asks no object',
  async (path) => {
    const { headers } = await open(path);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(script.asked).toEqual([]);
  },
);

test('a deployment with broken settings answers 500 without saying which', async () => {
  const logs: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
  const broken = { WEBHOOK_URL, CHANNEL_TOKEN_KEYS: 'short' } as unknown as WebhookEnv; // No settings that parse.
  const app = createWebhookApp();
  for (const [path, method] of [
    ['/notifications/w1', 'POST'],
    ['/channels', 'GET'],
    ['/openapi.json', 'GET'],
  ] as const) {
    const answer = await app.fetch(new Request(`${WEBHOOK_URL}${path}`, { method }), broken);
    expect([answer.status, await answer.json()]).toEqual([
      500,
      {
        type: '/problems/internal_error',
        title: 'An internal error',
        status: 500,
        detail: commonProblems.internal_error.means,
        next: commonProblems.internal_error.next,
        code: 'internal_error',
        request_id: answer.headers.get('x-request-id'),
      },
    ]);
  }
  expect(logs.join('\n')).not.toContain('short');
});
