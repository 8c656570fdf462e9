import { computeMean, sum } from '../../lib/numbers.ts';
import { bootstrapRatio, computeWilson, type RateInterval } from '../metrics/statistics.ts';

/** One figure of one engine over the prompts it answered, by prompt index: numerator and denominator, each 0 or more. */
export type Stratum = ReadonlyMap<number, readonly [numerator: number, denominator: number]>;

/**
 * What the correlation of two engines rests on before either has said anything: that they agree, with the weight of half an
 * answer. Where names are rare, the few answers that differ say little of how far engines go together; engines that all say
 * nothing of a brand agree. Chosen with the simulations of `bench/visibility/pooled.ts`.
 */
const PRIOR_AGREEMENT = 0.5;

/** What one engine says: its own figure, and by how much each prompt is above or below it. */
type Part = { rate: RateInterval; residuals: ReadonlyMap<number, number> };

/**
 * The mean of the engines' rates, each engine with the same weight however many of its prompts have an answer, so that one
 * with fewer answers does not count less. The 95 % interval adds up those of the engines (MOVER), with the correlation of
 * their answers to the same prompts: two engines that agree on every prompt are worth hardly more than one. Undefined
 * without an answer of any engine. `n` is the number of answers.
 * @param strata for each engine 0 or 1 of 1 by prompt
 * @see https://doi.org/10.1002/sim.2998 (Zou and Donner, 2008)
 */
export const computePooledRate = (strata: readonly Stratum[]): RateInterval | undefined =>
  mergeParts(
    strata.flatMap((stratum) => {
      const rate = computeWilson(sum([...stratum.values()].map(([above]) => above)), stratum.size);
      return rate === undefined ? [] : [{ rate, residuals: computeResiduals(stratum, rate.value) }];
    }),
  );

/**
 * The same for ratios of sums (shares of voice): the interval of each engine is a bootstrap over prompts. Engines whose
 * denominators add up to 0 say nothing.
 */
export const computePooledRatio = (strata: readonly Stratum[], seed: string): RateInterval | undefined =>
  mergeParts(
    strata.flatMap((stratum, at) => {
      const rate = bootstrapRatio([...stratum.values()], `${seed} ${at}`);
      return rate === undefined ? [] : [{ rate, residuals: computeResiduals(stratum, rate.value) }];
    }),
  );

const computeResiduals = (stratum: Stratum, value: number): ReadonlyMap<number, number> =>
  new Map(Array.from(stratum, ([index, [above, below]]) => [index, above - value * below]));

function mergeParts(parts: readonly Part[]): RateInterval | undefined {
  if (parts.length === 0) return undefined;
  const value = computeMean(parts.map(({ rate }) => rate.value));
  const below = parts.map(({ rate }) => rate.value - rate.low);
  const above = parts.map(({ rate }) => rate.high - rate.value);
  const correlations = parts.map((one) => parts.map((other) => (one === other ? 1 : computeCorrelation(one, other))));
  const widen = (distances: readonly number[]): number =>
    Math.sqrt(sumProducts(distances, correlations)) / parts.length;
  return {
    value,
    low: Math.max(0, value - widen(below)),
    high: Math.min(1, value + widen(above)),
    n: sum(parts.map(({ rate }) => rate.n)),
  };
}

/**
 * How far two engines go together on the prompts that both answered, 0 to 1. A correlation below 0 is taken as chance: it
 * would make the interval narrower than that of engines which know nothing of each other.
 */
function computeCorrelation(one: Part, other: Part): number {
  let [products, ones, others] = [0, 0, 0];
  for (const [index, residual] of one.residuals) {
    const same = other.residuals.get(index);
    if (same === undefined) continue;
    products += residual * same;
    ones += residual ** 2;
    others += same ** 2;
  }
  return (Math.max(0, products) + PRIOR_AGREEMENT) / Math.sqrt((ones + PRIOR_AGREEMENT) * (others + PRIOR_AGREEMENT));
}

const sumProducts = (values: readonly number[], matrix: readonly (readonly number[])[]): number =>
  sum(values.map((one, row) => sum(values.map((other, column) => one * other * (matrix[row]?.[column] ?? 0)))));
