import { describe, expect, test } from 'vitest';
import { computeWilson } from '../../../src/visibility/metrics/statistics.ts';
import { compareRates } from '../../../src/visibility/trend/counts.ts';
import { comparePoints, computeRate, judgeChanges, type PairedChange } from '../../../src/visibility/trend/pairs.ts';
import { mergeCloseRuns } from '../../../src/visibility/trend/points.ts';
import { runOf } from './made-runs.ts';

const rate = { value: 0.5, low: 0.3, high: 0.7, n: 30 };
const changeOf = (p: number, value = -0.2): PairedChange => ({
  before: rate,
  after: rate,
  difference: { value, low: value - 0.1, high: value + 0.1 },
  prompts: 30,
  left_out: 0,
  more: 0,
  less: 0,
  p_value: p,
});

test("Holm's correction never lets a larger p come out below a smaller one", () => {
  const judged = judgeChanges([0.04, 0.001, 0.02, 0.03].map((p) => changeOf(p)));
  expect(judged.map((one) => one.p_holm)).toEqual([0.06, 0.004, 0.06, 0.06]);
  expect(judged.map(({ verdict }) => verdict)).toEqual(['no_change_seen', 'fell', 'no_change_seen', 'no_change_seen']);
  expect(judgeChanges([changeOf(0.01, 0.3)])[0]?.verdict).toBe('rose');
  expect(judgeChanges([])).toEqual([]);
});

test.each([60, 100])('a change is called by test and interval together: 5 of %d more and none less is none', (n) => {
  const point = (named: number) => mergeCloseRuns([runOf(`${named}`, named, '1'.repeat(named).padEnd(n, '0'))]);
  const pair = comparePoints(point(20), point(25));
  if (pair === undefined) throw new Error('both have answers');
  const [judged] = judgeChanges([pair]);
  expect(judged).toMatchObject({ more: 5, less: 0, verdict: 'no_change_seen' });
  expect(judged?.p_holm).toBeLessThan(0.05);
  expect(judged?.difference.low).toBeLessThan(0);
  const more = comparePoints(point(20), point(28));
  expect(judgeChanges(more === undefined ? [] : [more])).toMatchObject([{ verdict: 'rose' }]);
});

describe('the rate of prompts', () => {
  test('of one run is that of its answers', () => {
    expect(computeRate([1, 1, 0, 0, 0], 0)).toEqual(computeWilson(2, 5));
    expect(computeRate([], 0)).toBeUndefined();
  });

  test('of repeats that always agree is no narrower than that of one run', () => {
    const repeats = computeRate(
      [...Array.from({ length: 10 }, () => 1), ...Array.from({ length: 20 }, () => 0.001)],
      0,
    );
    const [one, pooled] = [computeWilson(10, 30), repeats];
    expect((pooled?.high ?? 0) - (pooled?.low ?? 0)).toBeGreaterThan(((one?.high ?? 0) - (one?.low ?? 0)) * 0.9);
  });

  test('of repeats that differ within prompts is narrower', () => {
    const shares = Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? 0.4 : 0.6));
    const { low = 0, high = 1 } = computeRate(shares, 0) ?? {};
    expect(high - low).toBeLessThan(0.15);
  });
});

test("rates without their prompts are compared by Newcombe's interval", () => {
  // Newcombe 1998, method 10, example (a): 56/70 against 48/80 is 0.2, from 0.0524 to 0.3339.
  const [before, after] = [computeWilson(48, 80), computeWilson(56, 70)];
  if (!before || !after) throw new Error('both have answers');
  const change = compareRates(before, after);
  expect(change.difference.value).toBeCloseTo(0.2, 10);
  expect(change.difference.low).toBeCloseTo(0.0524, 4);
  expect(change.difference.high).toBeCloseTo(0.3339, 4);
  expect(change.verdict).toBe('rose');
  expect(compareRates(before, before).verdict).toBe('no_change_seen');
});
