import { expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { judgeShard } from './judge-shard.ts';
import { createCreditBook } from '../../../src/payment/credits/account.ts';
import { memoryCreditRows } from '../../support/workers/credit-rows.ts';
import { type FaultPoint, faultPoints, openSimulatedShard, RUN_PRICE, SETTLE_MS } from './simulated-shard.ts';

const START_MS = Date.UTC(2026, 2, 1, 9);
const DAYS = 4;
const interval = { every: 'daily', at: '06:30' } as const;

const BOUGHT = { capability: 'credits_100', amountMicroUsdc: 100 * RUN_PRICE };

/** The book of a credit account, with credits that were bought. */
function openCredits(now: () => number) {
  const book = createCreditBook(memoryCreditRows(), now);
  book.pledge({ ...BOUGHT, paymentKey: 'payment', shard: 'a1' });
  for (const pledge of book.openPledges()) book.resolve(pledge, { ...BOUGHT, state: 'settled' });
  return book;
}

/** Runs of some days, in which one thing goes wrong the given number of times in a row, from the second day on. */
function simulate(point: FaultPoint, times: number) {
  let left = times;
  const shard = openSimulatedShard({
    startMs: START_MS,
    random: createRandomFromSeed(point),
    openCredits,
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
    expect(shard.credits?.view()).toMatchObject({
      balanceMicroUsdc: BOUGHT.amountMicroUsdc - runs.length * RUN_PRICE,
      reservedMicroUsdc: 0,
    });
    expect(shard.credits?.reports()).toHaveLength(runs.length);
  },
);

test('what is judged would be seen: a run that is made twice, one that is left out, a charge without a run', () => {
  const { shard, id, endMs } = simulate('queue: loses the message', 0);
  const periods = new Map([[id, [{ interval, fromMs: START_MS + HOUR_MS, toMs: endMs + SETTLE_MS + DAY_MS }]]]);
  expect(judgeShard(shard, periods)).toEqual([`${id}: 1 due times have no run`]);
  const [, run] = shard.seenRuns();
  const known = new Map([[id, [{ interval, fromMs: START_MS + HOUR_MS, toMs: endMs + SETTLE_MS }]]]);
  shard.sql.exec('UPDATE seen_runs SET missed = 2 WHERE id = ?', run?.id ?? '');
  shard.charges.set('other', { runId: 'run_other', reportId: 'r' });
  shard.sql.exec(`INSERT INTO seen_ends VALUES (?, 'stored', '{}')`, run?.id ?? '');
  expect(judgeShard(shard, known)).toEqual([
    `${run?.id} says 2 missed, and 0 are`,
    `${run?.id} ended 2 times`,
    'run_other was charged and is no run',
  ]);
});
