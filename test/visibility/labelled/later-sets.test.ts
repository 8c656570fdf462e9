import { describe, expect, test } from 'vitest';
import { scoreMentions } from './score.ts';
import { scoreKinds } from './score-kinds.ts';
import { type LaterAnswers, scoreLaterRivals } from './score-rivals-2.ts';

/** What the code gets wrong now, of how many labels: a guard against getting worse. */
const MOST_WRONG_RIVALS = {
  third: { fp: 32, fn: 52, labelled: 348 },
  fourth: { fp: 38, fn: 47, labelled: 321 },
  fifth: { fp: 48, fn: 54, labelled: 327 },
} as const satisfies Record<LaterAnswers, { fp: number; fn: number; labelled: number }>;
const MOST_WRONG_MENTIONS = { third: { fp: 22, fn: 3 }, fourth: { fp: 31, fn: 1 } } as const;
const CASES = 160;

describe.each(['third', 'fourth', 'fifth'] as const)('the %s set', (set) => {
  test('no more rivals are wrong or missed than the counts allow', () => {
    const { tp, fp, fn } = scoreLaterRivals(set);
    expect(tp + fn).toBe(MOST_WRONG_RIVALS[set].labelled);
    expect(fp).toBeLessThanOrEqual(MOST_WRONG_RIVALS[set].fp);
    expect(fn).toBeLessThanOrEqual(MOST_WRONG_RIVALS[set].fn);
  });
});

describe.each(['third', 'fourth'] as const)('cases of the %s set', (set) => {
  test('no more mentions are wrong or missed than the counts allow', () => {
    const { tp, fp, fn, tn } = scoreMentions('frozen', 'mentioned', { set });
    expect(tp + fp + fn + tn).toBe(CASES);
    expect(fp).toBeLessThanOrEqual(MOST_WRONG_MENTIONS[set].fp);
    expect(fn).toBeLessThanOrEqual(MOST_WRONG_MENTIONS[set].fn);
  });
});

test('no more texts of the fifth set are taken for none, or are none and not found, than the counts allow', () => {
  const { tp, fp, fn } = scoreKinds('fifth');
  expect(tp + fn).toBe(97);
  expect(fp).toBeLessThanOrEqual(3);
  expect(fn).toBeLessThanOrEqual(20);
});
