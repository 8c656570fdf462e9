import { roundHalfUp } from '../../../audit/core/scores.ts';
import type { Score } from '../parts/shapes.ts';

export type Sums = {
  /** Sum of weight times value over what was assessed. */
  earned: number;
  /** Sum of weights over what was assessed: passed, partly passed and failed. */
  assessed: number;
  /** Sum of all weights. */
  nominal: number;
  /** 100 times earned by assessed, before rounding; 0 where nothing was assessed. */
  exact: number;
  /** `exact` rounded, before any cap. */
  rounded: number;
  /** The lowest cap, where one is in force. */
  cap?: { id: string; cap: number };
};

/** The sums that a score came from, made again from its checks: a reader can follow each number. */
export function sumsOf({ checks, gates }: Pick<Score, 'checks' | 'gates'>): Sums {
  const counted = checks.filter(({ status }) => status === 'pass' || status === 'partial' || status === 'fail');
  const earned = sum(counted.map(({ weight, value }) => weight * value));
  const assessed = sum(counted.map(({ weight }) => weight));
  const exact = assessed === 0 ? 0 : (100 * earned) / assessed;
  const rounded = roundHalfUp(exact);
  const [lowest] = gates.toSorted((a, b) => a.cap - b.cap);
  return {
    earned,
    assessed,
    nominal: sum(checks.map(({ weight }) => weight)),
    exact,
    rounded,
    ...(lowest !== undefined && lowest.cap < rounded ? { cap: lowest } : {}),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
