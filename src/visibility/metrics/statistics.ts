import { sum } from '../../lib/numbers.ts';
import { createRandomFromSeed } from '../../lib/seeded-random.ts';

/** A share of `n` answers, 0 to 1, with its 95 % interval. */
export type RateInterval = { value: number; low: number; high: number; n: number };

/** Two-sided 95 % of the normal distribution. */
export const Z_95 = 1.959964;
/** A difference is called when the paired test's p is below this. */
export const SIGNIFICANCE = 0.05;
/** Resamples of a bootstrap interval: from seed to seed its ends then vary by some 2 % of its width (standard deviation). */
export const RESAMPLES = 2000;
/** How often a visible difference would be called, at least. */
export const POWER = 0.8;
/** Most answers that the exact sums are made for: beyond, the smallest probabilities become 0. */
export const MAX_TRIALS = 1000;

/**
 * The share `successes / n` with Wilson's score interval, not rounded; undefined when there is nothing to count. The low
 * end of 0/n is exactly 0, the high end of n/n exactly 1.
 * @throws RangeError when the counts cannot be counts.
 * @see https://doi.org/10.1080/01621459.1927.10502953
 */
export function computeWilson(successes: number, n: number, z: number = Z_95): RateInterval | undefined {
  requireCounts(successes, n - successes);
  if (n === 0) return undefined;
  const value = successes / n;
  const { low, high } = computeScoreInterval(value, n, z);
  return { value, low: successes === 0 ? 0 : low, high: successes === n ? 1 : high, n };
}

/** Whether two intervals have a value in common: then the difference between the rates may be chance. */
export const isOverlapping = (one: RateInterval, other: RateInterval): boolean =>
  one.low <= other.high && other.low <= one.high;

/**
 * The ratio of two sums, with the 95 % expanded percentile interval of a bootstrap over prompts: what one answer names
 * depends on the rest of that answer, so whole prompts are drawn again, not names. Expanded, because the plain percentiles
 * of 30 prompts are too narrow: they cover 91 to 94 % (https://doi.org/10.1080/00031305.2015.1089789, section 4.5.1). `pairs` holds numerator (0 to denominator) and
 * denominator of each prompt, `n` is their number. Undefined when the denominators add up to 0.
 *
 * Where the sample says 0 or 1 throughout, every resample does, and the bootstrap would claim certainty. The open end is
 * then Wilson's, over the prompts that have a denominator: how many prompts of another kind can have been missed. For the same
 * reason the interval is Wilson's around the ratio, with that many prompts, where every prompt has the same ratio.
 */
export function bootstrapRatio(
  pairs: readonly (readonly [numerator: number, denominator: number])[],
  seed: string,
  resamples: number = RESAMPLES,
): RateInterval | undefined {
  const [above, below] = sumPairs(pairs);
  if (below === 0) return undefined;
  const n = pairs.length;
  const value = above / below;
  const counted = pairs.filter(([, denominator]) => denominator > 0).length;
  if (above === 0) return { value, low: 0, high: computeWilson(0, counted)?.high ?? 1, n };
  if (above === below) return { value, low: computeWilson(counted, counted)?.low ?? 0, high: 1, n };
  const ratios = resampleRatios(pairs, seed, resamples);
  const cut = Math.floor(ratios.length * computeExpandedTail(n));
  const low = Math.min(value, ratios[cut] ?? value);
  const high = Math.max(value, ratios[ratios.length - 1 - cut] ?? value);
  // Resamples of equal ratios differ by rounding at most.
  return high - low > NO_WIDTH ? { value, low, high, n } : { value, ...computeScoreInterval(value, counted, Z_95), n };
}

/**
 * The two-sided mid-p value of McNemar's test: how surprising `b` against `c` is among answers that named only one of
 * two brands, if both were equally likely. Half of the probability of the outcome itself counts. 1 when b equals c.
 * @throws RangeError when the counts cannot be counts, or are more than MAX_TRIALS.
 * @see https://doi.org/10.1186/1471-2288-13-91
 */
export function computeMidPMcNemar(b: number, c: number): number {
  requireCounts(b, c);
  const n = b + c;
  requireSummable(n);
  const fewer = Math.min(b, c);
  let term = 2 ** -n;
  let under = 0;
  for (let k = 0; k < fewer; k += 1) {
    under += term;
    term *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * under + term);
}

/**
 * The smallest true difference between the mention rates of two brands (0 to 1, in steps of 0.001) that n answers
 * would have called with a probability of at least 80 %.
 *
 * Each answer is taken to name only one of the two with probability d, and then the stronger one with (d + difference) /
 * 2d. d is the discordance that was seen, or the difference itself where that is larger, as two rates cannot differ by
 * more than they disagree. Called: the mid-p value is below 0.05 and the stronger brand leads. The probability is the
 * exact sum over the binomial numbers of disagreements and of leads among them. The more the brands disagree, the larger
 * a difference must be: of 30 answers about 0.21 when they hardly do, 0.37 for two brands that know nothing of each other,
 * 0.5 when every answer names only one of them. Undefined when no difference can be seen (n < 5).
 * @param discordance share of answers that named only one of the two, 0 to 1.
 * @throws RangeError when n is no count, or longer than MAX_TRIALS.
 */
