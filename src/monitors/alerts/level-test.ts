import { computeMean, sum } from '../../lib/numbers.ts';
import type { Point } from '../../visibility/trend/points.ts';
import { computeStudentTail } from './student.ts';

/** Newest points that are held against those before them: a sudden fall shows in few, a slow or a restless one in more. */
export const WINDOWS = [4, 8, 16] as const;
/** Points that the newest ones are held against: at least so many, and at most the last so many. */
const MIN_REFERENCE = 4;
export const MAX_REFERENCE = 48;
/** Points that the assumption is worth that runs differ by no more than the chance of their answers. */
const CALM_WEIGHT = 4;

/** How the newest points differ from those before. `p` counts that several windows were tried. */
export type LevelTest = {
  p: number;
  /** Difference of the mention rate, in shares. */
  difference: number;
  /** Points of the window that differs most. */
  window: number;
  reference: number;
};

/**
 * Whether the newest points are on another level than those before, over the same prompts. Each point is one case, since answers of
 * one run resemble each other and whole runs differ by themselves: its case is the mean over its prompts of what they say against
 * their own means (stratified by prompt). The variance is that between points, at least that of the chance of their answers.
 * Undefined with too few points.
 * @param points of one engine and model, earliest first
 */
export function testLevel(points: readonly Point[]): LevelTest | undefined {
  const tests = WINDOWS.flatMap((window) => {
    const from = points.length - window;
    if (from < MIN_REFERENCE) return [];
    return [testWindow(points.slice(Math.max(0, from - MAX_REFERENCE), from), points.slice(from))];
  });
  const [best] = tests.toSorted((a, b) => a.p - b.p);
  return best && { ...best, p: Math.min(1, best.p * tests.length) };
}

function testWindow(before: readonly Point[], after: readonly Point[]): LevelTest {
  const all = [...before, ...after];
  const means = computePromptMeans(all);
  const cases = (points: readonly Point[]): readonly number[] => points.map((point) => computeCase(point, means));
  const [old, now] = [cases(before), cases(after)];
  const difference = computeMean(now) - computeMean(old);
  const freedom = all.length - 2 + CALM_WEIGHT;
  const chance = computeChance(all, means);
  const spread = (computeSquares(old) + computeSquares(now) + CALM_WEIGHT * chance) / freedom;
  const error = Math.sqrt(Math.max(spread, chance) * (1 / old.length + 1 / now.length));
  return {
    p: computeStudentTail(difference / error, freedom),
    difference,
    window: after.length,
    reference: before.length,
  };
}

type PromptMeans = readonly (number | undefined)[];

function computePromptMeans(points: readonly Point[]): PromptMeans {
  const prompts = Math.max(...points.map(({ shares }) => shares.length));
  return Array.from({ length: prompts }, (_, prompt) => {
    const shares = points.flatMap((point) => point.shares[prompt] ?? []);
    return shares.length === 0 ? undefined : computeMean(shares);
  });
}

function computeCase({ shares }: Point, means: PromptMeans): number {
  const apart = shares.flatMap((share, prompt) => {
    const mean = means[prompt];
    return share === undefined || mean === undefined ? [] : [share - mean];
  });
  return apart.length === 0 ? 0 : computeMean(apart);
}

const computeSquares = (values: readonly number[]): number => {
  const mean = computeMean(values);
  return sum(values.map((value) => (value - mean) ** 2));
};

/** The variance of a case where only the chance of each answer moves it; at least that of one prompt that says otherwise. */
function computeChance(points: readonly Point[], means: PromptMeans): number {
  const known = means.filter((mean) => mean !== undefined);
  const prompts = Math.max(1, known.length);
  const stretch = points.length / (points.length - 1);
  return Math.max(1, stretch * sum(known.map((mean) => mean * (1 - mean)))) / prompts ** 2;
}
