import { describe, expect, test } from 'vitest';
import { drawVerdicts, listQuestions, type Offered } from '../../bench/truth/aside.ts';

const NAMES = Array.from({ length: 20 }, (_, index) => `check-${index}`);
const offered: readonly Offered[] = Array.from({ length: 30 }, (_, page) => ({
  id: `page-${page}`,
  verdicts: NAMES.map((check, index) => ({ check, costs: index % 5 === page % 5 })),
}));
const draw = (seed: string) => drawVerdicts(offered, { seed, pages: 10, each: 5, costing: 3 });

describe('the draw of verdicts on pages that were set aside', () => {
  test('is the same for a seed in whatever order the pages come, and another for another seed', () => {
    expect(drawVerdicts(offered.toReversed(), { seed: 'one', pages: 10, each: 5, costing: 3 })).toEqual(draw('one'));
    expect(draw('two')).not.toEqual(draw('one'));
  });

  test('takes five verdicts of each page, three of which cost points where there are so many', () => {
    const drawn = draw('one');
    expect(drawn).toHaveLength(10);
    for (const { id, checks } of drawn) {
      expect(new Set(checks).size).toBe(5);
      const costing = offered.find((page) => page.id === id)?.verdicts.filter(({ costs }) => costs) ?? [];
      expect(checks.filter((check) => costing.some((one) => one.check === check))).toHaveLength(3);
    }
  });

  test('a page with few verdicts that cost points gives more of the others', () => {
    const [page] = drawVerdicts([{ id: 'one', verdicts: NAMES.map((check) => ({ check, costs: false })) }], {
      seed: 'one',
      pages: 1,
      each: 5,
      costing: 3,
    });
    expect(page?.checks).toHaveLength(5);
  });

  test('readers are asked what an answer rests on, each question once', () => {
    expect(
      listQuestions({ id: 'one', checks: ['geo.evidence.number-source-adjacent', 'geo.evidence.statistics'] }),
    ).toEqual(['geo.evidence.statistics', 'geo.evidence.number-source-adjacent']);
  });
});
