import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { post, problemOf, signedCredential, type World, world } from '../world.ts';
import { settleOnChain, transferOnChain } from './settling-chain.ts';

const SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';
const SAYS = '<!doctype html><title>Oak</title><h1>Oak</h1><p>Oak Desk is help desk software for small teams.</p>';
const pack = { brand: 'Oak Desk', niche: 'help desk software', weak_spots: [{ topic: 'Price and value' }] };

let seen: World;
let page = SHELL;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
  page = SHELL;
  seen.site = ({ pathname }) =>
    pathname === '/'
      ? new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      : new Response('None', { status: 404 });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const url = 'https://shop.example/';
const orders: readonly (readonly [string, object])[] = [
  ['generate_llms_txt', { url }],
  ['generate_mcp_json', { url }],
  ['visibility_fix_pack', { ...pack, url }],
];

test.each(orders)(
  '%s of an app shell is 422, unpaid, and its payment buys it once the site says something',
  async (capability, asked) => {
    const order = { capability, body: JSON.stringify(asked), credential: await signedCredential(capability) };
    const refused = await post(order);
    expect(await refused.clone().json()).toMatchObject({ detail: expect.stringMatching(/Missing: |url: /u) as string });
    expect(await problemOf(refused)).toEqual({ status: 422, code: 'nothing_to_generate' });
    expect(seen.calls.settle).toHaveLength(0);
    page = SAYS;
    const sold = await post(order);
    expect(sold.status).toBe(200);
    expect(await sold.json()).toMatchObject({ filled: { sentences: expect.any(Number) as number } });
    expect(seen.calls.settle).toHaveLength(1);
  },
);

test('a transfer stays redeemable too', async () => {
  const credential = transferOnChain(seen, 300_000);
  const order = { capability: 'generate_llms_txt', body: JSON.stringify({ url }), credential };
  expect(await problemOf(await post(order))).toEqual({ status: 422, code: 'nothing_to_generate' });
  page = SAYS;
  expect((await post(order)).status).toBe(200);
});

test('three fields alone are sold as drafts, and no site is asked', async () => {
  const capability = 'visibility_fix_pack';
  const body = JSON.stringify(pack);
  const sold = await post({ capability, body, credential: await signedCredential(capability) });
  expect(sold.status).toBe(200);
  expect(await sold.json()).toMatchObject({ draft: true, fixes: [{ draft: true }] });
  expect(seen.calls.site).toEqual([]);
});

test('F1: a private address that fills texts is refused before any payment', async () => {
  const body = JSON.stringify({ ...pack, url: 'http://127.0.0.1/' });
  const answer = await post({ capability: 'visibility_fix_pack', body, credential: await signedCredential() });
  expect(await problemOf(answer)).toEqual({ status: 422, code: 'target_refused' });
  expect([seen.calls.verify, seen.calls.site]).toEqual([[], []]);
});
