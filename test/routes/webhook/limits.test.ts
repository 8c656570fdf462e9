import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWebhookApp } from '../../../routes/webhook/app.ts';
import type { WebhookEnv } from '../../../routes/webhook/bindings/env.ts';
import { forgetTokens } from '../../../src/authorization/oauth/remembered-tokens.ts';
import { isTokenForm } from '../../../src/authorization/oauth/tokens.ts';
import { tokenFor, UNKNOWN_TOKEN, validTestToken } from '../../support/webhooks/webhook-tokens.ts';
import { WEBHOOK_URL } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const WAIT = { code: 'rate_limited', status: 429, retry_after_s: 60 };
const app = createWebhookApp();

beforeEach(() => forgetTokens({}, Date.now()));

/** The Worker with a limiter that refuses, and an authorization server that counts and knows these accounts. */
function shut({ account }: { account: string }) {
  const validate = vi.fn<WebhookEnv['AUTHORIZATION']['validate']>(async (token, resource) => {
    const valid = validTestToken(token, resource);
    return valid && { ...valid, userId: account };
  });
  const limit = vi.fn<RateLimit['limit']>(async () => ({ success: false }));
  const bindings = { ...env, AUTHORIZATION: { validate }, OPERATOR_LIMIT: { limit } } as unknown as WebhookEnv; // Of this project's settings.
  const call = (authorization: string | undefined, address: string) =>
    app.request(
      `${WEBHOOK_URL}/channels`,
      { headers: { ...(authorization === undefined ? {} : { authorization }), 'cf-connecting-ip': address } },
      bindings,
    );
  return { validate, limit, call };
}

test('B9: after 30 tokens that are good for nothing an address waits, and is told how long', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const { validate, limit, call } = shut({ account: 'of-an-address' });
  for (let count = 0; count < 30; count += 1)
    expect((await call(`Bearer ${UNKNOWN_TOKEN}`, '203.0.113.1')).status).toBe(401);
  clock.mockReturnValue(1_000_900);
  const first = `Bearer ${tokenFor({ tenant: 'C0first' })}`; // Nobody has seen it before.
  const refused = await call(first, '203.0.113.1');
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([429, '60', WAIT]);
  expect([validate.mock.calls.length, limit.mock.calls]).toEqual([30, []]);
  expect((await call(first, '203.0.113.2')).status).toBe(200);
});

test('B8: strangers at an address lock out neither a token that was good nor, for long, a new one', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(5_000_000);
  const { validate, call } = shut({ account: 'honest' });
  const [known, fresh] = [tokenFor({ tenant: 'C0known' }), tokenFor({ tenant: 'C0fresh' })];
  expect((await call(`Bearer ${known}`, '203.0.113.3')).status).toBe(200);
  for (let count = 0; count < 40; count += 1) await call(`Bearer ${UNKNOWN_TOKEN}`, '203.0.113.3');
  expect((await call(`Bearer ${known}`, '203.0.113.3')).status).toBe(200);
  expect((await call(`Bearer ${fresh}`, '203.0.113.3')).status).toBe(429);
  clock.mockReturnValue(5_001_000);
  expect((await call(`Bearer ${fresh}`, '203.0.113.3')).status).toBe(200);
  expect(validate).toHaveBeenCalledTimes(33);
});

