import { describe, expect, test } from 'vitest';
import {
  buildKeptPurchase,
  forgetPurchase,
  type Keeping,
  keepPublishToken,
  keepPurchase,
  listKeptPurchases,
  openPurchaseStorage,
} from '../../../../src/web/islands/buying/purchase-storage.ts';

const NOW_MS = 1_795_000_000_000;
const PAID = { capability: 'full_audit', bodyText: '{"url":"https://example.com/"}', credential: 'the-credential' };
const DAY_MS = 86_400_000;

function memory(): Keeping & { map: Map<string, string> } {
  const map = new Map<string, string>();
  return {
    map,
    get length() {
      return map.size;
    },
    key: (index) => [...map.keys()][index] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}
const throwing = (): never => {
  throw new Error('refused');
};
const refusing: Keeping = {
  get length(): number {
    return throwing();
  },
  key: throwing,
  getItem: throwing,
  setItem: throwing,
  removeItem: throwing,
};

describe('a purchase without an end', () => {
  test('is kept for every tab of the browser, and forgotten when it ended', () => {
    const storage = { shared: memory(), tab: memory() };
    const kept = buildKeptPurchase(PAID, NOW_MS);
    expect(keepPurchase(storage, kept)).toBe('browser');
    expect(storage.tab.map.size).toBe(0);
    const otherTab = { shared: storage.shared, tab: memory() };
    expect(listKeptPurchases(otherTab, 'full_audit', NOW_MS)).toEqual([kept]);
    expect(listKeptPurchases(otherTab, 'full', NOW_MS)).toEqual([]);
    expect(listKeptPurchases(otherTab, 'check_health', NOW_MS)).toEqual([]);
    forgetPurchase(otherTab, kept);
    expect(storage.shared.map.size).toBe(0);
  });

  test('is kept beside another one of the same order, the newest first', () => {
    const storage = { shared: memory(), tab: undefined };
    const first = buildKeptPurchase(PAID, NOW_MS);
    const second = buildKeptPurchase(PAID, NOW_MS + 1);
    for (const kept of [first, second]) keepPurchase(storage, kept);
    expect(listKeptPurchases(storage, 'full_audit', NOW_MS + 2)).toEqual([second, first]);
    forgetPurchase(storage, second);
    expect(listKeptPurchases(storage, 'full_audit', NOW_MS + 2)).toEqual([first]);
  });

  test('that an earlier version kept in its tab is found there, and forgotten', () => {
    const tab = memory();
    tab.map.set('sightline-purchase-full_audit', JSON.stringify(PAID));
    const storage = { shared: memory(), tab };
    const [kept] = listKeptPurchases(storage, 'full_audit', Date.now());
    expect(kept).toMatchObject(PAID);
    if (!kept) throw new Error('it was not found');
    // Its repeat is kept under the same key, for every tab.
    keepPurchase(storage, kept);
    forgetPurchase(storage, kept);
    expect([tab.map.size, storage.shared.map.size]).toEqual([0, 0]);
  });

  test('is as old as its first sending, however often it is sent again', () => {
    const storage = { shared: memory(), tab: undefined };
    const first = buildKeptPurchase(PAID, NOW_MS - 30 * DAY_MS);
    for (const kept of [first, buildKeptPurchase(first, NOW_MS, first)]) keepPurchase(storage, kept);
    expect(listKeptPurchases(storage, 'full_audit', NOW_MS)).toEqual([first]);
    expect(listKeptPurchases(storage, 'full_audit', NOW_MS + 2 * DAY_MS)).toEqual([]);
  });

  test('is dropped after what the ledger remembers', () => {
    const storage = { shared: memory(), tab: undefined };
    keepPurchase(storage, buildKeptPurchase(PAID, NOW_MS));
    expect(listKeptPurchases(storage, 'full_audit', NOW_MS + 31 * DAY_MS)).toHaveLength(1);
    expect(listKeptPurchases(storage, 'full_audit', NOW_MS + 32 * DAY_MS)).toEqual([]);
    expect(storage.shared.map.size).toBe(0);
  });

  test.each([
    '',
    'null',
    '{',
    '[]',
    '{"capability":"full_audit"}',
    '{"capability":"other","bodyText":"{}","credential":""}',
    '{"capability":"full_audit","bodyText":"{","credential":""}',
  ])('that reads %j is none', (text) => {
    const shared = memory();
    shared.map.set('sightline-purchase-full_audit 1', text);
    expect(listKeptPurchases({ shared, tab: undefined }, 'full_audit', NOW_MS)).toEqual([]);
  });

  test('is kept for the tab where the browser refuses more, and for the page where it refuses all', () => {
    const kept = buildKeptPurchase(PAID, NOW_MS);
    const tab = memory();
    expect(keepPurchase({ shared: refusing, tab }, kept)).toBe('tab');
    expect(listKeptPurchases({ shared: refusing, tab }, 'full_audit', NOW_MS)).toEqual([kept]);
    for (const storage of [
      { shared: refusing, tab: refusing },
      { shared: undefined, tab: undefined },
    ]) {
      expect(keepPurchase(storage, kept)).toBe('page');
      expect(listKeptPurchases(storage, 'full_audit', NOW_MS)).toEqual([]);
      expect(() => forgetPurchase(storage, kept)).not.toThrow();
      expect(() => keepPublishToken(storage, 'ab', 'token')).not.toThrow();
    }
  });

  test('a storage that cannot even be named is none', () => {
    const page = {
      get localStorage(): Keeping {
        return throwing();
      },
      sessionStorage: memory(),
    };
    expect(openPurchaseStorage(page).shared).toBeUndefined();
    expect(openPurchaseStorage(page).tab).toBeDefined();
  });
});
