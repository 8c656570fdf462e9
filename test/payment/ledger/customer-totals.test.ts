import { expect, test } from 'vitest';
import type { LedgerReport } from '../../../src/payment/ledger/books.ts';
import { openBooks } from '../../../src/payment/ledger/books-rows.ts';
import { formatDay, TOTALS_DAYS } from '../../../src/payment/ledger/totals.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { DAY_MS, NOW } from './cases.ts';

const payerOf = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;

let reports = 0;
/** A purchase of that much by that payer, so many days ago, in a report of its own. */
function boughtBy(payer: number, microUsdc: number, daysAgo = 0): LedgerReport {
  reports += 1;
  const day = formatDay(NOW - daysAgo * DAY_MS);
  const line = { day, kind: 'payer' as const, capability: payerOf(payer), method: 'x402' as const, reason: '' };
  return { shard: '00', seq: reports, lines: [{ ...line, count: 1, microUsdc }], payments: [], removed: [] };
}

test('customers are in the order of what they paid in all, page by page, equal ones too', () => {
  const books = openBooks(memorySqlite().sql);
  for (const [payer, microUsdc] of [
    [1, 60_000],
    [2, 350_000],
    [3, 60_000],
    [1, 5_000_000],
    [4, 60_000],
  ] as const)
    books.take(boughtBy(payer, microUsdc, payer), NOW);
  const seen: string[] = [];
  let after: { payer: string; microUsdc: number } | undefined;
  for (;;) {
    const found = books.customers(after === undefined ? { limit: 2 } : { limit: 2, after });
    const shown = found.slice(0, 2);
    seen.push(
      ...shown.map(({ payer, count, microUsdc, lastDay }) => `${payer.at(-1)} ${count} ${microUsdc} ${lastDay}`),
    );
    if (found.length <= 2) break;
    after = shown.at(-1);
  }
  const day = (ago: number): string => formatDay(NOW - ago * DAY_MS);
  expect(seen).toEqual([`1 2 5060000 ${day(1)}`, `2 1 350000 ${day(2)}`, `4 1 60000 ${day(4)}`, `3 1 60000 ${day(3)}`]);
});

test('a total outlives the days of its payer, ends long after the last purchase, or with the account', () => {
  const books = openBooks(memorySqlite().sql);
  books.take(boughtBy(1, 60_000), NOW);
  books.take(boughtBy(2, 70_000), NOW);
  books.take(boughtBy(3, 1, -10), NOW + 10 * DAY_MS);
  expect(books.payers([formatDay(NOW)], 10)).toEqual([]);
  expect(books.customers({ limit: 10 }).map(({ payer }) => payer)).toEqual([2, 1, 3].map(payerOf));
  books.forgetCustomer(payerOf(2));
  expect(books.customers({ limit: 10 }).map(({ payer }) => payer)).toEqual([1, 3].map(payerOf));
  books.take(boughtBy(3, 1, -TOTALS_DAYS), NOW + TOTALS_DAYS * DAY_MS);
  expect(books.customers({ limit: 10 }).map(({ payer }) => payer)).toEqual([payerOf(3)]);
});

test('books of an earlier version begin with the days that they have', () => {
  const { sql } = memorySqlite();
  const earlier = openBooks(sql);
  earlier.take(boughtBy(1, 60_000, 1), NOW);
  earlier.take(boughtBy(1, 60_000), NOW);
  sql.exec('DROP TABLE book_customers');
  const total = { payer: payerOf(1), count: 2, microUsdc: 120_000, lastDay: formatDay(NOW) };
  expect(openBooks(sql).customers({ limit: 10 })).toEqual([total]);
  expect(openBooks(sql).customers({ limit: 10 })).toEqual([total]);
});