test('an account has as many calls from all its addresses together', async () => {
  const { limit, call } = shut({ account: 'eager' });
  const statuses: number[] = [];
  for (let count = 0; count < 32; count += 1)
    statuses.push((await call(`Bearer ${tokenFor()}`, `198.51.100.${count}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429]);
  expect(limit.mock.calls).toEqual([[{ key: 'u:eager' }], [{ key: 'u:eager' }]]);
  const { headers } = await call(`Bearer ${tokenFor()}`, '198.51.100.32');
  expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
    '"operator";q=600;w=60',
    '"operator";r=0;t=60',
  ]);
});

test.each([
  ['/health', 'GET', 200],
  ['/.well-known/oauth-protected-resource', 'GET', 200],
  ['/openapi.json', 'GET', 200],
  ['/problems/not_found', 'GET', 200],
  ['/channels', 'GET', 404],
  ['/nothing-here', 'GET', 404],
  ['/notifications/unknown', 'PUT', 405],
])('the answer to %s by %s tells the limit', async (path, method, status) => {
  const answer = await app.request(`${WEBHOOK_URL}${path}`, { method }, env);
  expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([status, '"operator";q=600;w=60']);
});

test('a limiter that does not answer holds nobody up', async () => {
  const { limit, call } = shut({ account: 'lucky' });
  limit.mockRejectedValue(new Error('down'));
  for (let count = 0; count < 32; count += 1)
    expect((await call(`Bearer ${tokenFor()}`, '203.0.113.9')).status).toBe(200);
});

const NO_TOKENS = [
  'garbage',
  'slm_',
  `slm_${'x'.repeat(42)}`,
  `slm_${'x'.repeat(44)}`,
  `SLM_${'x'.repeat(43)}`,
  `${'a'.repeat(32)}:grant`,
  `${'A'.repeat(32)}:grant:secret`,
  `${'a'.repeat(32)}:grant:secret:more`,
  `${'a'.repeat(32)}::`,
  `${'a'.repeat(32)}:grant:${'x'.repeat(1_025)}`,
  `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln`,
];

test.each(NO_TOKENS)('text that has not the form of a token (%s) is refused, and nobody is asked', async (text) => {
  const { validate, limit, call } = shut({ account: 'nobody' });
  for (let count = 0; count < 32; count += 1) expect((await call(`Bearer ${text}`, '203.0.113.30')).status).toBe(401);
  expect([validate.mock.calls, limit.mock.calls]).toEqual([[], []]);
});

test('tokens of both kinds have the form of one', () => {
  const library = `${'0f'.repeat(16)}:${'gR-4_nt0'.repeat(2)}:${'s3-cr_t0'.repeat(4)}`;
  expect([UNKNOWN_TOKEN, `slm_${'aZ09-_'.repeat(7)}x`, library].map(isTokenForm)).toEqual([true, true, true]);
});

test('B9: calls without a token have a limit of their own: 600 a minute, which locks out no good token', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(9_000_000);
  const { limit, call } = shut({ account: 'nobody' });
  for (let count = 0; count < 600; count += 1)
    expect((await call(count % 2 === 0 ? undefined : 'Bearer x', '203.0.113.40')).status).toBe(
      count % 2 === 0 ? 404 : 401,
    );
  expect(limit).not.toHaveBeenCalled();
  clock.mockReturnValue(9_045_000);
  const refused = await call(undefined, '203.0.113.40');
  const headers = ['retry-after', 'ratelimit-policy'].map((name) => refused.headers.get(name));
  expect([refused.status, ...headers]).toEqual([429, '15', '"unauthenticated";q=600;w=60']);
  expect((await call(`Bearer ${tokenFor()}`, '203.0.113.40')).status).toBe(200);
});

test('B9: what is there and what is not have one limit without a token (rule W7)', async () => {
  const from = { 'cf-connecting-ip': '203.0.113.41' };
  const ask = async (path: string): Promise<number> =>
    (await app.request(`${WEBHOOK_URL}${path}`, { headers: from }, env)).status;
  for (let count = 0; count < 600; count += 1) expect(await ask('/nothing-here')).toBe(404);
  expect([await ask('/nothing-here'), await ask('/channels')]).toEqual([429, 429]);
});

test.each([
  '/',
  '/channels',
  '/openapi.json',
  '/.well-known/oauth-protected-resource',
  '/notifications/w1',
  '/problems/not_found',
])('B11.3: %s of another host is 421; of its own it is served', async (path) => {
  const answer = await app.request(`https://evil.example${path}`, {}, env);
  expect([answer.status, await answer.json()]).toMatchObject([421, { code: 'wrong_host' }]);
  expect((await app.request(`${WEBHOOK_URL}${path}`, {}, env)).status).not.toBe(421);
});

test('B11.3: the health of the Worker is told to any host', async () => {
  expect((await app.request('https://evil.example/health', {}, env)).status).toBe(200);
});

test('B2: no token, no body: an order without a good token is refused before its body is read', async () => {
  const { validate } = shut({ account: 'nobody' });
  for (const authorization of [undefined, 'Bearer x', `Bearer ${UNKNOWN_TOKEN}`]) {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulls += 1;
          controller.enqueue(new Uint8Array(1_024));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = {
      'cf-connecting-ip': '203.0.113.50',
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    };
    const request = new Request(`${WEBHOOK_URL}/channels`, { method: 'POST', headers, body });
    const answer = await app.fetch(request, { ...env, AUTHORIZATION: { validate } });
    expect([answer.status, pulls]).toEqual([authorization === undefined ? 404 : 401, 0]);
  }
});
