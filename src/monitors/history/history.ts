import { scoreNames } from '../../audit/core/check.ts';
import { roundRate } from '../../visibility/metrics/statistics.ts';
import { getEngineName } from '../../visibility/panel/engine-readings.ts';
import { isSameAnswerer } from '../../visibility/trend/history.ts';
import type { MeasuredRun } from '../../visibility/trend/measured-run.ts';
import { describeModel } from '../alerts/model-alerts.ts';
import { getRunTime } from '../alerts/site-changes.ts';
import type { AlertKind, MonitorAlert } from '../core/alert.ts';
import type { BrandSummary, MonitorRun, SiteSummary, WatchedScores } from '../core/run.ts';
import { isSameRubric } from '../facts/site-facts.ts';

/** One run of a series. `value` is in points or in shares; null where the run has none, such as a score that does not apply. */
export type SeriesPoint = {
  runId: string;
  /** Unix milliseconds. */
  atMs: number;
  reportId?: string;
  value: number | null;
  low?: number;
  high?: number;
  /** Checks that hold a score down. */
  gates?: readonly string[];
};

/** A score of a site or of a competitor, or the mention rate of an engine, oldest point first. */
export type HistorySeries = {
  /** The name of the score or of the engine. */
  name: string;
  unit: 'points' | 'share';
  /** Address of a competitor; absent for the watched site or brand. */
  competitor?: string;
  /** Any of its answers are made up or replayed. */
  simulated?: true;
  points: readonly SeriesPoint[];
};

/** What a reader of the series has to know at one time. */
export type HistoryMark = { runId: string; atMs: number } &
  /** Scores of before and after do not compare. */
  (
    | { kind: 'rubric_changed'; from: string; to: string }
    | { kind: 'model_changed'; series: string; from: string; to: string }
    | { kind: 'prompts_changed'; from: string; to: string }
    /** `reason`: why the run has no value. */
    | { kind: 'no_value'; reason: string }
    | { kind: 'alert'; alert: AlertKind; alertId: string; title: string }
  );

export type MonitorHistory = {
  series: readonly HistorySeries[];
  /** Oldest first. */
  marks: readonly HistoryMark[];
};

/** Series and marks of the runs of one monitor, given in any order. Runs on their way are left out. */
export function readHistory(runs: readonly MonitorRun[], alerts: readonly MonitorAlert[] = []): MonitorHistory {
  const ended = runs
    .filter(({ state }) => state !== 'reserved')
    .toSorted((a, b) => getRunTime(a) - getRunTime(b) || (a.id < b.id ? -1 : 1));
  const ofSite = ended.flatMap((run) => (run.summary?.kind === 'site' ? [{ run, summary: run.summary }] : []));
  const ofBrand = ended.flatMap((run) => (run.summary?.kind === 'brand' ? [{ run, summary: run.summary }] : []));
  const marks = [
    ...ended.flatMap(markMissing),
    ...markRubrics(ofSite),
    ...markModels(ofBrand),
    ...markPrompts(ofBrand),
    ...alerts.flatMap(({ id, runId, atMs, kind, title }): readonly HistoryMark[] =>
      runId === null ? [] : [{ kind: 'alert', runId, atMs, alert: kind, alertId: id, title }],
    ),
  ];
  return {
    series: [...listScoreSeries(ofSite), ...listRateSeries(ofBrand)],
    marks: marks.toSorted((a, b) => a.atMs - b.atMs),
  };
}

type Kept<Summary> = { run: MonitorRun; summary: Summary };

const placeRun = (run: MonitorRun): { runId: string; atMs: number } => ({ runId: run.id, atMs: getRunTime(run) });

function listScoreSeries(kept: readonly Kept<SiteSummary>[]): readonly HistorySeries[] {
  const read = kept.filter(({ summary }) => summary.unread === undefined);
  const rivals = new Set(read.flatMap(({ summary }) => summary.competitors.map(({ url }) => url)));
  return [
    ...listScores(read, ({ scores }) => scores),
    ...[...rivals].flatMap((competitor) =>
      listScores(
        read,
        ({ competitors }) => competitors.find(({ url }) => url === competitor)?.scores ?? undefined,
        competitor,
      ),
    ),
  ];
}

