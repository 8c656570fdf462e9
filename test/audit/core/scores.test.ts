import { describe, expect, test } from 'vitest';
import {
  type AnyCheck,
  type CheckOutcome,
  type Gate,
  type OutcomeStatus,
  type ScoreName,
  verdict,
} from '../../../src/audit/core/check.ts';
import { type CheckResult, computeScore } from '../../../src/audit/core/scores.ts';

type Row = {
  status: OutcomeStatus;
  value: number;
  weight: number;
  gate?: Gate;
  scores?: readonly [ScoreName, ...ScoreName[]];
};

function judged(rows: readonly Row[]): readonly CheckResult[] {
  return rows.map(({ status, value, weight, gate, scores = ['aeo'] }, index) => {
    const outcome: CheckOutcome = { status, value, note: '', evidence: [] };
    const check: AnyCheck = {
      id: `aeo.row.${index}`,
      title: 'row',
      failureTitle: 'It is not so',
      scores,
      weight,
      grade: 'A',
      why: '',
      source: '',
      fix: '',
      needs: ['start'],
      judge: () => outcome,
      ...(gate ? { gate } : {}),
    };
    return { check, outcome };
  });
}

const p = (weight: number): Row => ({ status: 'pass', value: 1, weight });
const f = (weight: number, gate?: Gate): Row => ({ status: 'fail', value: 0, weight, ...(gate ? { gate } : {}) });
const half = (value: number, weight: number): Row => ({ status: 'partial', value, weight });
const na = (weight: number): Row => ({ status: 'not_applicable', value: 0, weight });
const unknown = (weight: number): Row => ({ status: 'unknown', value: 0, weight });

describe('score, grade and coverage by hand', () => {
  test.each([
    ['all pass', [p(3), p(2)], 100, 'A', 1],
    ['all fail', [f(3)], 0, 'F', 1],
    ['3 of 5', [p(3), f(2)], 60, 'C', 1],
    ['a partial value', [p(1), half(0.25, 3)], 44, 'D', 1],
    ['half a point is rounded up', [half(0.5, 1), p(3), f(4)], 44, 'D', 1],
    ['62.5 is 63', [p(5), f(3)], 63, 'C', 1],
    ['28.5 is 29 in spite of binary fractions', [half(0.285, 1)], 29, 'F', 1],
    ['not applicable counts in neither sum', [p(1), f(1), na(8)], 50, 'D', 0.2],
    ['unknown counts in neither sum', [p(1), unknown(2)], 100, 'A', 0.333],
    ['weight 0 is reported and not scored', [p(2), f(0)], 100, 'A', 1],
    ['nothing assessed', [na(3), unknown(1)], 0, 'F', 0],
    ['no checks', [], 0, 'F', 0],
    ['the border of B', [p(3), f(1)], 75, 'B', 1],
  ] as const)('%s', (_name, rows, score, grade, coverage) => {
    expect(computeScore('aeo', judged(rows))).toMatchObject({ score, grade, coverage });
  });
});

describe('gates', () => {
  const gate: Gate = { caps: { aeo: 40 } };
  test.each([
    ['a failed one caps', [p(9), f(1, gate)], 40, 1],
    ['the lowest that fired counts', [p(18), f(1, gate), f(1, { caps: { aeo: 20 } })], 20, 2],
    ['one that passed does not', [p(1), { ...p(1), gate }], 100, 0],
    ['one that is unknown does not', [p(1), { ...unknown(1), gate }], 100, 0],
    ['one that is partial does not', [p(1), { ...half(0.5, 1), gate }], 75, 0],
    ['one of another score does not', [p(1), f(1, { caps: { geo: 0 } })], 50, 0],
    ['a cap above the score changes nothing', [p(1), f(3, gate)], 25, 1],
    [
      'a condition of its own decides',
      [p(1), { ...half(0.5, 1), gate: { caps: { aeo: 10 }, when: ({ value }: CheckOutcome) => value < 0.6 } }],
      10,
      1,
    ],
  ] as const)('%s', (_name, rows, score, fired) => {
    const result = computeScore('aeo', judged(rows));
    expect({ score: result.score, fired: result.gates.length }).toEqual({ score, fired });
  });
});

test('only the checks of a score count in it', () => {
  const rows = judged([
    { ...p(1), scores: ['aeo', 'mcp'] },
    { ...f(1), scores: ['geo'] },
  ]);
  expect([
    computeScore('aeo', rows).score,
    computeScore('geo', rows).score,
    computeScore('mcp', rows).counts.pass,
  ]).toEqual([100, 0, 1]);
});

describe('whether a score applies', () => {
  const shared = (row: Row): Row => ({ ...row, scores: ['aeo', 'geo'] });

  test('it does not when none of its own checks is applicable', () => {
    const rows = judged([na(3), na(1), p(0)]);
    expect(computeScore('aeo', rows)).toMatchObject({ score: 0, coverage: 0, applies: false, reason: '', gates: [] });
  });

  test.each([
    ['one that passes', [na(3), p(1)]],
    ['one that could not be looked at', [na(3), unknown(1)]],
    ['none at all', []],
  ] as const)('it does with %s', (_name, rows) => {
    expect(computeScore('aeo', judged(rows))).not.toHaveProperty('applies');
  });

  test('checks of other scores that count in it do not make it apply', () => {
    const own = judged([na(3)]);
    const others = judged([shared(p(5))]).map((one) => ({ ...one, check: { ...one.check, id: 'geo.row' } }));
    expect(computeScore('aeo', [...own, ...others])).toMatchObject({ score: 0, coverage: 0, applies: false });
  });
});

test('statuses are counted', () => {
  expect(computeScore('aeo', judged([p(1), p(1), f(1), half(0.5, 1), na(1), unknown(1)])).counts).toEqual({
    pass: 2,
    partial: 1,
    fail: 1,
    not_applicable: 1,
    unknown: 1,
  });
});

test.each([
  [1, 'pass', 1],
  [0.9, 'pass', 1],
  [0.8999, 'partial', 0.9],
  [0.5, 'partial', 0.5],
  [0.499, 'fail', 0],
])('a share of %d with bounds 0.9 and 0.5 is %s', (share, status, value) => {
  expect(verdict.byShare(share, { passAt: 0.9, partialAt: 0.5 }, 'note')).toMatchObject({ status, value });
});

test('one piece of evidence becomes a list', () => {
  expect(verdict.pass('note', { url: 'https://acme.example/' }).evidence).toEqual([{ url: 'https://acme.example/' }]);
});
