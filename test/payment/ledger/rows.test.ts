import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { lookAgain, renewLease } from '../../../src/payment/ledger/ledger.ts';
import { formatPayerPrefix, formatPaymentKey } from '../../../src/payment/ledger/payment-key.ts';
import { computeAlarmAtMs, computeDueAtMs, type LedgerRow } from '../../../src/payment/ledger/row.ts';
import { openLedgerRows } from '../../../src/payment/ledger/rows.ts';
import { openSql } from '../../support/management/sqlite.ts';
import {
  DAY_MS,
  NOW,
  PAYER,
  SETTLEMENT,
  liveClaim,
  settledPhase,
  settling,
  signed,
  signedRow,
  unknown,
} from './cases.ts';

const MAX_AGE_S = 86_400;
const OTHER = `0x${'b2'.repeat(20)}`;

const openRows = (database = new DatabaseSync(':memory:')) => openLedgerRows(openSql(database), MAX_AGE_S);

/** A row under the key that its payer's nonce really has. */
function rowOf(phase: LedgerRow['phase'], nonce: number, payer = PAYER): LedgerRow {
  return signedRow(phase, { key: formatPaymentKey({ method: 'x402', from: payer, nonce: `0x${nonce}` }), payer });
}

describe('what a payer has in flight', () => {
  test.each([
    ['just claimed', signedRow(liveClaim)],
    ['with its lease renewed', renewLease(signedRow(liveClaim), 4, NOW)],
    ['being settled', signedRow(settling)],
    ['looked for on chain once more', lookAgain(signedRow(unknown), NOW)],
    ['in doubt for a day', lookAgain(signedRow({ ...unknown, beganAtMs: NOW - DAY_MS }), NOW)],
    ['with a look that is overdue', signedRow({ ...settling, lookAtMs: NOW - DAY_MS })],
  ])('P5: counts a payment %s, and lasts when the shard is opened again', (_, row) => {
    const database = new DatabaseSync(':memory:');
    const rows = openRows(database);
    if (row === undefined) throw new TypeError('the lease can be renewed');
    rows.write({ ...row, key: 'eip3009:eip155:8453:other' });
    rows.write(rowOf(settledPhase, 9));
    for (const opened of [rows, openRows(database)]) {
      expect(opened.claimContext(signed, NOW).inFlight).toEqual({ engineBacked: 0, other: 1, microUsdc: 60_000 });
    }
  });

  test('is read from a shard of an earlier version, whose index goes', () => {
    const database = new DatabaseSync(':memory:');
    openRows(database).write(rowOf(settling, 1));
    database.exec('CREATE INDEX payments_in_flight ON payments (payer) WHERE in_flight > 0');
    const rows = openRows(database);
    expect(rows.read(rowOf(settling, 1).key)).toEqual(rowOf(settling, 1));
    expect(rows.claimContext(signed, NOW).inFlight.other).toBe(1);
    expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'payments_in_flight'").all()).toEqual([]);
  });
});

describe('the settlements of a payer', () => {
  test('P20: are found by their transaction, also after 1,000 other payments, and those of no one else', () => {
    const rows = openRows();
    for (let nonce = 1; nonce <= 1_000; nonce += 1) {
      rows.write(rowOf({ ...settledPhase, transaction: `0x${String(nonce).padStart(64, '0')}` }, nonce));
    }
    expect(rows.hasSettled(SETTLEMENT, PAYER)).toBe(false);
    rows.write(rowOf({ ...settledPhase, transaction: SETTLEMENT }, 2_000));
    expect(rows.hasSettled(SETTLEMENT, PAYER)).toBe(true);
    expect(rows.hasSettled(SETTLEMENT, OTHER)).toBe(false);
    expect(rows.hasSettled(SETTLEMENT, PAYER.toUpperCase().replace('0X', '0x'))).toBe(true);
  });

  test('are none while a payment is only under way', () => {
    const rows = openRows();
    rows.write(rowOf(settling, 1));
    expect(rows.hasSettled(SETTLEMENT, PAYER)).toBe(false);
  });

  test('begin with what no key of another payer begins with', () => {
    for (const nonce of ['0x0', `0x${'f'.repeat(64)}`]) {
      expect(formatPaymentKey({ method: 'x402', from: PAYER, nonce }).startsWith(formatPayerPrefix(PAYER))).toBe(true);
      expect(formatPaymentKey({ method: 'x402', from: OTHER, nonce }).startsWith(formatPayerPrefix(PAYER))).toBe(false);
    }
  });
});

