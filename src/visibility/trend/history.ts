import { rememberPerObject } from '../../lib/memo.ts';
import { type RateInterval, roundDecimals, roundRate } from '../metrics/statistics.ts';
import type { MeasuredBrand, MeasuredRun } from './measured-run.ts';
import { comparePoints, computeRate, type JudgedChange, judgeChanges, type PairedChange } from './pairs.ts';
import { type Point, mergeRepeats, mergeCloseRuns } from './points.ts';
import { groupByEngine, type LoneRun, type EngineSeries } from './series.ts';
import { computeTrend, type FittedTrend, judgeTrends, type Trend } from './slope.ts';

/** Measurements that are compared at a time. */
export const MAX_COMPARED_MEASUREMENTS = 100;

/** A change needs so many. */
const MIN_MEASUREMENTS = 2;

/** Why measurements are not compared. */
export type HistoryRefusal =
  | 'too_few'
  | 'too_many'
  | 'another_brand'
  | 'another_niche'
  | 'other_prompts'
  | 'the_same_run'
  | 'no_common_engine';

/** Each refusal as a sentence. */
export const historyRefusalWords: Readonly<Record<HistoryRefusal, string>> = {
  too_few: 'A change needs two measurements.',
  too_many: `At most ${MAX_COMPARED_MEASUREMENTS} measurements are compared at a time.`,
  another_brand: 'The measurements are about two brands.',
  another_niche: 'The measurements are about two markets, so their questions differ.',
  other_prompts: 'The measurements asked different prompt sets: a difference could come from the questions.',
  the_same_run: 'One of the measurements is given twice.',
  no_common_engine: 'No engine answered in two of the measurements.',
};

/** Who answered: what must not change where a difference is said to be the brand's. */
type Answerer = {
  kind: string;
  model: string;
  served_models: readonly string[];
  web_search?: boolean;
  country?: string;
};

export type HistoryPoint = {
  run_ids: readonly string[];
  /** Unix milliseconds. */
  at_ms: number;
  mention_rate: RateInterval | null;
  answers: number;
  /** Prompts without a real answer: refused or failed. */
  without_answer: number;
};

/** From one point of time to the next, by the places of both in `points`. */
export type HistoryChange = JudgedChange & { from: number; to: number };

/** A stretch of time in which the same model answered. */
export type HistoryStretch = {
  answered_by: Answerer;
  points: readonly HistoryPoint[];
  /** Each point against the one before it. */
  changes: readonly HistoryChange[];
  /** Null with fewer than three points. */
  trend: Trend | null;
};

/** Rates before and after another model took over: no verdict, since the difference may be the model's. */
export type ModelChange = {
  from: Answerer;
  to: Answerer;
  before: RateInterval | null;
  after: RateInterval | null;
  difference: number | null;
};

export type EngineHistory = {
  engine: string;
  /** Whether any of its answers are made up or replayed. */
  simulated: boolean;
  stretches: readonly HistoryStretch[];
  model_changed: readonly ModelChange[];
};

/** How often a brand is named, over time. The brand's change is said per engine and model only. */
export type BrandHistory = {
  brand: string;
  niche: string;
  prompts: { set: string; sha256: string };
  engines: readonly EngineHistory[];
  /** Runs of engines that answered in no other measurement: they are in nothing above. */
  without_partner: readonly LoneRun[];
  /** Comparisons that Holm's correction is over; trends are corrected over `trends`. */
  comparisons: number;
  trends: number;
};

export type ComputedHistory = { ok: true; history: BrandHistory } | { ok: false; reason: HistoryRefusal };

/**
 * What changed between measurements of one brand in one market with one prompt set. Pure: the same runs in any order give
 * the same result. Measurements that may not be compared are refused.
 */
export function computeHistory(measured: readonly MeasuredBrand[]): ComputedHistory {
  const reason = refuseHistory(measured);
  if (reason !== undefined) return { ok: false, reason };
  const [first] = measured;
  const { series, without_partner } = groupByEngine(measured);
  if (first === undefined || series.length === 0) return { ok: false, reason: 'no_common_engine' };
  const drafts = series.map((one) => draftEngine(one, measured.length > MIN_MEASUREMENTS));
  const pairs = drafts.flatMap(({ stretches }) => stretches.flatMap(({ pairs: all }) => all));
  const judged = judgeChanges(pairs.map(({ pair }) => pair));
  const byPair = new Map(pairs.map(({ pair }, at) => [pair, judged[at]]));
  const fitted = drafts.flatMap(({ stretches }) => stretches.flatMap(({ fitted: one }) => one ?? []));
  const trends = judgeTrends(fitted);
  const byFit = new Map(fitted.map((fit, at) => [fit, trends[at]]));
  const { id: set, sha256 } = first.promptSet;
  return {
    ok: true,
    history: {
      brand: first.brand,
      niche: first.niche,
      prompts: { set, sha256 },
      engines: drafts.map((draft) => finishEngine(draft, { byPair, byFit })),
      without_partner,
      comparisons: pairs.length,
      trends: fitted.length,
    },
  };
}

function refuseHistory(measured: readonly MeasuredBrand[]): HistoryRefusal | undefined {
  const [first, ...others] = measured;
  if (first === undefined || measured.length < MIN_MEASUREMENTS) return 'too_few';
  if (measured.length > MAX_COMPARED_MEASUREMENTS) return 'too_many';
  const { brand, niche, promptSet } = first;
  if (others.some((one) => one.brand !== brand)) return 'another_brand';
  if (others.some((one) => one.niche !== niche)) return 'another_niche';
  if (others.some((one) => one.promptSet.sha256 !== promptSet.sha256 || one.promptSet.id !== promptSet.id))
    return 'other_prompts';
  const ids = measured.flatMap(({ runs }) => runs.map(({ runId }) => runId));
  return new Set(ids).size < ids.length ? 'the_same_run' : undefined;
}

