import { MAX_RECORDING_CHARS, parseRecording } from '../../capabilities/recording.ts';
import { compareRubrics, type RubricChange } from '../../monitors/alerts/rubric-alerts.ts';
import { findSiteAlerts } from '../../monitors/alerts/site-alerts.ts';
import { findBaselineRun } from '../../monitors/alerts/site-trace.ts';
import { findUnreadableAlerts, listUnreadRuns } from '../../monitors/alerts/unreadable-alerts.ts';
import type { AlertDraft } from '../../monitors/core/alert.ts';
import type { MonitorRun, RunOrder } from '../../monitors/core/run.ts';
import { judgeSnapshotAgain } from '../../monitors/facts/judge-again.ts';
import {
  explainUnread,
  isSameRubric,
  readReportFacts,
  readSiteFacts,
  type SiteFacts,
} from '../../monitors/facts/site-facts.ts';
import { summariseSite } from '../../monitors/facts/summary.ts';
import { findStartHost, isOtherSite } from '../../monitors/subject/start-host.ts';
import type { MonitorRunPorts } from './ports.ts';
import { buildMovedAlert } from './run-alerts.ts';
import type { MissingPart, ReadPart, ReadRun } from './run-summary.ts';

type Rivals = { read: readonly ReadPart[]; missing: readonly MissingPart[] };
type Rival = { url: string; reportId: string; facts: SiteFacts };

/** What a run of a site found, and what of it is news since the run before. */
export async function readSiteResult(
  order: RunOrder,
  ports: MonitorRunPorts,
  subject: ReadPart,
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
  const alerts = await findAlerts(order, ports, { facts, rivals, startHost, reportId: subject.reportId });
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

type Found = { facts: SiteFacts; rivals: readonly Rival[]; startHost: string | undefined; reportId: string };

async function findAlerts(
  order: RunOrder,
  ports: MonitorRunPorts,
  { facts, rivals, startHost, reportId }: Found,
): Promise<readonly AlertDraft[]> {
  const { monitor, history } = order;
  const isRead = explainUnread(facts) === undefined;
  const failures = listUnreadRuns(history);
  const read = isRead ? 'readable' : 'unreadable';
  const readable = findUnreadableAlerts({ monitor, failures, now: read, detail: explainUnread(facts) });
  if (!isRead) return readable;
  const beforeRun = findBaselineRun(history);
  const from = findHost(beforeRun) ?? getOwnHost(order);
  if (startHost !== undefined && isOtherSite(startHost, from))
    return [...readable, buildMovedAlert({ from, to: startHost }, { before: beforeRun, reportId })];
  const before = await readBefore(ports, beforeRun, facts);
  const ofSite = history.filter((run) => !isOtherSite(findHost(run) ?? from, from));
  const competitors: { url: string; before: SiteFacts | undefined; after: SiteFacts }[] = [];
  for (const { url, facts: after } of monitor.rules.competitors === true ? rivals : [])
    competitors.push({ url, before: (await readBefore(ports, beforeRun, after, url))?.facts, after });
  const found = findSiteAlerts({
    monitor,
    before: before?.facts,
    after: facts,
    beforeRun,
    history: ofSite,
    reportId,
    rubricChanged: before?.rubricChanged,
    competitors,
  });
  return [...readable, ...found];
}

const findHost = (run: MonitorRun | undefined): string | undefined =>
  run?.summary?.kind === 'site' ? run.summary.startHost : undefined;

function getOwnHost({ monitor: { subject } }: RunOrder): string {
  return subject.kind === 'site' ? new URL(subject.url).hostname : '';
}

type Before = { facts: SiteFacts; rubricChanged?: RubricChange | undefined };

/**
 * The facts of the run before, of its subject or of a competitor, judged by the rubric of now: by its report where that has the
 * same, else from its snapshot. Undefined where neither can be read.
 */
async function readBefore(
  { reports, present, log }: MonitorRunPorts,
  run: MonitorRun | undefined,
  now: SiteFacts,
  competitor?: string,
): Promise<Before | undefined> {
  const role = competitor === undefined ? 'subject' : 'competitor';
  const part = run?.parts.find((one) => one.role === role && (competitor === undefined || one.url === competitor));
  if (part === undefined) return undefined;
  try {
    const report = await reports.get(part.reportId);
    const then = report && readSiteFacts(report.json);
    if (then?.rubric && now.rubric && isSameRubric(then.rubric, now.rubric)) return { facts: then };
    const text = await readSnapshotText(reports, part.reportId);
    const judged = text === undefined ? undefined : await judgeSnapshotAgain(text, present);
    const again = judged?.ok === true ? readReportFacts(judged.report) : undefined;
    if (again === undefined) return undefined;
    return { facts: again, rubricChanged: then && compareRubrics(then, again) };
  } catch (error) {
    // The run is paid: it is stored without what it would have been compared with.
    log({ event: 'monitor_before_unread', error: String(error).slice(0, 200) });
    return undefined;
  }
}
