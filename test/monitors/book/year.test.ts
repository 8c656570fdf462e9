import { expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { FIRST_GAP_MS } from '../../../src/monitors/book/owner-steps.ts';
import type { MonitorInterval, Weekday } from '../../../src/monitors/core/monitor.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { OWNER } from './book-world.ts';
import { type DuePeriod, judgeShard } from './judge-shard.ts';
import { type FaultPoint, faultPoints, openSimulatedShard, SETTLE_MS, type SimulatedShard } from './simulated-shard.ts';

const START_MS = Date.UTC(2026, 0, 1);
const YEAR_MS = 365 * DAY_MS;
/** 200 monitors, and 10,000 in the soak. */
const SHARDS = budgetFor(8, 80);
const MONITORS = budgetFor(25, 125);
/** What at least goes wrong in a shard, by the share of fifty monitors that it has. */
const PART = Math.min(1, MONITORS / 50);
/** Shares of all times that a thing could go wrong at which it does. */
const FAULT_SHARE = 0.02;
/** Outages of the whole service in a year, of an hour to a day; one, when all monitors are there, is of three to six days. */
const OUTAGES = 9;
const LONG_OUTAGE = 4;

/** Those in which clocks change, at other times and by other steps, and some in which they do not. */
const ZONES: readonly [string, ...string[]] = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'UTC',
];

type Random = () => number;
const pick = <T>(random: Random, from: readonly [T, ...T[]]): T => from[upTo(random, from.length)] ?? from[0];
const upTo = (random: Random, limit: number): number => Math.floor(random() * limit);

/** Mostly weekly and monthly; times are often those around which clocks change. */
function chooseInterval(random: Random, index: number): MonitorInterval {
  const time_zone = pick(random, ZONES);
  const hour = random() < 0.5 ? upTo(random, 4) : upTo(random, 24);
  const at = `${String(hour).padStart(2, '0')}:${pick(random, ['00', '15', '30', '45', '59'])}`;
  if (index === 0) return { cron: '30 */6 * * *', time_zone };
  if (index === 1) return { cron: '45 * * * SUN', time_zone };
  if (index % 16 === 9) return random() < 0.5 ? { every: 'daily', time_zone } : { every: 'daily', at, time_zone };
  if (index % 8 === 2) return { every: 'monthly', day: 1 + upTo(random, 31), at, time_zone };
  if (index % 8 === 3) return { cron: `${upTo(random, 60)} ${hour} * * MON,THU`, time_zone };
  if (index % 8 === 4) return { cron: `${upTo(random, 60)} ${hour},${(hour + 12) % 24} 1,L * *`, time_zone };
  return { every: 'weekly', weekday: upTo(random, 7) as Weekday, at, time_zone };
}

function chooseOutages(random: Random): readonly { fromMs: number; toMs: number }[] {
  const part = YEAR_MS / OUTAGES;
  return Array.from({ length: OUTAGES }, (_, index) => {
    const fromMs = START_MS + index * part + upTo(random, part / 2);
    const lastsMs = index === LONG_OUTAGE ? 3 * DAY_MS + upTo(random, 3 * DAY_MS) : HOUR_MS + upTo(random, DAY_MS);
    return { fromMs, toMs: fromMs + lastsMs };
  });
}

/** A year of one shard: its faults, and when its monitors were due. */
function simulateYear(seed: string): {
  shard: SimulatedShard;
  faults: ReadonlyMap<FaultPoint, number>;
  periods: ReadonlyMap<string, DuePeriod[]>;
  lateRuns: number;
} {
  const random = createRandomFromSeed(seed);
  const endMs = START_MS + YEAR_MS;
  const faults = new Map<FaultPoint, number>();
  let lateRuns = 0;
  const shard = openSimulatedShard({
    startMs: START_MS,
    random,
    outages: chooseOutages(random),
    fails: (point) => {
      if (random() >= FAULT_SHARE || shard.now() > endMs) return false;
      faults.set(point, (faults.get(point) ?? 0) + 1);
      return true;
    },
    fate: ({ run, attempt, history, monitor }) => {
      if (run.lateMs > 0) lateRuns += 1;
      if (history.some(({ id, monitorId }) => id === run.id || monitorId !== monitor.id))
        throw new Error('wrong history');
      const number = Math.floor(run.dueMs / MINUTE_MS) + Number.parseInt(run.id.slice(4, 16), 16);
      if (number % 29 === 0) return 'failed';
      return attempt === 1 && number % 23 === 0 ? 'again' : 'stored';
    },
  });
  const periods = new Map<string, DuePeriod[]>();
  for (let index = 0; index < MONITORS; index += 1)
    shard.plan(START_MS + upTo(random, 14 * DAY_MS), () => live(shard, random, index, endMs, periods));
  shard.runUntil(endMs + SETTLE_MS);
  return { shard, faults, periods, lateRuns };
}

/** A monitor from its creation to the end. Some are run by hand, some rest for a while, when nothing of theirs is under way. */
function live(
  shard: SimulatedShard,
  random: Random,
  index: number,
  endMs: number,
  periods: Map<string, DuePeriod[]>,
): void {
  const interval = chooseInterval(random, index);
  const { id } = shard.create(3, index, { interval });
  const of: DuePeriod[] = [{ interval, fromMs: shard.now() + FIRST_GAP_MS, toMs: endMs + SETTLE_MS }];
  periods.set(id, of);
  const owner = { ...OWNER, account: `acct_${index}` };
  for (let acts = 0; acts < 3; acts += 1)
    shard.plan(START_MS + 30 * DAY_MS + upTo(random, YEAR_MS - 60 * DAY_MS), () => {
      const now = shard.now();
      shard.step((steps) => steps.runNow(owner.account, id));
      const seen = shard.step((steps) => steps.read(owner.account, id));
      const isBusy = seen?.lastRun?.state === 'reserved' || (seen?.monitor.nextDueMs ?? 0) <= now;
      if (index % 5 > 0 || isBusy || seen?.monitor.state !== 'active') return;
      const last = of.at(-1);
      if (last === undefined) return;
      last.toMs = now;
      shard.step((steps) => steps.change(owner, id, undefined, { state: 'paused' }));
      shard.plan(now + upTo(random, 9 * DAY_MS), () => {
        const next = chooseInterval(random, index);
        of.push({ interval: next, fromMs: shard.now(), toMs: endMs + SETTLE_MS });
        shard.step((steps) => steps.change(owner, id, undefined, { state: 'active', interval: next }));
      });
    });
}

test.each(Array.from({ length: SHARDS }, (_, index) => `year ${index}`))(
  '%s of a shard: each due run exactly once or counted as missed, each charge with a run',
  (seed) => {
    const { shard, faults, periods, lateRuns } = simulateYear(seed);
    const runs = shard.seenRuns();
    expect(judgeShard(shard, periods)).toEqual([]);
    expect(periods.size).toBe(MONITORS);
    expect(runs.length).toBeGreaterThan(MONITORS * 50);
    // Nothing of this would prove anything in a year in which nothing went wrong.
    expect(faultPoints.filter((point) => (faults.get(point) ?? 0) < 50 * PART)).toEqual([]);
    expect(runs.filter(({ missed }) => missed > 0).length).toBeGreaterThan(5 * PART);
    expect(runs.filter(({ cause }) => cause === 'manual').length).toBeGreaterThan(100 * PART);
    expect(lateRuns).toBeGreaterThan(100 * PART);
  },
);
