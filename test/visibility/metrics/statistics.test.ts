import { describe, expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import {
  bootstrapRatio,
  computeMidPMcNemar,
  roundRate,
  findSmallestVisibleDifference,
  computeWilson,
  Z_95,
} from '../../../src/visibility/metrics/statistics.ts';

const RUN_ID = '0123456789abcdef0123456789abcdef';

describe('wilson', () => {
  test.each([
    [0, 30, 0, 11.4],
    [3, 30, 3.5, 25.6],
    [9, 30, 16.7, 47.9],
    [15, 30, 33.2, 66.8],
    [30, 30, 88.6, 100],
    [9, 27, 18.6, 52.2],
  ])('%d of %d answers is %d to %d per cent', (successes, n, low, high) => {
    const rate = computeWilson(successes, n);
    expect(rate).toMatchObject({ value: successes / n, n });
    expect((rate?.low ?? Number.NaN) * 100).toBeCloseTo(low, 0.9);
    expect((rate?.high ?? Number.NaN) * 100).toBeCloseTo(high, 0.9);
  });

  test('each end is the rate of which the sample is exactly z standard errors away', () => {
    for (let n = 1; n <= 30; n += 1)
      for (let successes = 0; successes <= n; successes += 1) {
        const { value, low, high } = computeWilson(successes, n) ?? {
          value: Number.NaN,
          low: Number.NaN,
          high: Number.NaN,
        };
        const standardError = (end: number): number => Math.sqrt((end * (1 - end)) / n);
        expect(value - low).toBeCloseTo(Z_95 * standardError(low), 10);
        expect(high - value).toBeCloseTo(Z_95 * standardError(high), 10);
      }
  });

  test.each([1, 5, 24, 30])(
    'of %d answers, none is exactly 0 at the low end and all exactly 1 at the high end',
    (n) => {
      expect(computeWilson(0, n)?.low).toBe(0);
      expect(computeWilson(n, n)?.high).toBe(1);
    },
  );

  test('nothing counted has no rate', () => {
    expect(computeWilson(0, 0)).toBeUndefined();
  });

  test('a larger z gives a wider interval', () => {
    expect(computeWilson(9, 30, 2.575829)?.low).toBeLessThan(computeWilson(9, 30)?.low ?? 0);
  });

  test.each([
    [4, 3],
    [-1, 3],
    [0.5, 3],
    [Number.NaN, 3],
  ])('%d of %d is a bug of the caller', (successes, n) => {
    expect(() => computeWilson(successes, n)).toThrow(RangeError);
  });

  test('the wire has four decimals', () => {
    expect(roundRate({ value: 1 / 3, low: 0.000_04, high: 0.999_96, n: 3 })).toEqual({
      value: 0.3333,
      low: 0,
      high: 1,
      n: 3,
    });
  });
});

const times = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value);
type Pair = readonly [number, number];

/** The first resample that has a ratio, and how many were drawn until then. */
function firstRatio(pairs: readonly Pair[], seed: string): { draws: number; ratio: number } {
  const random = createRandomFromSeed(seed);
  for (let draws = 1; ; draws += 1) {
    const drawn = pairs.map(() => pairs[Math.floor(random() * pairs.length)] ?? ([0, 0] as const));
    const below = drawn.reduce((sum, [, denominator]) => sum + denominator, 0);
    if (below > 0) return { draws, ratio: drawn.reduce((sum, [numerator]) => sum + numerator, 0) / below };
  }
}

