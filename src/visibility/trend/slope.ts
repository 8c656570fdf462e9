import { sum } from '../../lib/numbers.ts';
import { computeStudentPoint, SIGNIFICANCE } from '../metrics/statistics.ts';
import { computeHolmAdjusted } from '../panel/paired-tests.ts';
import { computeTwoSidedP } from './pairs.ts';
import type { Point } from './points.ts';

/** Points in time that a trend needs. */
export const MIN_TREND_POINTS = 3;
/** Points that the assumption of no more scatter than chance is worth. */
const CALM_WEIGHT = 4;
const PERIOD_MS = 30 * 24 * 3_600_000;

/** `no_trend_seen` does not mean that nothing changes. */
export type TrendVerdict = 'rising' | 'falling' | 'no_trend_seen';

/** The change of the mention rate in 30 days, in shares (0.1 is 10 points), with its 95 % interval. */
export type FittedTrend = {
  per_30_days: { value: number; low: number; high: number };
  points: number;
  /** Prompts with answers at two or more points. */
  prompts: number;
  /** How much more the points differ from the line than answers do by chance; at least 1. The interval is wider by its root. */
  overdispersion: number;
  p_value: number;
};

/** The trend with what is said of it once all of an answer are known: `p_holm` is the p value after Holm's correction. */
export type Trend = FittedTrend & { p_holm: number; verdict: TrendVerdict };

/**
 * The trend over three or more points: least squares of the share per prompt on time, each prompt against its own mean, so
 * that prompts are paired with themselves. The interval is robust to what answers of one prompt have in common (one cluster
 * a prompt, Student's 97.5 % point), has two made-up prompts that are those of `pairs.ts` where there are two points, and grows where points scatter about the
 * line more than answers do by chance. Undefined with fewer points or prompts, or where all points are at one time.
 */
export function computeTrend(points: readonly Point[]): FittedTrend | undefined {
  if (points.length < MIN_TREND_POINTS) return undefined;
  const times = points.map(({ atMs }) => atMs / PERIOD_MS);
  const prompts = points[0]?.shares.map((_, at) => measurePrompt(points, times, at)).filter(isUsable) ?? [];
  const below = sum(prompts.map(({ below: part }) => part));
  if (prompts.length < 2 || below <= 0) return undefined;
  const value = sum(prompts.map(({ above }) => above)) / below;
  const mean = below / prompts.length;
  const flip = Math.sqrt(mean / 2);
  const padded = [...prompts, { above: flip, below: mean }, { above: -flip, below: mean }];
  const whole = sum(padded.map(({ below: part }) => part));
  const centre = sum(padded.map(({ above }) => above)) / whole;
  const residuals = sum(padded.map(({ above, below: part }) => (above - centre * part) ** 2));
  const n = padded.length;
  const overdispersion = computeOverdispersion(points, times, value);
  const error = Math.sqrt((residuals * n * overdispersion) / (n - 1)) / whole;
  const half = computeStudentPoint(n - 1) * error;
  const [low, high] = [Math.min(value, centre - half), Math.max(value, centre + half)];
  return {
    per_30_days: { value, low, high },
    points: points.length,
    prompts: prompts.length,
    overdispersion,
    p_value: error === 0 ? 1 : computeTwoSidedP(centre / error, n - 1),
  };
}

/** What each trend says after Holm's correction over all of an answer, and only where its own interval leaves out 0. */
export function judgeTrends(trends: readonly FittedTrend[]): readonly Trend[] {
  const adjusted = computeHolmAdjusted(trends.map((one) => one.p_value));
  return trends.map((one, at) => {
    const p_holm = adjusted[at] ?? 1;
    return { ...one, p_holm, verdict: p_holm < SIGNIFICANCE ? describeSlope(one.per_30_days) : 'no_trend_seen' };
  });
}

const describeSlope = ({ low, high }: FittedTrend['per_30_days']): TrendVerdict =>
  low > 0 ? 'rising' : high < 0 ? 'falling' : 'no_trend_seen';

type Fitted = { above: number; below: number };

const isUsable = ({ below }: Fitted): boolean => below > 0;

/** A prompt's part of numerator and denominator of the slope. */
function measurePrompt(points: readonly Point[], times: readonly number[], prompt: number): Fitted {
  const seen = points.flatMap(({ shares }, at) => {
    const [share, time] = [shares[prompt], times[at]];
    return share === undefined || time === undefined ? [] : [{ share, time }];
  });
  if (seen.length < 2) return { above: 0, below: 0 };
  const mean = sum(seen.map(({ time }) => time)) / seen.length;
  return {
    above: sum(seen.map(({ share, time }) => (time - mean) * share)),
    below: sum(seen.map(({ time }) => (time - mean) ** 2)),
  };
}

/**
 * Squares about the line of the mean rates, over what the chance of each answer makes of them; at least 1. A few points say
 * little about it, so they are weighed with the value of 1.
 */
function computeOverdispersion(points: readonly Point[], times: readonly number[], slope: number): number {
  const known = points.flatMap(({ shares, runs }, at) => {
    const there = shares.filter((share) => share !== undefined);
    return there.length === 0
      ? []
      : [{ rate: sum(there) / there.length, time: times[at] ?? 0, n: there.length * runs }];
  });
  const freedom = known.length - 2;
  if (freedom < 1) return 1;
  const mean = sum(known.map(({ rate }) => rate)) / known.length;
  const meanTime = sum(known.map(({ time }) => time)) / known.length;
  const chance = computeChance(points);
  if (chance === 0) return 1;
  const squares = sum(known.map(({ rate, time, n }) => n * (rate - mean - slope * (time - meanTime)) ** 2));
  return Math.max(1, (squares / chance + CALM_WEIGHT) / (freedom + CALM_WEIGHT));
}

/** The variance of one answer about its prompt's own share, over all prompts. */
function computeChance(points: readonly Point[]): number {
  const variances = (points[0]?.shares ?? []).flatMap((_, prompt) => {
    const shares = points.flatMap(({ shares: all }) => all[prompt] ?? []);
    if (shares.length < 2) return [];
    const mean = sum(shares) / shares.length;
    return [(mean * (1 - mean) * shares.length) / (shares.length - 1)];
  });
  return variances.length === 0 ? 0 : sum(variances) / variances.length;
}
