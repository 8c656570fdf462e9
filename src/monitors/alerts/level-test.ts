import { computeMean, sum } from '../../lib/numbers.ts';
import type { Point } from '../../visibility/trend/points.ts';
import { computeStudentTail } from './student.ts';

/** Newest points that are held against those before them: a sudden fall shows in few, a slow or a restless one in more. */
const WINDOWS = [4, 8, 16] as const;
/** Points that the newest ones are held against, at most: the last so many before them. There are at least as many as newest ones. */
const MAX_REFERENCE = 40;
/** Points that a test reads. */
export const MAX_TESTED_POINTS = MAX_REFERENCE + Math.max(...WINDOWS);
/** Points that the assumption is worth that runs differ by no more than the chance of their answers. */
const CALM_WEIGHT = 1;

/** How the newest points differ from those before. `p` counts that several windows were tried. */
export type LevelTest = {
  p: number;
  /** Difference of the mention rate, in shares. */
  difference: number;
  /** Points of the window that differs most, and those that it is held against. */
  window: number;
  reference: number;
};

/**
 * Whether the newest points are on another level than those before, over the same prompts. Each point is one case, since answers of
 * one run resemble each other and whole runs differ by themselves: its value is the mean over its prompts of what they say against
 * their own means (stratified by prompt, so that a missing answer moves nothing). Student's test, with the variance between
 * points, which is at least that of the chance of their answers. Undefined with too few points.
 * @param points of one engine and model, earliest first
 */
export function testLevel(points: readonly Point[]): LevelTest | undefined {
  const last = points.slice(-MAX_TESTED_POINTS);
  const windows = WINDOWS.filter((window) => last.length >= 2 * window);
  if (windows.length === 0) return undefined;
  const means = computePromptMeans(last);
  const values = last.map((point) => computeValue(point, means));
  const chance = computeChance(last.length, means);
  const tests = windows.map((window) => testWindow(values, window, chance));
  const [best] = tests.toSorted((a, b) => a.p - b.p);
  return best && { ...best, p: Math.min(1, best.p * tests.length) };
}

function testWindow(values: readonly number[], window: number, chance: number): LevelTest {
  const from = values.length - window;
  const [before, after] = [values.slice(Math.max(0, from - MAX_REFERENCE), from), values.slice(from)];
  const difference = computeMean(after) - computeMean(before);
  const freedom = before.length + after.length - 2 + CALM_WEIGHT;
  const spread = (sumSquares(before) + sumSquares(after) + CALM_WEIGHT * chance) / freedom;
  const error = Math.sqrt(Math.max(spread, chance) * (1 / before.length + 1 / after.length));
  return { p: computeStudentTail(difference / error, freedom), difference, window, reference: before.length };
}

/** By prompt; undefined where no point has an answer. */
type PromptMeans = readonly (number | undefined)[];

function computePromptMeans(points: readonly Point[]): PromptMeans {
  const prompts = Math.max(...points.map(({ shares }) => shares.length));
  const [totals, counts] = [new Float64Array(prompts), new Float64Array(prompts)];
  for (const { shares } of points) {
    for (const [prompt, share] of shares.entries()) {
      if (share === undefined) continue;
      totals[prompt] = (totals[prompt] ?? 0) + share;
      counts[prompt] = (counts[prompt] ?? 0) + 1;
    }
  }
  return Array.from(totals, (total, prompt) => {
    const count = counts[prompt] ?? 0;
    return count === 0 ? undefined : total / count;
  });
}

function computeValue({ shares }: Point, means: PromptMeans): number {
  let [total, count] = [0, 0];
  for (const [prompt, share] of shares.entries()) {
    const mean = means[prompt];
    if (share === undefined || mean === undefined) continue;
    total += share - mean;
    count += 1;
  }
  return count === 0 ? 0 : total / count;
}

function sumSquares(values: readonly number[]): number {
  const mean = computeMean(values);
  return sum(values.map((value) => (value - mean) ** 2));
}

/** The variance of a value where only the chance of each answer moves it; at least that of one prompt that says otherwise. */
function computeChance(points: number, means: PromptMeans): number {
  const known = means.filter((mean) => mean !== undefined);
  const byChance = (points / (points - 1)) * sum(known.map((mean) => mean * (1 - mean)));
  return Math.max(1, byChance) / Math.max(1, known.length) ** 2;
}
