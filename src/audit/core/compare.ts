import { type ScoreName, scoreNames, type Status } from './check.ts';
import type { Evidence } from './evidence.ts';
import { type Judged, type Score, scoreOf } from './scores.ts';
import { SCORE_TITLES } from './summary.ts';
import { MAX_EVIDENCE } from './wire.ts';

export type Side = 'url' | 'competitor';
export type Winner = Side | 'tie';

/** Checks that a verdict names as its reason. */
const MAX_REASONS = 3;
/** What to copy first: gaps worth naming. */
const MAX_COPY = 5;

/** One score of both sites: who is ahead, by how much, and the checks that decide it. */
export type Category = {
  category: ScoreName;
  title: string;
  winner: Winner;
  scores: Record<Side, number>;
  coverage: Record<Side, number>;
  difference: number;
  why: string;
  decided_by: readonly string[];
};

/** How one site stands in a check. What the site says stands in `evidence` and nowhere else (rule X3). */
type Standing = { status: Status; value: number; evidence: readonly Evidence[] };

/** A check that the two sites answer differently. `points`: what the site gains in each score by doing as well. */
export type Gap = {
  id: string;
  title: string;
  ahead: Side;
  weight: number;
  url: Standing;
  competitor: Standing;
  points: Partial<Record<ScoreName, number>>;
  fix: string;
};

export type Comparison = {
  categories: readonly Category[];
  /** Every difference, the competitor's leads first, by the points they are worth. */
  gaps: readonly Gap[];
  copy_first: readonly { check_id: string; title: string; points: number; fix: string }[];
  summary: { text: string };
};

type Pair = { mine: Judged; theirs: Judged };

/** Compares two sites that were judged by the same checks. Pure: the same verdicts give the same bytes. */
export function compareSites(url: readonly Judged[], competitor: readonly Judged[]): Comparison {
  const theirs = new Map(competitor.map((judged) => [judged.check.id, judged]));
  const pairs = url.flatMap((mine) => {
    const other = theirs.get(mine.check.id);
    return other ? [{ mine, theirs: other }] : [];
  });
  const gaps = pairs
    .filter(differs)
    .map((pair) => gapOf(pair, url))
    .toSorted(byLead);
  const categories = scoreNames.map((name) => categoryOf(name, url, competitor, pairs));
  const copyFirst = gaps
    .filter(({ ahead, weight }) => ahead === 'competitor' && weight > 0)
    .slice(0, MAX_COPY)
    .map(({ id, title, points, fix }) => ({ check_id: id, title, points: total(points), fix }));
  return { categories, gaps, copy_first: copyFirst, summary: { text: summaryOf(categories, copyFirst) } };
}

const assessed = ({ outcome }: Judged): boolean => ['pass', 'partial', 'fail'].includes(outcome.status);

/** Two sites differ in a check that both were judged by; what applies to one only is no lead of the other. */
const differs = ({ mine, theirs }: Pair): boolean =>
  assessed(mine) && assessed(theirs) && mine.outcome.value !== theirs.outcome.value;

const total = (points: Gap['points']): number => Object.values(points).reduce((sum, one) => sum + one, 0);

/** The competitor's leads first, the dearest first; then ours by weight; ids decide ties. */
function byLead(a: Gap, b: Gap): number {
  if (a.ahead !== b.ahead) return a.ahead === 'competitor' ? -1 : 1;
  return total(b.points) - total(a.points) || b.weight - a.weight || (a.id < b.id ? -1 : 1);
}

function gapOf({ mine, theirs }: Pair, all: readonly Judged[]): Gap {
  const { check } = mine;
  return {
    id: check.id,
    title: check.title,
    ahead: mine.outcome.value > theirs.outcome.value ? 'url' : 'competitor',
    weight: check.weight,
    url: standing(mine),
    competitor: standing(theirs),
    points: pointsOf(mine, theirs, all),
    fix: check.fix,
  };
}

const standing = ({ outcome }: Judged): Standing => ({
  status: outcome.status,
  value: outcome.value,
  evidence: outcome.evidence.slice(0, MAX_EVIDENCE),
});

