import { describe, expect, test } from 'vitest';
import { scoreNames } from '../../../src/audit/core/check.ts';
import { fixOrder } from '../../../src/audit/core/fix-order.ts';
import { judgeSite } from '../../../src/audit/core/report.ts';
import { computeScore } from '../../../src/audit/core/scores.ts';
import { snapshotOf } from '../../support/audit/audit.ts';
import { goodSite } from '../../sites/good.ts';
import { bareSite, closedSite } from '../../sites/poor.ts';

describe.each([
  ['a good site', goodSite],
  ['a page of a few words', bareSite],
  ['a closed site', closedSite],
])('the order of fixes of %s', (_name, map) => {
  test('has gains that scoring again confirms, step by step', async () => {
    let { judged } = judgeSite(await snapshotOf(map));
    const order = [...fixOrder(scoreNames, judged)];
    const open = judged.filter(({ outcome }) => outcome.status === 'fail' || outcome.status === 'partial');
    expect(order).toHaveLength(open.length);
    for (const { one, gains, points } of order) {
      const after = judged.map((each) =>
        each === one ? { ...each, outcome: { ...each.outcome, status: 'pass' as const, value: 1 } } : each,
      );
      const gained = scoreNames.map((name) => computeScore(name, after).score - computeScore(name, judged).score);
      expect(gained).toEqual(scoreNames.map((name) => gains[name] ?? 0));
      expect(points).toBe(gained.reduce((sum, gain) => sum + gain, 0));
      judged = after;
    }
  });
});
