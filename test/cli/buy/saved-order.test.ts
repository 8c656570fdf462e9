import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  computeOrderKey,
  createOrderFolder,
  MAX_EARLIER_PAYMENTS,
  type OrderStore,
} from '../../../src/cli/buy/saved-order.ts';
import { honestTerms } from '../../support/stack/paid-service.ts';

const NOW_MS = Date.UTC(2026, 0, 15);
const DAY_MS = 86_400_000;
const KEY = 'ab'.repeat(32);
const order = (credential: string, savedAtMs = NOW_MS) => ({ savedAtMs, payment: { by: 'x402', credential } }) as const;

let folder = '';
let orders: OrderStore;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sightline-orders-')), 'orders');
  orders = createOrderFolder(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

test('a payment is found again by the same order until it is forgotten', async () => {
  expect(await orders.find(KEY, NOW_MS)).toEqual({ ok: true, order: undefined });
  expect(await orders.save(KEY, order('one'))).toEqual({ ok: true, isFirst: true });
  expect(await orders.find(KEY, NOW_MS)).toEqual({ ok: true, order: order('one') });
  await orders.forget(KEY, order('another').payment);
  expect(await orders.find(KEY, NOW_MS)).toEqual({ ok: true, order: order('one') });
  await orders.forget(KEY, order('one').payment);
  expect(await orders.find(KEY, NOW_MS)).toEqual({ ok: true, order: undefined });
  expect(readdirSync(folder)).toEqual([]);
});

test('of many processes that pay for one order at once, one is the first', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => orders.save(KEY, order(`payment ${n}`))));
  expect(all.filter((one) => one.ok && one.isFirst)).toHaveLength(1);
  expect(await orders.find(KEY, NOW_MS)).toMatchObject({ ok: true, order: { payment: { by: 'x402' } } });
  expect(readdirSync(folder)).toEqual([`${KEY}.json`]);
});

test('a payment is replaced only by who knows which one is there', async () => {
  await orders.save(KEY, order('one'));
  expect(await orders.save(KEY, order('two'), order('another').payment)).toEqual({ ok: true, isFirst: false });
  const both = await Promise.all(['two', 'three'].map((name) => orders.save(KEY, order(name), order('one').payment)));
  expect(both.filter((one) => one.ok && one.isFirst)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([`${KEY}.json`]);
});

test('a payment that moved no money opens the one that it replaced again; a result closes them all', async () => {
  const names = Array.from({ length: MAX_EARLIER_PAYMENTS + 2 }, (_, n) => `payment ${n}`);
  for (const [n, name] of names.entries())
    await orders.save(KEY, order(name), n === 0 ? undefined : order(names[n - 1] ?? '').payment);
  const [newest = '', ...replaced] = names.toReversed();
  await orders.withdraw(KEY, order(replaced[0] ?? '').payment); // Not the newest: nothing happens.
  let open = newest;
  for (const name of replaced.slice(0, 2)) {
    expect(await orders.find(KEY, NOW_MS)).toEqual({ ok: true, order: order(open) });
    await orders.withdraw(KEY, order(open).payment);
    open = name;
  }
  await orders.forget(KEY, order(open).payment);
  expect(await orders.find(KEY, NOW_MS)).toEqual({ ok: true, order: undefined });
  expect(readdirSync(folder)).toEqual([]);
});

test('only the owner reads a payment', async () => {
  await orders.save(KEY, order('one'));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  expect([modeOf(folder), modeOf(join(folder, `${KEY}.json`))]).toEqual([0o700, 0o600]);
});

describe('a transfer is saved with its network', () => {
  const saved = (network: string) => ({
    savedAtMs: NOW_MS,
    payment: {
      by: 'transfer',
      transaction: `0x${'5e'.repeat(32)}`,
      raw: '0x02',
      accepted: { ...honestTerms, network },
    },
  });
  const writeOrder = (network: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${KEY}.json`), JSON.stringify({ version: 1, ...saved(network) }), { mode: 0o600 });
  };

  test.each(['eip155:8453', 'eip155:84532', 'eip155:137'])(
    'on %s it is read, in the form that earlier versions wrote',
    async (network) => {
      writeOrder(network);
      expect(await orders.find(KEY, NOW_MS)).toEqual({ ok: true, order: saved(network) });
    },
  );

  test('on a network of a later version it is not taken for one that was never paid', async () => {
    writeOrder('eip155:10');
    expect(await orders.find(KEY, NOW_MS)).toMatchObject({ ok: false, reason: 'orders_unavailable' });
  });
});

describe('an order that cannot be read is not taken for one that was never paid', () => {
  test.each([
    ['others may write it', () => chmodSync(join(folder, `${KEY}.json`), 0o666)],
    ['it is no JSON', () => writeFileSync(join(folder, `${KEY}.json`), '{"version":1')],
    ['it is of a newer version', () => writeFileSync(join(folder, `${KEY}.json`), '{"version":2}')],
  ])('%s', async (_what, spoil) => {
    await orders.save(KEY, order('one'));
    spoil();
    expect(await orders.find(KEY, NOW_MS)).toMatchObject({ ok: false, reason: 'orders_unavailable' });
  });

  test('its folder cannot be made', async () => {
    writeFileSync(folder, 'a file');
    expect(await orders.save(KEY, order('one'))).toMatchObject({ ok: false, reason: 'orders_unavailable' });
  });
});

test('what no service stores any more is dropped', async () => {
  await orders.save(KEY, order('one'));
  expect(await orders.find(KEY, NOW_MS + 30 * DAY_MS)).toMatchObject({ order: { savedAtMs: NOW_MS } });
  expect(await orders.find(KEY, NOW_MS + 31 * DAY_MS)).toEqual({ ok: true, order: undefined });
  const old = join(folder, `${'cd'.repeat(32)}.json`);
  writeFileSync(old, '{}');
  utimesSync(old, new Date(NOW_MS - 32 * DAY_MS), new Date(NOW_MS - 32 * DAY_MS));
  await orders.save(KEY, order('two'));
  expect(readdirSync(folder)).toEqual([`${KEY}.json`]);
});

test('service, capability, body and payer make an order; the letter case of the payer does not', async () => {
  const one = { origin: 'https://a.example', capability: 'check_health', bodyText: '{}', payer: '0xAB' };
  const keys = await Promise.all(
    [
      one,
      { ...one, payer: '0xab' },
      { ...one, origin: 'https://b.example' },
      { ...one, capability: 'check_mcp' },
      { ...one, bodyText: '{"url":"a"}' },
      { ...one, payer: '0xac' },
    ].map(computeOrderKey),
  );
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(5);
});
