import { expect, test } from 'vitest';
import { noProgress, computeThousandths, WHOLE } from '../../src/web/audit/progress.ts';

test('progress grows with every request and every check, and is whole at the end only', () => {
  const seen = [computeThousandths(noProgress)];
  const base = { ...noProgress, atMost: 60, checks: 275 };
  for (let done = 1; done <= 60; done += 1) seen.push(computeThousandths({ ...base, done }));
  for (let judged = 1; judged <= 275; judged += 1) seen.push(computeThousandths({ ...base, done: 60, judged }));
  expect(seen[0]).toBe(0);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(Math.max(...seen)).toBeLessThan(WHOLE);
  expect(computeThousandths({ ...base, done: 60, judged: 275, isDone: true })).toBe(WHOLE);
});

test('a site that needs few requests does not go back when it is judged', () => {
  const read = { ...noProgress, atMost: 60, checks: 275, done: 5 };
  expect(computeThousandths({ ...read, judged: 1 })).toBeGreaterThan(computeThousandths(read));
});

test('more than was announced is never more than the whole', () => {
  expect(computeThousandths({ done: 90, atMost: 60, judged: 0, checks: 275, isDone: false })).toBeLessThan(WHOLE);
  expect(computeThousandths({ done: 90, atMost: 0, judged: 900, checks: 275, isDone: false })).toBeLessThan(WHOLE);
});
