import { formatUsd } from '../../capabilities/catalog.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import type { AlertChange, AlertReading, MonitorAlert } from './alert.ts';
import type { MonitorRun, RunPart, MonitorSummary } from './run.ts';

const MS_PER_S = 1_000;

const formatIso = (ms: number | null): string | null => (ms === null ? null : formatIsoTimestamp(ms));

/** Where a report is read, and what it was made from. */
const linkReport = (reportId: string, baseUrl: string) => ({
  report_id: reportId,
  report_url: `${baseUrl}/reports/${reportId}`,
});

/** What `sightline replay` makes the report again from. */
const formatSnapshotUrl = (reportId: string, baseUrl: string): string => `${baseUrl}/reports/${reportId}/snapshot`;

/** A run as the interface answers it. */
export const formatRun = (run: MonitorRun, baseUrl: string): Record<string, unknown> => ({
  id: run.id,
  monitor_id: run.monitorId,
  due_at: formatIsoTimestamp(run.dueMs),
  cause: run.cause,
  state: run.state,
  started_at: formatIso(run.startedAtMs),
  ended_at: formatIso(run.endedAtMs),
  late_s: Math.round(run.lateMs / MS_PER_S),
  missed: run.missed,
  reason: run.reason,
  parts: run.parts.map((part) => formatPart(part, baseUrl)),
  summary: run.summary && formatRunSummary(run.summary),
  alerts: run.alerts,
  price_usd: formatUsd(run.parts.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0)),
});

const formatPart = ({ role, url, capability, reportId, amountMicroUsdc }: RunPart, baseUrl: string) => ({
  role,
  ...(url === undefined ? {} : { url }),
  capability,
  ...linkReport(reportId, baseUrl),
  snapshot_url: formatSnapshotUrl(reportId, baseUrl),
  price_usd: formatUsd(amountMicroUsdc),
});

/** Scores or rates; what later runs are tested by is in the reports. `unread`: why the scores are not those of the site. */
export function formatRunSummary(summary: MonitorSummary): Record<string, unknown> {
  if (summary.kind === 'brand') return { kind: 'brand', rates: summary.rates };
  const { rubric, scores, counts, unread, competitors } = summary;
  return {
    kind: 'site',
    rubric,
    scores,
    counts,
    ...(unread === undefined ? {} : { unread }),
    competitors: competitors.map(({ url, scores: own, missing }) => ({
      url,
      scores: own,
      ...(missing === undefined ? {} : { missing }),
    })),
  };
}

/** An alert as the interface answers it. */
export function formatAlert(alert: MonitorAlert, baseUrl: string): Record<string, unknown> {
  const { id, monitorId, runId, kind, severity, title, changes, since, reportId, atMs, more, competitor } = alert;
  return {
    id,
    monitor_id: monitorId,
    run_id: runId,
    kind,
    severity,
    title,
    at: formatIsoTimestamp(atMs),
    since: since && formatSince(since, baseUrl),
    ...(reportId === undefined
      ? {}
      : { ...linkReport(reportId, baseUrl), snapshot_url: formatSnapshotUrl(reportId, baseUrl) }),
    ...(competitor === undefined ? {} : { competitor }),
    ...(more === undefined ? {} : { more }),
    ...formatAlertChanges(changes),
  };
}

/** What changed, and apart from it what the site said: in `evidence`, and nowhere else (rule X4). */
export const formatAlertChanges = (changes: readonly AlertChange[]) => ({
  changes: changes.map(formatAlertChange),
  evidence: {
    untrusted: true,
    changes: changes.map(({ id, before, after }) => ({
      id,
      before: before?.evidence ?? [],
      after: after?.evidence ?? [],
    })),
  },
});

const formatSince = ({ runId, atMs, reportId }: NonNullable<MonitorAlert['since']>, baseUrl: string) => ({
  run_id: runId,
  at: formatIsoTimestamp(atMs),
  ...(reportId === undefined ? {} : linkReport(reportId, baseUrl)),
});

/** One thing that changed, without what the site said of it. */
export const formatAlertChange = ({ id, title, before, after, because, isWorse, weight, since }: AlertChange) => ({
  id,
  title,
  ...(weight === undefined ? {} : { weight }),
  before: before && formatReading(before),
  after: after && formatReading(after),
  ...(because === undefined ? {} : { because }),
  ...(isWorse === undefined ? {} : { is_worse: isWorse }),
  ...(since === undefined ? {} : { since: { run_id: since.runId, at: formatIsoTimestamp(since.atMs) } }),
});

function formatReading({ evidence: _elsewhere, ...reading }: AlertReading) {
  return reading;
}
