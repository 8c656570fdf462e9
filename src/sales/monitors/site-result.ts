import { MAX_RECORDING_CHARS, parseRecording } from '../../capabilities/recording.ts';
import { findSiteRunAlerts, judgeStoredRun, type RunBefore } from '../../monitors/alerts/site-run-alerts.ts';
import type { AlertDraft } from '../../monitors/core/alert.ts';
import type { MonitorRun, RunOrder, MonitorSummary } from '../../monitors/core/run.ts';
import { readSiteFacts, type SiteFacts } from '../../monitors/facts/site-facts.ts';
import { summariseSite } from '../../monitors/facts/summary.ts';
import { findStartHost } from '../../monitors/subject/start-host.ts';
import type { MissingPart, ReportedPart } from './part.ts';
import type { MonitorRunPorts } from './ports.ts';

/** What a run found, as its history keeps it, and what rings. */
export type ReadRun = { summary: MonitorSummary | null; alerts: readonly AlertDraft[] };

type Rivals = { read: readonly ReportedPart[]; missing: readonly MissingPart[] };
type Rival = { url: string; reportId: string; facts: SiteFacts };

/** What a run of a site found, and what of it is news since the run before. */
export async function readSiteResult(
  order: RunOrder,
  ports: MonitorRunPorts,
  subject: ReportedPart,
  { read, missing }: Rivals,
): Promise<ReadRun> {
  const facts = readSiteFacts(subject.json);
  if (facts === undefined) return { summary: null, alerts: [] };
  const rivals = read.flatMap(({ url = '', reportId, json }): readonly Rival[] => {
    const theirs = readSiteFacts(json);
    return theirs === undefined ? [] : [{ url, reportId, facts: theirs }];
  });
  const startHost = subject.startHost ?? (await readRecordedHost(ports, subject.reportId));
  const summary = { ...summariseSite(facts, [...rivals, ...missing]), ...(startHost && { startHost }) };
  const { monitor, history } = order;
  const found = { monitor, host: getOwnHost(order), history, facts, rivals, startHost, reportId: subject.reportId };
  const alerts = await findSiteRunAlerts(found, (run, now, competitor) => readBefore(ports, run, now, competitor));
  return { summary, alerts };
}

/** An earlier attempt read the site: its recording says where the start page was. */
async function readRecordedHost({ reports }: MonitorRunPorts, reportId: string): Promise<string | undefined> {
  const text = await readSnapshotText(reports, reportId);
  const read = text === undefined ? undefined : parseRecording(text);
  return read?.ok === true ? findStartHost(read.recording.snapshots[0]) : undefined;
}

async function readSnapshotText(
  reports: Pick<MonitorRunPorts['reports'], 'snapshot'>,
  reportId: string,
): Promise<string | undefined> {
  const stream = await reports.snapshot(reportId);
  const text = stream && (await new Response(stream).text());
  return text === undefined || text.length > MAX_RECORDING_CHARS ? undefined : text;
}

function getOwnHost({ monitor: { subject } }: RunOrder): string {
  return subject.kind === 'site' ? new URL(subject.url).hostname : '';
}

/** The facts of the run before, of its subject or of a competitor. Undefined where they cannot be read. */
async function readBefore(
  { reports, present, log }: MonitorRunPorts,
  run: MonitorRun,
  now: SiteFacts,
  competitor?: string,
): Promise<RunBefore | undefined> {
  const role = competitor === undefined ? 'subject' : 'competitor';
  const part = run.parts.find((one) => one.role === role && (competitor === undefined || one.url === competitor));
  if (part === undefined) return undefined;
  try {
    const report = await reports.get(part.reportId);
    const readSnapshot = () => readSnapshotText(reports, part.reportId);
    return await judgeStoredRun({ report: report?.json, readSnapshot }, now, present);
  } catch (error) {
    // The run is paid: it is stored without what it would have been compared with.
    log({ event: 'monitor_before_unread', error: String(error).slice(0, 200) });
    return undefined;
  }
}
