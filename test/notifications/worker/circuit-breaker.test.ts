import { expect, test } from 'vitest';
import { createRetryTimes } from '../../../src/notifications/worker/run.ts';

test('after six failures in a row one is left alone for half a minute, and then tried again', () => {
  const pace = createRetryTimes();
  for (let n = 0; n < 5; n += 1) pace.bad('directory', 1_000);
  expect(pace.isResting('directory', 1_000)).toBe(false);
  pace.bad('directory', 1_000);
  expect(pace.isResting('directory', 30_999)).toBe(true);
  expect(pace.isResting('directory', 31_000)).toBe(false);
  pace.bad('directory', 31_000);
  expect(pace.isResting('directory', 60_999)).toBe(true);
});

test('one success begins the count anew, and tells whether it came back from a rest', () => {
  const pace = createRetryTimes();
  for (let n = 0; n < 5; n += 1) pace.bad('directory', 0);
  expect(pace.good('directory')).toBe(false);
  for (let n = 0; n < 5; n += 1) pace.bad('directory', 0);
  expect(pace.isResting('directory', 0)).toBe(false);
  pace.bad('directory', 0);
  expect(pace.good('directory')).toBe(true);
  expect(pace.isResting('directory', 1)).toBe(false);
});

test('one that says when it may be asked again is left alone until then, ten minutes at most', () => {
  const pace = createRetryTimes();
  pace.bad('sink:audit', 0, 5_000);
  expect([4_999, 5_000].map((ms) => pace.isResting('sink:audit', ms))).toEqual([true, false]);
  pace.bad('sink:audit', 5_000, 86_400_000);
  expect([604_999, 605_000].map((ms) => pace.isResting('sink:audit', ms))).toEqual([true, false]);
});

test('one that says it may be asked at once is left alone all the same after six failures', () => {
  const pace = createRetryTimes();
  for (let n = 0; n < 6; n += 1) pace.bad('directory', 1_000, 0);
  expect(pace.isResting('directory', 30_999)).toBe(true);
  expect(pace.isResting('directory', 31_000)).toBe(false);
});

test('whoever failed last is failing from then on, until it is good', () => {
  const pace = createRetryTimes();
  pace.bad('subject:a', 1_000);
  pace.bad('subject:b', 2_000);
  expect([2_000, 2_001].map((sinceMs) => pace.hasFailing('subject:', sinceMs))).toEqual([true, false]);
  expect(pace.hasFailing('sink:', 0)).toBe(false);
  pace.good('subject:b');
  expect([1_000, 1_001].map((sinceMs) => pace.hasFailing('subject:', sinceMs))).toEqual([true, false]);
});

test('each is judged for itself', () => {
  const pace = createRetryTimes();
  pace.bad('sink:audit', 0, 5_000);
  expect(pace.isResting('directory', 0)).toBe(false);
});
