import { findBrandAlerts } from '../../monitors/alerts/brand-alerts.ts';
import type { RunOrder } from '../../monitors/core/run.ts';
import { summariseBrand } from '../../monitors/facts/summary.ts';
import { readStoredRun } from '../stored-run.ts';
import type { MonitorRunPorts } from './ports.ts';
import type { ReadPart, ReadRun } from './run-summary.ts';

/** What a run of a brand measured, and what of it is news by a test over the runs before. */
export async function readBrandResult(
  { monitor, run, history }: RunOrder,
  { reports, log }: MonitorRunPorts,
  { reportId }: ReadPart,
): Promise<ReadRun> {
  const { subject } = monitor;
  if (subject.kind !== 'brand') throw new Error('a brand result of a site');
  const stored = await readStoredRun(reports, reportId).catch((error: unknown) => {
    log({ event: 'monitor_run_unread', error: String(error).slice(0, 200) });
    return undefined;
  });
  const summary = stored && summariseBrand(stored, subject.body);
  if (summary === undefined) return { summary: null, alerts: [] };
  return { summary, alerts: findBrandAlerts({ monitor, history, after: summary, runId: run.id }) };
}
