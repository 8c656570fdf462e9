import { sum } from '../../lib/numbers.ts';
import {
  computeMidPMcNemar,
  computeNormalTail,
  computeStudentPoint,
  computeWilson,
  type RateInterval,
  SIGNIFICANCE,
  Z_95,
} from '../metrics/statistics.ts';
import { computeHolmAdjusted } from '../panel/paired-tests.ts';
import type { Point } from './points.ts';

/** A difference of two shares, -1 to 1, with its 95 % interval. */
export type DifferenceInterval = { value: number; low: number; high: number };

export type ChangeVerdict = 'rose' | 'fell' | 'no_change_seen';

/** Two points in time on the same prompts. Rates are over the prompts that both have answers to. */
export type PairedChange = {
  before: RateInterval;
  after: RateInterval;
  difference: DifferenceInterval;
  /** Prompts that both have a real answer to, and prompts that one of the two lacks one for. */
  prompts: number;
  left_out: number;
  /** Prompts whose answers name the brand more often after, and less often. */
  more: number;
  less: number;
  p_value: number;
};

/** The pair with what is said of it once all comparisons are known: `p_holm` is the p value after Holm's correction. */
export type JudgedChange = PairedChange & { p_holm: number; verdict: ChangeVerdict };

/**
 * Two points on the same prompts: the mid-p value of McNemar's test where both are one run, Student's test of the
 * differences per prompt where one of them pools repeats. Prompts without an answer in one of them are left out.
 * Undefined when no prompt is left.
 */
export function comparePoints(from: Point, to: Point): PairedChange | undefined {
  const both = from.shares.flatMap((before, at) => {
    const after = to.shares[at];
    return before === undefined || after === undefined ? [] : [{ before, after }];
  });
  const n = both.length;
  const [before, after] = [
    computeRate(
      both.map((one) => one.before),
      from.betweenRuns,
    ),
    computeRate(
      both.map((one) => one.after),
      to.betweenRuns,
    ),
  ];
  if (before === undefined || after === undefined) return undefined;
  const more = both.filter((one) => one.after > one.before).length;
  const less = both.filter((one) => one.after < one.before).length;
  const isPlain = from.runs === 1 && to.runs === 1;
  const differences = both.map((one) => one.after - one.before);
  const tested = judgeDifferences(differences, from.betweenRuns + to.betweenRuns);
  return {
    before,
    after,
    difference: tested.difference,
    prompts: n,
    left_out: from.shares.length - n,
    more,
    less,
    p_value: isPlain ? computeMidPMcNemar(more, less) : tested.p,
  };
}

/**
 * The mean of the differences per prompt, and its interval after Bonett and Price: two made-up prompts, one that
 * rises and one that falls, keep the interval of runs that hardly differ from being too narrow.
 * @param extra variance between runs that prompts do not show
 * @see https://doi.org/10.3102/1076998611411915
 */
function judgeDifferences(
  differences: readonly number[],
  extra: number,
): { difference: DifferenceInterval; p: number } {
  const value = sum(differences) / differences.length;
  const padded = [...differences, 1, -1];
  const n = padded.length;
  const centre = sum(padded) / n;
  const spread = sum(padded.map((one) => (one - centre) ** 2)) / n;
  const half = Z_95 * Math.sqrt(spread / n + extra);
  const low = Math.max(-1, Math.min(value, centre - half));
  const high = Math.min(1, Math.max(value, centre + half));
  const error = Math.sqrt(spread / n + extra);
  return { difference: { value, low, high }, p: computeTwoSidedP(centre / error, n - 1) };
}

/** Two-sided p value of Student's t, by Wallace's transformation to the normal distribution: right to 0.002 from 5 degrees on. */
export function computeTwoSidedP(t: number, freedom: number): number {
  const stretch = (8 * freedom + 1) / (8 * freedom + 3);
  return Math.min(1, 2 * computeNormalTail(stretch * Math.sqrt(freedom * Math.log1p((t * t) / freedom))));
}

/**
 * The mean of shares per prompt, with Wilson's interval over as many answers as the spread of the prompts and of the
 * runs leaves: repeats of one prompt are no new prompts. Undefined without prompts.
 * @param betweenRuns variance of the mean that comes from runs
 */
export function computeRate(shares: readonly number[], betweenRuns: number): RateInterval | undefined {
  const prompts = shares.length;
  if (prompts === 0) return undefined;
  const value = sum(shares) / prompts;
  const isSingle = shares.every((one) => one === 0 || one === 1) && betweenRuns === 0;
  if (isSingle || prompts === 1) return computeWilson(Math.round(value * prompts), prompts);
  const spread = sum(shares.map((one) => (one - value) ** 2)) / (prompts - 1) / prompts + betweenRuns;
  const effective = spread === 0 ? prompts : Math.max(1, (value * (1 - value)) / spread);
  return { ...computeScore(value, effective), n: Math.round(effective * 10) / 10 };
}

/** Wilson's interval of a share of `n` answers, which need not be a whole number. */
function computeScore(value: number, n: number): { value: number; low: number; high: number } {
  const point = n > 2 ? Math.min(Z_95 * 2, computeStudentPoint(n)) : Z_95 * 2;
  const stretch = 1 + point ** 2 / n;
  const centre = (value + point ** 2 / (2 * n)) / stretch;
  const half = (point / stretch) * Math.sqrt((value * (1 - value)) / n + point ** 2 / (4 * n * n));
  return { value, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * What each comparison says after Holm's correction over all of an answer, so that many of them do not make one by chance. The
 * interval that is shown with it must leave out 0 as well: where one test sees a change and the other none, none is called.
 */
export function judgeChanges(pairs: readonly PairedChange[]): readonly JudgedChange[] {
  const adjusted = computeHolmAdjusted(pairs.map((pair) => pair.p_value));
  return pairs.map((pair, at) => {
    const p = adjusted[at] ?? 1;
    return {
      ...pair,
      p_holm: p,
      verdict: p < SIGNIFICANCE ? describeDirection(pair.difference) : 'no_change_seen',
    };
  });
}

const describeDirection = ({ low, high }: DifferenceInterval): ChangeVerdict =>
  low > 0 ? 'rose' : high < 0 ? 'fell' : 'no_change_seen';
