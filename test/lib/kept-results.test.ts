import { expect, test } from 'vitest';
import { keep, KEPT_LIMITS, type KeptList, madeAtMs } from '../../src/lib/kept-results.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

test('F6: a result is handed out for ten minutes, under its own key only', () => {
  const { list } = keep([], 'a', NOW);
  expect(madeAtMs(list, 'a', NOW + 10 * MINUTE - 1)).toBe(NOW);
  expect(madeAtMs(list, 'a', NOW + 10 * MINUTE)).toBeUndefined();
  expect(madeAtMs(list, 'b', NOW)).toBeUndefined();
});

test('what is older than ten minutes is dropped with the next result', () => {
  const old = keep([], 'a', NOW).list;
  expect(keep(old, 'b', NOW + 11 * MINUTE)).toEqual({ list: [{ key: 'b', atMs: NOW + 11 * MINUTE }], dropped: ['a'] });
});

test('the same key is kept once, as of its last result', () => {
  const first = keep([], 'a', NOW).list;
  expect(keep(first, 'a', NOW + MINUTE)).toEqual({ list: [{ key: 'a', atMs: NOW + MINUTE }], dropped: [] });
});

test('only so many results are kept, the newest', () => {
  let list: KeptList = [];
  const dropped: string[] = [];
  for (let run = 0; run < KEPT_LIMITS.results + 3; run += 1) {
    const next = keep(list, `run-${run}`, NOW + run);
    ({ list } = next);
    dropped.push(...next.dropped);
  }
  expect(list).toHaveLength(KEPT_LIMITS.results);
  expect(dropped).toEqual(['run-0', 'run-1', 'run-2']);
});
