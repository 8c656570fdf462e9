import { describe, expect, test } from 'vitest';
import { isInPopulation } from '../../bench/truth/corpora.ts';
import { type Label, type Labels, readMeaning } from '../../bench/truth/labels.ts';
import {
  computeAgreement,
  countJudgement,
  createTally,
  type Judgement,
  type JudgedVerdict,
  judgeVerdict,
  sumWrong,
  weighVerdicts,
} from '../../bench/truth/scoring.ts';
import type { OutcomeStatus } from '../../src/audit/core/check.ts';

const answersOf = (answers: Readonly<Record<string, string>>): ReadonlyMap<string, Label> =>
  new Map(Object.entries(answers).map(([question, answer]) => [question, { answer, reason: '' }]));

const labelsOf = (pages: Readonly<Record<string, Readonly<Record<string, string>>>>): Labels =>
  new Map(Object.entries(pages).map(([page, answers]) => [page, answersOf(answers)]));

const STATISTICS = 'geo.evidence.statistics';
const QUOTATIONS = 'geo.evidence.quotations';
const ADJACENT = 'geo.evidence.number-source-adjacent';

describe('what an answer of a reader says of a verdict', () => {
  test.each<[string, string, readonly OutcomeStatus[], readonly OutcomeStatus[]]>([
    ['aeo.meta.title', 'P', ['pass'], []],
    ['aeo.meta.title', 'H', ['partial'], []],
    ['aeo.meta.title', 'F', ['fail'], []],
    [STATISTICS, 'N', ['not_applicable'], []],
    [STATISTICS, '0', ['fail'], []],
    [STATISTICS, '2', ['pass', 'partial'], []],
    [STATISTICS, '3', ['pass'], []],
    [QUOTATIONS, '1', ['pass'], []],
    [ADJACENT, '1/1', ['not_applicable'], []],
    [ADJACENT, '4/8', ['pass'], ['partial', 'pass']],
    [ADJACENT, '2/10', ['partial'], ['fail', 'partial']],
    [ADJACENT, '1/10', ['fail'], ['fail', 'partial']],
  ])('%s %s', (question, answer, right, near) => {
    expect(readMeaning(question, answersOf({ [question]: answer }))).toEqual({ right, near });
  });

  test.each(['?', '', 'maybe', '3 or so'])('%j says nothing', (answer) => {
    expect(readMeaning(STATISTICS, answersOf({ [STATISTICS]: answer }))).toBeUndefined();
  });

  test('a count for a question of words says nothing, and neither does a question that was not answered', () => {
    expect(readMeaning('aeo.meta.title', answersOf({ 'aeo.meta.title': '3' }))).toBeUndefined();
    expect(readMeaning(STATISTICS, answersOf({}))).toBeUndefined();
  });
});

describe('a verdict against two readers', () => {
  test.each<[string, string, string, OutcomeStatus, Judgement]>([
    ['both agree', 'P', 'P', 'pass', 'right'],
    ['one agrees', 'P', 'H', 'pass', 'arguable'],
    ['none agrees', 'P', 'P', 'fail', 'wrong'],
    ['none agrees, and they differ', 'P', 'H', 'fail', 'wrong'],
    ['one could tell, and agrees', 'P', '?', 'pass', 'right'],
    ['one could tell, and does not agree', 'P', '?', 'fail', 'wrong'],
    ['none could tell', '?', '?', 'pass', 'untold'],
    ['the engine could not tell', 'P', 'P', 'unknown', 'untold'],
  ])('where %s', (_name, a, b, status, judgement) => {
    const page = { id: 'x', a: labelsOf({ x: { q: a } }), b: labelsOf({ x: { q: b } }) };
    expect(judgeVerdict('q', status, page)).toBe(judgement);
  });

  test('what is near a count of shares is arguable, not right', () => {
    const labels = labelsOf({ x: { [ADJACENT]: '4/8' } });
    expect(judgeVerdict(ADJACENT, 'pass', { id: 'x', a: labels, b: labels })).toBe('right');
    expect(judgeVerdict(ADJACENT, 'partial', { id: 'x', a: labels, b: labels })).toBe('arguable');
    expect(judgeVerdict(ADJACENT, 'fail', { id: 'x', a: labels, b: labels })).toBe('wrong');
  });

  test('a page that nobody read says nothing', () => {
    const labels = labelsOf({ x: { q: 'P' } });
    expect(judgeVerdict('q', 'pass', { id: 'y', a: labels, b: labels })).toBe('untold');
  });

  test('is counted unless no reader could tell', () => {
    const tally = createTally();
    for (const judgement of ['right', 'right', 'wrong', 'arguable', 'untold'] as const)
      countJudgement(tally, judgement);
    expect(tally).toEqual({ n: 4, right: 2, arguable: 1, wrong: 1 });
  });
});

