import { describe, expect, test } from 'vitest';
import { type Judgement, matrixByScore, matrixOf } from './matrix.ts';

const judgement = (id: string, status: Judgement['row']['status'], got: Judgement['got']): Judgement => ({
  row: { id, status },
  got,
});

/** Four planted defects, three of them found, one of those with another word; one false alarm. */
const mixed: readonly Judgement[] = [
  judgement('aeo.a', 'fail', 'fail'),
  judgement('aeo.b', 'fail', 'partial'),
  judgement('geo.a', 'partial', 'partial'),
  judgement('geo.b', 'fail', 'pass'),
  judgement('mcp.a', 'pass', 'fail'),
  judgement('mcp.b', 'pass', 'pass'),
  judgement('mcp.c', 'not_applicable', 'missing'),
  judgement('agent.a', 'unknown', 'unknown'),
];

describe('a confusion matrix', () => {
  test('counts every expected status by the status that was got', () => {
    const { confusion, rows } = matrixOf(mixed);
    expect(rows).toBe(8);
    expect(confusion.fail).toEqual({ pass: 1, partial: 1, fail: 1, not_applicable: 0, unknown: 0, missing: 0 });
    expect(confusion.pass).toEqual({ pass: 1, partial: 0, fail: 1, not_applicable: 0, unknown: 0, missing: 0 });
    expect(confusion.not_applicable.missing).toBe(1);
  });

  test('takes fail and partial alike as a reported defect', () => {
    const { precision, recall } = matrixOf(mixed);
    expect(precision).toBe(3 / 4);
    expect(recall).toBe(3 / 4);
  });

  test('counts only equal statuses as exact', () => {
    expect(matrixOf(mixed).exact).toBe(4 / 8);
  });

  test('a verdict that is missing or unknown is no report, so that it costs recall and not precision', () => {
    const silent = [judgement('aeo.a', 'fail', 'missing'), judgement('aeo.b', 'fail', 'unknown')];
    expect(matrixOf(silent)).toMatchObject({ precision: null, recall: 0, exact: 0 });
  });

  test('an alarm where nothing was planted costs precision and leaves recall without a base', () => {
    expect(matrixOf([judgement('aeo.a', 'not_applicable', 'fail')])).toMatchObject({ precision: 0, recall: null });
  });

  test('no rows give no shares', () => {
    expect(matrixOf([])).toMatchObject({ rows: 0, precision: null, recall: null, exact: null });
  });

  test('is split by score', () => {
    const { aeo, geo, agent, mcp } = matrixByScore(mixed);
    expect([aeo.rows, geo.rows, agent.rows, mcp.rows]).toEqual([2, 2, 1, 3]);
    expect(aeo.recall).toBe(1);
    expect(geo.recall).toBe(1 / 2);
    expect(mcp.precision).toBe(0);
  });
});
