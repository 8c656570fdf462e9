import type { RateInterval } from '../metrics/statistics.ts';
import type { ChangeVerdict, DifferenceInterval } from './pairs.ts';

/** Two rates of which only the figures are known, not which prompts they are of. */
export type CountedChange = {
  before: RateInterval;
  after: RateInterval;
  difference: DifferenceInterval;
  verdict: ChangeVerdict;
};

/**
 * The difference of two rates with Newcombe's 95 % interval, from Wilson's intervals of both. It takes them for independent:
 * of runs on the same prompts it is wider than that of a paired test.
 * @see https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C873::AID-SIM779%3E3.0.CO;2-I
 */
export function compareRates(before: RateInterval, after: RateInterval): CountedChange {
  const value = after.value - before.value;
  const low = value - Math.hypot(after.value - after.low, before.high - before.value);
  const high = value + Math.hypot(after.high - after.value, before.value - before.low);
  const verdict = low > 0 ? 'rose' : high < 0 ? 'fell' : 'no_change_seen';
  return { before, after, difference: { value, low, high }, verdict };
}
