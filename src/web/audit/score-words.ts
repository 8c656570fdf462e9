import type { ScoreName } from '../../audit/core/check.ts';
import { SCORE_TITLES } from '../../audit/core/summary.ts';

/** The order of the scores on pages. */
export const SCORE_ORDER: readonly ScoreName[] = ['aeo', 'geo', 'agent', 'mcp'];

export const getScoreTitle = (name: ScoreName): string => {
  const title = SCORE_TITLES[name];
  return title.charAt(0).toUpperCase() + title.slice(1);
};

/** The scores that a check counts in, as a sentence has them. */
export const formatScoreWords = (names: readonly ScoreName[]): string =>
  names.map((name) => SCORE_TITLES[name]).join(', ');
