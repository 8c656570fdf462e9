import { expect, test } from 'vitest';
import { accuracy } from '../../../src/audit/core/accuracy-data.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { verdict } from '../../../src/audit/core/check.ts';
import { computeAccuracy, isOftenWrong, isTooHeavy, toWireCheck } from '../../../src/audit/core/wire.ts';

const measured = Object.entries(accuracy.checks);
const weights = new Map(checks.map(({ id, weight }) => [id, weight]));

test('each measured check is in the catalogue, and its figures fit each other', () => {
  expect(measured.length).toBeGreaterThan(20);
  expect(measured.filter(([id]) => !weights.has(id))).toEqual([]);
  for (const [, { n, right, arguable, wrong, low, high }] of measured) {
    expect(right + arguable + wrong).toBe(n);
    expect(low).toBeLessThanOrEqual((n - wrong) / n);
    expect(high).toBeGreaterThanOrEqual((n - wrong) / n - 0.0001);
  }
});

test.each([
  { n: 60, wrong: 7, often: true },
  { n: 60, wrong: 6, often: false },
  { n: 20, wrong: 3, often: true },
  { n: 19, wrong: 19, often: false },
])('$wrong wrong of $n is often wrong: $often', ({ often, ...verdicts }) => {
  expect(isOftenWrong(verdicts)).toBe(often);
});

test.each([
  { n: 60, wrong: 13, weight: 2, heavy: true },
  { n: 60, wrong: 13, weight: 1, heavy: false },
  { n: 60, wrong: 12, weight: 5, heavy: false },
  { n: 19, wrong: 19, weight: 5, heavy: false },
])('$wrong wrong of $n may not weigh $weight: $heavy', ({ weight, heavy, ...verdicts }) => {
  expect(isTooHeavy(verdicts, weight)).toBe(heavy);
});

test('arguable verdicts are not wrong, and too few verdicts say nothing', () => {
  expect(computeAccuracy({ n: 20, wrong: 5 })).toBe(0.75);
  expect(computeAccuracy({ n: 19, wrong: 5 })).toBeUndefined();
});

test('a check says how often it was right where it was often wrong, and no other check says anything', () => {
  const start = new URL('https://acme.example/');
  for (const check of checks) {
    const verdicts = accuracy.checks[check.id];
    const wire = toWireCheck({ check, outcome: verdict.pass('It is so.') }, start);
    const { n, right, wrong } = verdicts ?? { n: 0, right: 0, wrong: 0 };
    expect([check.id, wire.accuracy]).toEqual([check.id, isOftenWrong({ n, wrong }) ? { n, right, wrong } : undefined]);
    expect('accuracy' in wire).toBe(isOftenWrong({ n, wrong }));
  }
});

/** Nothing may come in here. A check leaves when it is right more often, or weighs less. */
const stillTooHeavy: readonly string[] = [];

test('a check that is right on less than 80 % of labelled pages weighs at most 1', () => {
  const heavy = measured.filter(([id, verdicts]) => isTooHeavy(verdicts, weights.get(id) ?? 0)).map(([id]) => id);
  expect(heavy.toSorted()).toEqual(stillTooHeavy.toSorted());
});
