import { describe, expect, test } from 'vitest';
import { labelledLanguages } from './score.ts';
import { scoreWholeAnswers, type WholeSet } from './score-whole-answers.ts';

/** What the code gets wrong now, of how many pairs: a guard against getting worse. What is missed are short forms of long names. */
const MOST_WRONG = {
  second: { fp: 1, fn: 72, pairs: 1_375 },
  third: { fp: 0, fn: 31, pairs: 1_313 },
  fourth: { fp: 1, fn: 6, pairs: 1_212 },
} as const satisfies Record<WholeSet, { fp: number; fn: number; pairs: number }>;

describe.each(['second', 'third', 'fourth'] as const)('brands in the whole answers of the %s set', (set) => {
  test('no more are found or missed wrongly than the counts allow', () => {
    const { tp, fp, fn, tn } = scoreWholeAnswers(set);
    expect(tp + fp + fn + tn).toBe(MOST_WRONG[set].pairs);
    expect(fp).toBeLessThanOrEqual(MOST_WRONG[set].fp);
    expect(fn).toBeLessThanOrEqual(MOST_WRONG[set].fn);
  });
});

test('the languages of a set are its parts', () => {
  const parts = labelledLanguages.map((one) => scoreWholeAnswers('fourth', one));
  const sum = (field: 'tp' | 'fn'): number => parts.reduce((all, part) => all + part[field], 0);
  const { tp, fn } = scoreWholeAnswers('fourth');
  expect([sum('tp'), sum('fn')]).toEqual([tp, fn]);
});
