import { expect, test } from 'vitest';
import { createRateWindows } from '../../src/rate-limits/rate-counts.ts';

const one = { key: 'free a', quota: 3, needed: 1, ahead: 0 };

test('as many events as the quota has are taken in a minute from the first', () => {
  const { take } = createRateWindows();
  expect([0, 1, 2, 3].map((nowMs) => take(one, nowMs))).toEqual([
    { taken: 1, left: 2, resetMs: 60_000 },
    { taken: 1, left: 1, resetMs: 59_999 },
    { taken: 1, left: 0, resetMs: 59_998 },
    { taken: 0, left: 0, resetMs: 59_997 },
  ]);
  expect(take(one, 59_999)).toMatchObject({ taken: 0 });
  expect(take(one, 60_000)).toEqual({ taken: 1, left: 2, resetMs: 60_000 });
});

test('each caller is counted by itself', () => {
  const { take } = createRateWindows();
  for (let n = 0; n < 4; n += 1) take(one, 0);
  expect(take({ ...one, key: 'free b' }, 0)).toMatchObject({ taken: 1 });
});

test('a quota that is raised gives the difference, one that is lowered gives nothing more', () => {
  const { take } = createRateWindows();
  for (let n = 0; n < 3; n += 1) take(one, 0);
  expect(take({ ...one, quota: 5 }, 1)).toMatchObject({ taken: 1, left: 1 });
  expect(take({ ...one, quota: 2 }, 2)).toMatchObject({ taken: 0, left: 0 });
});

test('a batch is taken whole or not at all; what is taken ahead takes what there is', () => {
  const { take } = createRateWindows();
  take(one, 0);
  expect(take({ ...one, quota: 5, needed: 5 }, 0)).toMatchObject({ taken: 0, left: 3 });
  expect(take({ ...one, quota: 5, needed: 2, ahead: 5 }, 0)).toMatchObject({ taken: 3, left: 0 });
});

test('a refusal costs one event, until nothing is left', () => {
  const { take } = createRateWindows();
  const refused = [0, 1, 2, 3].map(() => take({ ...one, needed: 4 }, 0));
  expect(refused.map(({ taken, left }) => [taken, left])).toEqual([
    [0, 2],
    [0, 1],
    [0, 0],
    [0, 0],
  ]);
});

test('K9: it remembers 20,000 callers, and forgets who was not seen for longest', () => {
  const { take } = createRateWindows();
  for (let n = 0; n < 3; n += 1) take(one, 0);
  for (let n = 0; n < 19_999; n += 1) take({ ...one, key: `free ${n}` }, 0);
  expect(take(one, 0)).toMatchObject({ taken: 0 });
  for (let n = 0; n < 20_000; n += 1) take({ ...one, key: `mcp ${n}` }, 0);
  expect(take(one, 0)).toMatchObject({ taken: 1 });
});
