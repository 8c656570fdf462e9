import { createRandomFromSeed } from '../../src/lib/seeded-random.ts';
import { type RateInterval, computeWilson } from '../../src/visibility/metrics/statistics.ts';
import { type HistoryStretch, computeHistory } from '../../src/visibility/trend/history.ts';
import type { MeasuredBrand, MeasuredRun } from '../../src/visibility/trend/measured-run.ts';
import { type Aim, atLeast, atMost } from '../aims.ts';

const HISTORIES = 2000;
const PROMPTS = 30;
const DAY_MS = 24 * 3_600_000;
/** Answers that are refused or failed. */
const MISSING = 0.04;
const MOST_FALSE_ALARMS = 0.05;
const LEAST_COVERAGE = 0.93;
/** Of losses from one run to the next. */
const LEAST_CALLED = { fall20: 0.25, fall40: 0.9 } as const;

type Market = {
  name: string;
  runs: number;
  gapDays: number;
  changePerRun: number;
  runNoise?: number;
  prompts?: number;
  engines?: number;
};

/** Change of the chance of each prompt, in shares, from run to run. `runNoise`: each run is off by up to so much as a whole. */
const markets = {
  calmPair: { name: 'two runs, no change', runs: 2, gapDays: 30, changePerRun: 0 },
  calmSix: { name: 'six runs, no change', runs: 6, gapDays: 14, changePerRun: 0 },
  calmPanel: { name: 'six runs of four engines, no change', runs: 6, gapDays: 14, changePerRun: 0, engines: 4 },
  noisyHundred: {
    name: 'three runs of 100 prompts, each off by up to 5 points',
    runs: 3,
    gapDays: 30,
    changePerRun: 0,
    runNoise: 0.05,
    prompts: 100,
  },
  calmThree: { name: 'three runs, no change', runs: 3, gapDays: 30, changePerRun: 0 },
  calmFive: { name: 'five runs, no change', runs: 5, gapDays: 30, changePerRun: 0 },
  noisyFour: { name: 'four runs, each off by up to 5 points', runs: 4, gapDays: 30, changePerRun: 0, runNoise: 0.05 },
  noisyPair: { name: 'two runs, each off by up to 15 points', runs: 2, gapDays: 30, changePerRun: 0, runNoise: 0.15 },
  noisyThree: {
    name: 'three runs, each off by up to 15 points',
    runs: 3,
    gapDays: 30,
    changePerRun: 0,
    runNoise: 0.15,
  },
  noisyFive: { name: 'five runs, each off by up to 15 points', runs: 5, gapDays: 30, changePerRun: 0, runNoise: 0.15 },
  fall20: { name: 'two runs, 20 points lost', runs: 2, gapDays: 30, changePerRun: -0.2 },
  fall40: { name: 'two runs, 40 points lost', runs: 2, gapDays: 30, changePerRun: -0.4 },
  fallThree: { name: 'three runs, 10 points lost at each', runs: 3, gapDays: 30, changePerRun: -0.1 },
  fallFive: { name: 'five runs, 5 points lost at each', runs: 5, gapDays: 30, changePerRun: -0.05 },
  slow: { name: 'six runs, 5 points lost at each', runs: 6, gapDays: 30, changePerRun: -0.05 },
} as const satisfies Readonly<Record<string, Market>>;

type ChangeFigures = {
  name: string;
  /** Histories with any change called, and with a trend of any engine called. */
  called: RateInterval | undefined;
  trend: RateInterval | undefined;
  /** Trends whose interval has the true change in it. */
  covered: RateInterval | undefined;
};

export type ChangeOverTime = { histories: number; markets: Readonly<Record<keyof typeof markets, ChangeFigures>> };

/** The same seeds every time: the figures change with the code and with nothing else. */
export function measureChangeOverTime(histories: number = HISTORIES): ChangeOverTime {
  const entries = Object.entries(markets).map(([key, market]) => [key, measureMarket(market, histories)] as const);
  return { histories, markets: Object.fromEntries(entries) as ChangeOverTime['markets'] };
}

