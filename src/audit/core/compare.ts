import { type OutcomeStatus, type ScoreName, scoreNames, selectCheckTitle } from './check.ts';
import type { CheckEvidence } from './evidence.ts';
import { listRankedScores } from './fix-order.ts';
import { type CheckResult, type AuditScore, computeScore, isAssessed } from './scores.ts';
import { SCORE_TITLES } from './summary.ts';
import { MAX_EVIDENCE } from './wire.ts';

export type ComparedSide = 'url' | 'competitor';
export type Winner = ComparedSide | 'tie';

/** Checks that a verdict names as its reason. */
const MAX_REASONS = 3;
/** What to copy first: gaps worth naming. */
const MAX_COPY = 5;

/** One score of both sites: who is ahead, by how much, and the checks that decide it. One that does not apply to both is a tie. */
export type Category = {
  category: ScoreName;
  title: string;
  winner: Winner;
  scores: Record<ComparedSide, number>;
  coverage: Record<ComparedSide, number>;
  /** To which site it applies; absent where it applies to both. */
  applies?: Record<ComparedSide, boolean>;
  difference: number;
  why: string;
  decided_by: readonly string[];
};

/** How one site does in a check. Text of the site appears in `evidence` and nowhere else (rule X3). */
type SiteResult = { status: OutcomeStatus; value: number; evidence: readonly CheckEvidence[] };

/** A check that the two sites answer differently. `points`: what the site gains in each score by doing as well. */
export type Gap = {
  id: string;
  title: string;
  ahead: ComparedSide;
  weight: number;
  url: SiteResult;
  competitor: SiteResult;
  points: Partial<Record<ScoreName, number>>;
  fix: string;
};

export type SiteComparison = {
  categories: readonly Category[];
  /** Every difference, the competitor's leads first, by the most points they are worth in one score that rests on at least half of its rubric. */
  gaps: readonly Gap[];
  copy_first: readonly { check_id: string; title: string; points: number; fix: string }[];
  summary: { text: string };
};

type Pair = { mine: CheckResult; theirs: CheckResult };

/** Compares two sites that were judged by the same checks. Pure: the same verdicts give the same bytes. */
export function compareSites(url: readonly CheckResult[], competitor: readonly CheckResult[]): SiteComparison {
  const theirs = new Map(competitor.map((judged) => [judged.check.id, judged]));
  const pairs = url.flatMap((mine) => {
    const other = theirs.get(mine.check.id);
    return other ? [{ mine, theirs: other }] : [];
  });
  const ranked = listRankedScores(scoreNames, url);
  const pointsOf = ({ points }: Gap): number => Math.max(0, ...ranked.map((name) => points[name] ?? 0));
  const gaps = pairs
    .filter(isJudgedDifferently)
    .map((pair) => buildGap(pair, url))
    .toSorted((a, b) => compareByLead(a, b, pointsOf));
  const categories = scoreNames.map((name) => buildCategory(name, url, competitor, pairs));
  const copyFirst = gaps
    .filter(({ ahead, weight }) => ahead === 'competitor' && weight > 0)
    .slice(0, MAX_COPY)
    .map((gap) => ({ check_id: gap.id, title: gap.title, points: pointsOf(gap), fix: gap.fix }));
  return { categories, gaps, copy_first: copyFirst, summary: { text: summariseComparison(categories, copyFirst) } };
}

/** Two sites differ in a check that both were judged by; what applies to one only is no lead of the other. */
const isJudgedDifferently = ({ mine, theirs }: Pair): boolean =>
  isAssessed(mine.outcome) && isAssessed(theirs.outcome) && mine.outcome.value !== theirs.outcome.value;

/** The competitor's leads first, the dearest first; then ours by weight; ids decide ties. */
function compareByLead(a: Gap, b: Gap, pointsOf: (gap: Gap) => number): number {
  if (a.ahead !== b.ahead) return a.ahead === 'competitor' ? -1 : 1;
  return pointsOf(b) - pointsOf(a) || b.weight - a.weight || (a.id < b.id ? -1 : 1);
}

function buildGap({ mine, theirs }: Pair, all: readonly CheckResult[]): Gap {
  const { check } = mine;
  return {
    id: check.id,
    title: mine.outcome.value < theirs.outcome.value ? selectCheckTitle(check, mine.outcome) : check.title,
    ahead: mine.outcome.value > theirs.outcome.value ? 'url' : 'competitor',
    weight: check.weight,
    url: buildSiteResult(mine),
    competitor: buildSiteResult(theirs),
    points: computeGapPoints(mine, theirs, all),
    fix: check.fix,
  };
}

const buildSiteResult = ({ outcome }: CheckResult): SiteResult => ({
  status: outcome.status,
  value: outcome.value,
  evidence: outcome.evidence.slice(0, MAX_EVIDENCE),
});

