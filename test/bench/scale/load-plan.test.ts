import { describe, expect, test } from 'vitest';
import { modelAdmission } from '../../../bench/scale/admission-model.ts';
import type { CountedCall } from '../../../bench/scale/counted.ts';
import { type RequestUse, summarise } from '../../../bench/scale/counts.ts';
import { computeBill, computeColdShare, planKind } from '../../../bench/scale/load-plan.ts';
import type { Kind } from '../../../bench/scale/plan-data.ts';

const call = (name: string, rowsWritten: number, of = 'PAYMENT_LEDGER'): CountedCall => ({
  class: of,
  name,
  method: 'claim',
  rowsRead: 2,
  rowsWritten,
});
const kind: Kind = { name: 'audit', title: 'Audits', perS: 100, keys: { what: 'payers', count: 1_000 } };
const planned = (use: RequestUse, perS = 100) =>
  planKind({ ...kind, perS }, { cold: use, warm: use, requests: 2 }, 1_000);

describe('counted calls', () => {
  test('are reads and writes of one request; operations too', () => {
    const served = [call('a', 1), call('a', 0), call('b', 3), call('b', 0)];
    const { classes, operations } = summarise({ served, operations: { 'REPORTS.put': 4 } }, 2, []);
    expect(classes).toEqual([
      { class: 'PAYMENT_LEDGER', only: undefined, reads: 1, writes: 1, rowsRead: 4, rowsWritten: 2 },
    ]);
    expect(operations).toEqual({ 'REPORTS.put': 2 });
  });

  test('that all meet one object are of the only one', () => {
    const { classes } = summarise({ served: [call('x', 0), call('x', 0)], operations: {} }, 2, []);
    expect(classes).toEqual([{ class: 'PAYMENT_LEDGER', only: 'x', reads: 1, writes: 0, rowsRead: 2, rowsWritten: 0 }]);
  });
});

describe('the plan', () => {
  const use = (names: readonly string[], of?: string): RequestUse =>
    summarise({ served: names.map((name) => call(name, 1, of)), operations: {} }, names.length, []);

  test('an only object gets every call, and is a wall where they take all of its time', () => {
    const { busiest, wallPerS } = planned(use(['x', 'x']), 500);
    expect(busiest).toMatchObject({ objects: 1, callsPerS: 500, utilisation: 2, waitMs: undefined });
    expect(wallPerS).toBeCloseTo(200, 9);
  });

  test('calls of a class that is spread go to one of its objects each', () => {
    expect(planned(use(['x', 'y']), 512).busiest).toMatchObject({ objects: 256, callsPerS: 2, utilisation: 0.008 });
  });

  test('a class that is spread and has no number is a fault of the plan', () => {
    expect(() => planned(use(['x', 'y'], 'NEW_CLASS'))).toThrow('NEW_CLASS');
  });

  test('nothing that is asked is no wall: the bill is', () => {
    const nothing = { classes: [], operations: {} };
    expect(planned(nothing)).toMatchObject({ busiest: undefined, wallPerS: undefined, isolates: 1 });
  });

  test('a queue takes 5,000 messages a second, and prompts are worked off by consumers that wait for an engine', () => {
    const queued = (operations: Record<string, number>) => planned({ classes: [], operations }).queueWall;
    expect(queued({ 'WAKE.send': 0.5 })).toEqual({ queue: 'WAKE', perS: 10_000 });
    expect(queued({ 'WAKE.send': 0.5, 'PROMPTS.sendBatch': 30, 'REPORTS.put': 3 })).toEqual({
      queue: 'PROMPTS',
      perS: 6.25,
    });
    expect(queued({ 'REPORTS.put': 3 })).toBeUndefined();
  });

  test('an isolate asks about each name once in the time that it remembers it', () => {
    expect(computeColdShare({ ...kind, perS: 1_000 }, 5)).toBeCloseTo(0.5, 9);
    expect(computeColdShare({ ...kind, perS: 100 }, 5)).toBe(1);
  });

  test('the bill is what goes beyond the plan, by the price list', () => {
    // 259.2 million requests of 1 ms and one row, in a month.
    const { usd, parts } = computeBill(100, use(['x', 'x']), 1_000);
    const of = Object.fromEntries(parts);
    expect(of).toMatchObject({ requests: expect.closeTo(74.76, 2), rowsWritten: expect.closeTo(209.2, 1) });
    expect(of['cpuMs']).toBeCloseTo(4.584, 3);
    expect(usd).toBeCloseTo(5 + parts.reduce((sum, [, part]) => sum + part, 0), 6);
  });
});

describe('refused audits, modelled', () => {
  test('are more where fewer isolates share them, and none where audits are few and small', () => {
    const shares = [1, 4, 12].map((isolates) => modelAdmission(12, isolates, 2_000).share);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    const small = { sizes: [{ share: 1, bytes: 1024 }], readMs: 1_000, judgeMs: 100 };
    expect(modelAdmission(1, 2, 500, small).refused).toBe(0);
  });

  test('are the same each time', () => {
    expect(modelAdmission(12, 4, 1_000)).toEqual(modelAdmission(12, 4, 1_000));
  });
});