export const changeOverTimeLines = ({ histories, markets: all }: ChangeOverTime): string[] => [
  `change over time: ${histories} simulated histories of ${PROMPTS} prompts each where nothing else is said, one answer in 25 missing`,
  ...Object.values(all).map(
    ({ name, called, trend, covered }) =>
      `  ${name}: a change is called in ${textOf(called)}${trend === undefined ? '' : `, a trend in ${textOf(trend)}, whose interval has the truth in ${textOf(covered)}`}`,
  ),
];

export const changeOverTimeAims = ({ markets: all }: ChangeOverTime): Aim[] => [
  ...(['calmPair', 'calmSix', 'calmPanel'] as const).map((key) =>
    atMost(
      `change over time, ${all[key].name}: histories with a change called`,
      all[key].called?.value ?? 1,
      MOST_FALSE_ALARMS,
      '',
    ),
  ),
  ...(['calmSix', 'calmPanel'] as const).map((key) =>
    atMost(
      `change over time, ${all[key].name}: histories with a trend called`,
      all[key].trend?.value ?? 1,
      MOST_FALSE_ALARMS,
      '',
    ),
  ),
  ...(['fall20', 'fall40'] as const).map((key) =>
    atLeast(`change over time, ${all[key].name}: changes called`, all[key].called?.value ?? 0, LEAST_CALLED[key], ''),
  ),
  atLeast(
    'change over time, intervals of trends that have the truth',
    all.calmSix.covered?.value ?? 0,
    LEAST_COVERAGE,
    '',
  ),
];

const textOf = (rate: RateInterval | undefined): string => {
  if (rate === undefined) return 'none';
  const percent = (share: number): string => (share * 100).toFixed(1);
  return `${percent(rate.value)} % (${percent(rate.low)} to ${percent(rate.high)} %)`;
};

function measureMarket(market: Market, histories: number): ChangeFigures {
  const all = Array.from({ length: histories }, (_, at) => simulateStretches(market, `${market.name} ${at}`));
  const count = (wanted: (stretch: HistoryStretch) => boolean): number =>
    all.filter((stretches) => stretches.some(wanted)).length;
  const called = count(({ changes }) => changes.some(({ verdict }) => verdict !== 'no_change_seen'));
  const calledTrends = count(({ trend }) => trend !== null && trend.verdict !== 'no_trend_seen');
  const trends = all.flat().flatMap(({ trend }) => trend ?? []);
  const truth = (market.changePerRun / market.gapDays) * 30;
  const covered = trends.filter(({ per_30_days: { low, high } }) => low <= truth && truth <= high).length;
  const isTrend = trends.length > 0;
  return {
    name: market.name,
    called: computeWilson(called, histories),
    trend: isTrend ? computeWilson(calledTrends, histories) : undefined,
    covered: isTrend ? computeWilson(covered, trends.length) : undefined,
  };
}

/** A stretch of each engine. */
function simulateStretches(
  { runs, gapDays, changePerRun, runNoise = 0, prompts = PROMPTS, engines = 1 }: Market,
  seed: string,
): readonly HistoryStretch[] {
  const random = createRandomFromSeed(seed);
  const series = Array.from({ length: engines }, (_, engine) => {
    // Between 0.3 and 0.6, so that no prompt meets an end on its way down by 25 points.
    const chances = Array.from({ length: prompts }, () => 0.3 + random() * 0.3);
    return Array.from({ length: runs }, (__, at): MeasuredRun => {
      const shift = changePerRun * at + (random() * 2 - 1) * runNoise;
      const answer = (chance: number): boolean | undefined =>
        random() < MISSING ? undefined : random() < Math.max(0, chance + shift);
      return {
        runId: `${engine} ${at}`,
        atMs: at * gapDays * DAY_MS,
        engine: { kind: 'simulated', model: 'm', name: `${engine}` },
        servedModels: ['m'],
        simulated: true,
        named: chances.map(answer),
      };
    });
  });
  const measured = Array.from({ length: runs }, (_, at): MeasuredBrand => ({
    brand: 'Acme',
    niche: 'tea',
    promptSet: { id: 'v1', sha256: '0' },
    runs: series.flatMap((one) => one[at] ?? []),
  }));
  const computed = computeHistory(measured);
  const stretches = computed.ok ? computed.history.engines.flatMap((one) => one.stretches) : [];
  if (stretches.length !== engines) throw new Error('runs of one model are one stretch');
  return stretches;
}
