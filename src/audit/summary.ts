import { type ScoreName, scoreNames } from './check.ts';
import { type Judged, type Score, scoreOf } from './scores.ts';

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

type Scores = Partial<Record<ScoreName, Score>>;

export function scoresOf(names: readonly ScoreName[], judged: readonly Judged[]): Scores {
  return Object.fromEntries(names.map((name) => [name, scoreOf(name, judged)]));
}

/** Summary of an audit: its scores and the five fixes that raise them most, found by scoring again with each one made. */
export function summarise(names: readonly ScoreName[], judged: readonly Judged[]): Summary {
  const scores = scoresOf(names, judged);
  const fixes = bestFixes(names, judged);
  const standing = names.map((name) => standingOf(name, scores[name]));
  const advice = fixes.map(
    ({ title, points, gains }, index) => `${index + 1}. "${title}": ${gainsText(gains, points)}.`,
  );
  const text = [
    `${capital(standing.join(', '))}.`,
    fixes.length === 0 ? 'Nothing that was checked needs a fix.' : `Fix first: ${advice.join(' ')}`,
  ];
  return { text: text.join(' '), fixes };
}

/** Below this coverage a score rests on too little to be read without saying so. */
const THIN_COVERAGE = 0.5;

function standingOf(name: ScoreName, score: Score | undefined): string {
  const { score: value, grade, coverage } = score ?? { score: 0, grade: 'F', coverage: 0 };
  const thin = coverage < THIN_COVERAGE ? `, resting on ${Math.round(coverage * 100)} % of its rubric` : '';
  return `${SCORE_TITLES[name]} ${value} of 100 (${grade}${thin})`;
}

/** Summary of a single capability's checks, which have no score: what failed, the heaviest first. */
export function summariseChecks(judged: readonly Judged[]): Summary {
  const open = judged.filter(isOpen).toSorted(byLoss);
  const fixes = open
    .slice(0, MAX_FIXES)
    .map(({ check }) => ({ check_id: check.id, title: check.title, fix: check.fix, gains: {}, points: 0 }));
  const passed = judged.filter(({ outcome }) => outcome.status === 'pass').length;
  const unknown = judged.filter(({ outcome }) => outcome.status === 'unknown').length;
  const counts = `${passed} of ${judged.length} checks pass, ${open.length} ask for a fix${unknown > 0 ? `, ${unknown} could not be judged` : ''}.`;
  return {
    text: fixes.length === 0 ? counts : `${counts} Fix first: ${fixes.map(({ title }) => `"${title}"`).join(', ')}.`,
    fixes,
  };
}

const isOpen = ({ outcome }: Judged): boolean => outcome.status === 'fail' || outcome.status === 'partial';

/** Weight still to be earned, then the id: a fixed order. */
const loss = ({ check, outcome }: Judged): number => check.weight * (1 - outcome.value);
const byLoss = (a: Judged, b: Judged): number => loss(b) - loss(a) || (a.check.id < b.check.id ? -1 : 1);

/**
 * Takes the fix that gains most, makes it, and looks again: so the points add up, and a gate is lifted before what it
 * hides. A fix that only lifts one of two equal caps gains nothing by itself and is taken for the gate. A gain counts as
 * much as the score is covered: where few checks apply, one of them moves the number far and means little.
 */
function bestFixes(names: readonly ScoreName[], judged: readonly Judged[]): readonly SuggestedFix[] {
  const fixes: SuggestedFix[] = [];
  let current = judged;
  while (fixes.length < MAX_FIXES) {
    const open = current.filter(isOpen).toSorted(byLoss);
    const before = scoresOf(names, current);
    const tried = open.map((one) => ({ one, ...gainOf(names, current, one, before) }));
    const best = tried.reduce<(typeof tried)[number] | undefined>(
      (winner, next) => (!winner || next.rank > winner.rank ? next : winner),
      undefined,
    );
    if (!best || best.rank <= 0) return fixes;
    const { check } = best.one;
    fixes.push({ check_id: check.id, title: check.title, fix: check.fix, gains: best.gains, points: best.points });
    current = withFix(current, best.one);
  }
  return fixes;
}

const withFix = (judged: readonly Judged[], fixed: Judged): readonly Judged[] =>
  judged.map((one) =>
    one === fixed ? { check: one.check, outcome: { ...one.outcome, status: 'pass', value: 1 } } : one,
  );

/** What making `one` adds to the scores it counts in; `before` are the scores of `judged`. */
function gainOf(all: readonly ScoreName[], judged: readonly Judged[], one: Judged, before: Scores) {
  const names = all.filter((name) => one.check.scores.includes(name));
  const after = scoresOf(names, withFix(judged, one));
  const gains: Partial<Record<ScoreName, number>> = {};
  let points = 0;
  let worth = 0;
  let gates = 0;
  for (const name of names) {
    const gain = (after[name]?.score ?? 0) - (before[name]?.score ?? 0);
    gates += (before[name]?.gates.length ?? 0) - (after[name]?.gates.length ?? 0);
    if (gain > 0) gains[name] = gain;
    points += gain;
    worth += gain * (before[name]?.coverage ?? 0);
  }
  return { gains, points, rank: worth + (gates > 0 ? 0.5 : 0) };
}

function gainsText(gains: SuggestedFix['gains'], points: number): string {
  const parts = scoreNames.flatMap((name) =>
    gains[name] === undefined ? [] : [`+${gains[name]} ${SCORE_TITLES[name]}`],
  );
  if (parts.length > 0) return parts.join(', ');
  return points === 0 ? 'lifts a cap, which counts once the next one is lifted' : `${points} points`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
