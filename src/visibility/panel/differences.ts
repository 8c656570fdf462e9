import { isOwnMentioned, type AnswerReading } from '../metrics/metrics.ts';
import { computeMidPMcNemar, roundDecimals, SIGNIFICANCE } from '../metrics/statistics.ts';
import type { EngineReadings } from './engine-readings.ts';
import { computeHolmAdjusted } from './paired-tests.ts';

/** Two engines on the prompts that both answered: which one names the brand more often, when they can tell. */
export type EngineDifference = {
  engines: readonly [string, string];
  /** Prompts that both answered. */
  n: number;
  /** Mention rate of the first minus that of the second on them. */
  difference: number;
  first_only: number;
  second_only: number;
  p_value: number;
  /** By Holm over all pairs of the panel. */
  adjusted_p_value: number;
  verdict: 'first' | 'second' | 'too_close_to_call';
};

/**
 * Every pair of engines, by the paired mid-p test of McNemar on the same prompts. With several pairs some differ by chance:
 * a verdict needs an adjusted p below 0.05.
 */
export function compareEngines(engines: readonly EngineReadings[]): readonly EngineDifference[] {
  const pairs = engines.flatMap((one, at) => engines.slice(at + 1).map((other) => countPair(one, other)));
  const adjusted = computeHolmAdjusted(pairs.map(({ p }) => p));
  return pairs.map(({ p, first_only: first, second_only: second, n, engines: names }, at) => {
    const adjustedP = adjusted[at] ?? 1;
    return {
      engines: names,
      n,
      difference: n === 0 ? 0 : roundDecimals((first - second) / n),
      first_only: first,
      second_only: second,
      p_value: Number(p.toPrecision(4)),
      adjusted_p_value: Number(adjustedP.toPrecision(4)),
      verdict: adjustedP >= SIGNIFICANCE ? 'too_close_to_call' : first > second ? 'first' : 'second',
    };
  });
}

function countPair(one: EngineReadings, other: EngineReadings) {
  const others = new Map(listOwn(other).map((reading) => [reading.index, isOwnMentioned(reading)]));
  const both = listOwn(one).flatMap((reading) => {
    const named = others.get(reading.index);
    return named === undefined ? [] : [[isOwnMentioned(reading), named] as const];
  });
  const first = both.filter(([mine, theirs]) => mine && !theirs).length;
  const second = both.filter(([mine, theirs]) => !mine && theirs).length;
  return {
    engines: [one.engine, other.engine] as const,
    n: both.length,
    first_only: first,
    second_only: second,
    p: computeMidPMcNemar(first, second),
  };
}

const listOwn = ({ sides }: EngineReadings): readonly AnswerReading[] => sides[0]?.readings ?? [];
