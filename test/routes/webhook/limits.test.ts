import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { createWebhookApp } from '../../../routes/webhook.ts';
import type { WebhookEnv } from '../../../routes/webhook/env.ts';
import { isTokenForm } from '../../../src/authorization/tokens.ts';
import { tokenFor, UNKNOWN_TOKEN, validTestToken } from '../../support/webhook-tokens.ts';
import { WEBHOOK_URL } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const WAIT = { code: 'rate_limited', status: 429, retry_after_s: 60 };
const app = createWebhookApp();

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

test('an address has 30 tokens a minute looked at, then the limiter decides', async () => {
  const { validate, limit, call } = shut({ account: 'of-an-address' });
  for (let count = 0; count < 30; count += 1)
    expect((await call(`Bearer ${UNKNOWN_TOKEN}`, '203.0.113.1')).status).toBe(401);
  const refused = await call(`Bearer ${tokenFor()}`, '203.0.113.1');
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([429, '60', WAIT]);
  expect(validate).toHaveBeenCalledTimes(30);
  expect(limit.mock.calls).toEqual([[{ key: 'a:203.0.113.1' }]]);
  expect((await call(`Bearer ${tokenFor()}`, '203.0.113.2')).status).toBe(200);
});

test('an account has as many calls from all its addresses together', async () => {
  const { limit, call } = shut({ account: 'eager' });
  const statuses: number[] = [];
  for (let count = 0; count < 32; count += 1)
    statuses.push((await call(`Bearer ${tokenFor()}`, `198.51.100.${count}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429]);
  expect(limit.mock.calls).toEqual([[{ key: 'u:eager' }], [{ key: 'u:eager' }]]);
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

test('without a token nothing is counted', async () => {
  const { limit, call } = shut({ account: 'nobody' });
  for (let count = 0; count < 40; count += 1) expect((await call(undefined, '203.0.113.40')).status).toBe(404);
  expect(limit).not.toHaveBeenCalled();
});
