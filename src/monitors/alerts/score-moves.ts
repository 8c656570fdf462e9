import { scoreNames, type ScoreName } from '../../audit/core/check.ts';
import { isAssessed, roundHalfUp } from '../../audit/core/scores.ts';
import { sum } from '../../lib/numbers.ts';
import type { CheckFacts, SiteFacts } from '../facts/site-facts.ts';
import type { SeenRun, SettledRuns } from './settled.ts';
import type { TracedRun } from './site-trace.ts';

/** Checks that are named as the reason of a move. */
const MAX_REASONS = 10;
/** Runs whose values a check may take again without having changed. */
const CALM_RUNS = 3;
/** Smaller than any difference of two values. */
const TIE = 1e-6;

/** `points`: what the named checks moved, up or down. */
export type ScoreMove = { name: ScoreName; points: number; because: readonly string[] };

type Shared = { id: string; weight: number; was: number; is: number };

/**
 * How far checks that were judged before and now moved each score, caps included. Checks whose new verdict waits for another run,
 * that were not judged in one of both, or whose value lies within those of the last three runs, move nothing: nor does coverage.
 */
export function findScoreMoves(
  before: SiteFacts,
  after: SiteFacts,
  { changes, held, before: settled }: SettledRuns<TracedRun>,
  trace: readonly SeenRun<TracedRun>[],
): readonly ScoreMove[] {
  const changed = new Set(changes.map(({ id }) => id));
  const recent = trace.slice(0, -1).slice(-CALM_RUNS);
  const known = new Map(before.checks.map((one) => [one.id, one]));
  /** Whether the report of before shows what had settled by then, and no verdict that came and went. */
  const isSettledThen = (then: CheckFacts | undefined): boolean =>
    then !== undefined && isAssessed(then) && settled.get(then.id)?.status === then.status;
  const share = (now: CheckFacts): readonly Shared[] => {
    const { id, weight, value } = now;
    const then = known.get(id);
    const old = isSettledThen(then) ? then?.value : settled.get(id)?.value;
    if (weight === 0 || old === undefined || !isAssessed(now) || held.has(id)) return [];
    if (changed.has(id)) return [{ id, weight, was: old, is: value }];
    const seen = recent.flatMap(({ verdicts }) => verdicts.get(id) ?? []).filter(isAssessed);
    const values = [old, ...seen.map((one) => one.value)];
    return [{ id, weight, was: Math.min(Math.max(value, Math.min(...values)), Math.max(...values)), is: value }];
  };
  return scoreNames.flatMap((name) => {
    const [was, is] = [before.scores[name], after.scores[name]];
    if (!was || !is) return [];
    const shared = after.checks.filter(({ scores }) => scores.includes(name)).flatMap(share);
    const ids = new Set(shared.map(({ id }) => id));
    const caps = (gates: typeof was.gates): readonly number[] =>
      gates.filter(({ id }) => ids.has(id)).map(({ cap }) => cap);
    const oldGates = was.gates.filter(({ id }) => isSettledThen(known.get(id)));
    const points =
      computeShared(shared, ({ is: value }) => value, caps(is.gates)) -
      computeShared(shared, ({ was: value }) => value, caps(oldGates));
    const because = shared
      .filter((one) => Math.abs(one.is - one.was) > TIE && Math.sign(one.is - one.was) === Math.sign(points))
      .toSorted((a, b) => Math.abs(b.is - b.was) * b.weight - Math.abs(a.is - a.was) * a.weight);
    return because.length === 0 ? [] : [{ name, points, because: because.slice(0, MAX_REASONS).map(({ id }) => id) }];
  });
}

function computeShared(shared: readonly Shared[], read: (one: Shared) => number, caps: readonly number[]): number {
  const weight = sum(shared.map((one) => one.weight));
  const raw = weight === 0 ? 0 : roundHalfUp((100 * sum(shared.map((one) => one.weight * read(one)))) / weight);
  return Math.min(raw, ...caps);
}
