import type { AlertDraft } from '../../monitors/core/alert.ts';
import type { RunOrder, RunSummary } from '../../monitors/core/run.ts';
import { readBrandResult } from './brand-result.ts';
import type { SoldPart } from './part.ts';
import type { MonitorRunPorts } from './ports.ts';
import { readSiteResult } from './site-result.ts';

/** A competitor that was not bought: why. */
export type MissingPart = { url: string; missing: string };

export type BoughtParts = { subject: SoldPart; competitors: readonly SoldPart[]; missing: readonly MissingPart[] };

/** A part with its stored result. */
export type ReadPart = SoldPart & { json: string };

export type ReadRun = { summary: RunSummary | null; alerts: readonly AlertDraft[] };

/** Attempts in which a bucket may fail us; afterwards a run is stored without what could not be read: it is paid. */
const READ_ATTEMPTS = 3;

/** Reads what was bought, and has the monitor keep it. `again`: not now, and why. */
export async function buildRunSummary(
  order: RunOrder,
  ports: MonitorRunPorts,
  { subject, competitors, missing }: BoughtParts,
): Promise<ReadRun | { again: string }> {
  const isLast = order.attempt >= READ_ATTEMPTS;
  const [read, ...others] = await Promise.all([subject, ...competitors].map((part) => readPart(order, ports, part)));
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
): Promise<ReadPart | 'unavailable'> {
  try {
    const isThere = await reports.keep(part.reportId, { monitorId: monitor.id, runId: run.id });
    const report = isThere ? await reports.get(part.reportId) : undefined;
    return report === undefined ? 'unavailable' : { ...part, json: report.json };
  } catch (error) {
    log({ event: 'monitor_report_unread', error: String(error).slice(0, 200) });
    return 'unavailable';
  }
}
