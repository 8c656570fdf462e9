import { describe, expect, test } from 'vitest';
import {
  beginSettlement,
  recordSpotCheck,
  discardClaim,
  markSettlementUnknown,
  getDueTask,
  releaseAbandoned,
  isPayersDoing,
  lookAgain,
  refuseSettlement,
  releaseClaim,
  renewLease,
  sellTransfer,
  settleRow,
  classifySettlementReport,
} from '../../../src/payment/ledger/ledger.ts';
import {
  computeDueAtMs,
  isUndecided,
  computeNextLookAtMs,
  computePrunableAtMs,
  computeSaleExpiryMs,
  type LedgerRow,
  type LedgerPhase,
} from '../../../src/payment/ledger/row.ts';
import {
  DAY_MS,
  HASH,
  HOUR_MS,
  NOW,
  SETTLEMENT,
  deadClaim,
  liveClaim,
  refused,
  released,
  settledPhase,
  settling,
  signedRow,
  transferRow,
  unknown,
} from './cases.ts';

const phases: Record<string, LedgerPhase> = {
  liveClaim,
  deadClaim,
  released,
  settling,
  unknown,
  refused,
  settled: settledPhase,
};

type Transition = {
  name: string;
  /** Phases it starts from; every other one declines. */
  from: string[];
  row: (phase: LedgerPhase) => LedgerRow;
  run: (row: LedgerRow, attempt: number) => unknown;
};

const transitions: Transition[] = [
  {
    name: 'renew',
    from: ['liveClaim', 'deadClaim'],
    row: signedRow,
    run: (row, attempt) => renewLease(row, attempt, NOW),
  },
  {
    name: 'discard',
    from: ['liveClaim', 'deadClaim'],
    row: signedRow,
    run: (row, attempt) => discardClaim(row, attempt),
  },
  {
    name: 'release',
    from: ['liveClaim', 'deadClaim'],
    row: signedRow,
    run: (row, attempt) => releaseClaim(row, attempt, { failed: true, nowMs: NOW }),
  },
  {
    name: 'beginSettle',
    from: ['liveClaim', 'deadClaim'],
    row: signedRow,
    run: (row, attempt) => beginSettlement(row, attempt, 'report-2', NOW),
  },
  {
    name: 'beginSettle of a transfer',
    from: [],
    row: transferRow,
    run: (row, attempt) => beginSettlement(row, attempt, 'r', NOW),
  },
  {
    name: 'sell',
    from: ['liveClaim', 'deadClaim'],
    row: transferRow,
    run: (row, attempt) => sellTransfer(row, attempt, 'report-2', NOW),
  },
  {
    name: 'sell of a signed payment',
    from: [],
    row: signedRow,
    run: (row, attempt) => sellTransfer(row, attempt, 'report-1', NOW),
  },
  {
    name: 'doubt',
    from: ['settling', 'unknown'],
    row: signedRow,
    run: (row, attempt) => markSettlementUnknown(row, attempt),
  },
  {
    name: 'refuse',
    from: ['settling'],
    row: signedRow,
    run: (row, attempt) => refuseSettlement(row, attempt, 'other_reason'),
  },
  {
    name: 'settled',
    from: ['settling', 'unknown', 'refused', 'settled'],
    row: signedRow,
    run: (row, attempt) => {
      const found = classifySettlementReport(row, attempt, SETTLEMENT);
      return found.standing === 'lost' ? undefined : found;
    },
  },
];
const starts = transitions.flatMap((transition) =>
  Object.entries(phases).map(([state, phase]) => ({
    ...transition,
    state,
    phase,
    starts: transition.from.includes(state),
  })),
);

describe('P2: a transition is compare-and-set', () => {
  test.each(starts)('$name from $state by the present attempt: $starts', ({ row, run, phase, starts: expected }) => {
    expect(run(row(phase), 4) !== undefined).toBe(expected);
  });

  test.each(starts)('$name from $state by a stale attempt does nothing', ({ row, run, phase }) => {
    expect(run(row(phase), 3)).toBeUndefined();
  });

  test.each(starts)('$name from $state by an attempt that is not there yet does nothing', ({ row, run, phase }) => {
    expect(run(row(phase), 5)).toBeUndefined();
  });
});

