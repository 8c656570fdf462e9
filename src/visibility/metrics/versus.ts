import { isOwnMentioned, type AnswerReading } from './metrics.ts';
import { computeMidPMcNemar, SIGNIFICANCE, findSmallestVisibleDifference } from './statistics.ts';

export type ComparisonVerdict = 'brand' | 'competitor' | 'too_close_to_call';

/** In how many of the answers only one of two brands is named, both, or neither. */
export type Discordant = { brand_only: number; competitor_only: number; both: number; neither: number };

/** Whether no answer names either of them: then there is nothing to compare. */
export const isNeitherNamed = (found: Omit<Discordant, 'neither'>): boolean =>
  found.brand_only + found.competitor_only + found.both === 0;

export type Comparison = {
  verdict: ComparisonVerdict;
  /** Two-sided mid-p value of McNemar's test, four significant digits. */
  p_value: number;
  discordant: Discordant;
  /** See `findSmallestVisibleDifference`: 0 to 1; null when so few answers can show none. */
  smallest_visible_difference: number | null;
};

/**
 * Which of two brands the same answers name more often, when they can tell: p below 0.05. Answers that name both or
 * neither say nothing about it.
 * @param brand and competitor: readings of the same answers in the same order.
 */
export function compare(brand: readonly AnswerReading[], competitor: readonly AnswerReading[]): Comparison {
  const discordant = countDiscordant(brand.map(isOwnMentioned), competitor.map(isOwnMentioned));
  const { brand_only: ahead, competitor_only: behind } = discordant;
  const p = computeMidPMcNemar(ahead, behind);
  return {
    verdict: decideVerdict(p, ahead, behind),
    p_value: Number(p.toPrecision(4)),
    discordant,
    smallest_visible_difference:
      brand.length === 0
        ? null
        : (findSmallestVisibleDifference(brand.length, (ahead + behind) / brand.length) ?? null),
  };
}

/**
 * What the verdict would be if all missing answers named only the one that it is against. The verdict itself when none
 * is missing, or when it calls no one.
 */
export function computeWorstVerdict({ verdict, discordant }: Comparison, missing: number): ComparisonVerdict {
  if (verdict === 'too_close_to_call') return verdict;
  const ahead = discordant.brand_only + (verdict === 'competitor' ? missing : 0);
  const behind = discordant.competitor_only + (verdict === 'brand' ? missing : 0);
  return decideVerdict(computeMidPMcNemar(ahead, behind), ahead, behind);
}

function decideVerdict(p: number, ahead: number, behind: number): ComparisonVerdict {
  if (p >= SIGNIFICANCE) return 'too_close_to_call';
  return ahead > behind ? 'brand' : 'competitor';
}

function countDiscordant(brand: readonly boolean[], competitor: readonly boolean[]): Discordant {
  const count = (own: boolean, other: boolean): number =>
    brand.filter((named, at) => named === own && competitor[at] === other).length;
  return {
    brand_only: count(true, false),
    competitor_only: count(false, true),
    both: count(true, true),
    neither: count(false, false),
  };
}
