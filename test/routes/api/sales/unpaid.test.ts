import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decode, get, ledgerRows, post, problemOf, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Required = {
  x402Version: number;
  resource: { url: string };
  accepts: { amount: string; payTo: string; network: string; scheme: string; extra: { quote: string } }[];
  extensions: Record<string, unknown>;
};

type Problem = { type: string; title: string; status: number; code: string; request_id: string };

describe('an unpaid request', () => {
  test.each([
    ['a good body', '{"url":"https://a.example/"}'],
    ['a broken body', '{'],
    ['no body', ''],
  ])('with %s is 402 with the terms in header and body, and nobody is asked', async (_name, body) => {
    const answer = await post({ body });
    expect(answer.status).toBe(402);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const header = decode(answer.headers.get('payment-required') ?? '') as Required;
    const { type, title, status, code, request_id, ...sent } = (await answer.json()) as Required & Problem;
    expect(sent).toEqual(header);
    expect({ type, title, status, code, request_id }).toEqual({
      type: `${env.BASE_URL}/problems/payment_required`,
      title: 'Payment is required',
      status: 402,
      code: 'payment_required',
      request_id: answer.headers.get('x-request-id'),
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(header).toMatchObject({ x402Version: 2, resource: { url: `${env.BASE_URL}/api/agent/check_health` } });
    expect(header.accepts).toHaveLength(1);
    expect(header.accepts[0]).toMatchObject({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '60000',
      payTo: env.PAY_TO,
    });
    expect(Object.keys(header.extensions).toSorted()).toEqual(['bazaar', 'direct-transfer', 'payment-identifier']);
    expect(seen.calls).toEqual({ verify: [], settle: [], rpc: [], site: [] });
    expect(await ledgerRows()).toBe(0);
  });

  test('P1: every 402 carries a quote of its own, 128 random bits', async () => {
    const quotes = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (decode((await post()).headers.get('payment-required') ?? '') as Required).accepts[0]?.extra.quote,
      ),
    );
    expect(new Set(quotes).size).toBe(20);
    for (const quote of quotes) expect(quote).toMatch(/^[0-9a-f]{32}$/);
  });

  test('the response headers together stay under 16 KB', async () => {
    const { headers } = await post();
    const size = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
    expect(size).toBeLessThan(16_384);
  });

  test('browsers may read the terms: CORS on the preflight and on the 402', async () => {
    const preflight = await exports.default.fetch(
      new Request(`${env.BASE_URL}/api/agent/full_audit`, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example' },
      }),
    );
    expect(preflight.status).toBe(204);
    const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
    for (const name of ['content-type', 'payment-signature', 'access-control-expose-headers'])
      expect(allowed).toContain(name);
    const { headers } = await post();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('PAYMENT-REQUIRED');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('a caller that asks too often is told to wait, and others are not', async () => {
    const caller = { 'cf-connecting-ip': '203.0.113.7' };
    const statuses: number[] = [];
    let last = await post({ headers: caller });
    // Twice the limit: the limiter's minute may turn over on the way.
    while (last.status === 402 && statuses.length < 700) {
      statuses.push(last.status);
      last = await post({ headers: caller });
    }
    expect(statuses.length).toBeGreaterThanOrEqual(300);
    expect(last.headers.get('retry-after')).toBe('60');
    expect(last.headers.get('ratelimit')).toBe('"free";r=0;t=60');
    expect(await problemOf(last)).toEqual({ status: 429, code: 'rate_limited' });
    expect((await post()).status).toBe(402);
  });

  test('B8: terms are told to a caller whose other free answers are used up', async () => {
    const caller = { 'cf-connecting-ip': '203.0.113.8' };
    let last = await get('/about', caller);
    for (let count = 0; count < 700 && last.status !== 429; count += 1) last = await get('/about', caller);
    expect(last.status).toBe(429);
    const read = await get('/about', { ...caller, accept: 'text/html,*/*;q=0.8' });
    expect([read.status, read.headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8']);
    expect(await read.text()).toContain('<a class="button" href="/about">');
    expect((await post({ headers: caller })).status).toBe(402);
  });

  test('addresses of one IPv6 /64 are one caller', async () => {
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 700) {
      const address = `2001:db8:7:8:${(statuses.length % 7).toString(16)}::${(statuses.length + 1).toString(16)}`;
      statuses.push((await post({ headers: { 'cf-connecting-ip': address } })).status);
    }
    expect(statuses).toContain(429);
    expect((await post({ headers: { 'cf-connecting-ip': '2001:db8:7:9::1' } })).status).toBe(402);
  });
});

test('A10: a Host that is not ours is 421, except for health', async () => {
  const foreign = await exports.default.fetch(new Request('https://evil.example/api/agent/index'));
  expect(await problemOf(foreign)).toEqual({ status: 421, code: 'wrong_host' });
  expect((await exports.default.fetch(new Request('https://evil.example/health'))).status).toBe(200);
});

test.each([
  ['/api/agent/check_health', 421],
  ['/oauth/token', 421],
  ['/signin', 421],
  ['/mcp', 403],
  ['/mcp-account', 403],
  ['/health', 204],
])('A10: a preflight of %s at a Host that is not ours is %i, and no page may read a refusal', async (path, status) => {
  const preflight = new Request(`https://evil.example${path}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  const answer = await exports.default.fetch(preflight);
  const cors = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
  expect([answer.status, cors.length > 0]).toEqual([status, status === 204]);
});

describe('free documents', () => {
  test('the catalogue lists 19 capabilities with price, endpoint, body schema and availability', async () => {
    const index = (await (await get('/api/agent/index')).json()) as {
      payment: Record<string, unknown>;
      capabilities: Record<string, Record<string, unknown>>;
    };
    expect(Object.keys(index.capabilities)).toHaveLength(19);
    expect(index.payment).toMatchObject({
      protocol: 'x402',
      x402Version: 2,
      network: 'eip155:8453',
      payTo: env.PAY_TO,
    });
    expect(index.capabilities['check_health']).toMatchObject({
      price_usd: '0.060000',
      price_usdc: 0.06,
      amount: '60000',
      method: 'POST',
      endpoint: `${env.BASE_URL}/api/agent/check_health`,
      available: true,
      body_schema: { type: 'object', required: ['url'] },
    });
    expect(index.capabilities['visibility_check']).toMatchObject({ available: true, price_usd: '1.950000' });
    expect(String(index.capabilities['visibility_check']?.['hint'])).toContain('1 USD');
  });

  test.each(['/openapi.json', '/llms.txt', '/robots.txt', '/bot', '/problems/payment_already_used', '/health'])(
    '%s is served',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await answer.text()).length).toBeGreaterThan(10);
    },
  );

  test('POST to the catalogue is 405', async () => {
    const answer = await post({ capability: 'index' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('GET');
  });

  test('an unknown path is 404 in JSON', async () => {
    expect(await problemOf(await get('/nope'))).toEqual({ status: 404, code: 'not_found' });
    expect(await problemOf(await get(`/reports/${'0'.repeat(32)}.json`))).toEqual({
      status: 404,
      code: 'report_not_found',
    });
  });
});
