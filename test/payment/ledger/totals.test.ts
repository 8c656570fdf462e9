import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideClaim } from '../../../src/payment/ledger/claim.ts';
import { isSettled, isUndecided, type LedgerRow } from '../../../src/payment/ledger/row.ts';
import { hasLedgerRows, openLedgerRows } from '../../../src/payment/ledger/rows.ts';
import { type DayTotal, listBookings, formatDay, computeFirstDay } from '../../../src/payment/ledger/totals.ts';
import {
  beginSettlement,
  recordSpotCheck,
  markSettlementUnknown,
  refuseSettlement,
  releaseClaim,
  sellTransfer,
  settleRow,
} from '../../../src/payment/ledger/ledger.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import {
  DAY_MS,
  NOW,
  SETTLEMENT,
  refused as refusedCase,
  settledPhase,
  settling,
  signed,
  signedRow,
  transfer,
  unknown,
} from './cases.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const refused = { ...refusedCase, state: 'refused' as const, reason: 'insufficient_funds' };

const sale: DayTotal = {
  day: formatDay(NOW),
  kind: 'sale',
  capability: 'check_health',
  method: 'x402',
  reason: '',
  count: 1,
  microUsdc: 60_000,
};

describe('the books of one change', () => {
  const settled = settleRow({ ...signedRow(settling), phase: settling }, SETTLEMENT, true, NOW);
  const failure = { ...sale, day: formatDay(settling.beganAtMs), kind: 'failure' };

  test.each<[string, DayTotal[], object[]]>([
    ['a settlement is a sale of its day', listBookings(signedRow(settling), settled), [sale]],
    ['the same settlement again is none', listBookings(settled, settled), []],
    ['a look that finds the transfer changes nothing', listBookings(settled, recordSpotCheck(settled, 'found')), []],
    [
      'a look that misses it takes the sale back, on its own day',
      listBookings(settled, recordSpotCheck(settled, 'missing')),
      [{ ...sale, kind: 'lost', reason: 'settlement_mismatch' }],
    ],
    [
      'a refusal is a failure by its reason',
      listBookings(signedRow(settling), signedRow(refused)),
      [{ ...failure, reason: refused.reason }],
    ],
    [
      'a reason that is no word is another',
      listBookings(signedRow(settling), signedRow({ ...refused, reason: '<img src=x>' })),
      [{ ...failure, reason: 'other' }],
    ],
    [
      'an authorization that expired unused is a failure',
      listBookings(signedRow(unknown), undefined, 'expired_unused'),
      [{ ...failure, reason: 'expired_unused' }],
    ],
    ['a refusal that goes was counted already', listBookings(signedRow(refused), undefined, 'expired_unused'), []],
    ['a doubt is nothing yet', listBookings(signedRow(settling), signedRow(unknown)), []],
  ])('%s', (_, booked, expected) => {
    expect(booked).toEqual(expected);
  });

  test('P4: a refusal that the facilitator broadcast all the same is a sale, and no failure any more', () => {
    const late = settleRow({ ...signedRow(refused), phase: refused }, SETTLEMENT, false, NOW + DAY_MS);
    expect(listBookings(signedRow(refused), late)).toEqual([
      { ...sale, day: formatDay(NOW + DAY_MS) },
      { ...failure, reason: refused.reason, count: -1, microUsdc: -60_000 },
    ]);
  });
});

describe('the books of a shard', () => {
  const open = () => {
    const { sql } = memorySqlite();
    return { sql, rows: openLedgerRows(sql, 86_400) };
  };

  test('outlive the rows that they tell of', () => {
    const { rows } = open();
    const before = signedRow(settling);
    const after = signedRow(settledPhase);
    rows.advance(before, after);
    rows.remove(after);
    expect(rows.totals(computeFirstDay(1, NOW))).toMatchObject([{ kind: 'sale', count: 1, microUsdc: 60_000 }]);
  });

  test('go back 400 days and no further', () => {
    const { rows } = open();
    for (const days of [0, 399, 400, 900]) {
      const settledAtMs = NOW - days * DAY_MS;
      rows.advance(signedRow(settling), signedRow({ ...settledPhase, settledAtMs }));
    }
    rows.sweep(NOW);
    expect(rows.totals('').map(({ day }) => day)).toEqual([formatDay(NOW), formatDay(NOW - 399 * DAY_MS)]);
  });

  test('tell apart a bounded number of reasons a day', () => {
    const { rows } = open();
    const fail = (reason: string) => rows.advance(signedRow(settling), signedRow({ ...refused, reason }));
    for (let index = 0; index < 80; index += 1) fail(`reason_${index}`);
    fail('reason_3');
    const lines = rows.totals('');
    expect(lines).toHaveLength(51);
    expect(lines.find(({ reason }) => reason === 'other')?.count).toBe(30);
    expect(lines.find(({ reason }) => reason === 'reason_3')?.count).toBe(2);
    // What is taken back comes from the line that it went into.
    for (const reason of ['reason_70', 'reason_3'])
      rows.advance(signedRow({ ...refused, reason }), signedRow(settledPhase));
    expect(rows.totals('').find(({ reason }) => reason === 'other')?.count).toBe(29);
    expect(rows.totals('').find(({ reason }) => reason === 'reason_3')?.count).toBe(1);
  });

  test('are not there before a first payment, and asking makes none', () => {
    const { sql } = memorySqlite();
    expect(hasLedgerRows(sql)).toBe(false);
    openLedgerRows(sql, 86_400);
    expect(hasLedgerRows(sql)).toBe(true);
  });
});