/** What each score of the site gains when it does in this check as well as its competitor. */
function pointsOf(mine: Judged, theirs: Judged, all: readonly Judged[]): Gap['points'] {
  if (theirs.outcome.value <= mine.outcome.value) return {};
  const better = all.map((one) => (one === mine ? { check: one.check, outcome: theirs.outcome } : one));
  const gains = mine.check.scores.map(
    (name) => [name, scoreOf(name, better).score - scoreOf(name, all).score] as const,
  );
  return Object.fromEntries(gains.filter(([, gain]) => gain !== 0));
}

function categoryOf(
  name: ScoreName,
  url: readonly Judged[],
  competitor: readonly Judged[],
  pairs: readonly Pair[],
): Category {
  const scores = { url: scoreOf(name, url), competitor: scoreOf(name, competitor) };
  const difference = Math.abs(scores.url.score - scores.competitor.score);
  const winner = winnerOf(scores.url, scores.competitor);
  const decisive = winner === 'tie' ? [] : decidedBy(name, winner, pairs);
  return {
    category: name,
    title: SCORE_TITLES[name],
    winner,
    scores: { url: scores.url.score, competitor: scores.competitor.score },
    coverage: { url: scores.url.coverage, competitor: scores.competitor.coverage },
    difference,
    why: whyOf(winner, difference, decisive, scores),
    decided_by: decisive.map(({ check }) => check.id),
  };
}

const winnerOf = (url: Score, competitor: Score): Winner => {
  if (url.score === competitor.score) return 'tie';
  return url.score > competitor.score ? 'url' : 'competitor';
};

/** The checks in which the winner leads most, by weight; a gate that only the loser met counts before all others. */
function decidedBy(name: ScoreName, winner: Side, pairs: readonly Pair[]): readonly Judged[] {
  const lead = ({ mine, theirs }: Pair): number => {
    const [ahead, behind] = winner === 'url' ? [mine, theirs] : [theirs, mine];
    return behind.check.weight * (ahead.outcome.value - behind.outcome.value);
  };
  return pairs
    .filter((pair) => pair.mine.check.scores.includes(name) && differs(pair) && lead(pair) > 0)
    .toSorted((a, b) => lead(b) - lead(a) || (a.mine.check.id < b.mine.check.id ? -1 : 1))
    .slice(0, MAX_REASONS)
    .map(({ mine }) => mine);
}

/** How the two sites are called in sentences. */
const SIDES: Readonly<Record<Side, string>> = { url: 'The site', competitor: 'The competitor' };
/** Coverages further apart than this make two scores hard to compare. */
const FAR_COVERAGE = 0.25;

function whyOf(winner: Winner, difference: number, decisive: readonly Judged[], scores: Record<Side, Score>): string {
  const far = Math.abs(scores.url.coverage - scores.competitor.coverage) > FAR_COVERAGE;
  const caution = far
    ? ' The two scores rest on very different shares of the rubric: compare the checks, not the sums.'
    : '';
  if (winner === 'tie') return `Both sites have ${scores.url.score} points.${caution}`;
  const loser = winner === 'url' ? 'competitor' : 'url';
  const cap = scores[loser].gates.length > scores[winner].gates.length ? ` ${SIDES[loser]} is held down by a cap.` : '';
  const reasons = decisive.map(({ check }) => `"${check.title}"`).join(', ');
  const because = reasons === '' ? '' : ` It does better in ${reasons}.`;
  const unit = difference === 1 ? 'point' : 'points';
  return `${SIDES[winner]} is ${difference} ${unit} ahead.${because}${cap}${caution}`;
}

function summaryOf(categories: readonly Category[], copy: Comparison['copy_first']): string {
  const won = (side: Winner): number => categories.filter(({ winner }) => winner === side).length;
  const ties = won('tie') > 0 ? `, ${won('tie')} tied` : '';
  const standingText = `The site wins ${won('url')} of ${categories.length} categories, the competitor ${won('competitor')}${ties}.`;
  if (copy.length === 0) return `${standingText} The competitor leads in no check that both were judged by.`;
  return `${standingText} Copy first: ${copy.map(({ title }) => `"${title}"`).join(', ')}.`;
}
