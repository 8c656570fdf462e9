import { describe, expect, test } from 'vitest';
import {
  computeEngineDayEndMs,
  computeFreeAgainMs,
  type FreeEngineDay,
  type MeterState,
  type MeterVerdict,
  markRunPaid,
  reserveEngine,
  RUNS_PER_PAYMENT,
  spendOfDay,
} from '../../../src/payment/ledger/engine-meter.ts';

const RUN = 200_000;
const LIMIT = 1_000_000;

function reserveAll(ids: readonly string[], nowMs = 0): { verdicts: readonly MeterVerdict[]; state: MeterState } {
  let state: MeterState = [];
  const verdicts = ids.map((id) => {
    const admission = reserveEngine(state, { id, microUsd: RUN }, LIMIT, nowMs);
    state = admission.state;
    return admission.verdict;
  });
  return { verdicts, state };
}
const next = (state: MeterState, id: string, nowMs = 0): MeterVerdict =>
  reserveEngine(state, { id, microUsd: RUN }, LIMIT, nowMs).verdict;

describe('when a run fits again', () => {
  const state: MeterState = [
    { id: 'a', microUsd: 200_000, atMs: 1_000 },
    { id: 'b', microUsd: 300_000, atMs: 60_000 },
    { id: 'c', microUsd: 500_000, atMs: 90_000 },
  ];

  test.each<[string, number, number, number]>([
    ['the oldest leaves the hour', 200_000, LIMIT, 3_501_000],
    ['so many leave it as it takes', 400_000, LIMIT, 3_560_000],
    ['at once where there is room', 100_000, 2 * LIMIT, 0],
    ['an hour where it never does', 200_000, 100_000, 3_600_000],
    ['an hour where nothing may be spent', 1, 0, 3_600_000],
  ])('%s', (_when, microUsd, limit, ms) => {
    expect(computeFreeAgainMs(state, microUsd, limit, 100_000)).toBe(ms);
    const admitted = (nowMs: number) => reserveEngine(state, { id: 'd', microUsd }, limit, nowMs).verdict;
    if (microUsd <= limit) expect(admitted(100_000 + ms)).toBe('admitted');
    if (ms > 0) expect(admitted(100_000 + ms - 1)).toBe('full');
  });

  test('what is as old as an hour is no part of it, and a full memory waits for its first', () => {
    expect(computeFreeAgainMs(state, 200_000, LIMIT, 3_601_000)).toBe(0);
    const many: MeterState = Array.from({ length: 5_000 }, (_, at) => ({ id: `${at}`, microUsd: 1, atMs: at }));
    expect(computeFreeAgainMs(many, 1, LIMIT, 10_000)).toBe(3_590_000);
  });
});

describe('P5: engine money that nobody has paid for yet', () => {
  test('has one limit for all payers together', () => {
    const { verdicts } = reserveAll(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(verdicts).toEqual(['admitted', 'admitted', 'admitted', 'admitted', 'admitted', 'full']);
  });

  test('counts again when the same payment asks again, which it may a few times', () => {
    const { verdicts, state } = reserveAll(['a', 'a', 'a', 'a', 'b']);
    expect(RUNS_PER_PAYMENT).toBe(3);
    expect(verdicts).toEqual(['admitted', 'admitted', 'admitted', 'spent', 'admitted']);
    expect(state).toHaveLength(4);
  });

  test('one sale pays for one run: what else its payment began stays unpaid', () => {
    const { state } = reserveAll(['a', 'a', 'a', 'b', 'b']);
    expect(next(state, 'c')).toBe('full');
    const paid = markRunPaid(state, 'a', 0);
    expect(paid.map(({ id }) => id)).toEqual(['a', 'a', 'b', 'b']);
    expect(next(paid, 'c')).toBe('admitted');
    expect(markRunPaid(paid, 'nobody', 0)).toEqual(paid);
  });

  test('is forgotten an hour after it was spent, and not before', () => {
    const { state } = reserveAll(['a', 'b', 'c', 'd', 'e']);
    expect(next(state, 'f', 3_599_999)).toBe('full');
    expect(next(state, 'f', 3_600_000)).toBe('admitted');
  });

  test('is remembered for 5,000 runs: beyond them nothing more is let in, however cheap, until some are forgotten', () => {
    const cheap = (count: number): MeterState =>
      Array.from({ length: count }, (_, at) => ({ id: `payment ${at}`, microUsd: 1, atMs: at === 0 ? 0 : 1 }));
    expect(next(cheap(4999), 'f', 2)).toBe('admitted');
    expect(next(cheap(5000), 'f', 2)).toBe('full');
    expect(next(cheap(5000), 'f', 3_600_000)).toBe('admitted');
  });

  test('with a limit of nothing no unpaid run begins', () => {
    expect(reserveEngine([], { id: 'a', microUsd: 1 }, 0, 0).verdict).toBe('full');
  });

  test('a refused run leaves nothing behind', () => {
    const { state } = reserveAll(['a', 'b', 'c', 'd', 'e']);
    expect(reserveEngine(state, { id: 'f', microUsd: RUN }, LIMIT, 0).state).toEqual(state);
  });
});

describe('what free runs spend on engines in a day', () => {
  const DAY_START_MS = Date.UTC(2026, 10, 28);
  const spend = (state: FreeEngineDay | undefined, id: string, nowMs = DAY_START_MS) =>
    spendOfDay(state, { id, microUsd: 400_000 }, 1_000_000, nowMs);

  test('is taken once a run, up to the budget, and is there again on the next day of UTC', () => {
    const first = spend(undefined, 'run-1');
    const again = spend(first.state, 'run-1');
    expect(again).toEqual(first); // An attempt that is repeated.
    const second = spend(again.state, 'run-2');
    expect([first.isTaken, second.isTaken]).toEqual([true, true]);
    expect(spend(second.state, 'run-3', computeEngineDayEndMs(DAY_START_MS) - 1).isTaken).toBe(false);
    expect(spend(second.state, 'run-3', computeEngineDayEndMs(DAY_START_MS)).isTaken).toBe(true);
  });
});
