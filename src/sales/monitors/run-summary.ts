import { judgeBrandRun } from '../../monitors/alerts/brand-alerts.ts';
import type { RunOrder } from '../../monitors/core/run.ts';
import { summariseBrand } from '../../monitors/facts/summary.ts';
import { readStoredRun } from '../stored-run.ts';
import type { MissingPart, ReportedPart, SoldPart } from './part.ts';
import type { MonitorRunPorts } from './ports.ts';
import { type ReadRun, readSiteResult } from './site-result.ts';

export type BoughtParts = { subject: SoldPart; competitors: readonly SoldPart[]; missing: readonly MissingPart[] };

/** Attempts in which a bucket may fail us; afterwards a run is stored without what could not be read: it is paid. */
const READ_ATTEMPTS = 3;

/** Reads what was bought, and has the monitor keep it. `again`: not now, and why. */
export async function buildRunSummary(
  order: RunOrder,
  ports: MonitorRunPorts,
  { subject, competitors, missing }: BoughtParts,
): Promise<ReadRun | { again: string }> {
  const isLast = order.attempt >= READ_ATTEMPTS;
  const parts = [subject, ...competitors];
  // Said before the first copy is made, so that none outlives a monitor that is deleted meanwhile.
  const isHeld = await ports.isHeld(
    order,
    parts.map(({ reportId }) => reportId),
  );
  if (!isHeld) return { again: 'call_superseded' };
  const [read, ...others] = await Promise.all(parts.map((part) => readPart(order, ports, part)));
  if (!isLast && [read, ...others].includes('unavailable')) return { again: 'store_unavailable' };
  if (read === undefined || read === 'unavailable') return { summary: null, alerts: [] };
  const lost = competitors.filter((_, at) => others[at] === 'unavailable');
  const rivals = {
    read: others.filter((one) => one !== 'unavailable'),
    missing: [...missing, ...lost.map(({ url = '' }) => ({ url, missing: 'result_unavailable' }))],
  };
  return order.monitor.subject.kind === 'site'
    ? readSiteResult(order, ports, read, rivals)
    : readBrandResult(order, ports, read);
}

/** A copy that was made twice is one copy, so that an attempt may end anywhere. */
async function readPart(
  { monitor, run }: RunOrder,
  { reports, log }: MonitorRunPorts,
  part: SoldPart,
): Promise<ReportedPart | 'unavailable'> {
  try {
    const isThere = await reports.keep(part.reportId, { monitorId: monitor.id, runId: run.id });
    const report = isThere ? await reports.get(part.reportId) : undefined;
    return report === undefined ? 'unavailable' : { ...part, json: report.json };
  } catch (error) {
    log({ event: 'monitor_report_unread', error: String(error).slice(0, 200) });
    return 'unavailable';
  }
}

/** What a run of a brand measured, and what of it is news by a test over the runs before. */
async function readBrandResult(
  { monitor, run, history }: RunOrder,
  { reports, log }: MonitorRunPorts,
  { reportId }: ReportedPart,
): Promise<ReadRun> {
  const { subject } = monitor;
  if (subject.kind !== 'brand') throw new Error('a brand result of a site');
  const stored = await readStoredRun(reports, reportId).catch((error: unknown) => {
    log({ event: 'monitor_run_unread', error: String(error).slice(0, 200) });
    return undefined;
  });
  const after = stored && summariseBrand(stored, subject.body);
  if (after === undefined) return { summary: null, alerts: [] };
  // Its summary also remembers from which run on a level counts.
  return judgeBrandRun({ monitor, history, after, runId: run.id, reportId });
}
