import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemorySpending, readBudget, type SpendingStore, toMicroUsd } from '../../src/client/budget.ts';
import { createFileOrders, createFileSpending } from '../../src/client/node.ts';
import {
  computeOrderName,
  createMemoryOrders,
  createStorageOrders,
  formatSortedJson,
  type OpenOrders,
} from '../../src/client/orders.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-stores-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** As much of `localStorage` as there is in Node. */
function createStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const makers: readonly (readonly [string, () => OpenOrders])[] = [
  ['memory', createMemoryOrders],
  ['localStorage', () => createStorageOrders(createStorage())],
  ['files', () => createFileOrders(join(folder, `orders-${Math.random()}`))],
];

describe.each(makers)('orders in %s', (_where, create) => {
  test('the first payment of a key stays until it is deleted', async () => {
    const orders = create();
    expect((await orders.get('a')) ?? undefined).toBeUndefined();
    expect(await orders.add('a', 'one')).toBe('one');
    expect(await orders.add('a', 'two')).toBe('one');
    expect(await orders.get('a')).toBe('one');
    await orders.delete('a', 'two');
    expect(await orders.get('a')).toBe('one');
    await orders.delete('a', 'one');
    expect((await orders.get('a')) ?? undefined).toBeUndefined();
  });

  test('of many that pay at once, all get the payment of one', async () => {
    const orders = create();
    const saved = await Promise.all(Array.from({ length: 20 }, async (_, index) => orders.add('b', String(index))));
    expect(new Set(saved).size).toBe(1);
  });
});

test('files of orders are for their owner only, and nothing is left beside them', async () => {
  const place = join(folder, 'private');
  await createFileOrders(place).add('../../etc/passwd', 'one');
  const names = readdirSync(place);
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
  expect(statSync(join(place, names[0] ?? '')).mode & 0o777).toBe(0o600);
});

test('memory forgets the oldest order beyond its limit', async () => {
  const orders = createMemoryOrders();
  for (let index = 0; index <= 10_000; index += 1) await orders.add(String(index), 'x');
  expect([await orders.get('0'), await orders.get('1'), await orders.get('10000')]).toEqual([undefined, 'x', 'x']);
});

const counters: readonly (readonly [string, () => SpendingStore])[] = [
  ['memory', createMemorySpending],
  ['a file', () => createFileSpending(join(folder, `spending-${Math.random()}.json`))],
];

describe.each(counters)('what was spent, in %s', (_where, create) => {
  test('is counted for each day up to the limit, and can be given back', async () => {
    const spending = create();
    expect(await spending.reserve('2026-11-27', 60, 100)).toBe(true);
    expect(await spending.reserve('2026-11-27', 41, 100)).toBe(false);
    expect(await spending.reserve('2026-11-27', 40, 100)).toBe(true);
    await spending.release('2026-11-27', 40);
    expect(await spending.reserve('2026-11-27', 40, 100)).toBe(true);
    expect(await spending.reserve('2026-11-28', 100, 100)).toBe(true);
  });

  test('does not pass the limit when many count at once', async () => {
    const spending = create();
    const counted = await Promise.all(Array.from({ length: 20 }, async () => spending.reserve('2026-11-27', 10, 100)));
    expect(counted.filter(Boolean)).toHaveLength(10);
  });
});

test('a count that cannot be read is not zero', async () => {
  const path = join(folder, 'broken.json');
  for (const text of ['{', '{"day":"2026-11-27","microUsd":"many"}', '{"day":"2026-11-27"}']) {
    writeFileSync(path, text);
    await expect(createFileSpending(path).reserve('2026-11-27', 1, 100)).rejects.toThrow(/JSON|no sum/);
  }
});

describe('a budget', () => {
  test('is in USD, rounded down to what the token can pay', () => {
    expect([toMicroUsd(1.55), toMicroUsd(0.35), toMicroUsd(2), toMicroUsd(0.000_000_9)]).toEqual([
      1_550_000, 350_000, 2_000_000, 0,
    ]);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '2' as never])('of %s is refused', (perCall) => {
    expect(() => readBudget({ perCall })).toThrow('budget.perCall');
  });
});

describe('the name of an order', () => {
  const marks = { origin: 'https://a.test', payer: '0xAb', capability: 'check_health', body: '{}', order: '' };

  test('does not depend on the order of members, nor on the spelling of an address', async () => {
    expect(formatSortedJson({ b: [{ d: 1, c: 2 }], a: 1 })).toBe(formatSortedJson({ a: 1, b: [{ c: 2, d: 1 }] }));
    expect(formatSortedJson({ a: [1, 2] })).not.toBe(formatSortedJson({ a: [2, 1] }));
    expect(await computeOrderName(marks)).toBe(await computeOrderName({ ...marks, payer: '0xaB' }));
  });

  test.each(['origin', 'payer', 'capability', 'body', 'order'] as const)('depends on the %s', async (mark) => {
    expect(await computeOrderName({ ...marks, [mark]: 'other' })).not.toBe(await computeOrderName(marks));
  });
});