describe('bootstrapRatio', () => {
  test('the value is the ratio of the sums, not the mean of the ratios', () => {
    const pairs: readonly Pair[] = [
      [1, 1],
      [1, 5],
    ];
    expect(bootstrapRatio(pairs, RUN_ID)?.value).toBe(2 / 6);
  });

  test('with one slot per prompt the ends are quantiles of the binomial distribution: 9 and 21 of 30', () => {
    // Beyond each end lies .0188 (Student's 2.045 stretched by sqrt(30/29)); of 30 tosses of a coin P(X <= 8) = .0081 and
    // P(X <= 9) = .0214, and the same from the other end.
    const pairs: readonly Pair[] = [...times<Pair>(15, [1, 1]), ...times<Pair>(15, [0, 1])];
    expect(bootstrapRatio(pairs, RUN_ID, 100_000)).toEqual({ value: 0.5, low: 9 / 30, high: 21 / 30, n: 30 });
  });

  test('names of one answer do not count as independent: ten names in each leave the interval as wide as one', () => {
    const pairs: readonly Pair[] = [...times<Pair>(15, [10, 10]), ...times<Pair>(15, [0, 10])];
    expect(bootstrapRatio(pairs, RUN_ID, 100_000)).toEqual({ value: 0.5, low: 9 / 30, high: 21 / 30, n: 30 });
  });

  test('the same seed gives the same interval, another one need not', () => {
    const pairs: readonly Pair[] = Array.from({ length: 30 }, (_, at) => [Number(at % 3 === 0), 2 + (at % 7)] as const);
    const first = bootstrapRatio(pairs, RUN_ID, 50);
    expect(bootstrapRatio(pairs, RUN_ID, 50)).toEqual(first);
    const others = ['a', 'b', 'c', 'd'].map((seed) => bootstrapRatio(pairs, seed, 50));
    expect(others.some((other) => other?.low !== first?.low || other?.high !== first?.high)).toBe(true);
  });

  test.each([RUN_ID, 'b', 'c'])('of the seed %s 2000 resamples are drawn when no number is given', (seed) => {
    // Numbers so uneven that hardly two resamples have the same ratio.
    const pairs: readonly Pair[] = Array.from({ length: 30 }, (_, at) => [(at * 37) % 101, 103 + at * 13] as const);
    expect(bootstrapRatio(pairs, seed)).toEqual(bootstrapRatio(pairs, seed, 2000));
    const fewer = [60, 1000, 1900].map((count) => bootstrapRatio(pairs, seed, count));
    expect(fewer).not.toContainEqual(bootstrapRatio(pairs, seed, 2000));
  });

  test('where only one prompt names anybody, the interval is that of one answer', () => {
    const rate = bootstrapRatio([[1, 2], ...times<Pair>(29, [0, 0])], RUN_ID);
    expect(rate).toMatchObject({ value: 0.5, n: 30 });
    // Wilson's interval around 1/2 with n = 1: 1/2 +- z / (2 sqrt(1 + z^2)).
    expect(rate?.low).toBeCloseTo(0.5 - Z_95 / (2 * Math.sqrt(1 + Z_95 ** 2)), 10);
  });

  test('resamples in which nobody is named are drawn again, until somebody is', () => {
    const pairs: readonly Pair[] = [[1, 1], [0, 1], ...times<Pair>(28, [0, 0])];
    const seeds = Array.from({ length: 400 }, (_, at) => ({ seed: `seed ${at}`, ...firstRatio(pairs, `seed ${at}`) }));
    // A resample of 1/2 says the same as the sample, which then has no width of its own.
    const redrawn = seeds.filter(({ draws, ratio }) => draws > 1 && ratio !== 0.5);
    expect(redrawn.some(({ draws }) => draws === 2)).toBe(true);
    expect(redrawn.some(({ draws }) => draws > 2)).toBe(true);
    for (const { seed, ratio } of redrawn)
      expect(bootstrapRatio(pairs, seed, 1)).toEqual({
        value: 0.5,
        low: Math.min(0.5, ratio),
        high: Math.max(0.5, ratio),
        n: 30,
      });
  });

  test('equal shares in every prompt are not certainty: the interval is that of 10 in 30', () => {
    const rate = bootstrapRatio(times<Pair>(30, [1, 3]), RUN_ID);
    const expected = computeWilson(10, 30);
    expect(rate?.low).toBeCloseTo(expected?.low ?? 0, 10);
    expect(rate?.high).toBeCloseTo(expected?.high ?? 0, 10);
  });

  test('a brand that is never named may still have a share: the high end is that of 0 in 20 prompts', () => {
    const pairs: readonly Pair[] = [...times<Pair>(20, [0, 4]), ...times<Pair>(10, [0, 0])];
    const zSquared = Z_95 ** 2;
    expect(bootstrapRatio(pairs, RUN_ID)).toMatchObject({ value: 0, low: 0, n: 30 });
    expect(bootstrapRatio(pairs, RUN_ID)?.high).toBeCloseTo(zSquared / (20 + zSquared), 10);
  });

  test('a brand that is named alone throughout may still have company: the low end is that of 30 in 30', () => {
    const zSquared = Z_95 ** 2;
    const rate = bootstrapRatio(times<Pair>(30, [1, 1]), RUN_ID);
    expect(rate).toMatchObject({ value: 1, high: 1, n: 30 });
    expect(rate?.low).toBeCloseTo(30 / (30 + zSquared), 10);
  });

  test.each([[[]], [times<Pair>(30, [0, 0])]])('without a denominator there is no ratio', (pairs) => {
    expect(bootstrapRatio(pairs, RUN_ID)).toBeUndefined();
  });
});

