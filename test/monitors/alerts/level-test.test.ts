import { describe, expect, test } from 'vitest';
import { testLevel } from '../../../src/monitors/alerts/level-test.ts';
import { computeStudentTail } from '../../../src/monitors/alerts/student.ts';
import { mergeCloseRuns } from '../../../src/visibility/trend/points.ts';
import { runOf } from '../../visibility/trend/made-runs.ts';

describe('the tail of Student’s t', () => {
  // Quantiles of printed tables: two-sided 5 %, 1 % and 0.1 %.
  test.each([
    [1, 12.7062, 0.05],
    [2, 4.3027, 0.05],
    [3, 5.8409, 0.01],
    [10, 2.2281, 0.05],
    [10, 4.5869, 0.001],
    [29, 2.7564, 0.01],
    [60, 3.4602, 0.001],
  ])('with %i degrees of freedom beyond %d is %d', (freedom, t, p) => {
    expect(computeStudentTail(t, freedom)).toBeCloseTo(p, 5);
    expect(computeStudentTail(-t, freedom)).toBeCloseTo(p, 5);
  });

  test('is 1 at 0, and 0 far out', () => {
    expect(computeStudentTail(0, 7)).toBe(1);
    expect(computeStudentTail(1e9, 7)).toBeLessThan(1e-12);
  });
});

const pointsOf = (...named: readonly string[]) => named.map((one, at) => mergeCloseRuns([runOf(`${at}`, at * 7, one)]));
const rotate = (count: number, at: number): string =>
  Array.from({ length: 30 }, (_, prompt) => ((prompt * 7 + at * 11) % 30 < count ? '1' : '0')).join('');

describe('the test of levels', () => {
  test('needs four points before and four now', () => {
    expect(testLevel(pointsOf(...Array.from({ length: 7 }, (_, at) => rotate(12, at))))).toBeUndefined();
    expect(testLevel(pointsOf(...Array.from({ length: 8 }, (_, at) => rotate(12, at))))).toBeDefined();
  });

  test('sees half as many named, says how far and since when, and nothing where nothing changed', () => {
    const before = Array.from({ length: 20 }, (_, at) => rotate(12, at));
    const fallen = testLevel(pointsOf(...before, ...Array.from({ length: 5 }, (_, at) => rotate(6, at))));
    expect(fallen?.p).toBeLessThan(0.0005);
    expect(fallen).toMatchObject({ window: 4, reference: 21 });
    expect(fallen?.difference).toBeCloseTo(-0.19, 1);
    expect(
      testLevel(pointsOf(...before, ...Array.from({ length: 5 }, (_, at) => rotate(12, at + 20))))?.p,
    ).toBeGreaterThan(0.5);
  });

  test('is not moved by which prompts lack an answer', () => {
    const steady = '1'.repeat(15) + '0'.repeat(15);
    const lacking = '-'.repeat(5) + '1'.repeat(10) + '0'.repeat(15);
    const test = testLevel(
      pointsOf(...Array.from({ length: 8 }, () => steady), ...Array.from({ length: 4 }, () => lacking)),
    );
    expect(test).toMatchObject({ difference: 0, p: 1 });
  });

  test('calls no certainty where no answer ever differed before', () => {
    const never = '0'.repeat(30);
    const once = `1${'0'.repeat(29)}`;
    expect(testLevel(pointsOf(never, never, never, never, once, never, never, never))?.p).toBeGreaterThan(0.2);
  });
});
