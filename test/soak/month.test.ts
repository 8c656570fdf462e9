import { expect, test } from 'vitest';
import { brokenPromises } from '../notifications/channels/simulated-judge.ts';
import { DAY_MS, HOUR_MS, type Month, simulateMonth, START_MS } from '../notifications/channels/simulated-month.ts';

const MINUTE_MS = 60_000;
const SEEDS = 10;
const WATCHES = ['C1', 'C2', 'C3', 'C4'].map((customer) => ({ target: { customer } }));

test.each([2, 6, 48].flatMap((hours) => [-5, 0, 5].map((skewMinutes) => ({ hours, skewMinutes }))))(
  'months of many seeds: channels of $hours h, clocks $skewMinutes min apart',
  async ({ hours, skewMinutes }) => {
    const broken: Record<number, readonly string[]> = {};
    for (let seed = 100; seed < 100 + SEEDS; seed += 1) {
      const fromMs = START_MS + 5 * DAY_MS + seed * 71 * MINUTE_MS;
      const month: Month = {
        capMs: hours * HOUR_MS,
        skewMs: skewMinutes * MINUTE_MS,
        seed,
        outages: [{ fromMs, toMs: fromMs + 2 * HOUR_MS }],
        refusals: [{ fromMs: fromMs + 3 * DAY_MS, toMs: fromMs + 3 * DAY_MS + 4 * MINUTE_MS }],
        days: 30,
        watches: WATCHES,
        hasAlarm: true,
        cronMs: 10 * MINUTE_MS,
      };
      const found = brokenPromises(month, await simulateMonth(month));
      if (found.length > 0) broken[seed] = found;
    }
    expect(broken).toEqual({});
  },
);
