import { formatPercent } from '../../lib/numbers.ts';
import { formatCodeCell, formatCodeSpan } from '../../lib/safe-text.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import { maskEmail, maskUrl } from '../../monitors/core/monitor-wire.ts';
import type { AlertChange, AlertReading, MonitorAlert } from '../../monitors/core/alert.ts';
import type { Monitor } from '../../monitors/core/monitor.ts';
import type { MonitorOverview } from '../../monitors/core/protocol.ts';
import type { Receiver } from '../../monitors/core/receiver.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import type { RunComparison, SiteRunComparison } from '../../monitors/history/compare-runs.ts';
import { type ComputedHistory, historyRefusalWords } from '../../visibility/trend/history.ts';
import {
  formatBullets,
  formatMarkdownSection,
  formatMarkdownTable,
  joinMarkdownSections,
} from '../report/markdown/parts.ts';
import { formatAlertSentence } from './alert-sentence.ts';
import { formatLineName } from './chart.tsx';
import { findSubjectReport, formatDifference } from './compare.tsx';
import { describeInterval } from './describe-interval.ts';
import { describeRunPrice, describeSubject, formatMonitorPath } from './describe-monitor.ts';
import { monitorWords } from './monitor-words.ts';
import { formatRunCost, listRunReadings } from './parts.tsx';

const words = monitorWords.en;
const formatTime = (ms: number | null): string => (ms === null ? '-' : formatIsoTimestamp(ms));
/** A sentence of ours that may quote names of others: it is one code span, so that nothing in it is markup. */
const quote = (text: string): string => formatCodeSpan(text, 500);

const formatState = ({ state, pausedBecause }: Monitor): string =>
  state === 'active' ? words.active : `${words.pausedShort}: ${words.paused[pausedBecause ?? 'by_owner']}`;

/** The list as Markdown, in English as every file is. Names and addresses of others are in code spans only (rule X7). */
export const formatMonitorListMarkdown = (monitors: readonly MonitorOverview[], baseUrl: string): string =>
  joinMarkdownSections([
    `# ${words.title}`,
    monitors.length === 0
      ? 'No monitors.'
      : formatMarkdownTable(
          ['Monitor', 'Watches', 'Runs', 'State', 'Next run', 'A run', 'Alerts:'],
          monitors.map(({ monitor, alerts }) => [
            `[page](${baseUrl}${formatMonitorPath(monitor.id)}) ${formatCodeCell(monitor.name)}`,
            formatCodeCell(describeSubject(monitor)),
            formatCodeCell(describeInterval(monitor.interval, 'en')),
            formatState(monitor),
            formatTime(monitor.nextDueMs),
            describeRunPrice(monitor, 'en'),
            String(alerts),
          ]),
        ),
  ]);

type WholeMonitor = { overview: MonitorOverview; runs: readonly MonitorRun[]; alerts: readonly MonitorAlert[] };

/** One monitor as Markdown: what it is, its newest runs and alerts. */
export const formatMonitorMarkdown = ({ overview: { monitor }, runs, alerts }: WholeMonitor, baseUrl: string): string =>
  joinMarkdownSections([
    `# Monitor ${formatCodeSpan(monitor.name)}`,
    formatBullets([
      `Watches: ${formatCodeSpan(describeSubject(monitor))}`,
      `Runs: ${formatCodeSpan(describeInterval(monitor.interval, 'en'))}`,
      `State: ${formatState(monitor)}`,
      `Next run: ${formatTime(monitor.nextDueMs)}`,
      `A run costs: ${describeRunPrice(monitor, 'en')}`,
      ...monitor.receivers.map((receiver) => `${words.receivers[receiver.kind]}: ${formatMaskedReceiver(receiver)}`),
    ]),
    formatMarkdownSection(
      '## Alerts',
      alerts.length === 0 ? 'None.' : formatBullets(alerts.map((one) => formatAlertLine(one, baseUrl))),
    ),
    formatMarkdownSection('## Runs', formatRunTable(runs, baseUrl)),
  ]);

const formatMaskedReceiver = (receiver: Receiver): string => {
  if (receiver.kind === 'feed') return 'secret address';
  return formatCodeSpan(receiver.kind === 'email' ? maskEmail(receiver.address) : maskUrl(receiver.url));
};

const formatAlertLine = (alert: MonitorAlert, baseUrl: string): string =>
  `${formatTime(alert.atMs)}, ${words.severities[alert.severity]}: ${quote(formatAlertSentence(alert, 'en'))} ([alert](${baseUrl}${formatMonitorPath(alert.monitorId, 'alerts', alert.id)}))`;

const formatRunTable = (runs: readonly MonitorRun[], baseUrl: string): string =>
  formatMarkdownTable(
    ['Due', 'State', 'Readings', 'Alerts:', 'Paid:', 'Report'],
    runs.map((run) => {
      const reportId = findSubjectReport(run);
      return [
        formatTime(run.dueMs),
        words.runStates[run.state],
        listRunReadings(run, 'en')
          .map((reading) => formatCodeCell(reading))
          .join(', ') || '-',
        String(run.alerts),
        formatRunCost(run, 'en'),
        reportId === undefined ? '-' : `[report](${baseUrl}/reports/${reportId})`,
      ];
    }),
  );

