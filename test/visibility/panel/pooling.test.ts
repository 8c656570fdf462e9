import { describe, expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { computeHolmAdjusted, computeSignFlipP } from '../../../src/visibility/panel/paired-tests.ts';
import { computePooledRate, computePooledRatio, type Stratum } from '../../../src/visibility/panel/pooling.ts';

const stratum = (named: readonly (boolean | undefined)[]): Stratum =>
  new Map(named.flatMap((one, at) => (one === undefined ? [] : [[at, [Number(one), 1] as const] as const])));
const times = (count: number, value: boolean): boolean[] => Array.from({ length: count }, () => value);

describe('a pooled rate', () => {
  test('gives each engine the same weight, however many of its prompts have an answer', () => {
    const whole = stratum([...times(15, true), ...times(15, false)]);
    const few = stratum(times(24, true));
    expect(computePooledRate([whole, few])).toMatchObject({ value: 0.75, n: 54 });
  });

  test('of one engine is its own, with its own interval', () => {
    const one = stratum([...times(9, true), ...times(21, false)]);
    const pooled = computePooledRate([one]);
    expect(pooled?.value).toBeCloseTo(0.3, 10);
    expect(pooled?.low).toBeCloseTo(0.1666, 3); // Wilson's for 9 of 30.
    expect(pooled?.high).toBeCloseTo(0.4788, 3);
  });

  test('of engines that agree on every prompt is hardly surer than that of one', () => {
    const one = stratum([...times(9, true), ...times(21, false)]);
    const [alone, four] = [computePooledRate([one]), computePooledRate([one, one, one, one])];
    expect(four?.low).toBeCloseTo(alone?.low ?? 0, 6);
    expect(four?.high).toBeCloseTo(alone?.high ?? 0, 6);
  });

  test('of engines that know nothing of each other is surer', () => {
    const one = stratum([...times(15, true), ...times(15, false)]);
    const other = stratum(Array.from({ length: 30 }, (_, at) => at % 2 === 0));
    const width = (rate = computePooledRate([one])): number => (rate?.high ?? 1) - (rate?.low ?? 0);
    expect(width(computePooledRate([one, other]))).toBeLessThan(width() * 0.8);
  });

  test('never leaves 0 to 1, and never claims certainty', () => {
    const silent = stratum(times(30, false));
    const [alone, four] = [computePooledRate([silent]), computePooledRate([silent, silent, silent, silent])];
    expect(four).toMatchObject({ value: 0, low: 0, n: 120 });
    // Engines that all say nothing agree: four of them are no surer than one.
    expect(four?.high).toBeCloseTo(alone?.high ?? 0, 6);
    const all = computePooledRate([stratum(times(6, true)), stratum(times(6, true))]);
    expect(all).toMatchObject({ value: 1, high: 1 });
    expect(all?.low).toBeLessThan(0.75);
    expect(computePooledRate([])).toBeUndefined();
    expect(computePooledRate([new Map()])).toBeUndefined();
  });
});

test('a pooled share of voice is the mean of the shares of the engines that name anyone', () => {
  const half: Stratum = new Map(Array.from({ length: 10 }, (_, at) => [at, [1, 2] as const]));
  const none: Stratum = new Map(Array.from({ length: 10 }, (_, at) => [at, [0, 4] as const]));
  const silent: Stratum = new Map(Array.from({ length: 10 }, (_, at) => [at, [0, 0] as const]));
  expect(computePooledRatio([half, none, silent], 'seed')).toMatchObject({ value: 0.25, n: 20 });
  expect(computePooledRatio([silent], 'seed')).toBeUndefined();
});

describe('the sign-flip test', () => {
  test('goes through all signs of few prompts: 2 of 64 are as far for six that all agree', () => {
    expect(
      computeSignFlipP(
        Array.from({ length: 6 }, () => 0.5),
        'x',
      ),
    ).toBe(2 / 64);
    expect(computeSignFlipP([1, -1], 'x')).toBe(1);
    expect(computeSignFlipP([0, 0, 0], 'x')).toBe(1);
    expect(computeSignFlipP([], 'x')).toBe(1);
  });

  test('of many prompts draws signs: the same seed, the same p, never 0', () => {
    const apart = Array.from({ length: 30 }, () => 1);
    expect(computeSignFlipP(apart, 'one')).toBe(1 / 5000);
    const mixed = Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? -0.25 : 0.25));
    expect(computeSignFlipP(mixed, 'one')).toBe(computeSignFlipP(mixed, 'one'));
  });

  test('calls one of twenty pairs of equal brands at most', () => {
    const random = createRandomFromSeed('equal brands');
    let called = 0;
    for (let run = 0; run < 400; run += 1) {
      const differences = Array.from({ length: 30 }, () => {
        const rate = random();
        const draw = (): number => Number(random() < rate) - Number(random() < rate);
        return (draw() + draw()) / 2;
      });
      if (computeSignFlipP(differences, `run ${run}`) < 0.05) called += 1;
    }
    expect(called / 400).toBeLessThanOrEqual(0.07); // 5 %, and what 400 runs vary by.
  });
});

test('Holm raises the smallest p by the number of tests, and never puts one before another', () => {
  expect(computeHolmAdjusted([0.01, 0.04, 0.03, 0.5])).toEqual([0.04, 0.09, 0.09, 0.5]);
  expect(computeHolmAdjusted([0.9, 0.8])).toEqual([1, 1]);
  expect(computeHolmAdjusted([])).toEqual([]);
});
