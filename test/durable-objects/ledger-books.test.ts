import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { listShardNames, MAX_LOOKED_AT } from '../../src/payment/ledger/books-rows.ts';
import type { BookedQuery, LedgerReport } from '../../src/payment/ledger/books.ts';
import type { PaymentLine } from '../../src/payment/ledger/list.ts';
import { formatDay } from '../../src/payment/ledger/totals.ts';
import { costOf } from './control/tenants.ts';

const SALES = 100_000;
const SHARDS = listShardNames();
const PAYERS = 2_000;
const DAY = 86_400_000;
const CAPABILITIES = ['check_health', 'full_audit', 'compare', 'visibility_check'];
/** Rows that a page shows, and those that say where the next one begins. */
const PAGE = 50;

const payerOf = (sale: number): string => `0x${(sale % PAYERS).toString(16).padStart(40, '0')}`;

const lineOf = (sale: number, nowMs: number): PaymentLine => ({
  key: `key-${sale}`,
  method: 'x402',
  capability: CAPABILITIES[sale % CAPABILITIES.length] ?? '',
  amountMicroUsdc: 60_000,
  payer: payerOf(sale),
  state: 'settled',
  attempt: 1,
  firstClaimedAtMs: nowMs,
  claimedAtMs: nowMs,
  failures: 0,
  proof: { by: 'signature', verified: true, provenPayer: true },
});

/** Lines of 60 days, as a shard reports them. */
const linesOf = (nowMs: number): LedgerReport['lines'] =>
  Array.from({ length: 60 }, (_, back) => formatDay(nowMs - back * DAY)).flatMap((day) =>
    CAPABILITIES.flatMap((capability) =>
      (['sale', 'failure', 'released'] as const).map((kind) => ({
        day,
        kind,
        capability,
        method: 'x402' as const,
        reason: '',
        count: 1,
        microUsdc: 60_000,
      })),
    ),
  );

/** Rows of so many sales of the last day, as reports would have made them one by one. */
const FILL = [
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${SALES})
   INSERT INTO book_payments (key, at_ms, payer, state, capability, line)
   SELECT 'filled-' || i, ?1 - i * (86400000 / ${SALES}), printf('0x%040x', i % ${PAYERS}),
     CASE WHEN i % 1000 = 0 THEN 'unknown' ELSE 'settled' END,
     CASE i % 4 WHEN 0 THEN 'check_health' WHEN 1 THEN 'full_audit' WHEN 2 THEN 'compare' ELSE 'visibility_check' END,
     json_object('key', 'filled-' || i, 'payer', printf('0x%040x', i % ${PAYERS})) FROM n`,
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${PAYERS})
   INSERT INTO book_payers SELECT ?1, printf('0x%040x', i), ${SALES / PAYERS}, 60000 * (i + 1) FROM n`,
  `INSERT INTO book_customers SELECT payer, count, micro_usdc, day FROM book_payers`,
];

test('a page of the console reads few rows of a ledger of 100,000 sales', async () => {
  const books = env.OPERATIONS_REGISTER.getByName('ledger-books');
  const nowMs = Date.now();
  await books.takeReport({ shard: '00', seq: 1, lines: linesOf(nowMs), payments: [], removed: [] });
  await books.noteEmptyShards(SHARDS);
  await runInDurableObject(books, (_, { storage }) => {
    storage.sql.exec(FILL[0] ?? '', nowMs);
    storage.sql.exec(FILL[1] ?? '', formatDay(nowMs));
    storage.sql.exec(FILL[2] ?? '');
    expect(storage.sql.exec('SELECT count(*) AS found FROM book_payments').one()['found']).toBe(SALES);
  });

  const rowsOf = async (work: () => Promise<unknown>): Promise<number> => (await costOf(books, work)).rowsRead;
  // 15 days of 4 capabilities and 3 kinds, and a row for each shard.
  expect(await rowsOf(() => books.readBooks(formatDay(nowMs - 14 * DAY)))).toBeLessThanOrEqual(
    15 * 12 + SHARDS.length + 10,
  );
  expect(await rowsOf(() => books.readOpenPayments())).toBeLessThanOrEqual(2 * (SALES / 1_000) + 10);
  expect(await rowsOf(() => books.readPayers([formatDay(nowMs), formatDay(nowMs - DAY)], 10))).toBeLessThanOrEqual(
    1_000,
  );

  const customers = (after?: { payer: string; microUsdc: number }): Promise<number> =>
    rowsOf(() => books.readCustomerTotals(after === undefined ? { limit: PAGE } : { limit: PAGE, after }));
  expect(await customers()).toBeLessThanOrEqual(2 * (PAGE + 1));
  expect(await customers({ payer: payerOf(999), microUsdc: 60_000_000 })).toBeLessThanOrEqual(2 * (PAGE + 1));

  const page = (query: Partial<BookedQuery>): Promise<number> =>
    rowsOf(() => books.readPayments({ limit: PAGE, ...query }));
  expect(await page({})).toBeLessThanOrEqual(4 * PAGE);
  expect(await page({ before: { atMs: nowMs - DAY / 2, row: 0 } })).toBeLessThanOrEqual(4 * PAGE);
  expect(await page({ payer: payerOf(7) })).toBeLessThanOrEqual(4 * PAGE);
  expect(await page({ states: ['unknown'] })).toBeLessThanOrEqual(4 * PAGE);
  expect(await page({ capability: 'compare' })).toBeLessThanOrEqual(4 * 4 * PAGE);
  // A search that finds nothing ends all the same, and says where it goes on.
  expect(await page({ states: ['released'] })).toBeLessThanOrEqual(4 * MAX_LOOKED_AT);
  expect((await books.readPayments({ limit: PAGE, states: ['released'] })).next).toBeDefined();
});

test('taking a report writes as many rows as it tells of, and few more', async () => {
  const books = env.OPERATIONS_REGISTER.getByName('ledger-books');
  const nowMs = Date.now();
  const first = { shard: '00', seq: 1, lines: [], payments: [], removed: [] };
  const payments = Array.from({ length: 10 }, (_, sale) => lineOf(sale, nowMs));
  const lines = linesOf(nowMs).slice(0, 2);
  await books.takeReport(first);
  const cost = await costOf(books, () => books.takeReport({ ...first, seq: 2, lines, payments }));
  // A row of a payment, and its place in the three indexes and by its key.
  expect(cost.rowsWritten).toBeLessThanOrEqual(5 * payments.length + lines.length + 4);
  const again = await costOf(books, () => books.takeReport({ ...first, seq: 2, lines, payments }));
  expect(again.rowsWritten).toBeLessThanOrEqual(2 * payments.length + 2);
});
