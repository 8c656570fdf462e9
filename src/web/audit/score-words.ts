import type { ScoreName } from '../../audit/core/check.ts';
import { SCORE_TITLES } from '../../audit/core/summary.ts';
import { capitalise } from '../../lib/text.ts';

/** The order of the scores on pages. */
export const SCORE_ORDER: readonly ScoreName[] = ['aeo', 'geo', 'agent', 'mcp'];

export const getScoreTitle = (name: ScoreName): string => capitalise(SCORE_TITLES[name]);

/** The scores that a check counts in, as a sentence has them. */
export const formatScoreWords = (names: readonly ScoreName[]): string =>
  names.map((name) => SCORE_TITLES[name]).join(', ');
