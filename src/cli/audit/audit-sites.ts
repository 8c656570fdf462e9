import { writeFileSync } from 'node:fs';
import type { ScoreName } from '../../audit/core/check.ts';
import { computeCurrentRubric, gatherAudit, reportOn } from '../../audit/core/report.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import type { Renderer } from '../../audit/rendered/gather/render-page.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { type RecordedInput, writeRecordingJson } from '../../capabilities/recording.ts';
import type { GuardedFetch } from '../../net/fetched.ts';
import type { AccessTable } from '../../traffic/access/access-row.ts';
import type { TrafficSection } from '../../traffic/report/sections.ts';
import { describeIgnored, type IgnoredCheck } from '../config/ignored.ts';
import { type CommandEnd, type CommandFailure, isFailure } from '../core/failure.ts';
import { createLocalBrowser } from '../core/local-browser.ts';
import { createNotes, refuseUnwritable, writeResult } from '../core/output.ts';
import { createProgressBar, formatSafeJson } from '../core/terminal.ts';
import { refuseUnreadSite } from '../core/unreachable.ts';
import { EXIT } from '../core/usage.ts';
import type { AuditRequest } from './audit-command.ts';
import { selectFormat } from './formats.ts';
import { judgeGates } from './gates.ts';
import { computeAuditLimits, createLocalFetch } from './local-fetch.ts';
import type { LocalResult } from './local-run.ts';
import { renderSiteResult } from './render-site.ts';

/**
 * Audits the sites one after another, prints their reports, and holds each against the gates.
 * @param first the fetcher of the first one, which has asked for its start page
 */
export async function auditSites(wanted: AuditRequest, first: GuardedFetch): Promise<CommandEnd> {
  const reports: LocalResult[] = [];
  const failures: CommandFailure[] = [];
  for (const [index, url] of wanted.urls.entries()) {
    const limits = computeAuditLimits(wanted.crawl);
    const report = await auditSite(url, wanted, index === 0 ? first : createLocalFetch(url, limits));
    if (isFailure(report)) failures.push(report);
    else reports.push(report);
  }
  if (reports.length > 0) {
    const printed = writeResult(await renderReports(reports, wanted), wanted.values);
    if (isFailure(printed)) return printed;
  }
  const sayNote = createNotes(wanted.values);
  for (const report of reports) {
    const judged = judgeGates(report, wanted.gates, sayNote);
    if (isFailure(judged)) failures.push(withSite(judged, report.url, wanted));
  }
  return joinFailures(failures);
}

/** Of several sites, the failure says which. */
const withSite = (failure: CommandFailure, url: string, { urls }: AuditRequest): CommandFailure =>
  urls.length === 1 ? failure : { ...failure, message: `${url}: ${failure.message}` };

/** One failure of several: the highest status, and every message. */
function joinFailures(failures: readonly CommandFailure[]): CommandEnd {
  const [worst, ...others] = failures.toSorted((a, b) => b.exit - a.exit);
  if (worst === undefined) return EXIT.done;
  const more = others.flatMap(({ message, detail = [] }) => [message, ...detail]);
  return more.length === 0 ? worst : { ...worst, detail: [...(worst.detail ?? []), ...more] };
}

/** Documents list every check as it was judged: which of them are ignored is said above them. Text and JSON say it themselves. */
function withIgnoredNamed(report: LocalResult, values: AuditRequest['values']): LocalResult {
  const { name } = selectFormat(values);
  const ignored = (report['ignored'] ?? []) as readonly IgnoredCheck[];
  if (ignored.length === 0 || name === 'text' || name === 'json') return report;
  return { ...report, warnings: [...describeIgnored(ignored), ...(report.warnings ?? [])] };
}

