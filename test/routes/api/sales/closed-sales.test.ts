import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { balanceOf, call, packPath, postPack, provenFor, signedPack } from './credit-world.ts';
import { settleOnChain, transferOnChain } from './settling-chain.ts';
import { emptyChain, get, ledgerRows, post, problemOf, signedCredential, type World, world } from '../world.ts';

const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });
const closed = { ...bindings, SALES: 'closed' } as unknown as Env; // The project's settings hold all that it names.
const ROUTE = '/api/agent/check_health';
const ORDER = '{"url":"https://shop.example/"}';
const OPEN = { status: 503, code: 'settlement_unknown' };
const CLOSED = { status: 503, code: 'capability_unavailable' };

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

let callers = 0;

/** One request to the deployment after its sales were closed. */
async function send(path: string, credential?: string, body: string | undefined = ORDER): Promise<Response> {
  callers += 1;
  const context = createExecutionContext();
  const request = new Request(`${bindings.BASE_URL}${path}`, {
    ...(body === '' ? {} : { method: 'POST', body }),
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': `203.0.114.${callers % 250}`,
      ...(credential === undefined ? {} : { 'payment-signature': credential }),
    },
  });
  const answer = await app.fetch(request, closed, context);
  const content = await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(content, answer);
}

test('P8: with SALES=closed nothing is offered, no payment is looked at, and none is taken', async () => {
  const [signed, pack] = [await signedCredential(), await signedPack(5)];
  const hash = transferOnChain(seen, 60_000);
  for (const [path, credential, body] of [
    [ROUTE, undefined, ORDER],
    [ROUTE, signed, ORDER],
    [ROUTE, hash, ORDER],
    [packPath(5), undefined, '{}'],
    [packPath(5), pack, '{}'],
  ] as const) {
    const answer = await send(path, credential, body);
    expect([path, answer.headers.get('payment-required')]).toEqual([path, null]);
    expect(answer.headers.get('retry-after')).toBe('600');
    expect([path, await problemOf(answer)]).toEqual([path, CLOSED]);
  }
  expect([seen.calls.verify, seen.calls.settle, await ledgerRows()]).toEqual([[], [], 0]);
  // What was refused is good again once sales are open.
  expect([(await post({ credential: signed })).status, (await post({ credential: hash })).status]).toEqual([200, 200]);
});

test('P11: what was sold before is its buyer’s: by the same signed payment, by a proven transfer, and as a report', async () => {
  const signed = await signedCredential();
  const hash = transferOnChain(seen, 60_000);
  const proven = await provenFor({ capability: 'check_health', path: ROUTE, body: ORDER }, hash);
  const bought = [await post({ credential: signed }), await post({ credential: proven })];
  expect(bought.map(({ status }) => status)).toEqual([200, 200]);
  const bodies = await Promise.all(bought.map((answer) => answer.text()));
  const settled = seen.calls.settle.length;
  expect(await (await send(ROUTE, signed)).text()).toBe(bodies[0]);
  expect(await (await send(ROUTE, proven)).text()).toBe(bodies[1]);
  const { report_id: id } = JSON.parse(bodies[0] ?? '') as { report_id: string };
  expect((await send(`/reports/${id}.json`, undefined, '')).status).toBe(200);
  expect([seen.calls.settle.length, await ledgerRows()]).toEqual([settled, 2]);
  expect((await get(`/reports/${id}.json`)).status).toBe(200);
});

test('P11: the payer of a bare hash proves itself and gets what it bought; no one is asked for another payment', async () => {
  const hash = transferOnChain(seen, 60_000);
  const order = { capability: 'check_health', path: ROUTE, body: ORDER };
  expect((await post({ credential: hash })).status).toBe(200);
  expect((await send(ROUTE, await provenFor(order, hash))).status).toBe(200);
  expect(await ledgerRows()).toBe(1);
  const small = await provenFor(order, transferOnChain(seen, 10));
  expect(await problemOf(await post({ credential: small }))).toMatchObject({ status: 402 });
  expect(await problemOf(await send(ROUTE, small))).toEqual(CLOSED);
});

test('P4: a payment whose settlement is open is not settled again while sales are closed', async () => {
  const signed = await signedCredential();
  seen.settle = () => new Response('busy', { status: 503 });
  seen.rpc = emptyChain;
  expect(await problemOf(await post({ credential: signed }))).toEqual(OPEN);
  const asked = seen.calls.settle.length;
  seen.settle = { success: true, transaction: `0x${'5e'.repeat(32)}`, network: 'eip155:8453' };
  const answer = await send(ROUTE, signed);
  expect([await problemOf(answer), seen.calls.settle.length]).toEqual([OPEN, asked]);
});

test('P6: a call on prepaid credits is not debited, and one that was answered before is answered again', async () => {
  await postPack(5, { credential: await signedPack(5) });
  const first = await call({ idempotencyKey: 'order-1' });
  const balance = await balanceOf();
  expect(await call({ idempotencyKey: 'order-1' }, localAnswers, closed)).toEqual(first);
  expect(await call({ idempotencyKey: 'order-2' }, localAnswers, closed)).toMatchObject({
    kind: 'problem',
    problem: CLOSED,
  });
  expect(await balanceOf()).toBe(balance);
});

test('the catalogue says of everything that it cannot be bought now', async () => {
  const index = (await (await send('/api/agent/index', undefined, '')).json()) as {
    capabilities: Record<string, { available: boolean }>;
    credits: Record<string, { available: boolean }>;
    payment: { payTo: string | null };
  };
  const rows = [...Object.values(index.capabilities), ...Object.values(index.credits)];
  expect(rows.length).toBeGreaterThanOrEqual(19);
  expect(rows.filter(({ available }) => available)).toEqual([]);
  expect(index.payment.payTo).toMatch(/^0x/);
});
