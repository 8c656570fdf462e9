import { formatPercent } from '../../lib/numbers.ts';
import { capitalise } from '../../lib/text.ts';
import { type ScoreName, scoreNames } from './check.ts';
import { compareByLoss, fixOrder, isOpen } from './fix-order.ts';
import { type CheckResult, type AuditScore, computeScore } from './scores.ts';

/** Fixes that a summary names. */
export const MAX_FIXES = 5;

/** One fix worth making. `gains`: points it adds to each score once the fixes named before it are made. */
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

/** Summary of an audit: its scores and the five fixes that raise them most, found by scoring again with each one made. */
export function summarise(names: readonly ScoreName[], judged: readonly CheckResult[]): Summary {
  const scores = computeScores(names, judged);
  const fixes = selectBestFixes(names, judged);
  const standing = names.map((name) => describeScore(name, scores[name]));
  const advice = fixes.map(
    ({ title, points, gains }, index) => `${index + 1}. "${title}": ${formatGains(gains, points)}.`,
  );
  const text = [
    `${capitalise(standing.join(', '))}.`,
    fixes.length === 0 ? 'Nothing that was checked needs a fix.' : `Fix first: ${advice.join(' ')}`,
  ];
  return { text: text.join(' '), fixes };
}

/** Below this coverage a score rests on too little to be read without saying so. */
const THIN_COVERAGE = 0.5;

function describeScore(name: ScoreName, score: AuditScore | undefined): string {
  const { score: value, grade, coverage } = score ?? { score: 0, grade: 'F', coverage: 0 };
  const thin = coverage < THIN_COVERAGE ? `, resting on ${formatPercent(coverage)} of its rubric` : '';
  return `${SCORE_TITLES[name]} ${value} of 100 (${grade}${thin})`;
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
