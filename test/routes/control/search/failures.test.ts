import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../../routes/control/app.ts';
import { CONTROL_URL, tokenFor } from '../../../support/workers/control-tokens.ts';
import { searchRefusal } from '../../../support/management/search-envelope.ts';
import { call, json } from '../world.ts';

const INSTANCE = '/client/v4/accounts/acme/ai-search/instances/docs';
const SECRET = 'secret-of-the-store';

let logs: unknown[] = [];
beforeEach(async () => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(JSON.parse(String(line))));
  await env.TENANT_REGISTRY.getByName('tenants').tenant('C00000001', 'sandbox');
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The app with some bindings of its own. */
async function callWith(changes: object, tenant = 'C00000001'): Promise<Response> {
  const headers = { authorization: `Bearer ${tokenFor({ tenant })}` };
  return createControlApp().fetch(new Request(`${CONTROL_URL}${INSTANCE}`, { headers }), { ...env, ...changes });
}

const namespaceOf = (object: object) => ({ idFromName: () => 'id', get: () => object });
const rejects = (error: unknown) => async (): Promise<never> => {
  throw error;
};
const failing = (error: unknown) => ({ RESOURCE_STORE: namespaceOf({ call: rejects(error) }) });

test('a bug is 500 without a word of it, and one line of the log without what was sent', async () => {
  const answer = await callWith(failing(new TypeError(SECRET)));
  const requestId = answer.headers.get('x-request-id');
  expect(await searchRefusal(answer)).toBe('500 7500: Internal server error');
  const event = { event: 'management_failed', request_id: requestId, error: 'TypeError' };
  expect(logs).toEqual([{ ...event, method: 'aisearch.instances.read' }]);
});

test.each(['overloaded', 'retryable', 'durableObjectReset'])(
  'an object that is %s is 503 with the time to wait: that of the tenant, and that of an instance',
  async (word) => {
    const error = Object.assign(new Error(SECRET), { [word]: true });
    const order = { do: 'stats', instance: { uid: 'u' } };
    const told = { answer: { ok: true, status: 200, body: {} }, delayMs: 0, search: order };
    const handsOn = {
      RESOURCE_STORE: namespaceOf({ call: async () => told }),
      SEARCH_INSTANCE: namespaceOf({ ask: rejects(error) }),
    };
    for (const changes of [failing(error), handsOn]) {
      const answer = await callWith(changes);
      expect([answer.headers.get('retry-after'), logs]).toEqual(['1', []]);
      expect(await searchRefusal(answer)).toBe('503 7503: Backend Error');
    }
  },
);

describe('limits', () => {
  const shut = { MANAGEMENT_LIMIT: { limit: async () => ({ success: false }) } };

  test('more calls than a tenant may make are 429, and say when to come again', async () => {
    const tenant = 'C0search429';
    await env.TENANT_REGISTRY.getByName('tenants').tenant(tenant, 'sandbox');
    const answers = [];
    for (let n = 0; n < 31; n += 1) answers.push(await callWith({ ...shut, ...failing(new Error('x')) }, tenant));
    const last = answers.at(-1);
    expect(answers.slice(0, 30).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 500));
    expect(last?.headers.get('retry-after')).toBe('60');
    expect(last && (await searchRefusal(last))).toMatch(/^429 971: /);
  });
});

test('a fault that a sandbox asks for is answered in the envelope', async () => {
  const body = { method: 'aisearch.instances.read', status: 503, retryAfterS: 7 };
  const { id } = await json<{ id: string }>(call('/v1/faults', { method: 'POST', body }));
  const struck = await call(INSTANCE);
  expect(struck.headers.get('retry-after')).toBe('7');
  expect(await searchRefusal(struck)).toMatch(/^503 7503: /);
  await call(`/v1/faults/${id}`, { method: 'DELETE' });
  expect(await searchRefusal(call(INSTANCE))).toBe('404 7002: ai_search_not_found');
});