describe('midPMcNemar', () => {
  test.each([
    [5, 0, 1 / 32],
    [7, 1, 10 / 256],
    [9, 2, 79 / 2048],
    [11, 3, 576 / 16_384],
    [12, 4, 3214 / 65_536],
  ])('%d to %d is called: p below .05', (b, c, p) => {
    expect(computeMidPMcNemar(b, c)).toBe(p);
    expect(computeMidPMcNemar(b, c)).toBeLessThan(0.05);
  });

  test.each([
    [4, 0, 1 / 16],
    [6, 1, 9 / 128],
    [8, 2, 67 / 1024],
    [10, 3, 470 / 8192],
    [11, 4, 2517 / 32_768],
  ])('%d to %d is not called: p is .05 or more', (b, c, p) => {
    expect(computeMidPMcNemar(b, c)).toBe(p);
    expect(computeMidPMcNemar(b, c)).toBeGreaterThanOrEqual(0.05);
  });

  test('it has two sides', () => {
    expect(computeMidPMcNemar(2, 9)).toBe(computeMidPMcNemar(9, 2));
  });

  test.each([0, 1, 7, 15])('%d to as many is no evidence at all', (count) => {
    expect(computeMidPMcNemar(count, count)).toBeCloseTo(1, 12);
    expect(computeMidPMcNemar(count, count)).toBeLessThanOrEqual(1);
  });

  test.each([
    [-1, 2],
    [1.5, 2],
    [900, 101],
  ])('%d to %d is a bug of the caller', (b, c) => {
    expect(() => computeMidPMcNemar(b, c)).toThrow(RangeError);
  });
});

describe('smallestVisibleDifference', () => {
  test.each([
    // All n answers must name the stronger brand alone; with d = difference: difference^n >= .8.
    [5, 0, 0.957],
    // With d = 1: ((1 + difference) / 2)^n >= .8.
    [5, 1, 0.913],
    [6, 1, 0.927],
  ])('of %d answers at a discordance of %d it is %d, by hand', (n, discordance, expected) => {
    expect(findSmallestVisibleDifference(n, discordance)).toBe(expected);
  });

  test.each([
    [6, 0],
    [8, 0.3],
    [10, 0.5],
    [12, 0.7],
    [14, 1],
    [30, 0.5],
    [30, 0.58],
  ])(
    'of %d answers at a discordance of %d it is called in 80 %% of runs, and one step less is not',
    (n, discordance) => {
      const found = findSmallestVisibleDifference(n, discordance) ?? Number.NaN;
      expect(calledIn(n, discordance, found)).toBeGreaterThanOrEqual(0.8);
      expect(calledIn(n, discordance, found - 0.001)).toBeLessThan(0.8);
    },
  );

  test('30 answers see about 40 points between two brands of 70 and 30 % that are named independently', () => {
    const discordance = 0.7 * 0.7 + 0.3 * 0.3;
    expect(findSmallestVisibleDifference(30, discordance)).toBeGreaterThan(0.34);
    expect(findSmallestVisibleDifference(30, discordance)).toBeLessThanOrEqual(0.4);
  });

  test('more answers see smaller differences', () => {
    const seen = [10, 20, 30, 60].map((n) => findSmallestVisibleDifference(n, 0.5) ?? 1);
    expect(seen).toEqual(seen.toSorted((one, other) => other - one));
    expect(new Set(seen).size).toBe(4);
  });

  test.each([0, 1, 4])('%d answers see no difference of any size', (n) => {
    expect(findSmallestVisibleDifference(n, 0.5)).toBeUndefined();
  });

  test.each([-1, 2.5, 1001])('%d answers are a bug of the caller', (n) => {
    expect(() => findSmallestVisibleDifference(n, 0.5)).toThrow(RangeError);
  });
});

