import { describe, expect, test } from 'vitest';
import { type ScoreName, scoreNames } from '../../../src/audit/core/check.ts';
import { fixOrder, getEffort, listRankedScores } from '../../../src/audit/core/fix-order.ts';
import { judgeSite } from '../../../src/audit/core/report.ts';
import { type CheckResult, computeScore } from '../../../src/audit/core/scores.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { snapshotOf } from '../../support/audit/audit.ts';
import { tools } from '../../support/audit/fixes.ts';
import { goodSite } from '../../sites/good.ts';
import { bareSite, closedSite } from '../../sites/poor.ts';

const withPass = (judged: readonly CheckResult[], fixed: CheckResult): readonly CheckResult[] =>
  judged.map((each) =>
    each === fixed ? { ...each, outcome: { ...each.outcome, status: 'pass' as const, value: 1 } } : each,
  );

describe.each([
  ['a good site', goodSite],
  ['a page of a few words', bareSite],
  ['a closed site', closedSite],
])('the order of fixes of %s', (_name, map) => {
  test('has gains that scoring again confirms, step by step', async () => {
    let { judged } = judgeSite(await snapshotOf(map));
    const ranked = listRankedScores(scoreNames, judged);
    const order = [...fixOrder(scoreNames, judged)];
    const open = judged.filter(({ outcome }) => outcome.status === 'fail' || outcome.status === 'partial');
    expect(order).toHaveLength(open.length);
    for (const { one, gains, points } of order) {
      const after = withPass(judged, one);
      const gain = (name: ScoreName): number => computeScore(name, after).score - computeScore(name, judged).score;
      expect(scoreNames.map(gain)).toEqual(scoreNames.map((name) => gains[name] ?? 0));
      expect(points).toBe(Math.max(0, ...ranked.map(gain)));
      judged = after;
    }
  });

  test('is by the most points in one score for the effort', async () => {
    const { judged } = judgeSite(await snapshotOf(map));
    const costs = { minutes: 1, hours: 3, days: 8 } as const;
    let now = judged;
    for (const { one, rank } of fixOrder(scoreNames, judged)) {
      const ranked = listRankedScores(scoreNames, now);
      const rankOf = (candidate: CheckResult): number => {
        const after = withPass(now, candidate);
        const gains = ranked.map((name) => computeScore(name, after).score - computeScore(name, now).score);
        return Math.max(0, ...gains) / costs[getEffort(candidate.check.id)];
      };
      const open = now.filter(({ outcome }) => outcome.status === 'fail' || outcome.status === 'partial');
      // A lifted cap that another still holds down counts half a point.
      expect(rank).toBeGreaterThanOrEqual(Math.max(...open.map(rankOf)));
      now = withPass(now, one);
    }
  });
});

test('the efforts of the order are those of the recipes', async () => {
  for (const map of [goodSite, bareSite, closedSite]) {
    const snapshot = await snapshotOf(map);
    const fixes = await buildFixes({ snapshot, ...judgeSite(snapshot, { profile: 'mcp' }) }, tools);
    expect(fixes.map(({ id, effort }) => [id, effort])).toEqual(fixes.map(({ id }) => [id, getEffort(id)]));
  }
});
