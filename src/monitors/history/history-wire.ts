import { formatIsoTimestamp } from '../../lib/time.ts';
import { formatAlertChange } from '../core/run-wire.ts';
import type { AlertChange } from '../core/alert.ts';
import type { RunComparison } from './compare-runs.ts';
import type { HistoryMark, MonitorHistory, SeriesPoint } from './history.ts';

/** The history of a monitor as the interface answers it. */
export const formatMonitorHistory = ({ series, marks }: MonitorHistory): Record<string, unknown> => ({
  series: series.map(({ name, unit, competitor, simulated, points }) => ({
    name,
    unit,
    ...(competitor === undefined ? {} : { competitor }),
    ...(simulated === undefined ? {} : { simulated }),
    points: points.map(formatPoint),
  })),
  marks: marks.map(formatMark),
});

const formatPoint = ({ runId, atMs, reportId, ...figures }: SeriesPoint) => ({
  run_id: runId,
  at: formatIsoTimestamp(atMs),
  ...(reportId === undefined ? {} : { report_id: reportId }),
  ...figures,
});

function formatMark({ runId, atMs, ...mark }: HistoryMark): Record<string, unknown> {
  const about = { run_id: runId, at: formatIsoTimestamp(atMs) };
  if (mark.kind !== 'alert') return { ...mark, ...about };
  const { kind, alert, alertId, title } = mark;
  return { kind, ...about, alert, alert_id: alertId, title };
}

/** What changed between two runs. What a site said is in `evidence`, and nowhere else (rule X4). */
export function formatRunComparison({
  fromRunId,
  toRunId,
  changes,
}: Extract<RunComparison, { ok: true }>): Record<string, unknown> {
  const runs = { from: fromRunId, to: toRunId };
  if (changes.kind === 'brand') return { ...runs, kind: 'brand', ...changes.history };
  const { rubric, scores, worse, better, inOneOnly } = changes;
  return {
    ...runs,
    kind: 'site',
    rubric: { before: rubric.before, after: rubric.after, same: rubric.isSame },
    scores,
    worse: worse.map(formatAlertChange),
    better: better.map(formatAlertChange),
    in_one_only: inOneOnly.map(formatAlertChange),
    evidence: { untrusted: true, changes: [...worse, ...better, ...inOneOnly].map(selectEvidence) },
  };
}

const selectEvidence = ({ id, before, after }: AlertChange) => ({
  id,
  before: before?.evidence ?? [],
  after: after?.evidence ?? [],
});
