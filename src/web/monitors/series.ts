import { scoreNames } from '../../audit/core/check.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';

/** One reading of a line: 0 to 1, with its interval where it is a rate. */
export type ChartPoint = { atMs: number; value: number; low?: number; high?: number };

/** One line of the chart: a score by its name, or an engine, which is text of the deployment. */
export type ChartLine = { name: string; points: readonly ChartPoint[] };

/** What is marked at a run: a new rubric, another model, or alerts. */
export type ChartMark = { atMs: number; kind: 'rubric' | 'model' | 'alert'; text: string };

export type MonitorSeries = { lines: readonly ChartLine[]; marks: readonly ChartMark[] };

/** Lines that one chart has: more engines than a panel has are none of a monitor. */
const MAX_LINES = 4;

const getTime = ({ endedAtMs, dueMs }: MonitorRun): number => endedAtMs ?? dueMs;

/** The lines and marks of a history. @param runs newest first; those without a summary have no point */
export function listMonitorSeries(runs: readonly MonitorRun[]): MonitorSeries {
  const oldestFirst = runs.filter(({ summary }) => summary !== null).toReversed();
  const lines = new Map<string, ChartPoint[]>();
  for (const run of oldestFirst)
    for (const { name, ...point } of listReadings(run)) {
      const line = lines.get(name);
      if (line === undefined) lines.set(name, [point]);
      else line.push(point);
    }
  return {
    lines: [...lines].slice(0, MAX_LINES).map(([name, points]) => ({ name, points })),
    marks: listMarks(oldestFirst),
  };
}

function listReadings(run: MonitorRun): readonly (ChartPoint & { name: string })[] {
  const { summary } = run;
  const atMs = getTime(run);
  if (summary === null) return [];
  if (summary.kind === 'brand')
    return summary.rates.flatMap(({ engine, rate }) =>
      rate === null ? [] : [{ name: engine, atMs, value: rate.value, low: rate.low, high: rate.high }],
    );
  return scoreNames.flatMap((name) => {
    const score = summary.scores[name];
    return score ? [{ name, atMs, value: score.score / 100 }] : [];
  });
}

function listMarks(oldestFirst: readonly MonitorRun[]): readonly ChartMark[] {
  return oldestFirst.flatMap((run, at): readonly ChartMark[] => {
    const atMs = getTime(run);
    const before = oldestFirst[at - 1];
    const [was, is] = [before && readBasis(before), readBasis(run)];
    return [
      ...(was === undefined || was.text === is.text ? [] : [{ atMs, ...is }]),
      ...(run.alerts === 0 ? [] : [{ atMs, kind: 'alert' as const, text: String(run.alerts) }]),
    ];
  });
}

/** What a run was judged by, or who answered: a change of it is no change of what is watched. */
function readBasis({ summary }: MonitorRun): Omit<ChartMark, 'atMs'> {
  if (summary?.kind === 'site') return { kind: 'rubric', text: summary.rubric.version };
  const models = summary?.measured.runs.flatMap(({ engine, servedModels }) =>
    servedModels.length === 0 ? [engine.model] : servedModels,
  );
  return { kind: 'model', text: (models ?? []).filter((model) => model !== '').join(', ') };
}
