import { describe, expect, test } from 'vitest';
import { refusalKinds } from '../../../src/visibility/refusals/refusal-kinds.ts';
import { readRows } from './labelled-rows.ts';
import { readKinds } from './score-kinds.ts';
import { labelledLanguages } from './score.ts';

describe.each([2, 3, 4, 5] as const)('rows of set %i', (set) => {
  const { cases, answers } = readRows(set);

  test('a case that is not mentioned is neither recommended nor negative, and none is both', () => {
    expect(cases.filter((one) => !one.mentioned && (one.recommended || one.negative))).toEqual([]);
    expect(cases.filter((one) => one.recommended && one.negative)).toEqual([]);
  });

  test('every spelling of a labelled name is in its answer', () => {
    const missing = answers.flatMap(({ id, text: answer, names }) =>
      names.flatMap(({ as }) =>
        as.filter((spelling) => !answer.includes(spelling)).map((spelling) => `${id} ${spelling}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe.each([
  ['third', 3, 20],
  ['fourth', 4, 20],
  ['fifth', 5, 0],
] as const)('the %s set, which has no halves', (set, number, casesOfLanguage) => {
  const { cases, answers } = readRows(number);

  test('has its cases, a run of six answers and 25 texts in each language', () => {
    const kinds = readKinds(set);
    for (const one of labelledLanguages) {
      expect(cases.filter(({ language }) => language === one)).toHaveLength(casesOfLanguage);
      expect(answers.filter(({ language }) => language === one)).toHaveLength(6);
      expect(kinds.filter(({ language }) => language === one)).toHaveLength(25);
    }
    const rows = [...cases, ...answers, ...kinds];
    expect(rows.filter(({ half }) => half !== 'frozen')).toEqual([]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test('has real answers and texts of each kind that is none', () => {
    expect(new Set(readKinds(set).map(({ kind }) => kind))).toEqual(new Set(['answer', ...refusalKinds]));
  });
});
