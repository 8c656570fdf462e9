import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { catalog } from '../../../../src/capabilities/catalog.ts';
import { exampleMonitorBody } from '../../../../src/monitors/core/monitor-body.ts';
import { ledgerRows, post, problemOf, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type DryAnswer = {
  price: { amount: string; usd: string };
  rails: { rail: string }[];
  input: Record<string, unknown>;
  input_sha256?: string;
  targets: Record<string, unknown>[];
  limits: Record<string, unknown>;
};

const dry = (path: string, body: unknown, headers: Record<string, string> = {}, query = 'dry=1') =>
  post({ path: `${path}?${query}`, body: typeof body === 'string' ? body : JSON.stringify(body), headers });
const dryAudit = (url: string) => dry('/api/agent/full_audit', { url });
const read = async (answer: Response): Promise<DryAnswer> => (await answer.json()) as DryAnswer;

/** Neither payment, chain nor engine was asked. */
const expectNothingAsked = async (): Promise<void> => {
  expect([seen.calls.verify, seen.calls.settle, seen.calls.rpc]).toEqual([[], [], []]);
  expect(await ledgerRows()).toBe(0);
};

test('says the price, the ways to pay, the input as it is sold and that the site answers, by one request', async () => {
  const answer = await dryAudit('HTTPS://Dry-One.example/#part');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await answer.json()).toEqual({
    dry_run: true,
    capability: 'full_audit',
    price: { amount: '350000', usd: '0.350000', currency: 'USDC' },
    sale: { open: true },
    rails: [
      {
        rail: 'x402',
        scheme: 'exact',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        header: 'PAYMENT-SIGNATURE',
      },
      {
        rail: 'mpp',
        method: 'evm',
        intent: 'charge',
        header: 'Authorization: Payment',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      },
      {
        rail: 'direct-transfer',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        header: 'PAYMENT-SIGNATURE',
        proof_required: false,
      },
      { rail: 'credits', endpoint: `${env.BASE_URL}/mcp-account` },
    ],
    input: { url: 'https://dry-one.example/' },
    input_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    targets: [{ field: 'url', url: 'https://dry-one.example/', reachable: true, status: 200 }],
    limits: { free_requests_per_minute: 300, free_requests_left: null, unpaid_audits_of_a_host_per_hour: 12 },
  });
  expect(seen.calls.site).toEqual(['https://dry-one.example/']);
  await expectNothingAsked();
});

test('the price is that of each row, and what has no site asks none and no engine', async () => {
  const brand = { brand: 'Example Desk', niche: 'help desk software for small teams' };
  const { price, targets } = await read(await dry('/api/agent/visibility_check', brand));
  expect(price.amount).toBe(String(catalog.find(({ name }) => name === 'visibility_check')?.priceMicroUsdc));
  expect(targets).toEqual([]);
  expect(seen.calls.site).toEqual([]);
  // The chain is asked only whether a demonstration engine may be sold there.
  expect([seen.calls.verify, seen.calls.settle, await ledgerRows()]).toEqual([[], [], 0]);
});

test('one request for each host of a comparison, and one for two addresses of the same host', async () => {
  await dry('/api/agent/compare', { url: 'https://dry-a.example/', competitor: 'https://dry-b.example/' });
  expect(seen.calls.site.toSorted()).toEqual(['https://dry-a.example/', 'https://dry-b.example/']);
  seen.calls.site.length = 0;
  const same = { url: 'https://dry-c.example/', competitor: 'https://dry-c.example/other' };
  const { targets } = await read(await dry('/api/agent/compare', same));
  expect(seen.calls.site).toEqual(['https://dry-c.example/']);
  expect(targets[1]).toMatchObject({ field: 'competitor', reachable: null, reason: 'same_host' });
});

describe('a site', () => {
  test('that redirects is not followed: its answer is the redirect', async () => {
    seen.site = () => new Response(null, { status: 301, headers: { location: 'https://elsewhere.example/' } });
    const { targets } = await read(await dryAudit('https://dry-moved.example/'));
    expect(targets).toEqual([{ field: 'url', url: 'https://dry-moved.example/', reachable: true, status: 301 }]);
    expect(seen.calls.site).toEqual(['https://dry-moved.example/']);
  });

  test('that cannot be reached is named with the reason, in our words', async () => {
    seen.site = () => Promise.reject(new TypeError('secret words of a stack'));
    const answer = await dryAudit('https://dry-down.example/');
    const text = await answer.clone().text();
    expect((await read(answer)).targets).toEqual([
      {
        field: 'url',
        url: 'https://dry-down.example/',
        reachable: false,
        reason: 'connection_failed',
        detail: expect.any(String),
        next: expect.any(String),
      },
    ]);
    expect(text).not.toContain('secret words');
  });

  test('F6: that had its unpaid audits of the hour is not asked, which is no answer about it', async () => {
    for (let count = 0; count < 12; count += 1) await dryAudit('https://dry-busy.example/');
    expect(seen.calls.site).toHaveLength(12);
    const { targets } = await read(await dryAudit('https://dry-busy.example/'));
    expect(targets[0]).toMatchObject({ reachable: null, reason: 'target_busy', retry_after_s: expect.any(Number) });
    expect(seen.calls.site).toHaveLength(12);
  });
});

