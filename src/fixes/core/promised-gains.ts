import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { type CheckResult, computeScore } from '../../audit/core/scores.ts';
import { type FixState, fixStates, type PackedFix } from '../files/fix.ts';

/** Points that each score gains, by what they wait for. A score that gains nothing is left out. */
export type PromisedGains = Readonly<Record<FixState, Partial<Record<ScoreName, number>>>>;

/**
 * What a fix pack can bring: by its files and settings as they are, then with its slots filled in, then with the work that
 * no file does. Each is counted on top of the one before, so that nothing is promised of a file that the file cannot
 * bring.
 */
export function computePromisedGains(judged: readonly CheckResult[], fixes: readonly PackedFix[]): PromisedGains {
  let standing = judged;
  const steps = fixStates.map((state) => {
    const made = new Set(fixes.filter((fix) => fix.state === state).map(({ id }) => id));
    const after = standing.map((one) => (made.has(one.check.id) ? withPass(one) : one));
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
