import { expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { judgeShard } from './judge-shard.ts';
import { type FaultPoint, faultPoints, openSimulatedShard, SETTLE_MS } from './simulated-shard.ts';

const START_MS = Date.UTC(2026, 2, 1, 9);
const DAYS = 4;
const interval = { every: 'daily', at: '06:30' } as const;

/** Runs of some days, in which one thing goes wrong the given number of times in a row, from the second day on. */
function simulate(point: FaultPoint, times: number) {
  let left = times;
  const shard = openSimulatedShard({
    startMs: START_MS,
    random: createRandomFromSeed(point),
    fails: (at) => {
      if (at !== point || left === 0 || shard.now() < START_MS + 20 * HOUR_MS) return false;
      left -= 1;
      return true;
    },
  });
  const { id } = shard.create(3, 1, { interval });
  const endMs = START_MS + DAYS * DAY_MS;
  shard.runUntil(endMs + SETTLE_MS);
  return { shard, id, endMs, happened: times - left };
}

test('there are twenty ways to go wrong between due and stored', () => {
  expect(faultPoints).toHaveLength(20);
});

test.each(faultPoints.flatMap((point) => [[point, 1] as const, [point, 3] as const]))(
  '%s, %i times: every run once, every charge with a run',
  (point, times) => {
    const { shard, id, endMs, happened } = simulate(point, times);
    expect(happened).toBe(times);
    const periods = new Map([[id, [{ interval, fromMs: START_MS + HOUR_MS, toMs: endMs + SETTLE_MS }]]]);
    expect(judgeShard(shard, periods)).toEqual([]);
    const runs = shard.seenRuns();
    expect(runs.every(({ missed }) => missed === 0)).toBe(true);
    expect([shard.charges.size, new Set(runs.map(({ dueMs }) => dueMs)).size]).toEqual([runs.length, 1 + DAYS + 2]);
  },
);

test('what is judged would be seen: a run that is made twice, one that is left out, a charge without a run', () => {
  const { shard, id, endMs } = simulate('queue: loses the message', 0);
  const periods = new Map([[id, [{ interval, fromMs: START_MS + HOUR_MS, toMs: endMs + SETTLE_MS + DAY_MS }]]]);
  expect(judgeShard(shard, periods)).toEqual([`${id}: 1 due times have no run`]);
  const [, run] = shard.seenRuns();
  const known = new Map([[id, [{ interval, fromMs: START_MS + HOUR_MS, toMs: endMs + SETTLE_MS }]]]);
  shard.sql.exec('UPDATE seen_runs SET missed = 2 WHERE id = ?', run?.id ?? '');
  shard.charges.set('other', { runId: 'run_other', reportId: 'r', times: 1 });
  shard.sql.exec(`INSERT INTO seen_ends VALUES (?, 'stored', '{}')`, run?.id ?? '');
  expect(judgeShard(shard, known)).toEqual([
    `${run?.id} says 2 missed, and 0 are`,
    `${run?.id} ended 2 times`,
    'run_other was charged and is no run',
  ]);
});
