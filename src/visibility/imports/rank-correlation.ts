import { createRandomFromSeed } from '../../lib/seeded-random.ts';
import { sum } from '../../lib/numbers.ts';

/** Up to so many pairs every order is tried (40,320 of them); above, random ones are. */
const MAX_EXACT = 8;
/** Random orders of a permutation test. */
export const PERMUTATIONS = 2_000;
/** Equal up to rounding. */
const EPSILON = 1e-9;

/** Spearman's rank correlation, -1 to 1, and how often chance alone gives one as far from 0. */
export type RankCorrelation = { value: number; p: number; p_by: 'every_order' | 'random_orders'; n: number };

/**
 * Spearman's rho with ties (Pearson's correlation of average ranks), and its two-sided p by permutation of one side.
 * Undefined where all values of a side are equal.
 * @see https://doi.org/10.2307/1412159
 */
export function computeRankCorrelation(
  pairs: readonly (readonly [number, number])[],
  seed: string,
): RankCorrelation | undefined {
  const left = computeDeviations(rankValues(pairs.map(([one]) => one)));
  const right = computeDeviations(rankValues(pairs.map(([, other]) => other)));
  const spread = Math.sqrt(sum(left.map((one) => one * one)) * sum(right.map((one) => one * one)));
  if (spread < EPSILON) return undefined;
  const computeCorrelation = (order: readonly number[]): number =>
    sum(left.map((one, at) => one * (order[at] ?? 0))) / spread;
  const value = computeCorrelation(right);
  const isAsFar = (order: readonly number[]): boolean =>
    Math.abs(computeCorrelation(order)) >= Math.abs(value) - EPSILON;
  const n = pairs.length;
  if (n <= MAX_EXACT) {
    const [far, all] = countOrders(right, isAsFar);
    return { value, p: far / all, p_by: 'every_order', n };
  }
  const random = createRandomFromSeed(seed);
  let far = 0;
  for (let turn = 0; turn < PERMUTATIONS; turn += 1) if (isAsFar(shuffleValues(right, random))) far += 1;
  return { value, p: (far + 1) / (PERMUTATIONS + 1), p_by: 'random_orders', n };
}

/** Ranks from 1, the average of them for equal values. */
function rankValues(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((one, other) => one - other);
  const ranks = new Map<number, number>();
  for (let at = 0; at < sorted.length;) {
    const value = sorted[at] ?? 0;
    const end = sorted.lastIndexOf(value);
    ranks.set(value, (at + end) / 2 + 1);
    at = end + 1;
  }
  return values.map((value) => ranks.get(value) ?? 0);
}

function computeDeviations(values: readonly number[]): readonly number[] {
  const mean = sum(values) / values.length;
  return values.map((value) => value - mean);
}

/** Goes through every order of the values (Heap's algorithm): how many of them are as wanted, and how many there are. */
function countOrders(
  values: readonly number[],
  isWanted: (order: readonly number[]) => boolean,
): readonly [number, number] {
  const order = [...values];
  const turns = order.map(() => 0);
  let [wanted, all] = [Number(isWanted(order)), 1];
  for (let at = 0; at < order.length;) {
    const turn = turns[at] ?? 0;
    if (turn >= at) {
      turns[at] = 0;
      at += 1;
      continue;
    }
    switchPlaces(order, at % 2 === 0 ? 0 : turn, at);
    wanted += Number(isWanted(order));
    all += 1;
    turns[at] = turn + 1;
    at = 0;
  }
  return [wanted, all];
}

function shuffleValues(values: readonly number[], random: () => number): readonly number[] {
  const order = [...values];
  for (let at = order.length - 1; at > 0; at -= 1) switchPlaces(order, at, Math.floor(random() * (at + 1)));
  return order;
}

function switchPlaces(order: number[], one: number, other: number): void {
  const kept = order[one] ?? 0;
  order[one] = order[other] ?? 0;
  order[other] = kept;
}