async function renderReports(
  reports: readonly LocalResult[],
  { urls, values }: AuditRequest,
): Promise<string | Uint8Array | CommandFailure> {
  const [first] = reports;
  if (first !== undefined && urls.length === 1)
    return renderSiteResult(withIgnoredNamed(first, values), values, undefined, await describeAccess(first));
  if (selectFormat(values).name === 'json') return `${formatSafeJson(reports)}\n`;
  const texts: string[] = [];
  for (const report of reports) {
    const text = await renderSiteResult(withIgnoredNamed(report, values), values);
    if (typeof text !== 'string') return text; // A format of one site.
    texts.push(text);
  }
  return texts.join('\n');
}

/** What logs say, as a part below the report. */
async function describeAccess({ crawler_access: access }: LocalResult): Promise<TrafficSection | undefined> {
  if (access === undefined) return undefined;
  const { describeAccessTable } = await import('../../traffic/access/access-section.ts');
  return describeAccessTable(access as AccessTable); // Holds: `auditSite` made it.
}

async function auditSite(
  url: string,
  wanted: AuditRequest,
  guarded: GuardedFetch,
): Promise<LocalResult | CommandFailure> {
  const { scores, site, crawl, ignore, values } = wanted;
  const bar = createProgressBar(values.quiet === true ? { write: () => true } : process.stderr);
  const auditOptions = {
    scores,
    ...(site.profile === undefined ? {} : { profile: site.profile }),
    ...(site.max_pages === undefined ? {} : { maxPages: site.max_pages }),
  };
  const renderer = values.render === true ? await createRenderer(url) : undefined;
  const snapshot = await gatherAudit(url, {
    ...auditOptions,
    ...(crawl === undefined ? {} : { maxPages: crawl }),
    requests: computeAuditLimits(crawl).requests,
    fetch: guarded,
    clockMs: Date.now(),
    onProgress: bar.step,
    ...(renderer === undefined ? {} : { renderer }),
  });
  const ignored = new Set(ignore.active.map(({ check }) => check));
  const outcome = await reportOn(snapshot, { ...auditOptions, ignored });
  bar.end();
  if (!outcome.ok) return refuseUnreadSite(url, outcome.failure, [`GET ${url}: ${outcome.detail}`]);
  const { ok: _ok, ...result } = outcome;
  const capability = selectCapability(scores);
  if (values.snapshot !== undefined) {
    const wrote = await writeSnapshot(values.snapshot, capability, { url, ...site }, snapshot);
    if (isFailure(wrote)) return wrote;
  }
  const access =
    values.logs === undefined
      ? undefined
      : await (
          await import('../logs/crawler-access.ts')
        ).buildCrawlerAccess(snapshot, values.logs, createNotes(values));
  if (isFailure(access)) return access;
  const report = {
    capability,
    url,
    ...result,
    ...(access === undefined ? {} : { crawler_access: access }),
    warnings: [...ignore.warnings, ...result.warnings],
  };
  return ignore.active.length === 0 ? report : { ...report, ignored: ignore.active };
}

/** A look in a browser of this machine. What it needs is loaded for it alone. */
async function createRenderer(url: string): Promise<Renderer> {
  const { buildRenderer } = await import('../../capabilities/site-work.ts');
  return buildRenderer(url, { openBrowser: createLocalBrowser(process.env), guardedFetch: createLocalFetch });
}

/** A subset of scores has no capability of its own: it is called what most of it comes from. */
function selectCapability(scores: readonly ScoreName[]): CapabilityName {
  const [only, ...more] = scores;
  return only !== undefined && more.length === 0 ? (`score_${only}` as const) : 'full_audit';
}

async function writeSnapshot(
  file: string,
  capability: CapabilityName,
  input: RecordedInput,
  snapshot: Snapshot,
): Promise<CommandEnd> {
  const recording = {
    version: 1,
    capability,
    input,
    rubric: await computeCurrentRubric(),
    snapshots: [snapshot],
  } as const;
  try {
    writeFileSync(file, [...writeRecordingJson(recording)].join(''));
    return EXIT.done;
  } catch (error) {
    return refuseUnwritable(file, error);
  }
}
