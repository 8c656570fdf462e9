import type { PresentTools } from '../../capabilities/site-work.ts';
import type { AlertDraft } from '../core/alert.ts';
import type { Monitor } from '../core/monitor.ts';
import type { MonitorRun } from '../core/run.ts';
import { judgeSnapshotAgain } from '../facts/judge-again.ts';
import { explainUnread, isSameRubric, readReportFacts, readSiteFacts, type SiteFacts } from '../facts/site-facts.ts';
import { isOtherSite } from '../subject/start-host.ts';
import { formatAlertTitle } from './alert-words.ts';
import { compareRubrics, type RubricChange } from './rubric-alerts.ts';
import { findSiteAlerts } from './site-alerts.ts';
import { getRunTime } from './site-changes.ts';
import { findBaselineRun } from './site-trace.ts';
import { findUnreadableAlerts, listUnreadRuns } from './unreadable-alerts.ts';

/** A run that was stored, and those before it. */
export type SiteRunInput = {
  monitor: Pick<Monitor, 'id' | 'rules'>;
  /** The host of the watched address. */
  host: string;
  /** Newest first. */
  history: readonly MonitorRun[];
  facts: SiteFacts;
  rivals: readonly { url: string; facts: SiteFacts }[];
  /** The host that answered for the start page. */
  startHost: string | undefined;
  reportId: string;
};

/** The facts of an earlier run, judged by the rubric of now, and what that rubric alone moved. */
export type RunBefore = { facts: SiteFacts; rubricChanged?: RubricChange | undefined };

/** Reads what a run found, of its subject or of a competitor; undefined where it cannot be read any more. */
export type ReadRunBefore = (run: MonitorRun, now: SiteFacts, competitor?: string) => Promise<RunBefore | undefined>;

/** All that rings of a run whose site was audited: whether it could be read, whose it is, and what changed. */
export async function findSiteRunAlerts(
  input: SiteRunInput,
  readBefore: ReadRunBefore,
): Promise<readonly AlertDraft[]> {
  const { monitor, history, facts, startHost, reportId, rivals } = input;
  const unread = explainUnread(facts);
  const now = unread === undefined ? 'readable' : 'unreadable';
  const readable = findUnreadableAlerts({ monitor, failures: listUnreadRuns(history), now, detail: unread });
  if (unread !== undefined) return readable;
  const beforeRun = findBaselineRun(history);
  const from = findHost(beforeRun) ?? input.host;
  if (startHost !== undefined && isOtherSite(startHost, from))
    return [...readable, buildMovedAlert({ from, to: startHost }, { before: beforeRun, reportId })];
  const before = beforeRun && (await readBefore(beforeRun, facts));
  const ofSite = history.filter((run) => !isOtherSite(findHost(run) ?? from, from));
  const competitors: { url: string; before: SiteFacts | undefined; after: SiteFacts }[] = [];
  for (const { url, facts: after } of monitor.rules.competitors === true ? rivals : []) {
    const theirs = beforeRun && (await readBefore(beforeRun, after, url));
    competitors.push({ url, before: theirs?.facts, after });
  }
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

/** What an earlier run stored: its report, and a way to its snapshot, which is read only where the rubric is another one now. */
export type StoredSiteRun = { report: string | undefined; readSnapshot: () => Promise<string | undefined> };

/** The facts of what was stored, by its report where that has the rubric of now, else by its snapshot judged again. */
export async function judgeStoredRun(
  { report, readSnapshot }: StoredSiteRun,
  now: SiteFacts,
  tools: PresentTools,
): Promise<RunBefore | undefined> {
  const then = report === undefined ? undefined : readSiteFacts(report);
  if (then?.rubric && now.rubric && isSameRubric(then.rubric, now.rubric)) return { facts: then };
  const text = await readSnapshot();
  const judged = text === undefined ? undefined : await judgeSnapshotAgain(text, tools);
  const again = judged?.ok === true ? readReportFacts(judged.report) : undefined;
  return again && { facts: again, rubricChanged: then && compareRubrics(then, again) };
}

/** The start page leads to another site: what changed there is no news of the watched one. */
function buildMovedAlert(
  { from, to }: { from: string; to: string },
  { before, reportId }: { before: MonitorRun | undefined; reportId: string },
): AlertDraft {
  const compared = before?.parts.find(({ role }) => role === 'subject')?.reportId;
  const draft: Omit<AlertDraft, 'title'> = {
    kind: 'site_moved',
    severity: 'critical',
    key: `site_moved ${to} ${before?.id ?? 'first'}`,
    changes: [
      { id: 'host', title: 'Host of the start page', before: { text: from }, after: { text: to }, isWorse: true },
    ],
    since:
      before === undefined
        ? null
        : {
            runId: before.id,
            atMs: before.startedAtMs ?? getRunTime(before),
            ...(compared === undefined ? {} : { reportId: compared }),
          },
    reportId,
  };
  return { ...draft, title: formatAlertTitle(draft) };
}