/** One run as Markdown. */
export const formatRunMarkdown = (monitor: Monitor, run: MonitorRun, baseUrl: string): string =>
  joinMarkdownSections([
    `# Run of ${formatTime(run.dueMs)}`,
    formatBullets([
      `Monitor: [page](${baseUrl}${formatMonitorPath(monitor.id)}) ${formatCodeSpan(monitor.name)}`,
      `Why: ${words.causes[run.cause]}`,
      `State: ${words.runStates[run.state]}`,
      ...(run.reason === null ? [] : [`Reason: ${formatCodeSpan(run.reason)}`]),
      ...listRunReadings(run, 'en').map((reading) => formatCodeSpan(reading)),
      `Alerts: ${run.alerts}`,
      ...run.parts.map(
        ({ reportId, capability, url }) =>
          `[Report](${baseUrl}/reports/${reportId}) of ${formatCodeSpan(capability)}${url === undefined ? '' : `, ${formatCodeSpan(url)}`}`,
      ),
    ]),
  ]);

/** One alert as Markdown, with the evidence of both sides in code spans. */
export const formatAlertMarkdown = (monitor: Monitor, alert: MonitorAlert, baseUrl: string): string =>
  joinMarkdownSections([
    `# ${words.alertKinds[alert.kind]}`,
    quote(formatAlertSentence(alert, 'en')),
    formatBullets([
      `Monitor: [page](${baseUrl}${formatMonitorPath(monitor.id)}) ${formatCodeSpan(monitor.name)}`,
      `How urgent: ${words.severities[alert.severity]}`,
      `When: ${formatTime(alert.atMs)}`,
      ...(alert.since === null ? [] : [`Since: ${formatTime(alert.since.atMs)}`]),
      ...(alert.reportId === undefined
        ? []
        : [
            `[Report](${baseUrl}/reports/${alert.reportId})`,
            `[Snapshot](${baseUrl}/reports/${alert.reportId}/snapshot): \`sightline replay\` judges it again`,
          ]),
      ...(alert.since?.reportId === undefined ? [] : [`[Report before](${baseUrl}/reports/${alert.since.reportId})`]),
    ]),
    ...alert.changes.map((change) => formatChangeSection(change)),
    alert.more === undefined || alert.more === 0 ? '' : `And ${alert.more} more.`,
  ]);

const formatChangeSection = (
  { id, title, before, after, because = [] }: AlertChange,
  level: '##' | '###' = '##',
): string =>
  formatMarkdownSection(
    `${level} ${formatCodeSpan(id)} ${formatCodeSpan(title)}`,
    formatBullets([
      ...formatSide('Before', before),
      ...formatSide('Now', after),
      ...(because.length === 0 ? [] : [`Because of: ${because.map((check) => formatCodeSpan(check)).join(', ')}`]),
    ]),
  );

const formatSide = (name: string, reading: AlertReading | null): readonly string[] => [
  `${name}: ${reading === null ? 'nothing' : formatCodeSpan(reading.text)}`,
  ...(reading?.evidence ?? []).map(
    ({ url, line, excerpt }) =>
      `${name}, seen at ${formatCodeSpan(url)}${line === undefined ? '' : `, line ${line}`}${excerpt === undefined ? '' : `: ${formatCodeSpan(excerpt)}`}`,
  ),
];

/** What differs between two runs as Markdown, the earlier one first. */
export function formatComparisonMarkdown(
  from: MonitorRun,
  to: MonitorRun,
  { changes }: Extract<RunComparison, { ok: true }>,
): string {
  const title = `# What changed from ${formatTime(from.dueMs)} to ${formatTime(to.dueMs)}`;
  return joinMarkdownSections([
    title,
    ...(changes.kind === 'site' ? listSiteSections(changes) : [formatBrandHistory(changes.history)]),
  ]);
}

const listSiteSections = ({ rubric, scores, worse, better, inOneOnly }: SiteRunComparison): readonly string[] => [
  rubric.isSame
    ? ''
    : `The rubrics differ (${rubric.before?.version ?? '-'}, ${rubric.after?.version ?? '-'}): scores do not compare.`,
  formatMarkdownTable(
    ['Score', 'Before:', 'Now:', 'Difference:'],
    scores.map(({ name, before, after }) => [
      formatLineName(name, 'en'),
      String(before ?? '-'),
      String(after ?? '-'),
      rubric.isSame ? formatDifference(before, after) : '-',
    ]),
  ),
  ...(
    [
      ['Worse', worse],
      ['Better', better],
      ['Judged in one of the runs only', inOneOnly],
    ] as const
  ).flatMap(([name, list]) => [
    `## ${name} (${list.length})`,
    ...list.map((change) => formatChangeSection(change, '###')),
  ]),
];

const VERDICTS = { rose: 'rose', fell: 'fell', no_change_seen: 'no change seen' } as const;

/** A line for each pair of runs that the same model answered, as their test judges it. */
function formatBrandHistory(computed: ComputedHistory): string {
  if (!computed.ok) return historyRefusalWords[computed.reason];
  return formatBullets(
    computed.history.engines.flatMap(({ engine, stretches, model_changed: models }) => [
      ...stretches.flatMap(({ changes }) =>
        changes.map(
          ({ before, after, verdict }) =>
            `${formatCodeSpan(engine)}: ${formatPercent(before.value)} to ${formatPercent(after.value)}, ${VERDICTS[verdict]}`,
        ),
      ),
      ...models.map(() => `${formatCodeSpan(engine)}: another model answers, so the difference may be its own`),
    ]),
  );
}
