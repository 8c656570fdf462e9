import { describe, expect, test } from 'vitest';
import { openGivenBack } from '../../../src/payment/credits/given-back.ts';
import { openBooks } from '../../../src/payment/ledger/books-rows.ts';
import { computeDeliveryStart, summariseDelivery } from '../../../src/payment/ledger/delivery.ts';
import { classifyDeliveryMs, computeClassMs, formatSoldIn } from '../../../src/payment/ledger/delivery-times.ts';
import type { DayTotal, TotalKind } from '../../../src/payment/ledger/totals.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

const DAY = '2026-11-26';
const lineOf = (kind: TotalKind, count: number, more: Partial<DayTotal> = {}): DayTotal => ({
  day: DAY,
  kind,
  capability: 'full_audit',
  method: 'x402',
  reason: '',
  count,
  microUsdc: 0,
  ...more,
});

describe('classes of time', () => {
  test('each holds the times up to its limit, which are at most 19 % shorter', () => {
    for (const ms of [1, 49, 50, 51, 400, 1234, 9_999, 119_000, 600_000]) {
      const limit = computeClassMs(classifyDeliveryMs(ms));
      expect(limit).toBeGreaterThanOrEqual(Math.max(ms - 1, 50));
      expect(limit).toBeLessThanOrEqual(Math.max(50, Math.ceil(ms * 2 ** 0.25)));
    }
    expect(classifyDeliveryMs(10 ** 12)).toBe(69);
    expect(classifyDeliveryMs(-5)).toBe(0);
  });

  test('come to the books with the line of the payer, once, and go by week; lines of before have none', () => {
    const books = openBooks(memorySqlite().sql);
    const payerLine = (reason: string, count = 1) => ({
      ...lineOf('sale', count),
      kind: 'payer' as const,
      capability: '0xa',
      reason,
    });
    const report = {
      shard: '00',
      seq: 1,
      lines: [
        payerLine(formatSoldIn('full_audit', 400), 2),
        payerLine(formatSoldIn('full_audit', 9_000)),
        payerLine('', 5),
      ],
      payments: [],
      removed: [],
    };
    books.take(report, Date.parse(DAY));
    books.take(report, Date.parse(DAY));
    expect(books.deliveryTimes('2026-11-23')).toEqual([
      { week: '2026-W48', capability: 'full_audit', timeClass: classifyDeliveryMs(400), count: 2 },
      { week: '2026-W48', capability: 'full_audit', timeClass: classifyDeliveryMs(9_000), count: 1 },
    ]);
    expect(books.deliveryTimes('2026-11-30')).toEqual([]);
    expect(books.payers([DAY], 5)).toEqual([{ payer: '0xa', count: 8, microUsdc: 0 }]);
  });
});

describe('figures', () => {
  test('count what is given back once for its id, by day, and forget it with the books', () => {
    const given = openGivenBack(memorySqlite().sql);
    const back = { capability: 'full_audit', microUsdc: 60_000, atMs: Date.parse(DAY) };
    for (const id of ['a', 'a', 'b']) given.add({ id, ...back }, '2026-01-01');
    given.add({ id: 'c', ...back, capability: 'check_health' }, '2026-01-01');
    expect(given.since(DAY)).toEqual([
      { day: DAY, capability: 'check_health', count: 1, microUsdc: 60_000 },
      { day: DAY, capability: 'full_audit', count: 2, microUsdc: 120_000 },
    ]);
    expect(given.since('2026-11-27')).toEqual([]);
    given.add({ id: 'd', ...back, atMs: Date.parse('2026-11-27') }, '2026-11-27');
    expect(given.since('2026-01-01')).toHaveLength(1);
  });

  test('are by week and capability, from every rail, newest week first', () => {
    const rows = summariseDelivery({
      lines: [
        lineOf('sale', 3),
        lineOf('sale', 1, { method: 'transfer', day: '2026-11-23' }),
        lineOf('released', 2),
        lineOf('failure', 1, { reason: 'insufficient_funds' }),
        lineOf('lost', 1),
        lineOf('sale', 4, { day: '2026-11-22', capability: 'check_health' }),
      ],
      creditUses: [{ day: DAY, capability: 'full_audit', count: 2, microUsdc: 0 }],
      givenBack: [{ day: DAY, capability: 'full_audit', count: 1, microUsdc: 60_000 }],
      cards: [
        { day: '2026-11-22', kind: 'paid', pack: 'credits_5', count: 3, cents: 1_500 },
        { day: DAY, kind: 'refund', pack: 'credits_5', count: 2, cents: 250 },
        { day: DAY, kind: 'dispute', pack: 'credits_5', count: 1, cents: 500 },
      ],
      times: [
        { week: '2026-W48', capability: 'full_audit', timeClass: 12, count: 3 },
        { week: '2026-W48', capability: 'full_audit', timeClass: 30, count: 1 },
      ],
    });
    const untimed = { p50_ms: null, p95_ms: null, timed: 0, refused: 0 };
    expect(rows).toEqual([
      { week: '2026-W48', capability: 'credits_5', delivered: 0, by_rail: {}, refunded: 2, ...untimed },
      {
        week: '2026-W48',
        capability: 'full_audit',
        delivered: 6,
        by_rail: { x402: 3, transfer: 1, credits: 2 },
        refused: 3,
        refunded: 1,
        p50_ms: computeClassMs(12),
        p95_ms: computeClassMs(30),
        timed: 4,
      },
      {
        week: '2026-W47',
        capability: 'check_health',
        delivered: 4,
        by_rail: { x402: 4 },
        refused: 0,
        refunded: 0,
        p50_ms: null,
        p95_ms: null,
        timed: 0,
      },
      { week: '2026-W47', capability: 'credits_5', delivered: 3, by_rail: { card: 3 }, refunded: 0, ...untimed },
    ]);
  });

  test('begin with a Monday, twelve weeks with this one', () => {
    expect(computeDeliveryStart(Date.parse('2026-11-29T23:59:59Z'))).toBe('2026-09-07');
    expect(computeDeliveryStart(Date.parse('2026-11-23T00:00:00Z'))).toBe('2026-09-07');
  });
});
