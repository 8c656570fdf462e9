import type { CheckOutcome, ScoreName } from './check.ts';
import { type CheckResult, findFiredCap, roundHalfUp, computeScore } from './scores.ts';

/**
 * One open check (failed or partial) in the order in which fixing pays. `gains`: what it adds to each score once the
 * steps before it are done, `points` their sum. `rank` is above 0 as long as the step moves a score or lifts a cap.
 */
export type FixStep = { one: CheckResult; gains: Partial<Record<ScoreName, number>>; points: number; rank: number };

/**
 * Yields every open check: the fix that gains most, then the one that gains most once that is made, and so on. So the
 * points add up to what all fixes together bring, and a gate is lifted before what it hides. A fix that only lifts one
 * of two equal caps gains nothing by itself and is taken for the gate. A gain counts as much as the score is covered:
 * where few checks apply, one of them moves the number far and means little. What gains nothing comes last, the heaviest
 * loss first. Lazy: a caller who wants five pays for five.
 */
export function* fixOrder(names: readonly ScoreName[], judged: readonly CheckResult[]): Generator<FixStep> {
  const open = judged.filter(isOpen).toSorted(compareByLoss);
  let standings = names.map((name) => computeScoreSums(name, judged));
  while (open.length > 0) {
    const tried = open.map((one) => ({ one, ...computeGain(one, standings) }));
    const best = tried.reduce((winner, next) => (next.rank > winner.rank ? next : winner));
    open.splice(open.indexOf(best.one), 1);
    standings = standings.map((standing) => withFix(standing, best.one));
    yield best;
  }
}

/** Whether a check asks for a fix. */
export const isOpen = ({ outcome }: CheckResult): boolean => outcome.status === 'fail' || outcome.status === 'partial';

/** Weight still to be earned, then the id: a fixed order. */
export const compareByLoss = (a: CheckResult, b: CheckResult): number =>
  computeLoss(b) - computeLoss(a) || (a.check.id < b.check.id ? -1 : 1);
const computeLoss = ({ check, outcome }: CheckResult): number => check.weight * (1 - outcome.value);

/** The sums behind one score, so that one check more or less costs one addition and not a pass over all of them. */
type ScoreSums = {
  name: ScoreName;
  assessed: number;
  earned: number;
  coverage: number;
  caps: readonly { id: string; cap: number }[];
};

function computeScoreSums(name: ScoreName, judged: readonly CheckResult[]): ScoreSums {
  const { coverage, gates } = computeScore(name, judged);
  const assessed = judged.filter(
    ({ check, outcome }) =>
      check.scores.includes(name) && outcome.status !== 'not_applicable' && outcome.status !== 'unknown',
  );
  return {
    name,
    assessed: assessed.reduce((sum, { check }) => sum + check.weight, 0),
    earned: assessed.reduce((sum, { check, outcome }) => sum + check.weight * outcome.value, 0),
    coverage,
    caps: gates,
  };
}

/** The score as `computeScore` computes it. */
const computeScoreValue = ({ assessed, earned, caps }: ScoreSums): number =>
  Math.min(assessed === 0 ? 0 : roundHalfUp((100 * earned) / assessed), ...caps.map(({ cap }) => cap));

function withFix(standing: ScoreSums, { check, outcome }: CheckResult): ScoreSums {
  if (!check.scores.includes(standing.name)) return standing;
  const cap = findFiredCap(check, withPassStatus(outcome), standing.name);
  const others = standing.caps.filter(({ id }) => id !== check.id);
  return {
    ...standing,
    earned: standing.earned + check.weight * (1 - outcome.value),
    caps: cap === undefined ? others : [...others, { id: check.id, cap }],
  };
}

const withPassStatus = (outcome: CheckOutcome): CheckOutcome => ({ ...outcome, status: 'pass', value: 1 });

/** What making `one` adds to the scores it counts in. */
function computeGain(one: CheckResult, standings: readonly ScoreSums[]): Omit<FixStep, 'one'> {
  const gains: Partial<Record<ScoreName, number>> = {};
  let points = 0;
  let worth = 0;
  let gates = 0;
  for (const before of standings) {
    if (!one.check.scores.includes(before.name)) continue;
    const after = withFix(before, one);
    const gain = computeScoreValue(after) - computeScoreValue(before);
    gates += before.caps.length - after.caps.length;
    if (gain > 0) gains[before.name] = gain;
    points += gain;
    worth += gain * before.coverage;
  }
  return { gains, points, rank: worth + (gates > 0 ? 0.5 : 0) };
}
