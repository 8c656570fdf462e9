import { scoreNames, type ScoreName } from '../../audit/core/check.ts';
import { roundHalfUp } from '../../audit/core/scores.ts';
import type { Baseline, JudgedCheck, JudgedScore, ScoredReport } from './baseline.ts';

/**
 * What got worse since the baseline, a line each: a check with a weight that is worth less than it was, and a score that
 * fell. What could not be looked at this time or then, or does not apply any more, is no regression.
 */
export function listRegressions(
  report: ScoredReport,
  baseline: Baseline,
  ignored: ReadonlySet<string> = new Set(),
): readonly string[] {
  const fallen = scoreNames.flatMap((name) => compareScore(name, report, baseline, ignored));
  const known = new Map(listScoredChecks(baseline.report).map((one) => [one.id, one]));
  const worse = listScoredChecks(report).flatMap(({ id, title, status, value, weight }) => {
    const before = known.get(id);
    if (
      !before ||
      weight === 0 ||
      ignored.has(id) ||
      !isJudged(status) ||
      !isJudged(before.status) ||
      value >= before.value
    )
      return [];
    return [`${id}: ${before.status} before, ${status} now (${title})`];
  });
  return [...fallen, ...worse];
}

/** Each check once, though several scores may hold it. */
function listScoredChecks({ scores }: ScoredReport): readonly JudgedCheck[] {
  const all = scoreNames.flatMap((name) => scores?.[name]?.checks ?? []);
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

const isJudged = (status: string): boolean => ['pass', 'partial', 'fail'].includes(status);

function compareScore(
  name: ScoreName,
  { scores }: ScoredReport,
  baseline: Baseline,
  ignored: ReadonlySet<string>,
): readonly string[] {
  const [before, now] = [baseline.report.scores?.[name], scores?.[name]];
  if (!now || !before || now.applies === false || before.applies === false) return [];
  if (baseline.judgedAgain === undefined) return compareWholeScore(name, before, now, ignored);
  const shared = new Set([...findSharedChecks(before, now)].filter((id) => !ignored.has(id)));
  const [was, is] = [computeSharedScore(before, shared), computeSharedScore(now, shared)];
  return is < was ? [`${name} ${was} before, ${is} now (of the ${shared.size} checks that both could judge)`] : [];
}

/** Both scores without the ignored checks, and with every other one, whatever became of it since. */
function compareWholeScore(
  name: ScoreName,
  before: JudgedScore,
  now: JudgedScore,
  ignored: ReadonlySet<string>,
): readonly string[] {
  // Of a report without its checks nothing can be left out, so nothing is on either side.
  const left = before.checks.length === 0 || now.checks.length === 0 ? new Set<string>() : ignored;
  const [was, is] = [computeGatedScore(before, left), computeGatedScore(now, left)];
  const without = was === before.score && is === now.score ? '' : ' (without ignored checks)';
  return is < was ? [`${name} ${was} before, ${is} now${without}`] : [];
}

/** A snapshot that was made for another rubric lacks what new checks ask for: those would be a difference of the rubrics. */
function findSharedChecks(before: JudgedScore, now: JudgedScore): ReadonlySet<string> {
  const known = new Set(before.checks.filter(({ status }) => isJudged(status)).map(({ id }) => id));
  return new Set(now.checks.filter(({ id, status }) => isJudged(status) && known.has(id)).map(({ id }) => id));
}

/** The score over these checks alone, with their caps. */
function computeSharedScore({ checks, gates }: JudgedScore, shared: ReadonlySet<string>): number {
  const mine = checks.filter(({ id }) => shared.has(id));
  const weight = mine.reduce((sum, one) => sum + one.weight, 0);
  const earned = mine.reduce((sum, one) => sum + one.weight * one.value, 0);
  const raw = weight === 0 ? 0 : roundHalfUp((100 * earned) / weight);
  return Math.min(raw, ...gates.filter(({ id }) => shared.has(id)).map(({ cap }) => cap));
}

/** The score that a gate is held against: without the checks that are ignored. */
export function computeGatedScore(judged: JudgedScore, ignored: ReadonlySet<string> = new Set()): number {
  if (!judged.checks.some(({ id }) => ignored.has(id))) return judged.score;
  const counted = judged.checks.filter(({ id, status }) => isJudged(status) && !ignored.has(id));
  return computeSharedScore(judged, new Set(counted.map(({ id }) => id)));
}

const hasPoints = (report: ScoredReport, name: ScoreName): boolean =>
  report.scores?.[name] !== undefined && report.scores[name].applies !== false;

/** Why a report cannot be held against a baseline: no score is in both. Undefined where one is. */
export function explainNothingShared(report: ScoredReport, { report: before }: Baseline): string | undefined {
  if (scoreNames.some((name) => hasPoints(report, name) && hasPoints(before, name))) return undefined;
  const list = (one: ScoredReport): string =>
    scoreNames.filter((name) => hasPoints(one, name)).join(', ') || 'no score that applies';
  return `The baseline has ${list(before)}, and this audit ${list(report)}: there is nothing to compare. Make the baseline by the same --only.`;
}

/** What a reader of the comparison should know: it is of another site or kind of site, or leaves a score out. */
export function describeBaseline(report: ScoredReport, { report: before }: Baseline): readonly string[] {
  const missed = scoreNames.filter((name) => hasPoints(report, name) && !hasPoints(before, name));
  const gone = scoreNames.filter(
    (name) => hasPoints(before, name) && !hasPoints(report, name) && report.scores?.[name] !== undefined,
  );
  const [was, is] = [before.profile?.name, report.profile?.name];
  return [
    ...(isOtherSite(report.url, before.url) ? [`The baseline is a report of ${before.url ?? ''}.`] : []),
    ...(was !== undefined && is !== undefined && was !== is
      ? [`The baseline was judged as ${was} and this audit as ${is}: other checks apply. --profile ${was} keeps them.`]
      : []),
    ...(missed.length === 0 ? [] : [`Not in the baseline, so not compared: ${missed.join(', ')}.`]),
    ...(gone.length === 0 ? [] : [`In the baseline, and does not apply any more: ${gone.join(', ')}.`]),
  ];
}

/** Whether two addresses name different pages; by http or https is the same one. */
function isOtherSite(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [URL.parse(one ?? ''), URL.parse(other ?? '')];
  return first !== null && second !== null && (first.host !== second.host || first.pathname !== second.pathname);
}