/** The probability that the test calls the stronger brand, summed over every outcome of n answers, one by one. */
function calledIn(n: number, seen: number, difference: number): number {
  const d = Math.max(seen, difference);
  const [stronger, weaker] = [(d + difference) / 2, (d - difference) / 2];
  const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));
  let sum = 0;
  for (let b = 0; b <= n; b += 1)
    for (let c = 0; b + c <= n; c += 1) {
      if (b <= c || computeMidPMcNemar(b, c) >= 0.05) continue;
      const ways = factorial(n) / (factorial(b) * factorial(c) * factorial(n - b - c));
      sum += ways * stronger ** b * weaker ** c * (1 - d) ** (n - b - c);
    }
  return sum;
}

describe('seededRandom', () => {
  test('it is sfc32: the words after the first follow from the recurrence of its definition', () => {
    const draws = wordsOf('any seed', 200);
    expect(draws.some((word) => word > 0x7f_ff_ff_ff)).toBe(true);
    expect(sfc32('any seed', 200)).toEqual(draws);
  });

  test('the same text gives the same numbers, another text others', () => {
    expect(wordsOf(RUN_ID, 20)).toEqual(wordsOf(RUN_ID, 20));
    expect(wordsOf(RUN_ID, 20)).not.toEqual(wordsOf(RUN_ID.replace('f', 'e'), 20));
    expect(wordsOf('', 20)).not.toEqual(wordsOf('0', 20));
  });

  test('30,000 numbers fall evenly into 30 places', () => {
    const random = createRandomFromSeed(RUN_ID);
    const counts = times(30, 0).map(() => 0);
    for (let draw = 0; draw < 30_000; draw += 1) {
      const place = Math.floor(random() * 30);
      counts[place] = (counts[place] ?? Number.NaN) + 1;
    }
    // Chi-squared with 29 degrees of freedom is above 70 once in 30,000 seeds.
    const chiSquared = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(counts).toHaveLength(30);
    expect(chiSquared).toBeLessThan(70);
  });
});

const wordsOf = (seed: string, count: number): readonly number[] => {
  const random = createRandomFromSeed(seed);
  return times(count, 0).map(() => random() * 2 ** 32);
};

/** sfc32 once more, in integers of any size: state from FNV-1a over "0" to "3" and the seed, 16 rounds thrown away. */
function sfc32(seed: string, count: number): readonly number[] {
  const word = (value: bigint): bigint => BigInt.asUintN(32, value);
  const fnv1a = (text: string): bigint =>
    text.split('').reduce((hash, letter) => word((hash ^ BigInt(letter.charCodeAt(0))) * 16_777_619n), 2_166_136_261n);
  let [a, b, c, counter] = [fnv1a(`0${seed}`), fnv1a(`1${seed}`), fnv1a(`2${seed}`), fnv1a(`3${seed}`)];
  const all = Array.from({ length: 16 + count }, () => {
    const out = word(a + b + counter);
    [a, b, c, counter] = [
      b ^ (b >> 9n),
      word(c + (c << 3n)),
      word(((c << 21n) | (c >> 11n)) + out),
      word(counter + 1n),
    ];
    return Number(out);
  });
  return all.slice(16);
}
