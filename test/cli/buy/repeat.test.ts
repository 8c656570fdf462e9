import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendJson } from '../../../local/http-server.ts';
import { buyWithX402 } from '../../../src/cli/buy/buyer.ts';
import { type BuyerTools, forgetOrder, type OpenablePurchase } from '../../../src/cli/buy/order.ts';
import { createOrderFolder } from '../../../src/cli/buy/saved-order.ts';
import {
  CAPABILITY,
  honestCatalogue,
  type PaidService,
  type Scene,
  sendProblem,
  startPaidService,
} from '../../support/stack/paid-service.ts';

const account = privateKeyToAccount(generatePrivateKey());
const services: PaidService[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-repeat-'));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Buyer = { order: OpenablePurchase; tools: BuyerTools; counted: bigint[]; service: PaidService };

/** A buyer whose orders stay in one folder, as those of `sightline buy` do. */
async function createBuyer(onPaid: Scene['onPaid'], scene: Scene = {}): Promise<Buyer> {
  const service = await startPaidService({ catalogue: honestCatalogue(), ...(onPaid && { onPaid }), ...scene });
  services.push(service);
  const counted: bigint[] = [];
  return {
    service,
    counted,
    order: { baseUrl: service.url, capability: CAPABILITY, body: { url: 'example.com' }, account, maxUsd: 1 },
    tools: {
      fetch,
      counter: {
        reserve: async (amount) => {
          counted.push(amount);
          return { ok: true };
        },
      },
      orders: createOrderFolder(folder),
      nowMs: Date.now,
      sleep: async () => undefined,
    },
  };
}

describe('after a refusal the same order sends the same payment, and signs nothing', () => {
  test.each([
    [503, 'settlement_unknown'],
    [409, 'payment_in_progress'],
    [500, 'internal_error'],
    [422, 'target_unreachable'],
    [429, 'too_many_failures'],
  ])('%i %s', async (status, code) => {
    const { order, tools, service, counted } = await createBuyer((_credential, n, response) =>
      n === 1 ? sendProblem(response, status, code) : sendJson(response, 200, { done: true }),
    );
    expect(await buyWithX402(order, tools)).toMatchObject({ ok: false, reason: code, signed: true });
    expect(await buyWithX402(order, tools)).toMatchObject({
      ok: true,
      result: { done: true },
      paidAtMs: expect.any(Number),
    });
    expect([service.credentials.length, new Set(service.credentials).size, counted.length]).toEqual([2, 1, 1]);
  });
});

test('an answer that never comes: the next run sends the payment that was sent', async () => {
  let isDead = true;
  const { order, tools, service } = await createBuyer((_credential, _n, response) =>
    isDead ? void response.destroy() : sendJson(response, 200, { done: true }),
  );
  expect(await buyWithX402(order, tools)).toMatchObject({ ok: false, reason: 'service_unreachable', signed: true });
  isDead = false;
  expect(await buyWithX402(order, tools)).toMatchObject({ ok: true, result: { done: true } });
  expect(new Set(service.credentials).size).toBe(1);
});

test('402 says that the payment was not taken: the next run signs another one', async () => {
  const { order, tools, service } = await createBuyer((_credential, n, response) =>
    n === 1 ? sendProblem(response, 402, 'insufficient_funds') : sendJson(response, 200, { done: true }),
  );
  expect(await buyWithX402(order, tools)).toMatchObject({ ok: false, reason: 'insufficient_funds' });
  expect(readdirSync(folder)).toEqual([]);
  expect(await buyWithX402(order, tools)).toEqual({ ok: true, result: { done: true }, payment: expect.anything() });
  expect(new Set(service.credentials).size).toBe(2);
});

test('a saved payment that is too old is 402: it is given up and another one is signed in the same run', async () => {
  const { order, tools, service } = await createBuyer((credential, n, response) => {
    if (n === 1) return sendProblem(response, 503, 'service_busy');
    return credential === service.credentials[0]
      ? sendProblem(response, 402, 'authorization_expired')
      : sendJson(response, 200, { done: true });
  });
  expect(await buyWithX402(order, tools)).toMatchObject({ ok: false, reason: 'service_busy' });
  expect(await buyWithX402(order, tools)).toEqual({ ok: true, result: { done: true }, payment: expect.anything() });
  expect(new Set(service.credentials).size).toBe(2);
});

test('an open payment on one network is the payment of the order on every other: nothing more is signed', async () => {
  const { order, tools, service, counted } = await createBuyer((_credential, n, response) =>
    n === 1 ? sendProblem(response, 503, 'service_busy') : sendJson(response, 200, { done: true }),
  );
  expect(await buyWithX402(order, tools)).toMatchObject({ ok: false, reason: 'service_busy' });
  const onPolygon = { ...order, network: 'eip155:137' as const };
  expect(await buyWithX402(onPolygon, tools)).toMatchObject({ ok: true, result: { done: true } });
  expect([new Set(service.credentials).size, counted.length]).toEqual([1, 1]);
});

test('once the result has reached the caller the same order is a new purchase', async () => {
  const { order, tools, service } = await createBuyer(undefined);
  const first = await buyWithX402(order, tools);
  if (!first.ok) throw new Error(first.detail);
  await forgetOrder(order, first, tools);
  expect(await buyWithX402(order, tools)).toMatchObject({ ok: true, result: { capability: CAPABILITY } });
  expect(new Set(service.credentials).size).toBe(2);
});

test('another body is another order', async () => {
  const { order, tools, service } = await createBuyer((_credential, n, response) =>
    n === 1 ? sendProblem(response, 503, 'service_busy') : sendJson(response, 200, { done: true }),
  );
  await buyWithX402(order, tools);
  expect(await buyWithX402({ ...order, body: { url: 'example.org' } }, tools)).toMatchObject({ ok: true });
  expect(new Set(service.credentials).size).toBe(2);
});

test('two runs at once send one payment, and both get its result', async () => {
  const { order, tools, service } = await createBuyer(undefined);
  const both = await Promise.all([buyWithX402(order, tools), buyWithX402(order, tools)]);
  expect(both).toMatchObject([{ ok: true }, { ok: true }]);
  expect(new Set(service.credentials).size).toBe(1);
});

test('a payment that cannot be written down is not sent', async () => {
  const { order, tools, service } = await createBuyer(undefined);
  rmSync(folder, { recursive: true });
  const refused = { ok: false, reason: 'orders_unavailable', detail: 'disk full' } as const;
  const orders = { ...tools.orders, save: async () => refused };
  expect(await buyWithX402(order, { ...tools, orders })).toEqual({ ...refused, signed: false });
  expect(service.credentials).toEqual([]);
});

test('a repeat needs neither the catalogue nor the price: the service may sell nothing now', async () => {
  let isClosed = false;
  const first: Scene['first'] = (path, response) => {
    if (!isClosed || path !== '/api/agent/index') return false;
    sendProblem(response, 503, 'closed');
    return true;
  };
  const { order, tools } = await createBuyer(
    (_credential, n, response) =>
      n === 1 ? sendProblem(response, 503, 'service_busy') : sendJson(response, 200, { done: true }),
    { first },
  );
  await buyWithX402(order, tools);
  isClosed = true;
  expect(await buyWithX402({ ...order, maxUsd: 0.01 }, tools)).toMatchObject({ ok: true, result: { done: true } });
});

describe('an order that is bought anew', () => {
  const answerSecond: Scene['onPaid'] = (_credential, n, response) =>
    n === 1 ? sendProblem(response, 503, 'service_busy') : sendJson(response, 200, { done: true });

  test('pays again once, and its repeat without --new sends the new payment', async () => {
    const { order, tools, service } = await createBuyer((_credential, n, response) =>
      n < 3 ? sendProblem(response, 503, 'service_busy') : sendJson(response, 200, { done: true }),
    );
    await buyWithX402(order, tools);
    await buyWithX402({ ...order, isNew: true }, tools);
    expect(await buyWithX402(order, tools)).toMatchObject({ ok: true, paidAtMs: expect.any(Number) });
    const [old, fresh, again] = service.credentials;
    expect([fresh === old, again === fresh]).toEqual([false, true]);
  });

  test('and refused by the service leaves the payment before it open', async () => {
    const { order, tools, service } = await createBuyer((_credential, n, response) => {
      if (n === 1) return sendProblem(response, 503, 'settlement_unknown');
      return n === 2 ? sendProblem(response, 402, 'insufficient_funds') : sendJson(response, 200, { done: true });
    });
    await buyWithX402(order, tools);
    expect(await buyWithX402({ ...order, isNew: true }, tools)).toMatchObject({
      ok: false,
      reason: 'insufficient_funds',
    });
    expect(await buyWithX402(order, tools)).toMatchObject({ ok: true, result: { done: true } });
    const [first, , third] = service.credentials;
    expect([third, service.credentials.length]).toEqual([first, 3]);
  });

  test('keeps the open payment while no new one is made', async () => {
    const { order, tools, service } = await createBuyer(answerSecond);
    await buyWithX402(order, tools);
    expect(await buyWithX402({ ...order, isNew: true, maxUsd: 0.01 }, tools)).toMatchObject({
      ok: false,
      reason: 'amount_above_cap',
    });
    expect(await buyWithX402(order, tools)).toMatchObject({ ok: true });
    expect(new Set(service.credentials).size).toBe(1);
  });
});

test('the order of the fields makes no other order', async () => {
  const { order, tools, service } = await createBuyer((_credential, n, response) =>
    n === 1 ? sendProblem(response, 503, 'service_busy') : sendJson(response, 200, { done: true }),
  );
  await buyWithX402({ ...order, body: { url: 'example.com', max_pages: 3 } }, tools);
  await buyWithX402({ ...order, body: { max_pages: 3, url: 'example.com' } }, tools);
  expect(new Set(service.credentials).size).toBe(1);
});

test('a late 402 for an old payment does not erase the one that another process has made meanwhile', async () => {
  const { order, tools, service } = await createBuyer((credential, n, response) => {
    if (n === 1) return sendProblem(response, 503, 'service_busy');
    return credential === service.credentials[0]
      ? sendProblem(response, 402, 'authorization_expired')
      : sendProblem(response, 503, 'service_busy');
  });
  await buyWithX402(order, tools);
  // Both have read the old payment; the second hears of its end only when the first has paid anew.
  const first = buyWithX402(order, tools);
  const late: BuyerTools = {
    ...tools,
    orders: {
      ...tools.orders,
      withdraw: async (...what) => {
        await first;
        await tools.orders.withdraw(...what);
      },
    },
  };
  await Promise.all([first, buyWithX402(order, late)]);
  expect(new Set(service.credentials).size).toBe(2);
});
