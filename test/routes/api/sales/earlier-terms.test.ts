import { createExecutionContext, env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import { findCapability } from '../../../../src/capabilities/catalog.ts';
import { productionAnswers } from '../../../../src/models/registry.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { post, problemOf, signedCredential, type World, world } from '../world.ts';
import { settleOnChain } from './settling-chain.ts';

const OTHER_PAYEE = '0x1111111111111111111111111111111111111111';
const app = createApp({
  policy: () => allowPublicOnly({ alternatePorts: true }),
  local: true,
  engines: productionAnswers,
});

let seen: World;
const row = findCapability('check_health');
if (!row) throw new Error('no such capability');
const price = row.priceMicroUsdc;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(row, { priceMicroUsdc: price });
});

/** The service after its owner changed what it costs, or who is paid. */
const changes: readonly [string, string, () => Record<string, string>][] = [
  [
    'price',
    'wrong_amount',
    () => {
      Object.assign(row, { priceMicroUsdc: price + 10_000 });
      return {};
    },
  ],
  ['payee', 'wrong_recipient', () => ({ PAY_TO: OTHER_PAYEE })],
];

const present = (credential: string, settings: Record<string, string>): Promise<Response> =>
  Promise.resolve(
    app.fetch(
      new Request(`${env.BASE_URL}/api/agent/check_health`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'cf-connecting-ip': '203.0.113.78',
          'payment-signature': credential,
        },
        body: JSON.stringify({ url: 'https://shop.example/' }),
      }),
      { ...env, ...settings },
      createExecutionContext(),
    ),
  );

test.each(changes)(
  'P13: what was sold before another %s is served, and nothing is settled anew',
  async (_what, _code, change) => {
    const credential = await signedCredential();
    const first = await post({ credential });
    const again = await present(credential, change());
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(await first.text());
    expect(seen.calls.settle).toHaveLength(1);
  },
);

test.each(changes)(
  'a settlement that is in doubt is ended by the terms before another %s',
  async (_what, _code, change) => {
    seen.settle = () => new Response('busy', { status: 503 });
    const credential = await signedCredential();
    expect((await problemOf(await post({ credential }))).code).toBe('settlement_unknown');
    const settings = change();
    settleOnChain(seen);
    const realNow = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(realNow + 36_000);
    expect((await present(credential, settings)).status).toBe(200);
    expect(seen.calls.settle.at(-1)).toMatchObject({
      paymentRequirements: { payTo: env.PAY_TO, amount: String(price) },
    });
  },
);

test.each(changes)(
  'P13: a payment whose run began before another %s is still in progress, never one to pay for again',
  async (_what, _code, change) => {
    const good = seen.verify;
    const facilitator = Promise.withResolvers<void>();
    seen.verify = async () => {
      await facilitator.promise;
      return typeof good === 'function' ? good() : Response.json(good);
    };
    const credential = await signedCredential();
    const first = post({ credential });
    await vi.waitUntil(() => seen.calls.verify.length === 1);
    const settings = change();
    expect(await problemOf(await present(credential, settings))).toEqual({ status: 409, code: 'payment_in_progress' });
    facilitator.resolve();
    expect((await first).status).toBe(200);
    expect((await present(credential, settings)).status).toBe(200);
    expect(seen.calls.settle).toHaveLength(1);
  },
);

test.each(changes)(
  'P13: what bought something else before another %s is used, never one to pay for again',
  async (_what, _code, change) => {
    const credential = await signedCredential();
    const first = await post({ credential, body: JSON.stringify({ url: 'https://other.example/' }) });
    expect(first.status).toBe(200);
    expect(await problemOf(await present(credential, change()))).toEqual({ status: 409, code: 'payment_already_used' });
    expect(seen.calls.settle).toHaveLength(1);
  },
);

test.each(changes)(
  'what was not sold before another %s is 402 %s, and no one is asked about it',
  async (_what, code, change) => {
    const credential = await signedCredential();
    const asked = seen.calls.verify.length;
    expect(await problemOf(await present(credential, change()))).toEqual({ status: 402, code });
    expect(seen.calls.verify).toHaveLength(asked);
  },
);
