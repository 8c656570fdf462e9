import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sellerResult } from '../../../../src/capabilities/sold-tools.ts';
import { settleOnChain } from './settling-chain.ts';
import { get, ledgerRows, post, problemOf, signedCredential, type World, world } from '../world.ts';

const PATH = '/api/tools/seller';
const SELLER = 'https://seller.example/paid/report';
const body = JSON.stringify({ url: SELLER });
const TERMS = {
  x402Version: 2,
  resource: { url: SELLER },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '0.06',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x1111111111111111111111111111111111111111',
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
};

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
  seen.site = ({ pathname }) =>
    pathname === '/paid/report'
      ? new Response('{}', { status: 402, headers: { 'payment-required': btoa(JSON.stringify(TERMS)) } })
      : new Response('not found', { status: 404 });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const pay = async (): Promise<string> => signedCredential('tool', { quote: await post({ path: PATH, body }) });

describe('the seller check', () => {
  test('is sold for 0.15 USD, and asks the named origin only, by GET and HEAD where GET is sold', async () => {
    const answer = await post({ path: PATH, body, credential: await pay() });
    const json = (await answer.json()) as Record<string, unknown> & { report_id: string };
    expect({ status: answer.status, json }).toMatchObject({
      status: 200,
      json: { capability: 'seller_check', payment: { amount: '150000' } },
    });
    const result = sellerResult.parse(json);
    const row = result.checks.find(({ id }) => id === 'seller.terms.amount');
    expect(row).toMatchObject({ status: 'fail', note: 'The amount "0.06" is not digits alone' });
    expect(new Set(seen.calls.site.map((url) => new URL(url).origin))).toEqual(new Set(['https://seller.example']));
    expect(result.requests.map(({ role }) => role).toSorted()).toEqual(
      ['get', 'head', 'openapi', 'unknown_path', 'well_known_mpp', 'well_known_x402'].toSorted(),
    );
    const report = await get(`/reports/${json.report_id}`, { accept: 'text/html' });
    expect(report.status).toBe(200);
    expect(await report.text()).toContain('The amount &quot;0.06&quot; is not digits alone');
    const md = await get(`/reports/${json.report_id}?format=md`);
    expect({ status: md.status, text: await md.text() }).toMatchObject({ status: 200 });
  });

  test('costs nothing where the seller does not answer', async () => {
    seen.site = () => Promise.reject(new TypeError('connection refused'));
    const answer = await post({ path: PATH, body, credential: await pay() });
    expect(await problemOf(answer)).toEqual({ status: 422, code: 'target_unreachable' });
    expect(seen.calls.settle).toEqual([]);
  });

  test('refuses private addresses, other fields and other tools', async () => {
    const credential = await pay();
    const inside = await post({ path: PATH, body: JSON.stringify({ url: 'http://169.254.169.254/' }), credential });
    expect((await problemOf(inside)).status).toBeGreaterThanOrEqual(400);
    const more = await post({ path: PATH, body: JSON.stringify({ url: SELLER, data: '{}' }), credential });
    expect(await problemOf(more)).toEqual({ status: 422, code: 'invalid_body' });
    expect(await problemOf(await post({ path: '/api/tools/buyer', body }))).toEqual({ status: 404, code: 'not_found' });
    expect((await post({ path: PATH, method: 'PUT', body })).status).toBe(405);
    expect(seen.calls.site).toEqual([]);
    expect(await ledgerRows()).toBe(0);
  });

  test('is in the free catalogue, in the discovery documents and in OpenAPI', async () => {
    const index = (await (await get('/api/agent/index')).json()) as { tools: object; capabilities: object };
    expect(index.tools).toMatchObject({ seller_check: { price_usd: '0.150000', endpoint: `${env.BASE_URL}${PATH}` } });
    expect(Object.keys(index.capabilities)).toHaveLength(19);
    const x402 = (await (await get('/.well-known/x402')).json()) as { resources: string[] };
    expect(x402.resources).toContain(`${env.BASE_URL}${PATH}`);
    const openapi = (await (await get('/openapi.json')).json()) as { paths: object };
    expect(Object.keys(openapi.paths)).toContain(PATH);
  });
});