describe('a lease', () => {
  test('P2: is renewed to 30 s from now', () => {
    expect(renewLease(signedRow(liveClaim), 4, NOW)?.phase).toEqual({ state: 'claimed', leaseUntilMs: NOW + 30_000 });
  });

  test.each([
    ['ends 300 s after its claim at the latest', 280_000, NOW + 20_000],
    ['is not renewed 300 s after its claim', 300_000, undefined],
  ])('P2: %s', (_, heldMs, leaseUntilMs) => {
    const phase = renewLease(signedRow(liveClaim, { claimedAtMs: NOW - heldMs }), 4, NOW)?.phase;
    expect(phase).toEqual(leaseUntilMs && { state: 'claimed', leaseUntilMs });
  });

  test('P12: that ends frees a verified payment and deletes an unverified one', () => {
    expect(releaseAbandoned(signedRow(deadClaim), NOW)?.phase).toEqual({ state: 'released' });
    expect(releaseAbandoned(signedRow(deadClaim, { verified: false }), NOW)).toBeUndefined();
  });

  test.each(Object.entries(phases).filter(([state]) => state !== 'deadClaim'))(
    'P2: its end frees nothing but a dead claim: %s stays',
    (_, phase) => {
      const row = signedRow(phase, { verified: false });
      expect(releaseAbandoned(row, NOW)).toBe(row);
    },
  );
});

describe('a claim that ends without a sale', () => {
  test('P12: is deleted when verification refused it', () => {
    expect(discardClaim(signedRow(liveClaim, { verified: false }), 4)).toBe('delete');
  });

  test('P15: keeps its row when an earlier attempt was verified', () => {
    expect(discardClaim(transferRow(liveClaim), 4)).toMatchObject({ phase: { state: 'released' }, failures: 0 });
  });

  test('is verified when its work was not delivered', () => {
    expect(releaseClaim(signedRow(liveClaim, { verified: false }), 4, { failed: false, nowMs: NOW })).toMatchObject({
      verified: true,
      failures: 0,
      lastFailureAtMs: 0,
      phase: { state: 'released' },
    });
  });

  test('P9: counts its failures up to the third', () => {
    expect(releaseClaim(signedRow(liveClaim, { failures: 1 }), 4, { failed: true, nowMs: NOW })).toMatchObject({
      failures: 2,
      lastFailureAtMs: NOW,
    });
    expect(releaseClaim(signedRow(liveClaim, { failures: 3 }), 4, { failed: true, nowMs: NOW })).toMatchObject({
      failures: 3,
      lastFailureAtMs: NOW,
    });
  });

  test.each([
    ['a signed payment', signedRow(liveClaim), true],
    ['a proven transfer', transferRow(liveClaim, { proven: true }), true],
    ['a bare hash', transferRow(liveClaim), false],
  ])('P27: the failure of %s is the payer`s: %#', (_, row, expected) => {
    expect(isPayersDoing(row)).toBe(expected);
  });
});