/** What each score of the site gains when it does in this check as well as its competitor. */
function computeGapPoints(mine: CheckResult, theirs: CheckResult, all: readonly CheckResult[]): Gap['points'] {
  if (theirs.outcome.value <= mine.outcome.value) return {};
  const better = all.map((one) => (one === mine ? { check: one.check, outcome: theirs.outcome } : one));
  const gains = mine.check.scores.map(
    (name) => [name, computeScore(name, better).score - computeScore(name, all).score] as const,
  );
  return Object.fromEntries(gains.filter(([, gain]) => gain !== 0));
}

function buildCategory(
  name: ScoreName,
  url: readonly CheckResult[],
  competitor: readonly CheckResult[],
  pairs: readonly Pair[],
): Category {
  const scores = { url: computeScore(name, url), competitor: computeScore(name, competitor) };
  const difference = canCompare(scores) ? Math.abs(scores.url.score - scores.competitor.score) : 0;
  const winner = canCompare(scores) ? decideWinner(scores.url, scores.competitor) : 'tie';
  const decisive = winner === 'tie' ? [] : listDecisiveChecks(name, winner, pairs);
  return {
    category: name,
    title: SCORE_TITLES[name],
    winner,
    scores: { url: scores.url.score, competitor: scores.competitor.score },
    coverage: { url: scores.url.coverage, competitor: scores.competitor.coverage },
    ...(canCompare(scores) ? {} : { applies: listAppliesTo(scores) }),
    difference,
    why: explainWinner(winner, difference, decisive, scores),
    decided_by: decisive.map(({ check }) => check.id),
  };
}

const canCompare = ({ url, competitor }: Record<ComparedSide, AuditScore>): boolean =>
  url.applies !== false && competitor.applies !== false;

const listAppliesTo = ({ url, competitor }: Record<ComparedSide, AuditScore>): Record<ComparedSide, boolean> => ({
  url: url.applies !== false,
  competitor: competitor.applies !== false,
});

const decideWinner = (url: AuditScore, competitor: AuditScore): Winner => {
  if (url.score === competitor.score) return 'tie';
  return url.score > competitor.score ? 'url' : 'competitor';
};

/** The checks in which the winner leads most, by weight; a gate that only the loser met counts before all others. */
function listDecisiveChecks(name: ScoreName, winner: ComparedSide, pairs: readonly Pair[]): readonly CheckResult[] {
  const lead = ({ mine, theirs }: Pair): number => {
    const [ahead, behind] = winner === 'url' ? [mine, theirs] : [theirs, mine];
    return behind.check.weight * (ahead.outcome.value - behind.outcome.value);
  };
  return pairs
    .filter((pair) => pair.mine.check.scores.includes(name) && isJudgedDifferently(pair) && lead(pair) > 0)
    .toSorted((a, b) => lead(b) - lead(a) || (a.mine.check.id < b.mine.check.id ? -1 : 1))
    .slice(0, MAX_REASONS)
    .map(({ mine }) => mine);
}

/** How the two sites are called in sentences. */
const SIDES: Readonly<Record<ComparedSide, string>> = { url: 'The site', competitor: 'The competitor' };
/** Coverages further apart than this make two scores hard to compare. */
const FAR_COVERAGE = 0.25;

function explainWinner(
  winner: Winner,
  difference: number,
  decisive: readonly CheckResult[],
  scores: Record<ComparedSide, AuditScore>,
): string {
  if (!canCompare(scores)) return explainNotCompared(scores);
  const far = Math.abs(scores.url.coverage - scores.competitor.coverage) > FAR_COVERAGE;
  const caution = far
    ? ' The two scores rest on very different shares of the rubric: compare the checks, not the sums.'
    : '';
  if (winner === 'tie') return `Both sites have ${scores.url.score} points.${caution}`;
  const loser = winner === 'url' ? 'competitor' : 'url';
  const cap = scores[loser].gates.length > scores[winner].gates.length ? ` ${SIDES[loser]} is held down by a cap.` : '';
  const reasons = decisive.map(({ check }) => `“${check.title}”`).join(', ');
  const because = reasons === '' ? '' : ` It does better in ${reasons}.`;
  const unit = difference === 1 ? 'point' : 'points';
  return `${SIDES[winner]} is ${difference} ${unit} ahead.${because}${cap}${caution}`;
}

function explainNotCompared(scores: Record<ComparedSide, AuditScore>): string {
  const { url, competitor } = listAppliesTo(scores);
  if (!url && !competitor) return 'It applies to neither site.';
  return `It does not apply to ${url ? 'the competitor' : 'the site'}, so there is nothing to compare.`;
}

function summariseComparison(categories: readonly Category[], copy: SiteComparison['copy_first']): string {
  const compared = categories.filter(({ applies }) => applies === undefined);
  const won = (side: Winner): number => compared.filter(({ winner }) => winner === side).length;
  const ties = won('tie') > 0 ? `, ${won('tie')} tied` : '';
  const standingText = `The site wins ${won('url')} of ${compared.length} categories, the competitor ${won('competitor')}${ties}.`;
  if (copy.length === 0) return `${standingText} The competitor leads in no check that both were judged by.`;
  return `${standingText} Copy first: ${copy.map(({ title }) => `“${title}”`).join(', ')}.`;
}
