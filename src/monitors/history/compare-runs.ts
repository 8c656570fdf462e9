import { scoreNames, type ScoreName } from '../../audit/core/check.ts';
import { isAssessed } from '../../audit/core/scores.ts';
import { type ComputedHistory, computeHistory } from '../../visibility/trend/history.ts';
import { describeReading, getRunTime } from '../alerts/site-changes.ts';
import type { AlertChange } from '../core/alert.ts';
import type { MonitorRun, WatchedRubric } from '../core/run.ts';
import { type CheckFacts, isSameRubric, type SiteFacts } from '../facts/site-facts.ts';

/** A run, and for a site what its report says, which may be judged again by the present rubric before. */
export type ComparedRun = { run: MonitorRun; facts?: SiteFacts | undefined };

/** A score in both runs; null where it does not apply, or was not given. */
export type ScoreDifference = { name: ScoreName; before: number | null; after: number | null };

/** What differs between two runs of a site, every verdict as it was seen then. */
export type SiteComparison = {
  kind: 'site';
  rubric: { before: WatchedRubric | null; after: WatchedRubric | null; isSame: boolean };
  scores: readonly ScoreDifference[];
  /** Checks that are worth less, or more, than they were; by weight. */
  worse: readonly AlertChange[];
  better: readonly AlertChange[];
  /** Checks that one of the runs could not judge, or that did not apply in it. */
  inOneOnly: readonly AlertChange[];
};

export type RunComparison =
  | {
      ok: true;
      fromRunId: string;
      toRunId: string;
      changes: SiteComparison | { kind: 'brand'; history: ComputedHistory };
    }
  | { ok: false; reason: 'no_report' | 'not_comparable' | 'the_same_run' };

/** What changed between any two runs of one monitor, the earlier one first whichever is given first. */
export function compareRuns(one: ComparedRun, other: ComparedRun): RunComparison {
  if (one.run.id === other.run.id) return { ok: false, reason: 'the_same_run' };
  const [from, to] = getRunTime(one.run) <= getRunTime(other.run) ? [one, other] : [other, one];
  const ids = { fromRunId: from.run.id, toRunId: to.run.id };
  const [before, after] = [from.run.summary, to.run.summary];
  if (before?.kind === 'brand' && after?.kind === 'brand') {
    const history = computeHistory([before.measured, after.measured]);
    return { ok: true, ...ids, changes: { kind: 'brand', history } };
  }
  if (before && after && before.kind !== after.kind) return { ok: false, reason: 'not_comparable' };
  if (from.facts === undefined || to.facts === undefined) return { ok: false, reason: 'no_report' };
  return { ok: true, ...ids, changes: compareSites(from.facts, to.facts) };
}

function compareSites(before: SiteFacts, after: SiteFacts): SiteComparison {
  const isSame = before.rubric !== null && after.rubric !== null && isSameRubric(before.rubric, after.rubric);
  const known = new Map(before.checks.map((one) => [one.id, one]));
  const pairs = after.checks.flatMap((now) => {
    const then = known.get(now.id);
    return then === undefined || (then.status === now.status && then.value === now.value) ? [] : [{ old: then, now }];
  });
  const both = pairs.filter(({ old, now }) => isAssessed(old) && isAssessed(now));
  const oneOnly = pairs.filter(({ old, now }) => isAssessed(old) !== isAssessed(now));
  return {
    kind: 'site',
    rubric: { before: before.rubric, after: after.rubric, isSame },
    scores: scoreNames.flatMap((name) =>
      before.scores[name] === undefined && after.scores[name] === undefined
        ? []
        : [{ name, before: before.scores[name]?.score ?? null, after: after.scores[name]?.score ?? null }],
    ),
    worse: sortByWeight(both.filter(({ old, now }) => now.value < old.value).map(describePair)),
    better: sortByWeight(both.filter(({ old, now }) => now.value > old.value).map(describePair)),
    inOneOnly: sortByWeight(oneOnly.map(describePair)),
  };
}

const describePair = ({ old, now }: { old: CheckFacts; now: CheckFacts }): AlertChange => ({
  id: now.id,
  title: now.title,
  weight: now.weight,
  before: describeReading(old, now),
  after: describeReading(now, old),
  ...(isAssessed(old) && isAssessed(now) ? { isWorse: now.value < old.value } : {}),
});

const sortByWeight = (changes: readonly AlertChange[]): readonly AlertChange[] =>
  changes.toSorted((a, b) => (b.weight ?? 0) - (a.weight ?? 0) || (a.id < b.id ? -1 : 1));
