import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../routes/control/app.ts';
import { CONTROL_URL, tokenFor } from '../../support/workers/control-tokens.ts';
import { refusal, USERS } from './world.ts';

const LIST = `${USERS}?customer=my_customer`;
const SECRET = 'secret-of-the-store';

let logs: string[] = [];
beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The app with some bindings of its own. */
async function callWith(
  changes: object,
  path: string,
  init: RequestInit = {},
  tenant = 'C00000001',
): Promise<Response> {
  const headers = { authorization: `Bearer ${tokenFor({ tenant })}`, ...(init.headers as Record<string, string>) };
  return createControlApp().fetch(new Request(`${CONTROL_URL}${path}`, { ...init, headers }), { ...env, ...changes });
}

/** Objects whose calls end so. */
const failing = (error: unknown) => ({
  RESOURCE_STORE: {
    idFromName: () => 'id',
    get: () => ({
      call: async () => {
        throw error;
      },
      status: async () => {
        throw error;
      },
    }),
  },
});

describe('a bug', () => {
  test.each([LIST, '/v1/tenants/C00000001'])(
    'is 500 at %s without a word of it, and one line of the log without what was sent',
    async (path) => {
      const answer = await callWith(failing(new TypeError(SECRET)), path);
      const requestId = answer.headers.get('x-request-id');
      const text = await answer.text();
      expect([answer.status, JSON.parse(text)]).toMatchObject([
        500,
        { error: { code: 500, message: 'Internal error encountered.' } },
      ]);
      expect(text).not.toContain(SECRET);
      expect(logs.map((line) => JSON.parse(line) as unknown)).toEqual([
        {
          event: 'management_failed',
          request_id: requestId,
          method: path === LIST ? 'directory.users.list' : '/v1/tenants/{tenant}',
          error: 'TypeError',
        },
      ]);
    },
  );

  test('in the settings is 500 too', async () => {
    const answer = await callWith({ CONTROL_URL: 'nonsense' }, LIST);
    expect(await refusal(answer)).toBe('500 backendError: Internal error encountered.');
  });
});

test.each(['overloaded', 'retryable', 'durableObjectReset'])(
  'an object that is %s is 503 with the time to wait',
  async (word) => {
    const answer = await callWith(failing(Object.assign(new Error('x'), { [word]: true })), LIST);
    expect([answer.status, answer.headers.get('retry-after'), logs]).toEqual([503, '1', []]);
    expect(await refusal(answer)).toBe('503 backendError: Backend Error');
  },
);

describe('limits', () => {
  const shut = { MANAGEMENT_LIMIT: { limit: async () => ({ success: false }) } };
  const part = `--b\r\nContent-Type: application/http\r\n\r\nGET ${LIST} HTTP/1.1\r\n\r\n\r\n`;

  test('K4: a batch of 40 calls counts 40: the first 30 of a minute are free, then the limiter decides', async () => {
    const answer = await callWith(
      shut,
      '/batch',
      { method: 'POST', headers: { 'content-type': 'multipart/mixed; boundary=b' }, body: `${part.repeat(40)}--b--` },
      'C0000batch',
    );
    const text = new TextDecoder().decode(await answer.arrayBuffer());
    const count = (status: number) => text.split(`HTTP/1.1 ${status} `).length - 1;
    expect([count(200), count(429)]).toEqual([30, 10]);
    const next = await callWith(shut, LIST, {}, 'C0000batch');
    expect([next.status, next.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refusal(next)).toBe('429 rateLimitExceeded: Rate Limit Exceeded');
    expect((await callWith(shut, LIST, {}, 'C0000calm')).status).toBe(200);
  });

  test('calls of the emulator count too', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 32; turn += 1)
      statuses.push((await callWith(shut, '/v1/faults', {}, 'C0000eager')).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429]);
    expect((await callWith(shut, LIST, {}, 'C0000eager')).status).toBe(429);
  });
});

test.each(['0', ''])(
  'K2: with EMULATOR="%s" there are no controls of tenants, and tenants are live',
  async (EMULATOR) => {
    const tenant = `C0000emu${EMULATOR}`;
    for (const [method, path] of [
      ['GET', `/v1/tenants/${tenant}`],
      ['POST', `/v1/tenants/${tenant}:reset`],
      ['GET', '/v1/faults'],
    ] as const) {
      const answer = await callWith({ EMULATOR }, path, { method }, tenant);
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { error: { message: 'Not Found: the requested URL is no method of this server.' } },
      ]);
    }
    expect((await callWith({ EMULATOR }, LIST, {}, tenant)).status).toBe(200);
    expect(await env.TENANT_REGISTRY.getByName('tenants').tenant(tenant, 'sandbox')).toMatchObject({ mode: 'live' });
  },
);