describe('shares of wrong verdicts', () => {
  const verdicts = (check: string, status: OutcomeStatus, ...all: readonly Judgement[]): readonly JudgedVerdict[] =>
    all.map((judgement, index) => ({ page: `${index}`, check, status, judgement }));
  // One in two fails is wrong and falls on 10 pages of 100, no pass of 90 is.
  const judged = [
    ...verdicts('q', 'fail', 'right', 'wrong'),
    ...verdicts('q', 'pass', 'right', 'right'),
    ...verdicts('r', 'partial', 'arguable', 'untold', 'untold'),
  ];
  const frequencies = new Map([
    [
      'q',
      new Map<OutcomeStatus, number>([
        ['fail', 10],
        ['pass', 90],
      ]),
    ],
    ['r', new Map<OutcomeStatus, number>([['partial', 100]])],
  ]);

  test('weigh each verdict by how often it falls on all pages', () => {
    expect(weighVerdicts(judged, frequencies)).toEqual([
      { check: 'q', wrong: 5, arguable: 0, share: 100 },
      { check: 'r', wrong: 0, arguable: 100, share: 100 },
    ]);
    expect(sumWrong(weighVerdicts(judged, frequencies))).toBe(0.025);
  });

  test('of those that cost points leave out the passes', () => {
    expect(weighVerdicts(judged, frequencies, 'costing')[0]).toEqual({ check: 'q', wrong: 5, arguable: 0, share: 10 });
    expect(sumWrong(weighVerdicts(judged.slice(0, 4), frequencies, 'costing'))).toBe(0.5);
  });

  test('a verdict that no reader could judge, or that never falls, weighs nothing', () => {
    const none = verdicts('q', 'fail', 'untold', 'untold');
    expect(weighVerdicts(none, frequencies)).toEqual([{ check: 'q', wrong: 0, arguable: 0, share: 0 }]);
    expect(sumWrong(weighVerdicts(none, frequencies))).toBe(0);
    expect(sumWrong(weighVerdicts(verdicts('s', 'fail', 'wrong'), frequencies))).toBe(0);
  });
});

describe('the agreement of two passes', () => {
  test('counts pages that both answered, and takes off what chance gives', () => {
    const a = labelsOf({ 1: { q: 'P' }, 2: { q: 'P' }, 3: { q: 'F' }, 4: { q: 'F' }, 5: { q: 'P' } });
    const b = labelsOf({ 1: { q: 'P' }, 2: { q: 'F' }, 3: { q: 'F' }, 4: { q: 'F' }, 6: { q: 'P' } });
    // Chance: P and P .5 * .25, F and F .5 * .75, together .5; seen: three of four.
    expect(computeAgreement(a, b)).toEqual([{ question: 'q', n: 4, same: 3, kappa: 0.5 }]);
  });

  test('is whole where both always say the same, and none where they say the opposite', () => {
    const same = labelsOf({ 1: { q: 'P' }, 2: { q: 'P' } });
    expect(computeAgreement(same, same)).toEqual([{ question: 'q', n: 2, same: 2, kappa: 1 }]);
    const a = labelsOf({ 1: { q: 'P' }, 2: { q: 'F' } });
    const b = labelsOf({ 1: { q: 'F' }, 2: { q: 'P' } });
    expect(computeAgreement(a, b)).toEqual([{ question: 'q', n: 2, same: 0, kappa: -1 }]);
  });
});

describe('pages that frequencies are counted over', () => {
  test.each([
    ['own', 8000, true],
    ['own', 900_000, true],
    ['own', 7999, false],
    ['own', 900_001, false],
    ['made', 50_000, false],
  ] as const)('host %s, %i bytes: %s', (host, bytes, isIn) => {
    expect(isInPopulation({ host }, bytes)).toBe(isIn);
  });
});
