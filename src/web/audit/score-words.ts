import type { ScoreName } from '../../audit/core/check.ts';
import { SCORE_TITLES } from '../../audit/core/summary.ts';
import { capitalise } from '../../lib/text.ts';

/** The English name of a score, as it begins a line. */
export const getScoreTitle = (name: ScoreName): string => capitalise(SCORE_TITLES[name]);