describe('a settlement', () => {
  test('P3: begins with its result and a look at the chain after 5 s', () => {
    expect(beginSettlement(signedRow(liveClaim, { verified: false }), 4, 'report-2', NOW)).toMatchObject({
      verified: true,
      phase: { state: 'settling', reportId: 'report-2', firstAttempt: 4, beganAtMs: NOW, lookAtMs: NOW + 5_000 },
    });
  });

  test('is begun once, however often its attempt says so, and only with one result', () => {
    const row = signedRow(settling);
    expect(beginSettlement(row, 4, 'report-1', NOW)).toBe(row);
    expect(beginSettlement(row, 4, 'report-2', NOW)).toBeUndefined();
  });

  test('P4: that is refused keeps its result and its reason', () => {
    expect(refuseSettlement(signedRow(settling), 4, 'insufficient_funds')?.phase).toEqual(refused);
    const row = signedRow(refused);
    expect(refuseSettlement(row, 4, 'insufficient_funds')).toBe(row);
  });

  test('in doubt keeps its result and its looks at the chain', () => {
    expect(markSettlementUnknown(signedRow(settling), 4)?.phase).toEqual(unknown);
    const named = markSettlementUnknown(signedRow(settling), 4, 'a signature');
    expect(named?.phase).toEqual({ ...unknown, named: 'a signature' });
    // A later attempt whose facilitator names none takes nothing away.
    expect(named && markSettlementUnknown(named, 4)?.phase).toEqual(named?.phase);
  });

  test.each([
    ['the attempt that holds it', 6, SETTLEMENT, 'closed'],
    ['the attempt that holds it, with another transaction than the chain`s', 6, `0x${'88'.repeat(32)}`, 'closed'],
    ['an attempt that was resumed, with the same transaction', 5, SETTLEMENT, 'closed'],
    ['an attempt that was resumed, with another transaction', 5, `0x${'88'.repeat(32)}`, 'lost'],
    ['an attempt from before the settlement, with the same transaction', 3, SETTLEMENT, 'lost'],
    ['an attempt that never was, with the same transaction', 7, SETTLEMENT, 'lost'],
  ] as const)('P2: that is settled answers %s', (_, attempt, transaction, standing) => {
    expect(classifySettlementReport(signedRow(settledPhase, { attempt: 6 }), attempt, transaction).standing).toBe(
      standing,
    );
  });

  test('of a row that is gone is lost', () => {
    expect(classifySettlementReport(undefined, 4, SETTLEMENT).standing).toBe('lost');
  });

  test('of a transfer is none', () => {
    expect(classifySettlementReport(transferRow(settledPhase), 4, SETTLEMENT).standing).toBe('lost');
  });

  test.each([
    ['with', true, NOW + 60_000],
    ['without', false, null],
  ])('P30: is settled %s a look at its receipt a minute later', (_, spotCheck, checkAtMs) => {
    const row = signedRow(refused);
    if (!isUndecided(row)) throw new Error('the case is not undecided');
    expect(settleRow(row, SETTLEMENT, spotCheck, NOW).phase).toEqual({
      state: 'settled',
      reportId: 'report-1',
      firstAttempt: 4,
      transaction: SETTLEMENT,
      settledAtMs: NOW,
      checkAtMs,
    });
  });
});

describe('a sale of a transfer', () => {
  test('P25: names the transfer itself and is read once more later', () => {
    expect(sellTransfer(transferRow(liveClaim), 4, 'report-2', NOW)?.phase).toEqual({
      state: 'settled',
      reportId: 'report-2',
      firstAttempt: 4,
      transaction: HASH,
      settledAtMs: NOW,
      checkAtMs: NOW + 300_000,
    });
  });

  test('is made once, however often its attempt says so, and only with one result', () => {
    const row = transferRow(settledPhase);
    expect(sellTransfer(row, 4, 'report-1', NOW)).toBe(row);
    expect(sellTransfer(row, 4, 'report-2', NOW)).toBeUndefined();
    expect(sellTransfer(row, 3, 'report-1', NOW)).toBeUndefined();
  });
});

