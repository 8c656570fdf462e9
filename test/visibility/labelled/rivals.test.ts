import { describe, expect, test } from 'vitest';
import { type Half, scoreRivals } from './score-rivals.ts';

/**
 * Least precision and recall over (answer, brand) pairs in runs of six answers. The half that was tuned on scored .95 and
 * .94; the floors of the frozen half were set from that before it was scored for the first time.
 */
const FLOORS = {
  dev: { precision: 0.9, recall: 0.88 },
  frozen: { precision: 0.75, recall: 0.73 },
} as const satisfies Record<Half, { precision: number; recall: number }>;

/** A floor over fewer pairs would say little. */
const MIN_PAIRS = 150;

describe('rivals in labelled answers', () => {
  test.each(['dev', 'frozen'] as const)('are found with the precision and recall of the %s half', (half) => {
    const { tp, fp, fn } = scoreRivals(half);
    expect(tp + fn).toBeGreaterThanOrEqual(MIN_PAIRS);
    expect(tp / (tp + fp)).toBeGreaterThanOrEqual(FLOORS[half].precision);
    expect(tp / (tp + fn)).toBeGreaterThanOrEqual(FLOORS[half].recall);
  });
});
