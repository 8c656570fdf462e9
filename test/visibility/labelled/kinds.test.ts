import { describe, expect, test } from 'vitest';
import { promptLanguages } from '../../../src/visibility/prompts/prompt-set.ts';
import { refusalKinds } from '../../../src/visibility/refusals/refusal-kinds.ts';
import { readKinds, scoreKinds } from './score-kinds.ts';

describe('labelled texts that are no answer', () => {
  test('are in each language and of each kind, and ids are unique', () => {
    const rows = readKinds('dev');
    expect(rows.length).toBe(205);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(new Set(rows.map(({ language }) => language))).toEqual(new Set(promptLanguages));
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['answer', ...refusalKinds]));
  });

  test('all of the half that was tuned on are found, and no answer is taken for one', () => {
    expect(scoreKinds('dev')).toEqual({ tp: 95, fp: 0, fn: 0, sameKind: 95 });
  });

  test('the other half, which was tuned on after it had been scored, gets no worse', () => {
    const { tp, fp, fn, sameKind } = scoreKinds('frozen');
    expect(fp).toBe(0);
    expect(tp).toBeGreaterThanOrEqual(82);
    expect(fn).toBeLessThanOrEqual(1);
    expect(sameKind).toBeGreaterThanOrEqual(81);
  });

  test('those of the third set, half of which was read after it had been scored, get no worse', () => {
    const { tp, fp, fn, sameKind } = scoreKinds('third');
    expect(fp).toBe(0);
    expect(tp).toBeGreaterThanOrEqual(99);
    expect(fn).toBeLessThanOrEqual(4);
    expect(sameKind).toBeGreaterThanOrEqual(96);
  });

  test('those of the fourth set, half of which was read after it had been scored, get no worse', () => {
    const { tp, fp, fn, sameKind } = scoreKinds('fourth');
    expect(fp).toBeLessThanOrEqual(1);
    expect(tp).toBeGreaterThanOrEqual(93);
    expect(fn).toBeLessThanOrEqual(5);
    expect(sameKind).toBeGreaterThanOrEqual(89);
  });
});