describe('the alarm', () => {
  const over = NOW + 26 * HOUR_MS;
  const withCheck: LedgerPhase = { ...settledPhase, checkAtMs: NOW };
  test.each([
    ['a live claim', signedRow(liveClaim), NOW, 'nothing'],
    ['a dead claim', signedRow(deadClaim), NOW, 'free'],
    ['a settlement before its next look', signedRow(settling), NOW, 'nothing'],
    ['P3: a settlement', signedRow(settling), NOW + 10_000, 'reconcile'],
    ['P3: an unknown settlement', signedRow(unknown), NOW + 10_000, 'reconcile'],
    ['P4: a refused settlement', signedRow(refused), NOW + 10_000, 'reconcile'],
    ['P16: a settlement that is open for years', signedRow(settling), NOW + 2000 * DAY_MS, 'reconcile'],
    ['P16: an unknown settlement that is open for years', signedRow(unknown), NOW + 2000 * DAY_MS, 'reconcile'],
    ['P16: a refused settlement that is open for years', signedRow(refused), NOW + 2000 * DAY_MS, 'reconcile'],
    ['a sale', signedRow(settledPhase), NOW + 24 * HOUR_MS, 'nothing'],
    ['P16: a sale past its time', signedRow(settledPhase), over, 'prune'],
    ['P30: a sale to be spot-checked', signedRow(withCheck), NOW, 'spot_check'],
    ['P25: a sold transfer to be read again', transferRow(withCheck), NOW, 'reorg_check'],
    ['P16: a sale that could not be checked in time', signedRow({ ...settledPhase, checkAtMs: over }), over, 'prune'],
    ['P16: a released signed payment past its time', signedRow(released), over, 'prune'],
    ['P15: a released transfer on its last day', transferRow(released), NOW + 29 * DAY_MS, 'nothing'],
    ['P15: a released transfer after thirty days', transferRow(released), NOW + 30 * DAY_MS + HOUR_MS, 'prune'],
  ] as const)('finds %s', (_, row, nowMs, task) => {
    expect(getDueTask(row, nowMs)).toBe(task);
  });

  test.each([
    [0, 5_000],
    [4_999, 5_000],
    [5_000, 15_000],
    [15_000, 60_000],
    [59_999, 60_000],
    [60_000, 120_000],
    [61_500, 121_500],
  ])('P3: asks the chain again after %i ms at %i ms from the beginning', (afterMs, nextMs) => {
    expect(computeNextLookAtMs(NOW, NOW + afterMs)).toBe(NOW + nextMs);
  });

  test('postpones what it could not do, and nothing else', () => {
    expect(lookAgain(signedRow(unknown), NOW + 10_000).phase).toMatchObject({
      state: 'unknown',
      lookAtMs: NOW + 55_000,
    });
    expect(lookAgain(signedRow(withCheck), NOW).phase).toMatchObject({ checkAtMs: NOW + 60_000 });
    for (const phase of [released, liveClaim, settledPhase]) expect(lookAgain(signedRow(phase), NOW).phase).toBe(phase);
  });

  test('checks a sale once', () => {
    expect(recordSpotCheck(signedRow(withCheck), 'found').phase).toEqual({ ...settledPhase, seen: 'found' });
    expect(recordSpotCheck(signedRow(withCheck), 'missing').phase).toEqual({ ...settledPhase, seen: 'missing' });
    expect(recordSpotCheck(signedRow(released), 'found').phase).toEqual(released);
  });
});

describe('how long a row is kept', () => {
  test.each([
    ['a claim', liveClaim],
    ['an open settlement', settling],
    ['a settlement in doubt', unknown],
    ['a refused settlement', refused],
  ])('P16: %s is never pruned by time', (_, phase) => {
    expect(computePrunableAtMs(signedRow(phase))).toBeUndefined();
  });

  test('P16: a sale settled long after its claim is kept for a day', () => {
    const late = signedRow(settledPhase, { pruneAtMs: NOW - DAY_MS });
    expect(computeSaleExpiryMs(late, NOW)).toBe(NOW + DAY_MS);
    expect(computePrunableAtMs(late)).toBeGreaterThanOrEqual(NOW - 1_000 + DAY_MS);
  });

  test('pruning waits for its step, so that one alarm takes many rows', () => {
    expect(computeDueAtMs(signedRow(released)) % 600_000).toBe(0);
    expect(computeDueAtMs(signedRow(released))).toBeGreaterThanOrEqual(NOW + 25 * HOUR_MS);
  });
});