describe('with a payment of any rail', () => {
  test.each([
    ['PAYMENT-SIGNATURE', { 'payment-signature': 'anything' }],
    ['X-PAYMENT', { 'x-payment': 'anything' }],
    ['Authorization: Payment', { authorization: 'Payment eyJpZCI6IngifQ' }],
    ['Authorization: payment, in small letters', { authorization: 'payment id="x"' }],
    ['Payment as the second scheme', { authorization: 'Bearer abc, Payment id="x"' }],
  ])('%s is refused, and the payment is not read', async (_name, headers) => {
    for (const path of [
      '/api/agent/full_audit',
      '/api/credits/5',
      '/api/panels/visibility_panel_2',
      '/api/credits/5/monitor',
    ])
      expect(await problemOf(await dry(path, { url: 'https://dry-paid.example/' }, headers))).toEqual({
        status: 400,
        code: 'dry_run_with_payment',
      });
    expect(seen.calls.site).toEqual([]);
    await expectNothingAsked();
  });

  test('an account token is none', async () => {
    const headers = { authorization: 'Bearer payment' };
    expect((await dry('/api/credits/5', {}, headers)).status).toBe(200);
  });
});

describe('what a purchase refuses, it refuses as well', () => {
  test.each([
    ['a body that is not JSON', '{', 'invalid_json'],
    ['a body without its url', {}, 'invalid_body'],
    ['a field that is not there', { url: 'https://a.example/', colour: 1 }, 'invalid_body'],
    ['a private address', { url: 'http://127.0.0.1/' }, 'target_refused'],
    ['a private address behind a name', { url: 'https://localhost/' }, 'target_refused'],
  ])('%s', async (_name, body, code) => {
    expect((await problemOf(await dry('/api/agent/full_audit', body))).code).toBe(code);
    expect(seen.calls.site).toEqual([]);
  });

  test('another media type, and a body that is too large', async () => {
    const url = '/api/agent/full_audit';
    expect((await problemOf(await dry(url, 'x', { 'content-type': 'text/plain' }))).code).toBe(
      'unsupported_media_type',
    );
    expect((await problemOf(await dry(url, { url: 'x'.repeat(70_000) }))).code).toBe('body_too_large');
  });

  test('F7: an audit of ours that comes back to us', async () => {
    const answer = await dry('/api/agent/full_audit', { url: 'https://a.example/' }, { via: '1.1 sightline' });
    expect((await problemOf(answer)).code).toBe('loop_detected');
  });

  test('a name that is not sold, and another method', async () => {
    expect((await problemOf(await dry('/api/agent/nothing', {}))).code).toBe('unknown_capability');
    expect((await problemOf(await post({ path: '/api/agent/full_audit?dry=1', method: 'PUT', body: '{}' }))).code).toBe(
      'method_not_allowed',
    );
  });
});

describe('the other paid routes', () => {
  test('a pack, without a body', async () => {
    const answer = await read(await dry('/api/credits/5', ''));
    expect(answer).toMatchObject({ capability: 'credits_5', price: { amount: '5000000' }, input: {}, targets: [] });
    expect(answer.rails).toEqual([
      expect.objectContaining({ rail: 'x402' }),
      expect.objectContaining({ rail: 'mpp' }),
      expect.objectContaining({ rail: 'direct-transfer', proof_required: true }),
    ]);
  });

  test('a panel that no engines are configured for says so, and its price all the same', async () => {
    const body = { brand: 'Example Desk', niche: 'help desk software for small teams' };
    expect(await read(await dry('/api/panels/visibility_panel_4', body))).toMatchObject({
      price: { amount: '6500000' },
      sale: { open: false, code: 'engine_not_configured' },
    });
  });

  test('a pack with a monitor: the monitor is judged', async () => {
    const good = await dry('/api/credits/5/monitor', exampleMonitorBody);
    expect(await read(good)).toMatchObject({ capability: 'credits_5', input: { subject: exampleMonitorBody.subject } });
    expect((await problemOf(await dry('/api/credits/5/monitor', { name: 1 }))).code).toBe('invalid_body');
  });
});

test.each([
  ['dry=true', 200],
  ['dry=', 200],
  ['dry=yes', 200],
  ['dry=0&dry=1', 200],
  ['dry=0', 402],
  ['dry=FALSE', 402],
  ['dryer=1', 402],
])('%s is answered with %i: a request that names it at all does not pay', async (query, status) => {
  expect((await dry('/api/agent/full_audit', { url: 'https://dry-query.example/' }, {}, query)).status).toBe(status);
});

test('is counted with what is free: a caller without free answers gets none', async () => {
  const headers = { 'cf-connecting-ip': '203.0.113.77' };
  let last = await dry('/api/credits/5', '', headers);
  for (let count = 0; count < 700 && last.status === 200; count += 1) last = await dry('/api/credits/5', '', headers);
  expect(await problemOf(last)).toEqual({ status: 429, code: 'rate_limited' });
});
