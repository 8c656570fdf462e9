import { expect, test } from 'vitest';
import {
  addStoredResult,
  KEPT_LIMITS,
  type StoredResultList,
  findCreatedAtMs,
} from '../../src/rate-limits/target-gate.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

test('F6: a result is handed out for ten minutes, under its own key only', () => {
  const { list } = addStoredResult([], 'a', NOW);
  expect(findCreatedAtMs(list, 'a', NOW + 10 * MINUTE - 1)).toBe(NOW);
  expect(findCreatedAtMs(list, 'a', NOW + 10 * MINUTE)).toBeUndefined();
  expect(findCreatedAtMs(list, 'b', NOW)).toBeUndefined();
});

test('what is older than ten minutes is dropped with the next result', () => {
  const old = addStoredResult([], 'a', NOW).list;
  expect(addStoredResult(old, 'b', NOW + 11 * MINUTE)).toEqual({
    list: [{ key: 'b', atMs: NOW + 11 * MINUTE }],
    dropped: ['a'],
  });
});

test('the same key is kept once, as of its last result', () => {
  const first = addStoredResult([], 'a', NOW).list;
  expect(addStoredResult(first, 'a', NOW + MINUTE)).toEqual({ list: [{ key: 'a', atMs: NOW + MINUTE }], dropped: [] });
});

test('only so many results are kept, the newest', () => {
  let list: StoredResultList = [];
  const dropped: string[] = [];
  for (let run = 0; run < KEPT_LIMITS.results + 3; run += 1) {
    const next = addStoredResult(list, `run-${run}`, NOW + run);
    ({ list } = next);
    dropped.push(...next.dropped);
  }
  expect(list).toHaveLength(KEPT_LIMITS.results);
  expect(dropped).toEqual(['run-0', 'run-1', 'run-2']);
});
