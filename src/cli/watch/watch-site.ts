import { join } from 'node:path';
import { writeRecordingJson } from '../../capabilities/recording.ts';
import { findSiteRunAlerts, judgeStoredRun, type ReadRunBefore } from '../../monitors/alerts/site-run-alerts.ts';
import { findUnreadableAlerts, listUnreadRuns, SITE_UNREAD_REASON } from '../../monitors/alerts/unreadable-alerts.ts';
import type { MonitorRun, RunPart } from '../../monitors/core/run.ts';
import { SITE_CAPABILITY } from '../../monitors/core/run-price.ts';
import { readSiteFacts, type SiteFacts } from '../../monitors/facts/site-facts.ts';
import { summariseSite } from '../../monitors/facts/summary.ts';
import { findStartHost } from '../../monitors/subject/start-host.ts';
import { createLocalTools, runLocally } from '../audit/local-run.ts';
import { chooseAddress } from '../audit/typed-target.ts';
import { type CommandFailure, isFailure, refuseCommand } from '../core/failure.ts';
import type { SayNote } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import type { SiteEntry } from './entries.ts';
import { beginRun, type EntryRun, failRun } from './entry-run.ts';
import { HistoryFault, readRunFile, type RunFile } from './history-folder.ts';
import type { EntryHistory } from './history-schema.ts';

/** `root`: the folder of all histories. */
export type WatchedLookTools = { root: string; quiet: boolean | undefined; sayNote: SayNote; nowMs: number };

type Audited = {
  url: string;
  reportId: string;
  facts: SiteFacts;
  startHost: string | undefined;
  files: readonly RunFile[];
};

/** Audits a site and its competitors, and says what changed since the last run that read it. @throws HistoryFault */
export async function watchSite(entry: SiteEntry, history: EntryHistory, tools: WatchedLookTools): Promise<EntryRun> {
  const run = beginRun(entry, history, tools.nowMs);
  const subject = await auditTarget(entry, entry.target, run.id, tools);
  if (isFailure(subject)) return endUnread(entry, history, run, subject);
  const rivals: Audited[] = [];
  const missing: { url: string; missing: string }[] = [];
  for (const [at, target] of entry.competitors.entries()) {
    const rival = await auditTarget(entry, target, `${run.id}-c${at + 1}`, tools);
    if (isFailure(rival)) missing.push({ url: target.url, missing: rival.reason });
    else rivals.push(rival);
  }
  const { facts, startHost, reportId } = subject;
  const named = rivals.map(({ url, facts: theirs }) => ({ url, facts: theirs }));
  const host = new URL(entry.target.url).hostname;
  const found = { monitor: entry, host, history: history.runs, facts, rivals: named, startHost, reportId };
  const drafts = await findSiteRunAlerts(found, createReader(join(tools.root, entry.folder)));
  const summary = { ...summariseSite(facts, [...named, ...missing]), ...(startHost && { startHost }) };
  const parts = [describePart('subject', subject), ...rivals.map((rival) => describePart('competitor', rival))];
  const { unread } = summary;
  return {
    run: { ...run, state: 'stored', endedAtMs: Date.now(), parts, summary },
    drafts,
    ...(unread === undefined ? {} : { failure: refuseUnread(entry, unread) }),
    files: [subject, ...rivals].flatMap(({ files }) => files),
  };
}

const refuseUnread = ({ target }: SiteEntry, unread: string): CommandFailure =>
  refuseCommand(SITE_UNREAD_REASON, `the start page of ${target.url} gave ${unread}.`, EXIT.unreachable);

const describePart = (role: RunPart['role'], { url, reportId }: Audited): RunPart => ({
  role,
  url,
  capability: SITE_CAPABILITY,
  reportId,
  amountMicroUsdc: 0,
});

/** A lone failure rings nothing; two runs in a row do. What is no fault of the site is no run. */
function endUnread(entry: SiteEntry, { runs }: EntryHistory, run: MonitorRun, failure: CommandFailure): EntryRun {
  if (failure.exit !== EXIT.unreachable) return failRun(run, failure.reason, failure);
  const failures = listUnreadRuns(runs);
  const drafts = findUnreadableAlerts({ monitor: entry, failures, now: 'unreadable', detail: failure.message });
  return failRun(run, SITE_UNREAD_REASON, failure, drafts);
}

async function auditTarget(
  { options }: SiteEntry,
  target: SiteEntry['target'],
  reportId: string,
  { quiet, sayNote }: WatchedLookTools,
): Promise<Audited | CommandFailure> {
  const chosen = await chooseAddress(target, sayNote);
  if (!chosen.ok) return chosen.failure;
  const { profile, max_pages: pages } = options;
  const body = {
    url: chosen.url,
    ...(profile === undefined ? {} : { profile }),
    ...(pages === undefined ? {} : { max_pages: pages }),
  };
  const made = await runLocally(SITE_CAPABILITY, body, { quiet });
  if (!made.ok) return made.failure;
  const { recording } = made.outcome;
  const report = JSON.stringify(made.result);
  const facts = readSiteFacts(report);
  if (facts === undefined || recording === undefined) throw new Error('an audit without scores');
  return {
    url: target.url,
    reportId,
    facts,
    startHost: findStartHost(recording.snapshots[0]),
    files: [
      { reportId, kind: 'report', text: report },
      { reportId, kind: 'snapshot', text: [...writeRecordingJson(recording)].join('') },
    ],
  };
}

/** Reads what the run before found; a competitor that it did not have is undefined. @throws HistoryFault */
const createReader =
  (folder: string): ReadRunBefore =>
  async (run, now, competitor) => {
    const part = run.parts.find(({ role, url }) =>
      competitor === undefined ? role === 'subject' : role === 'competitor' && url === competitor,
    );
    if (part === undefined) return undefined;
    const { reportId } = part;
    const report = await readRunFile(folder, reportId, 'report');
    const readSnapshot = () => readRunFile(folder, reportId, 'snapshot');
    const before = await judgeStoredRun({ report, readSnapshot }, now, await createLocalTools());
    if (before === undefined)
      throw new HistoryFault(join(folder, reportId), 'is broken: its report and snapshot cannot be read');
    return before;
  };
