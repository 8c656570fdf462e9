import { describe, expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../../src/lib/seeded-random.ts';
import {
  computeTracePart,
  computeUsualBounds,
  createShardPlacement,
  formatEntryShard,
  formatShardObject,
  WINDOW_MS,
} from '../../../../src/management/log-store/shards/placement.ts';

const PARTS = 8;
const WRITES = 100_000;
const NOW_MS = 500 * WINDOW_MS;

/** The share of the fullest of eight shards, with calls of so many entries that some isolates place. */
function shareOfFullest(entries: number, keyOf: (call: number) => string, isolates = 1): number {
  const placements = Array.from({ length: isolates }, () => createShardPlacement());
  for (const placement of placements) placement.spread('t', NOW_MS);
  const rows = new Map<string, number>();
  for (let call = 0; call < WRITES / entries; call += 1) {
    const placement = placements[call % isolates];
    const name = placement?.choose('t', { key: keyOf(call), parts: PARTS, nowMs: NOW_MS, weight: entries }).name ?? '';
    rows.set(name, (rows.get(name) ?? 0) + entries);
  }
  return Math.max(...rows.values()) / WRITES;
}

describe('none of 8 shards takes more than 1.5/8 of 100,000 writes', () => {
  const next = createRandomFromSeed('ids');
  const keys: readonly [string, (call: number) => string][] = [
    ['ids that count', (call) => `2026-11-26T00:00:00Z entry-${call}`],
    ['random ids', () => next().toString(36)],
    ['ids that differ in the first characters', (call) => `${String(call).padStart(8, '0')}-app`],
    ['times and one id', (call) => `${new Date(NOW_MS + call).toISOString()} 0`],
  ];

  test.each(keys)('with %s: alone, by tens, by thousands, from one isolate and from fifty', (_what, keyOf) => {
    for (const entries of [1, 10, 1_000])
      for (const isolates of entries === 1_000 ? [1] : [1, 50])
        expect(shareOfFullest(entries, keyOf, isolates)).toBeLessThanOrEqual(1.5 / PARTS);
  });

  test('traces spread likewise', () => {
    const counts = Array.from({ length: PARTS }, () => 0);
    for (let trace = 0; trace < WRITES; trace += 1) {
      const part = computeTracePart('projects/p', trace.toString(16).padStart(32, '0'), PARTS);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual((1.5 * WRITES) / PARTS);
  });
});

test('a call that comes again from another isolate comes to one of two shards', () => {
  const names = Array.from({ length: 50 }, (_, isolate) => {
    const placement = createShardPlacement();
    placement.spread('t', NOW_MS);
    for (let call = 0; call < isolate; call += 1)
      placement.choose('t', { key: `other ${call}`, parts: PARTS, nowMs: NOW_MS, weight: 1 });
    return placement.choose('t', { key: 'the same', parts: PARTS, nowMs: NOW_MS, weight: 1 }).name;
  });
  expect(new Set(names).size).toBeLessThanOrEqual(2);
});

test('windows follow each other without a gap, and a tenant that was busy begins the next with all shards', () => {
  const placement = createShardPlacement();
  const choose = (nowMs: number, key: string) => placement.choose('t', { key, parts: PARTS, nowMs, weight: 1 });
  expect(choose(NOW_MS, 'a')).toEqual({ name: formatEntryShard(500, 0), isQuiet: true });
  placement.spread('t', NOW_MS);
  expect(choose(NOW_MS + WINDOW_MS, 'a').isQuiet).toBe(false);
  expect(computeUsualBounds(formatEntryShard(500, 0)).last > computeUsualBounds(formatEntryShard(501, 0)).first).toBe(
    true,
  );
});

test('K1: no name of a shard is the id of a tenant', () => {
  expect(formatShardObject('C1', '')).toBe('C1');
  expect(formatShardObject('C1', formatEntryShard(5, 1))).toBe('C1/entries/5/1');
});
