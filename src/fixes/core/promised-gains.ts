import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { joinPageOutcomes } from '../../audit/core/join-pages.ts';
import { type CheckResult, computeScore } from '../../audit/core/scores.ts';
import { type FixState, fixStates, type PackedFix } from '../files/fix.ts';
import { FIX_FILES } from './recipe.ts';

/** Points that each score gains, by what they wait for. A score that gains nothing is left out. */
export type PromisedGains = Readonly<Record<FixState, Partial<Record<ScoreName, number>>>>;

/**
 * What a fix pack can bring: by its files and settings as they are, then with its slots filled in, then with the work that
 * no file does. Each is counted on top of the one before, so that nothing is promised of a file that the file cannot
 * bring: one that changes the audited page leaves the other pages as they are, and these are work.
 */
export function computePromisedGains(judged: readonly CheckResult[], fixes: readonly PackedFix[]): PromisedGains {
  let standing = judged;
  const steps = fixStates.map((state) => {
    const made = new Map(fixes.filter((fix) => state === 'work' || fix.state === state).map((fix) => [fix.id, fix]));
    const after = standing.map((one) => {
      const fix = made.get(one.check.id);
      if (fix === undefined) return one;
      return state !== 'work' && fix.file === FIX_FILES.page ? withPassOnStart(one) : withPass(one);
    });
    const before = standing;
    standing = after;
    return [state, compareScores(before, after)] as const;
  });
  return Object.fromEntries(steps) as PromisedGains; // Every state has its step.
}

const withPass = ({ check, outcome }: CheckResult): CheckResult => ({
  check,
  outcome: { ...outcome, status: 'pass', value: 1 },
});

function withPassOnStart(one: CheckResult): CheckResult {
  const { check, pages } = one;
  if (check.each === undefined || pages === undefined) return withPass(one);
  const fixed = pages.map((page) =>
    page.isStart ? { ...page, outcome: { ...page.outcome, status: 'pass' as const, value: 1 } } : page,
  );
  return { check, outcome: joinPageOutcomes(fixed, check.each), pages: fixed };
}

const compareScores = (
  before: readonly CheckResult[],
  after: readonly CheckResult[],
): Partial<Record<ScoreName, number>> =>
  Object.fromEntries(
    scoreNames.flatMap((name) => {
      const gain = computeScore(name, after).score - computeScore(name, before).score;
      return gain > 0 ? [[name, gain] as const] : [];
    }),
  );
