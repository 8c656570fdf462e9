import type { Effort } from '../../fixes/files/fix.ts';
import { sum } from '../../lib/numbers.ts';
import type { CheckOutcome, ScoreName } from './check.ts';
import { DAYS, HOURS } from './efforts-data.ts';
import { type CheckResult, computeScore, findFiredCap, isAssessed, roundHalfUp, THIN_COVERAGE } from './scores.ts';

/**
 * One open check (failed or partial) in the order in which fixing pays. `gains`: what it adds to each score once the
 * steps before it are done. `points`: the most of them in a score that fixes are ranked by; points of different scores
 * are never added up. `rank` is above 0 as long as the step moves such a score or lifts a cap.
 */
export type FixStep = { one: CheckResult; gains: Partial<Record<ScoreName, number>>; points: number; rank: number };

/** How many times the work of minutes a fix is, for the order only: a rank and no measurement. */
const EFFORT_COSTS: Readonly<Record<Effort, number>> = { minutes: 1, hours: 3, days: 8 };

/** Rough work that the fix of a check takes. */
export function getEffort(id: string): Effort {
  if (DAYS.has(id)) return 'days';
  return HOURS.has(id) ? 'hours' : 'minutes';
}

/**
 * Yields every open check: the fix that gains most for its effort, then the one that does once that is made, and so on.
 * So the gains of each score add up to what all fixes together bring, and a gate is lifted before what it hides. A fix
 * that only lifts one of two equal caps gains nothing by itself and is taken for the gate. No fix is ranked by a score
 * that does not apply, or rests on less than half of its rubric: there one check moves the number far and means little.
 * Where every score is of that kind, what lifts a cap still comes first. What gains nothing comes last, the heaviest
 * loss first. Lazy: a caller who wants five pays for five.
 */
export function* fixOrder(names: readonly ScoreName[], judged: readonly CheckResult[]): Generator<FixStep> {
  const open = judged.filter(isOpen).toSorted(compareByLoss);
  const ranked = new Set(listRankedScores(names, judged));
  let standings = names
    .filter((name) => computeScore(name, judged).applies !== false)
    .map((name) => ({ ...computeScoreSums(name, judged), isRanked: ranked.has(name) }));
  const hasRanked = ranked.size > 0;
  while (open.length > 0) {
    const tried = open.map((one) => ({ one, ...computeGain(one, standings, hasRanked) }));
    const best = tried.reduce((winner, next) => (next.rank > winner.rank ? next : winner));
    open.splice(open.indexOf(best.one), 1);
    standings = standings.map((standing) => withFix(standing, best.one));
    yield best;
  }
}

/** The scores by which fixes are ranked: those that apply and rest on at least half of their rubric. */
export const listRankedScores = (names: readonly ScoreName[], judged: readonly CheckResult[]): readonly ScoreName[] =>
  names.filter((name) => computeScore(name, judged).coverage >= THIN_COVERAGE);

/** Whether a check asks for a fix. */
export const isOpen = ({ outcome }: CheckResult): boolean => outcome.status === 'fail' || outcome.status === 'partial';

/** Weight still to be earned, then the id: a fixed order. */
export const compareByLoss = (a: CheckResult, b: CheckResult): number =>
  computeLoss(b) - computeLoss(a) || (a.check.id < b.check.id ? -1 : 1);
const computeLoss = ({ check, outcome }: CheckResult): number => check.weight * (1 - outcome.value);

/** The sums behind one score, so that one check more or less costs one addition and not a pass over all of them. */
type ScoreSums = {
  name: ScoreName;
  /** Whether fixes are ranked by it. */
  isRanked: boolean;
  assessed: number;
  earned: number;
  caps: readonly { id: string; cap: number }[];
};

function computeScoreSums(name: ScoreName, judged: readonly CheckResult[]): Omit<ScoreSums, 'isRanked'> {
  const assessed = judged.filter(({ check, outcome }) => check.scores.includes(name) && isAssessed(outcome));
  return {
    name,
    assessed: sum(assessed.map(({ check }) => check.weight)),
    earned: sum(assessed.map(({ check, outcome }) => check.weight * outcome.value)),
    caps: computeScore(name, judged).gates,
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
function computeGain(one: CheckResult, standings: readonly ScoreSums[], hasRanked: boolean): Omit<FixStep, 'one'> {
  const gains: Partial<Record<ScoreName, number>> = {};
  let points = 0;
  let gates = 0;
  for (const before of standings) {
    if (!one.check.scores.includes(before.name)) continue;
    const after = withFix(before, one);
    const gain = computeScoreValue(after) - computeScoreValue(before);
    if (gain > 0) gains[before.name] = gain;
    if (before.isRanked) points = Math.max(points, gain);
    if (before.isRanked || !hasRanked) gates += before.caps.length - after.caps.length;
  }
  return { gains, points, rank: (points + (gates > 0 ? 0.5 : 0)) / EFFORT_COSTS[getEffort(one.check.id)] };
}
