import { formatPercent } from '../../lib/numbers.ts';
import { capitalise } from '../../lib/text.ts';
import { formatCount, type ScoreName, scoreNames } from './check.ts';
import { compareByLoss, fixOrder, isOpen } from './fix-order.ts';
import { type CheckResult, type AuditScore, computeScore, THIN_COVERAGE } from './scores.ts';

/** Fixes that a summary names. */
export const MAX_FIXES = 5;

/** One fix worth making. `gains`: points it adds to each score once the fixes named before it are made; `points` the most of them. */
export type SuggestedFix = {
  check_id: string;
  title: string;
  fix: string;
  gains: Partial<Record<ScoreName, number>>;
  points: number;
};

/** What to do first, in words and as data. */
export type Summary = { text: string; fixes: readonly SuggestedFix[] };

/** The names of the scores in sentences. */
export const SCORE_TITLES: Readonly<Record<ScoreName, string>> = {
  aeo: 'AI search visibility (AEO)',
  geo: 'citation readiness (GEO)',
  agent: 'agent readiness',
  mcp: 'MCP readiness',
};

type Scores = Partial<Record<ScoreName, AuditScore>>;

export function computeScores(names: readonly ScoreName[], judged: readonly CheckResult[]): Scores {
  return Object.fromEntries(names.map((name) => [name, computeScore(name, judged)]));
}

/**
 * Summary of an audit: its scores, and the five fixes that raise one of them most for their effort, found by scoring again
 * with each one made. Checks that are ignored are in the scores and ask for no fix.
 */
export function summarise(
  names: readonly ScoreName[],
  judged: readonly CheckResult[],
  ignored: ReadonlySet<string> = new Set(),
): Summary {
  const scores = computeScores(names, judged);
  const counted = judged.filter(({ check }) => !ignored.has(check.id));
  const fixes = selectBestFixes(names, counted);
  const standing = names.flatMap((name) => describeScore(name, scores[name]));
  const left = names.flatMap((name) => describeNotApplying(name, scores[name]));
  const advice = fixes.map(
    ({ title, points, gains }, index) => `${index + 1}. "${title}": ${formatGains(gains, points)}.`,
  );
  const text = [
    ...(standing.length === 0 ? [] : [`${capitalise(standing.join(', '))}.`]),
    ...left,
    fixes.length === 0 ? describeNothingRanked(counted) : `Fix first: ${advice.join(' ')}`,
  ];
  return { text: text.join(' '), fixes };
}

function describeScore(name: ScoreName, score: AuditScore | undefined): readonly string[] {
  if (score === undefined || score.applies === false) return [];
  const { score: value, grade, coverage } = score;
  if (coverage === 0) return [`${SCORE_TITLES[name]} could not be assessed`];
  const thin = coverage < THIN_COVERAGE ? `, from ${formatPercent(coverage)} of its checks by weight` : '';
  return [`${SCORE_TITLES[name]} ${value} of 100 (${grade}${thin})`];
}

const describeNotApplying = (name: ScoreName, score: AuditScore | undefined): readonly string[] =>
  score?.applies === false ? [`${capitalise(SCORE_TITLES[name])} does not apply. ${score.reason ?? ''}`.trim()] : [];

/** Open checks without a rank: those of a score that rests on too little, or too light to move one. */
function describeNothingRanked(judged: readonly CheckResult[]): string {
  const open = judged.filter((one) => isOpen(one) && one.check.weight > 0).length;
  return open === 0
    ? 'Nothing that was checked needs a fix.'
    : `No fix comes first; ${formatCount(open, 'check')} did not pass.`;
}

/** Summary of a single capability's checks, which have no score: what failed, the heaviest first. */
export function summariseChecks(judged: readonly CheckResult[]): Summary {
  const open = judged.filter(isOpen).toSorted(compareByLoss);
  const fixes = open
    .slice(0, MAX_FIXES)
    .map(({ check }) => ({ check_id: check.id, title: check.failureTitle, fix: check.fix, gains: {}, points: 0 }));
  const passed = judged.filter(({ outcome }) => outcome.status === 'pass').length;
  const unknown = judged.filter(({ outcome }) => outcome.status === 'unknown').length;
  const counts = `${passed} of ${judged.length} checks pass, ${open.length} ask for a fix${unknown > 0 ? `, ${unknown} could not be judged` : ''}.`;
  return {
    text: fixes.length === 0 ? counts : `${counts} Fix first: ${fixes.map(({ title }) => `"${title}"`).join(', ')}.`,
    fixes,
  };
}

/** The first fixes of `fixOrder` that move a score or lift a cap. */
function selectBestFixes(names: readonly ScoreName[], judged: readonly CheckResult[]): readonly SuggestedFix[] {
  const fixes: SuggestedFix[] = [];
  for (const { one, gains, points, rank } of fixOrder(names, judged)) {
    if (rank <= 0) return fixes;
    const { check } = one;
    fixes.push({ check_id: check.id, title: check.failureTitle, fix: check.fix, gains, points });
    if (fixes.length === MAX_FIXES) return fixes;
  }
  return fixes;
}

function formatGains(gains: SuggestedFix['gains'], points: number): string {
  const parts = scoreNames.flatMap((name) =>
    gains[name] === undefined ? [] : [`+${gains[name]} ${SCORE_TITLES[name]}`],
  );
  if (parts.length > 0) return parts.join(', ');
  return points === 0 ? 'lifts a cap, which counts once the next one is lifted' : `${points} points`;
}
