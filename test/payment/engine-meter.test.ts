import { describe, expect, test } from 'vitest';
import { METER_WINDOW_MS, type MeterState, paidEngine, reserveEngine } from '../../src/payment/engine-meter.ts';

const RUN = 200_000;
const LIMIT = 1_000_000;

function reserveAll(ids: readonly string[], nowMs = 0): { admitted: readonly boolean[]; state: MeterState } {
  let state: MeterState = {};
  const admitted = ids.map((id) => {
    const admission = reserveEngine(state, { id, microUsd: RUN }, LIMIT, nowMs);
    state = admission.state;
    return admission.admitted;
  });
  return { admitted, state };
}

describe('P5: engine money that nobody has paid for yet', () => {
  test('has one limit for all payers together', () => {
    const { admitted } = reserveAll(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(admitted).toEqual([true, true, true, true, true, false]);
  });

  test('counts again when the same payment asks again', () => {
    expect(reserveAll(['a', 'a', 'a', 'a', 'a', 'a']).admitted).toEqual([true, true, true, true, true, false]);
  });

  test('is forgotten once its payment is settled, all attempts of it', () => {
    const { state } = reserveAll(['a', 'a', 'b', 'b', 'c']);
    expect(reserveEngine(state, { id: 'd', microUsd: RUN }, LIMIT, 0).admitted).toBe(false);
    const paid = paidEngine(state, 'a', 0);
    expect(Object.keys(paid).toSorted()).toEqual(['b', 'c']);
    expect(reserveEngine(paid, { id: 'd', microUsd: RUN }, LIMIT, 0).admitted).toBe(true);
  });

  test('is forgotten an hour after it was spent, and not before', () => {
    const { state } = reserveAll(['a', 'b', 'c', 'd', 'e']);
    expect(reserveEngine(state, { id: 'f', microUsd: RUN }, LIMIT, METER_WINDOW_MS - 1).admitted).toBe(false);
    expect(reserveEngine(state, { id: 'f', microUsd: RUN }, LIMIT, METER_WINDOW_MS).admitted).toBe(true);
  });

  test('with a limit of nothing no unpaid run begins', () => {
    expect(reserveEngine({}, { id: 'a', microUsd: 1 }, 0, 0).admitted).toBe(false);
  });

  test('a refused run leaves nothing behind', () => {
    const { state } = reserveAll(['a', 'b', 'c', 'd', 'e']);
    expect(Object.keys(reserveEngine(state, { id: 'f', microUsd: RUN }, LIMIT, 0).state)).not.toContain('f');
  });
});