/** One thing that can happen to one of a few payments; what the ledger would not allow changes nothing. */
const happening = fc.record({
  payment: fc.integer({ min: 0, max: 1 }),
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('claim' as const, 'begin' as const, 'settle' as const, 'sell' as const) },
    { weight: 2, arbitrary: fc.constantFrom('look' as const, 'refuse' as const) },
    { weight: 1, arbitrary: fc.constantFrom('doubt', 'release', 'unpaid', 'prune') },
  ),
  isGood: fc.boolean(),
  waitMs: fc.constantFrom(0, 1_000, 40_000, DAY_MS),
});

test('after any sequence of changes the books say what became of every payment', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 80 }), (happenings) => {
      const rows = openLedgerRows(memorySqlite().sql, 86_400);
      const ended = new Map<string, DayTotal[]>();
      let nowMs = NOW;
      let lives = 0;
      let givenBack = 0;
      /** Told apart by life: a key that was pruned or dropped may come again. */
      const live = new Map<string, number>();
      const put = (before: LedgerRow, after: LedgerRow | undefined) => {
        if (after === undefined || after === before) return;
        rows.advance(before, after);
        if (before.phase.state === 'claimed' && after.phase.state === 'released') givenBack += 1;
        const life = `${after.key} ${live.get(after.key)}`;
        if (isSettled(after)) ended.set(life, expectedOf(after));
        else if (isUndecided(after) && after.phase.state === 'refused') ended.set(life, expectedOf(after));
      };
      for (const { payment, act, isGood, waitMs } of happenings) {
        nowMs += waitMs;
        const isTransfer = payment % 2 === 1;
        const key = `${payment}`;
        const request = isTransfer
          ? { ...transfer, key, transfer: { hash: `0x${payment}`, blockTimeS: nowMs / 1000, stale: false } }
          : { ...signed, key, authorization: { nonce: key, validBeforeS: nowMs / 1000 + 300 } };
        const row = rows.read(key);
        if (act === 'claim') {
          const { write } = decideClaim(row, request, rows.claimContext(request, nowMs), nowMs);
          if (write && row?.attempt !== write.attempt) {
            if (!row) live.set(key, (lives += 1));
            rows.write(write);
          }
          continue;
        }
        if (!row) continue;
        const { attempt } = row;
        if (act === 'begin') put(row, beginSettlement(row, attempt, 'report', nowMs));
        if (act === 'doubt') put(row, markSettlementUnknown(row, attempt));
        if (act === 'release') put(row, releaseClaim(row, attempt, { failed: isGood, nowMs }));
        if (act === 'refuse') put(row, refuseSettlement(row, attempt, isGood ? 'refused_so' : 'Not a word'));
        if (act === 'sell') put(row, sellTransfer(row, attempt, 'report', nowMs));
        if (act === 'settle' && isUndecided(row)) put(row, settleRow(row, SETTLEMENT, isGood, nowMs));
        if (act === 'look' && isSettled(row)) put(row, recordSpotCheck(row, isGood ? 'found' : 'missing'));
        if (act === 'prune' && isSettled(row)) rows.remove(row);
        if (act === 'unpaid' && isUndecided(row)) {
          if (row.phase.state !== 'refused') {
            const line = { ...lineFor(row), day: formatDay(row.phase.beganAtMs), kind: 'failure', reason: 'cancelled' };
            ended.set(`${key} ${live.get(key)}`, [line as DayTotal]);
          }
          rows.removeUnpaid(row, 'cancelled');
        }
      }
      const told = rows.totals('').filter(({ kind }) => kind !== 'released');
      const released = rows.totals('').filter(({ kind }) => kind === 'released');
      expect(released.reduce((sum, { count }) => sum + count, 0)).toBe(givenBack);
      expect(merged(told)).toEqual(merged([...ended.values()].flat()));
    }),
    { numRuns: budgetFor(60, 300) },
  );
});

/** Lines of one meaning as one, without those that came to nothing. */
function merged(lines: readonly DayTotal[]): DayTotal[] {
  const byName = new Map<string, DayTotal>();
  for (const line of lines) {
    const { day, kind, capability, method, reason } = line;
    const name = [day, kind, capability, method, reason].join(' ');
    const known = byName.get(name) ?? { ...line, count: 0, microUsdc: 0 };
    byName.set(name, { ...known, count: known.count + line.count, microUsdc: known.microUsdc + line.microUsdc });
  }
  return [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line)
    .filter(({ count }) => count !== 0);
}

const lineFor = (row: LedgerRow) => ({
  capability: row.capability,
  method: row.instrument.method,
  count: 1,
  microUsdc: row.amountMicroUsdc,
});

/** What one payment in its present state stands for, said without the code under test. */
function expectedOf(row: LedgerRow): DayTotal[] {
  if (isSettled(row)) {
    const sold = { ...lineFor(row), day: formatDay(row.phase.settledAtMs) };
    const reason = row.instrument.method === 'x402' ? 'settlement_mismatch' : 'payment_reorged';
    const lost: DayTotal[] = row.phase.seen === 'missing' ? [{ ...sold, kind: 'lost', reason }] : [];
    return [{ ...sold, kind: 'sale', reason: '' }, ...lost];
  }
  if (!isUndecided(row) || row.phase.state !== 'refused') return [];
  const reason = row.phase.reason === 'refused_so' ? 'refused_so' : 'other';
  return [{ ...lineFor(row), day: formatDay(row.phase.beganAtMs), kind: 'failure', reason }];
}