export function findSmallestVisibleDifference(n: number, discordance: number): number | undefined {
  requireCounts(n);
  requireSummable(n);
  const leads = computeNeededLeads(n);
  const isVisible = (step: number): boolean => computeCallProbability(leads, step / STEPS, discordance) >= POWER;
  if (!isVisible(STEPS)) return undefined;
  // The probability grows with the difference: halve the steps between one that is not visible and one that is.
  let hidden = 0;
  let visible = STEPS;
  while (visible - hidden > 1) {
    const middle = Math.floor((hidden + visible) / 2);
    if (isVisible(middle)) visible = middle;
    else hidden = middle;
  }
  return visible / STEPS;
}

/** A number as it goes on the wire: four decimals. */
export const roundDecimals = (value: number): number => Math.round(value * 10_000) / 10_000;

/** A rate as it goes on the wire: four decimals. */
export const roundRate = ({ value, low, high, n }: RateInterval): RateInterval => ({
  value: roundDecimals(value),
  low: roundDecimals(low),
  high: roundDecimals(high),
  n,
});

/**
 * The share of resamples beyond each end: of the normal distribution, what lies beyond Student's 97.5 % point stretched
 * by sqrt(n / (n - 1)). 0.0188 for 30 prompts, towards 0.025 for many.
 */
function computeExpandedTail(n: number): number {
  return n < 3 ? 0 : computeNormalTail(computeStudentPoint(n - 1) * Math.sqrt(n / (n - 1)));
}

/**
 * Student's 97.5 % point: the first terms of the Cornish-Fisher expansion, right to three digits from 7 degrees of freedom on.
 * @param freedom degrees of freedom, at least 2
 */
export function computeStudentPoint(freedom: number): number {
  const z = Z_95;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

/** The probability that a standard normal variable exceeds z (>= 0), to 1e-7: Abramowitz and Stegun, 26.2.17. */
export function computeNormalTail(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * z);
  const series = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
  const polynomial = series.reduceRight((rest, factor) => (rest + factor) * t, 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

/** Narrower than any rounding on the wire. */
const NO_WIDTH = 1e-9;

/** Differences are compared in thousandths. */
const STEPS = 1000;

/**
 * Times that a resample without any denominator is drawn again. With one prompt of many that has one, every third
 * resample misses it: fifty misses in a row do not happen.
 */
const MAX_REDRAWS = 50;

function requireCounts(...counts: readonly number[]): void {
  if (counts.some((count) => !Number.isSafeInteger(count) || count < 0))
    throw new RangeError(`no counts: ${counts.join(', ')}`);
}

function requireSummable(n: number): void {
  if (n > MAX_TRIALS) throw new RangeError(`more than ${MAX_TRIALS} answers: ${n}`);
}

/** Wilson's interval around a share of n, which need not be one of whole counts. */
function computeScoreInterval(value: number, n: number, z: number): { low: number; high: number } {
  const stretch = 1 + (z * z) / n;
  const centre = (value + (z * z) / (2 * n)) / stretch;
  const half = (z / stretch) * Math.sqrt((value * (1 - value)) / n + (z * z) / (4 * n * n));
  return { low: centre - half, high: centre + half };
}

type Pairs = readonly (readonly [number, number])[];

const sumPairs = (pairs: Pairs): readonly [number, number] =>
  pairs.reduce(([above, below], [numerator, denominator]) => [above + numerator, below + denominator], [0, 0]);

/** Ascending. */
function resampleRatios(pairs: Pairs, seed: string, resamples: number): readonly number[] {
  const random = createRandomFromSeed(seed);
  const ratios: number[] = [];
  for (let sample = 0; sample < resamples; sample += 1) {
    const ratio = resampleRatio(pairs, random);
    if (ratio !== undefined) ratios.push(ratio);
  }
  // An array of numbers alone is sorted without a function that compares two.
  return [...Float64Array.from(ratios).toSorted()];
}

function resampleRatio(pairs: Pairs, random: () => number): number | undefined {
  for (let draw = 0; draw <= MAX_REDRAWS; draw += 1) {
    let above = 0;
    let below = 0;
    for (let at = 0; at < pairs.length; at += 1) {
      const pair = pairs[Math.floor(random() * pairs.length)];
      above += pair?.[0] ?? 0;
      below += pair?.[1] ?? 0;
    }
    if (below > 0) return above / below;
  }
  return undefined;
}

/** For each number of disagreements, 0 to n: how many of them the leader needs to be called; Infinity when it cannot. */
function computeNeededLeads(n: number): readonly number[] {
  return Array.from({ length: n + 1 }, (_, disagreements) => {
    for (let leads = Math.floor(disagreements / 2) + 1; leads <= disagreements; leads += 1)
      if (computeMidPMcNemar(leads, disagreements - leads) < SIGNIFICANCE) return leads;
    return Number.POSITIVE_INFINITY;
  });
}

function computeCallProbability(leads: readonly number[], difference: number, seenDiscordance: number): number {
  const discordance = Math.max(seenDiscordance, difference);
  const share = (discordance + difference) / (2 * discordance);
  let disagreements: readonly number[] = [1];
  for (let trial = 1; trial < leads.length; trial += 1) disagreements = addTrial(disagreements, discordance);
  let ahead: readonly number[] = [1];
  let called = 0;
  for (const [count, needed] of leads.entries()) {
    const enough = sum(ahead.slice(needed));
    called += (disagreements[count] ?? 0) * enough;
    ahead = addTrial(ahead, share);
  }
  return called;
}

/** The binomial distribution after one more trial: entry k is the probability of k successes. */
const addTrial = (before: readonly number[], p: number): readonly number[] =>
  Array.from({ length: before.length + 1 }, (_, k) => (before[k] ?? 0) * (1 - p) + (before[k - 1] ?? 0) * p);
