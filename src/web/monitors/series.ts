import type { MonitorHistory, SeriesPoint } from '../../monitors/history/history.ts';

/** One reading of a line: 0 to 1, with its interval where there is one. */
export type ChartPoint = { atMs: number; value: number; low?: number; high?: number };

/** One line of the chart: a score by its name, or an engine, which is text of the deployment. */
export type ChartLine = { name: string; points: readonly ChartPoint[] };

/** What is marked at a run: a new rubric, another model or other prompts, or alerts. */
export type ChartMark = { atMs: number; kind: 'rubric' | 'model' | 'alert' };

export type ChartSeries = { lines: readonly ChartLine[]; marks: readonly ChartMark[] };

/** Lines of one chart: as many as there are scores, and engines of the largest panel. */
const MAX_LINES = 4;
const FULL_SCORE = 100;

const MARKS = {
  rubric_changed: 'rubric',
  model_changed: 'model',
  prompts_changed: 'model',
  alert: 'alert',
  no_value: undefined,
} as const;

/** What a chart draws of a history: the watched site or brand, without competitors. */
export function listChartSeries({ series, marks }: MonitorHistory): ChartSeries {
  const lines = series
    .filter(({ competitor }) => competitor === undefined)
    .map(({ name, unit, points }) => ({ name, points: points.flatMap((point) => toChartPoint(point, unit)) }))
    .filter(({ points }) => points.length > 0)
    .slice(0, MAX_LINES);
  const drawn = marks.flatMap(({ kind, atMs }): readonly ChartMark[] => {
    const mark = MARKS[kind];
    return mark === undefined ? [] : [{ atMs, kind: mark }];
  });
  const times = lines.flatMap(({ points }) => points.map(({ atMs }) => atMs));
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
  return { lines, marks: drawn.filter(({ atMs }) => atMs >= firstMs && atMs <= lastMs) };
}

function toChartPoint({ atMs, value, low, high }: SeriesPoint, unit: 'points' | 'share'): readonly ChartPoint[] {
  if (value === null) return [];
  const scale = unit === 'points' ? FULL_SCORE : 1;
  const ends = low === undefined || high === undefined ? {} : { low: low / scale, high: high / scale };
  return [{ atMs, value: value / scale, ...ends }];
}