function listScores(
  kept: readonly Kept<SiteSummary>[],
  select: (summary: SiteSummary) => WatchedScores | undefined,
  competitor?: string,
): readonly HistorySeries[] {
  return scoreNames.flatMap((name) => {
    const points = kept.flatMap(({ run, summary }): readonly SeriesPoint[] => {
      const scores = select(summary);
      if (scores?.[name] === undefined) return [];
      return [{ ...placeRun(run), ...findReport(run, competitor), ...showScore(scores[name]) }];
    });
    const named = { name, unit: 'points', points, ...(competitor === undefined ? {} : { competitor }) } as const;
    return points.every(({ value }) => value === null) ? [] : [named];
  });
}

const showScore = (score: WatchedScores[keyof WatchedScores]): Omit<SeriesPoint, 'runId' | 'atMs'> =>
  score
    ? { value: score.score, ...score.interval, ...(score.gates.length === 0 ? {} : { gates: score.gates }) }
    : { value: null };

function findReport(run: MonitorRun, competitor?: string): { reportId?: string } {
  const part = run.parts.find(({ role, url }) =>
    competitor === undefined ? role === 'subject' : role === 'competitor' && url === competitor,
  );
  return part === undefined ? {} : { reportId: part.reportId };
}

function listRateSeries(kept: readonly Kept<BrandSummary>[]): readonly HistorySeries[] {
  const engines = new Set(kept.flatMap(({ summary }) => summary.rates.map(({ engine }) => engine)));
  return [...engines].map((name) => {
    const rates = kept.flatMap(({ run, summary }) =>
      summary.rates.flatMap((rate) => (rate.engine === name ? [{ run, rate }] : [])),
    );
    const points = rates.map(({ run, rate: { rate } }): SeriesPoint => {
      const { value = null, low, high } = rate === null ? {} : roundRate(rate);
      return {
        ...placeRun(run),
        ...findReport(run),
        value,
        ...(low === undefined || high === undefined ? {} : { low, high }),
      };
    });
    const isSimulated = rates.some(({ rate }) => rate.simulated);
    return { name, unit: 'share', points, ...(isSimulated ? { simulated: true } : {}) } as const;
  });
}

function markMissing(run: MonitorRun): readonly HistoryMark[] {
  const unread = run.summary?.kind === 'site' ? run.summary.unread : undefined;
  const reason = unread ?? (run.summary === null ? (run.reason ?? run.state) : undefined);
  return reason === undefined ? [] : [{ kind: 'no_value', ...placeRun(run), reason }];
}

function markRubrics(kept: readonly Kept<SiteSummary>[]): readonly HistoryMark[] {
  return kept.flatMap(({ run, summary: { rubric } }, at): readonly HistoryMark[] => {
    const before = kept[at - 1]?.summary.rubric;
    if (before === undefined || isSameRubric(before, rubric)) return [];
    return [{ kind: 'rubric_changed', ...placeRun(run), from: before.version, to: rubric.version }];
  });
}

function markPrompts(kept: readonly Kept<BrandSummary>[]): readonly HistoryMark[] {
  return kept.flatMap(({ run, summary: { measured } }, at): readonly HistoryMark[] => {
    const before = kept[at - 1]?.summary.measured.promptSet;
    if (before === undefined || before.sha256 === measured.promptSet.sha256) return [];
    return [{ kind: 'prompts_changed', ...placeRun(run), from: before.id, to: measured.promptSet.id }];
  });
}

function markModels(kept: readonly Kept<BrandSummary>[]): readonly HistoryMark[] {
  const last = new Map<string, MeasuredRun>();
  return kept.flatMap(({ run, summary }) =>
    summary.measured.runs.flatMap((measured): readonly HistoryMark[] => {
      const series = getEngineName(measured);
      const before = last.get(series);
      last.set(series, measured);
      if (before === undefined || isSameAnswerer(before, measured)) return [];
      const [from, to] = [describeModel(before), describeModel(measured)];
      return [{ kind: 'model_changed', ...placeRun(run), series, from, to }];
    }),
  );
}