describe('a step that fails', () => {
  /** Runs a step that ends with an error, as a transaction of the object: nothing of it is stored. */
  function fail(database: DatabaseSync, rows: ReturnType<typeof openRows>, step: () => void): void {
    database.exec('BEGIN');
    step();
    database.exec('ROLLBACK');
    rows.forget();
  }

  test('leaves each row as it was stored, for reads and for the next change', () => {
    const database = new DatabaseSync(':memory:');
    const rows = openRows(database);
    const claimed = rowOf(liveClaim, 1);
    rows.write(claimed);
    fail(database, rows, () => rows.advance(claimed, rowOf(settling, 1)));
    expect(rows.read(claimed.key)).toEqual(claimed);
    fail(database, rows, () => rows.remove(claimed));
    expect(rows.read(claimed.key)).toEqual(claimed);
  });

  test('P2: raises no floor for attempts in memory alone: the same removal later stores it', () => {
    const database = new DatabaseSync(':memory:');
    const rows = openRows(database);
    const claimed = { ...rowOf(liveClaim, 1), attempt: 7 };
    rows.write(claimed);
    fail(database, rows, () => rows.remove(claimed));
    expect(rows.claimContext(signed, NOW).attemptFloor).toBe(0);
    rows.remove(claimed);
    expect(openRows(database).claimContext(signed, NOW).attemptFloor).toBe(7);
  });

  test('P16: raises no time of pruned transfers in memory alone', () => {
    const database = new DatabaseSync(':memory:');
    const rows = openRows(database);
    fail(database, rows, () => rows.raisePrunedThrough(NOW / 1000));
    expect(rows.claimContext(signed, NOW).prunedThroughS).toBe(0);
    rows.raisePrunedThrough(NOW / 1000);
    expect(openRows(database).claimContext(signed, NOW).prunedThroughS).toBe(NOW / 1000);
  });
});

describe('what counts against a payer', () => {
  test('P12, P27: is counted from the first on, forgotten with a sweep, and counted again', () => {
    const rows = openRows();
    const counted = (nowMs: number) => {
      const { failuresAtMs, refusalsAtMs } = rows.claimContext(signed, nowMs);
      return [failuresAtMs.length, refusalsAtMs?.length];
    };
    expect(counted(NOW)).toEqual([0, 0]);
    rows.addFailure(PAYER, NOW);
    rows.addRefusal(PAYER, NOW);
    expect(counted(NOW)).toEqual([1, 1]);
    rows.sweep(NOW + DAY_MS);
    expect(counted(NOW)).toEqual([0, 0]);
    rows.addFailure(PAYER, NOW + DAY_MS);
    expect(counted(NOW + DAY_MS)).toEqual([1, 0]);
  });
});

test('P3: the alarm of a payment comes when it is due or up to 10 s later, that of a claim up to 60 s later', () => {
  for (let offsetMs = 0; offsetMs < 60_000; offsetMs += 777) {
    const looking = signedRow({ ...settling, lookAtMs: NOW + offsetMs });
    expect(computeAlarmAtMs(looking) - computeDueAtMs(looking)).toBeGreaterThanOrEqual(0);
    expect(computeAlarmAtMs(looking) - computeDueAtMs(looking)).toBeLessThan(10_000);
    const claimed = signedRow({ state: 'claimed', leaseUntilMs: NOW + offsetMs });
    expect(computeAlarmAtMs(claimed) - computeDueAtMs(claimed)).toBeGreaterThanOrEqual(0);
    expect(computeAlarmAtMs(claimed) - computeDueAtMs(claimed)).toBeLessThan(60_000);
  }
});
