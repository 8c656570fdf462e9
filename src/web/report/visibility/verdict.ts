import { computeWilson, isOverlapping } from '../../../visibility/metrics/statistics.ts';
import { formatQuantity, type ReportedBrand, type Versus } from '../parts/words.ts';

/** Below this p value a difference is called (`SIGNIFICANCE` of the measurement). */
const CALLED_BELOW = 0.05;

/** The verdict as a sentence about two names. */
export function describeVerdict({ verdict }: Versus, [brand, competitor]: readonly [string, string]): string {
  if (verdict === 'brand') return `${brand} is named more often than ${competitor}`;
  if (verdict === 'competitor') return `${competitor} is named more often than ${brand}`;
  return 'Too close to call';
}

/** What the p value means, in words. */
export function describeChance(p: number): string {
  const called =
    p < CALLED_BELOW
      ? 'That is rare enough to call the difference.'
      : 'That is too common to call a difference, which does not mean that the two are equal.';
  return `If the engine were equally likely to name either one, a split at least as uneven would come up by chance in ${describeRuns(p)}. ${called}`;
}

function describeRuns(p: number): string {
  if (p >= 0.995) return 'practically every run';
  if (p >= 0.01) return `about ${Math.round(p * 100)} of 100 runs`;
  return p >= 0.001 ? `about ${Math.round(p * 1000)} of 1,000 runs` : 'fewer than 1 of 1,000 runs';
}

/** `25.7 points`: a difference between two shares, 0 to 1. */
export const formatPoints = (difference: number): string => `${Math.round(difference * 1000) / 10} points`;

/** What the run could have shown at all. */
export const describeVisibleDifference = (smallest: number | null): string =>
  smallest === null
    ? 'So few answers cannot show a difference of any size.'
    : `The smallest difference between the two mention rates that a run like this one calls four times out of five is ${formatPoints(smallest)}. Smaller ones often go unseen.`;

/**
 * What the answers of one kind of question show of the rival that is ahead in them, to be read behind its name. Where the
 * intervals of the two rates have a value in common, that is no lead: five answers hardly ever show one.
 */
export function describeLead({ intents }: ReportedBrand, topic: string): string {
  const { mention_rate: own = null, top_rival: top = null } = intents.find(({ label }) => label === topic) ?? {};
  const rival = own === null || top === null ? undefined : computeWilson(top.mentioned, own.n);
  if (own === null || rival === undefined) return 'is named more often here';
  return isOverlapping(own, rival)
    ? `is named more often in these ${formatQuantity(own.n, 'answer')}, too few to call it`
    : `is named more often in these ${formatQuantity(own.n, 'answer')}`;
}