function describeAnswerer({ engine, servedModels }: MeasuredRun): Answerer {
  const { kind, model, webSearch, country } = engine;
  return {
    kind,
    model,
    served_models: servedModels,
    ...(webSearch === undefined ? {} : { web_search: webSearch }),
    ...(country === undefined ? {} : { country }),
  };
}

type DraftPair = { from: number; to: number; pair: PairedChange };
type DraftStretch = {
  answered_by: Answerer;
  points: readonly Point[];
  pairs: readonly DraftPair[];
  fitted: FittedTrend | undefined;
};
type DraftEngine = { engine: string; simulated: boolean; stretches: readonly DraftStretch[] };

/** @param isPooled whether repeats are one point; two measurements that someone names are compared however close they are */
function draftEngine({ engine, runs }: EngineSeries, isPooled: boolean): DraftEngine {
  const stretches: MeasuredRun[][] = [];
  for (const run of runs) {
    const last = stretches.at(-1)?.at(-1);
    if (last !== undefined && isSameAnswerer(last, run)) stretches.at(-1)?.push(run);
    else stretches.push([run]);
  }
  return {
    engine,
    simulated: runs.some(({ simulated }) => simulated),
    stretches: stretches.flatMap((all) => {
      const [first] = all;
      return first === undefined
        ? []
        : [
            draftStretch(
              describeAnswerer(first),
              isPooled ? mergeRepeats(all) : all.map((run) => mergeCloseRuns([run])),
            ),
          ];
    }),
  };
}

/** Who answered, as a text. Runs of before, which do not say whether they searched the web, did not. */
const nameAnswerer = rememberPerObject((run: MeasuredRun): string =>
  JSON.stringify({ web_search: false, ...describeAnswerer(run) }),
);

/** Whether the same model answered both. */
export const isSameAnswerer = (one: MeasuredRun, other: MeasuredRun): boolean =>
  nameAnswerer(one) === nameAnswerer(other);

const draftStretch = (answered_by: Answerer, points: readonly Point[]): DraftStretch => ({
  answered_by,
  points,
  pairs: points.flatMap((point, to) => {
    const before = points[to - 1];
    const pair = before === undefined ? undefined : comparePoints(before, point);
    return pair === undefined ? [] : [{ from: to - 1, to, pair }];
  }),
  fitted: computeTrend(points),
});

/** What is said of each comparison and trend once all of them are known. */
type Judgements = {
  byPair: ReadonlyMap<PairedChange, JudgedChange | undefined>;
  byFit: ReadonlyMap<FittedTrend, Trend | undefined>;
};

function finishEngine({ engine, simulated, stretches }: DraftEngine, { byPair, byFit }: Judgements): EngineHistory {
  const finished = stretches.map(({ answered_by, points, pairs, fitted }) => ({
    answered_by,
    points: points.map(showPoint),
    changes: pairs.flatMap(({ from, to, pair }) => {
      const judged = byPair.get(pair);
      return judged === undefined ? [] : [{ from, to, ...roundChange(judged) }];
    }),
    trend: roundTrend(fitted && byFit.get(fitted)),
  }));
  return { engine, simulated, stretches: finished, model_changed: listModelChanges(finished) };
}

const showPoint = (point: Point): HistoryPoint => ({
  run_ids: point.runIds,
  at_ms: point.atMs,
  mention_rate: roundInterval(ratePoint(point)),
  answers: point.answers,
  without_answer: point.without,
});

const ratePoint = ({ shares, betweenRuns }: Point): RateInterval | undefined =>
  computeRate(
    shares.filter((share) => share !== undefined),
    betweenRuns,
  );

function listModelChanges(stretches: readonly HistoryStretch[]): readonly ModelChange[] {
  return stretches.flatMap((stretch, at) => {
    const last = stretches[at - 1];
    if (last === undefined) return [];
    const [before, after] = [last.points.at(-1)?.mention_rate ?? null, stretch.points[0]?.mention_rate ?? null];
    const difference = before === null || after === null ? null : roundDecimals(after.value - before.value);
    return [{ from: last.answered_by, to: stretch.answered_by, before, after, difference }];
  });
}

const roundInterval = (rate: RateInterval | undefined): RateInterval | null =>
  rate === undefined ? null : roundRate(rate);

const roundDifference = <Interval extends { value: number; low: number; high: number }>(one: Interval): Interval => ({
  ...one,
  value: roundDecimals(one.value),
  low: roundDecimals(one.low),
  high: roundDecimals(one.high),
});

const roundChange = (change: JudgedChange): JudgedChange => ({
  ...change,
  before: roundDifference(change.before),
  after: roundDifference(change.after),
  difference: roundDifference(change.difference),
  p_value: Number(change.p_value.toPrecision(4)),
  p_holm: Number(change.p_holm.toPrecision(4)),
});

const roundTrend = (trend: Trend | undefined): Trend | null =>
  trend === undefined
    ? null
    : {
        ...trend,
        per_30_days: roundDifference(trend.per_30_days),
        overdispersion: roundDecimals(trend.overdispersion),
        p_value: Number(trend.p_value.toPrecision(4)),
        p_holm: Number(trend.p_holm.toPrecision(4)),
      };
