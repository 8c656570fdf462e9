import { scoreNames } from '../../audit/core/check.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { formatCsv, formatCsvTime } from '../console/tables.tsx';
import { findSubjectReport } from './compare-runs.ts';

const COLUMNS = [
  'due_at',
  'ended_at',
  'run_id',
  'cause',
  'state',
  'reading',
  'value',
  'low',
  'high',
  'rubric',
  'models',
  'alerts',
  'paid_usd',
  'report_id',
] as const;

const MICRO = 1_000_000;

type Reading = { name: string; value: number | ''; low: number | ''; high: number | '' };
const NO_READING: Reading = { name: '', value: '', low: '', high: '' };

/**
 * The history as a file, newest first: a line for each score (points up to 100) or rate (a share) of a run, and one for a run
 * without any.
 */
export const formatHistoryCsv = (runs: readonly MonitorRun[]): string =>
  formatCsv([
    COLUMNS,
    ...runs.flatMap((run) => {
      const readings = listReadings(run);
      const paid = run.parts.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0) / MICRO;
      return (readings.length === 0 ? [NO_READING] : readings).map(({ name, value, low, high }) => [
        formatCsvTime(run.dueMs),
        formatCsvTime(run.endedAtMs),
        run.id,
        run.cause,
        run.state,
        name,
        value,
        low,
        high,
        run.summary?.kind === 'site' ? run.summary.rubric.version : '',
        listModels(run).join(' '),
        run.alerts,
        paid,
        findSubjectReport(run) ?? '',
      ]);
    }),
  ]);

function listReadings({ summary }: MonitorRun): readonly Reading[] {
  if (summary === null) return [];
  if (summary.kind === 'brand')
    return summary.rates.flatMap(({ engine: name, rate }) =>
      rate === null ? [] : [{ name, value: rate.value, low: rate.low, high: rate.high }],
    );
  return scoreNames.flatMap((name) => {
    const score = summary.scores[name];
    return score ? [{ name, value: score.score, low: '' as const, high: '' as const }] : [];
  });
}

const listModels = ({ summary }: MonitorRun): readonly string[] =>
  summary?.kind === 'brand'
    ? summary.measured.runs.flatMap(({ engine, servedModels }) =>
        servedModels.length === 0 ? [engine.model] : servedModels,
      )
    : [];
