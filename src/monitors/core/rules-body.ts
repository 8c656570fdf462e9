import * as z from 'zod';

/** What a rule may ask of the weight of a check, and of a score. */
const MAX_WEIGHT = 6;
const MAX_SCORE_POINTS = 100;

/** What rings; `{}` is a good choice. */
export const monitorRules = z.strictObject({
  min_weight: z
    .int()
    .min(1)
    .max(MAX_WEIGHT)
    .optional()
    .meta({ description: 'Sites: changed verdicts of checks of at least this weight; 2 when absent' }),
  score_points: z
    .number()
    .min(0)
    .max(MAX_SCORE_POINTS)
    .optional()
    .meta({ description: 'Sites: a score that moved by more than this; 3 when absent' }),
  improvements: z.boolean().optional().meta({ description: 'Also what got better; true when absent' }),
  competitors: z.boolean().optional().meta({ description: 'Also changes of competitors; false when absent' }),
});
