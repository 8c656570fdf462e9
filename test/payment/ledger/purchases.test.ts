import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import {
  openPurchases,
  type PurchaseLine,
  PURCHASES_SCHEMA,
  toPurchase,
} from '../../../src/payment/ledger/purchases.ts';
import { toPaymentLine } from '../../../src/payment/ledger/list.ts';
import { openLedgerRows } from '../../../src/payment/ledger/rows.ts';
import { isSettled, type LedgerRow, toSale } from '../../../src/payment/ledger/row.ts';
import { listBookings } from '../../../src/payment/ledger/totals.ts';
import { buildEnvelopePayment } from '../../../src/payment/terms/receipt.ts';
import { openSql } from '../../support/management/sqlite.ts';
import { DAY_MS, NOW, PAYER, settledPhase, settling, signedRow } from './cases.ts';

const OTHER = `0x${'b2'.repeat(20)}`;
const all = { payer: PAYER, sinceMs: 0, limit: 100 };

const purchase = (number: number, change: Partial<PurchaseLine> = {}): PurchaseLine => ({
  payer: PAYER,
  reportId: number.toString(16).padStart(32, '0'),
  capability: 'full_audit',
  amountMicroUsdc: 750_000,
  method: 'x402',
  settledAtMs: NOW + number,
  ...change,
});

function openWithSql() {
  const sql = openSql(new DatabaseSync(':memory:'));
  sql.exec(PURCHASES_SCHEMA);
  return { sql, purchases: openPurchases(sql) };
}
const open = () => openWithSql().purchases;

const sold: LedgerRow = signedRow(settledPhase);
const transfer: LedgerRow['instrument'] = { method: 'transfer', hash: `0x${'1'.repeat(64)}`, blockTimeS: NOW / 1000 };

describe('the purchases of a payer', () => {
  test('A6: are those of no other, newest first, a page at a time, also where two are of one millisecond', () => {
    const purchases = open();
    const own = [purchase(1), purchase(2, { settledAtMs: NOW + 1 }), purchase(3), purchase(4)];
    for (const one of [...own, purchase(9, { payer: OTHER })]) purchases.add(one);
    purchases.add(purchase(4));
    expect(purchases.list(all)).toEqual(own.toReversed());
    const first = purchases.list({ ...all, limit: 3 });
    expect([...first, ...purchases.list({ ...all, after: first.at(-1) })]).toEqual(own.toReversed());
    expect(purchases.has(PAYER, purchase(9).reportId)).toBe(false);
    expect(purchases.has(OTHER, purchase(9).reportId)).toBe(true);
    purchases.forget(PAYER);
    expect(purchases.list(all)).toEqual([]);
    expect(purchases.has(OTHER, purchase(9).reportId)).toBe(true);
  });

  test('are dropped when their reports cannot be read any more: by the next purchase, and once a day', () => {
    const purchases = open();
    purchases.add(purchase(1));
    purchases.add(purchase(2, { payer: OTHER }));
    purchases.add(purchase(3, { settledAtMs: NOW + 40 * DAY_MS }));
    expect(purchases.list(all).map(({ reportId }) => reportId)).toEqual([purchase(3).reportId]);
    expect(purchases.list({ ...all, payer: OTHER })).toHaveLength(1);
    purchases.sweep(NOW + 40 * DAY_MS);
    expect(purchases.list({ ...all, payer: OTHER })).toEqual([]);
    expect(purchases.list({ ...all, sinceMs: NOW + 41 * DAY_MS })).toEqual([]);
  });
});

describe('a sale', () => {
  test('is listed in the step that settles it, and once', () => {
    const rows = openLedgerRows(openSql(new DatabaseSync(':memory:')), 86_400);
    const before = signedRow(settling);
    rows.write(before);
    expect(rows.purchases.list(all)).toEqual([]);
    rows.advance(before, sold);
    rows.advance(sold, sold);
    expect(rows.purchases.list(all)).toEqual([toPurchase(sold)]);
  });

  test.each<[string, LedgerRow, boolean]>([
    ['by a signed payment', sold, true],
    ['that is not settled', signedRow(settling), false],
    ['whose address may be of another owner where people sign in', { ...sold, isUnlisted: true }, false],
    ['of credits', { ...sold, capability: 'credits_20' }, false],
    ['by a transfer of its proven payer', { ...sold, instrument: transfer, proven: true }, true],
    [
      'P9: by the bare hash of a transfer, which anyone can present',
      { ...sold, instrument: transfer, proven: false },
      false,
    ],
  ])('%s: has a line %s', (_name, row, isListed) => {
    expect(toPurchase(row) !== undefined).toBe(isListed);
  });
});

describe('how a payment was made', () => {
  const paid: [string, Partial<LedgerRow>, string][] = [
    ['by x402', {}, 'x402'],
    ['by x402 on Solana', { rail: 'x402-svm' }, 'x402'],
    ['by MPP', { rail: 'mpp' }, 'mpp'],
    ['by a transfer', { instrument: transfer, proven: true }, 'transfer'],
  ];

  test.each(paid)('%s: list, books, receipt and the operator’s list say the same', (_name, change, method) => {
    const before = signedRow(settling, change);
    const after = signedRow(settledPhase, change);
    if (!isSettled(after)) throw new Error('not settled');
    const { sql, purchases } = openWithSql();
    purchases.add(toPurchase(after) ?? purchase(0));
    expect(openPurchases(sql).list(all)).toEqual([expect.objectContaining({ reportId: 'report-1', method })]);
    expect(listBookings(before, after)).toEqual([expect.objectContaining({ kind: 'sale', method })]);
    expect(toPaymentLine(after).method).toBe(method);
    expect(buildEnvelopePayment(toSale(after)).method).toBe(method);
  });

  test('by MPP: the sale is in the list and the books of the shard, and the payment stays a signature', () => {
    const rows = openLedgerRows(openSql(new DatabaseSync(':memory:')), 86_400);
    const before = signedRow(settling, { rail: 'mpp' });
    rows.write(before);
    rows.advance(before, signedRow(settledPhase, { rail: 'mpp' }));
    expect(rows.purchases.list(all)).toEqual([expect.objectContaining({ method: 'mpp' })]);
    expect(rows.totals('')).toEqual([expect.objectContaining({ kind: 'sale', method: 'mpp', count: 1 })]);
    expect(toPaymentLine(before).proof).toMatchObject({ by: 'signature', provenPayer: true });
  });

  test('a word that no version wrote, or one of a later version, is read as x402', () => {
    const { sql, purchases } = openWithSql();
    sql.exec('INSERT INTO purchases VALUES (?, ?, ?, ?, ?, ?)', PAYER, NOW, 'report-1', 'full_audit', 1, 'later');
    expect(purchases.list(all)).toEqual([expect.objectContaining({ method: 'x402' })]);
  });
});
