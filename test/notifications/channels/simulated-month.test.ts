import { describe, expect, test } from 'vitest';
import { brokenPromises } from './simulated-judge.ts';
import { DAY_MS, HOUR_MS, type Month, simulateMonth, START_MS } from './simulated-month.ts';
import { ODDITIES } from './simulated-vendor.ts';
import { sampleRows } from '../../support/runner/budget.ts';

const MINUTE_MS = 60_000;
const WATCHES = [
  { target: { customer: 'C1' } },
  { target: { customer: 'C1', domain: 'side.example' }, event: 'delete' },
  { target: { customer: 'C2' } },
] as const;

/** One outage of two hours, at another time of the month with each seed. */
const month = (capMs: number, skewMs: number, seed: number): Month => {
  const fromMs = START_MS + 9 * DAY_MS + seed * 47 * MINUTE_MS;
  const outages = [{ fromMs, toMs: fromMs + 2 * HOUR_MS }];
  const refusals = Array.from({ length: 10 }, (_, index) => {
    const startMs = START_MS + (index * 3 + 1) * DAY_MS + seed * 31 * MINUTE_MS;
    return { fromMs: startMs, toMs: startMs + 4 * MINUTE_MS };
  });
  return { capMs, skewMs, seed, outages, refusals, days: 30, watches: WATCHES, hasAlarm: true, cronMs: 30 * MINUTE_MS };
};

/** What went wrong in all of the months. */
const seen = new Set<string>();

/** A month takes seconds of its own; a busy machine takes longer. */
const TIMEOUT_MS = 180_000;

describe('a month of 5 % errors, 10 % lost answers, odd grants, refusals, crashes and an outage of two hours', () => {
  test.each(
    sampleRows(
      [
        { ttl: '2 h', capMs: 2 * HOUR_MS, skewMs: 5 * MINUTE_MS, seed: 1, gaps: 3 },
        { ttl: '2 h', capMs: 2 * HOUR_MS, askedMs: 2 * HOUR_MS, skewMs: -5 * MINUTE_MS, seed: 2, gaps: 3 },
        { ttl: '6 h', capMs: 6 * HOUR_MS, skewMs: -5 * MINUTE_MS, seed: 14, gaps: 1 },
        { ttl: '6 h', capMs: 6 * HOUR_MS, skewMs: 5 * MINUTE_MS, seed: 3, gaps: 0 },
        { ttl: '2 d', capMs: 48 * HOUR_MS, skewMs: 5 * MINUTE_MS, seed: 5, gaps: 0 },
        { ttl: '2 d', capMs: 48 * HOUR_MS, skewMs: -5 * MINUTE_MS, seed: 6, gaps: 0 },
      ],
      2,
    ),
  )(
    'channels of $ttl, clocks $skewMs ms apart: no second uncovered that could have been covered',
    async (row) => {
      const { askedMs } = { askedMs: 48 * HOUR_MS, ...row };
      const wanted = { ...month(row.capMs, row.skewMs, row.seed), askedMs };
      const report = await simulateMonth(wanted);
      expect(brokenPromises(wanted, report)).toEqual([]);
      expect(report.gaps).toHaveLength(row.gaps);
      for (const oddity of ODDITIES) if (report.calls[oddity] > 0) seen.add(oddity);
    },
    TIMEOUT_MS,
  );

  test('the vendor did all of what it may do wrong', () => {
    expect([...seen].toSorted()).toEqual([...ODDITIES].toSorted());
  });
});

test('the cron alone keeps channels open when no alarm ever comes', async () => {
  const wanted = { ...month(2 * HOUR_MS, 0, 7), outages: [], days: 3, hasAlarm: false, cronMs: MINUTE_MS };
  expect(brokenPromises(wanted, await simulateMonth(wanted))).toEqual([]);
});

test('the simulation sees what lapses: with neither alarm nor cron every watch does', async () => {
  const wanted = { ...month(2 * HOUR_MS, 0, 9), outages: [], days: 1, hasAlarm: false, cronMs: 30 * DAY_MS };
  const report = await simulateMonth(wanted);
  expect(report.gaps).toHaveLength(3);
  expect(brokenPromises(wanted, report)).toContainEqual(expect.stringContaining('no resync after'));
});
