import type { MonitorAlert } from '../../monitors/core/alert.ts';
import { formatAlertChanges, formatRunSummary } from '../../monitors/core/run-wire.ts';
import { type ChangeText, listChangeTexts } from '../../monitors/receivers/message-text.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import { formatSafeJson, formatSafeLine, onScreen } from '../core/terminal.ts';
import { describeFigures, describeState } from './describe-watch.ts';
import { formatWatchMarkdown } from './watch-markdown.ts';
import type { WatchedResult } from './entry-run.ts';

type Values = { format?: string | undefined; json?: boolean | undefined; output?: string | undefined };

const MAX_LINE_CHARS = 500;

/** What a run of all entries found, in the format that is asked for. */
export function formatWatched(results: readonly WatchedResult[], values: Values): string {
  switch (values.format ?? (values.json === true ? 'json' : 'text')) {
    case 'json':
      return `${formatSafeJson({ entries: results.map(formatEntry) })}\n`;
    case 'md': {
      const text = formatWatchMarkdown(results);
      return values.output === undefined ? onScreen(text, process.stdout) : text;
    }
    default:
      return `${results
        .flatMap(formatEntryLines)
        .map((line) => formatSafeLine(line, MAX_LINE_CHARS))
        .join('\n')}\n`;
  }
}

function formatEntryLines(result: WatchedResult): readonly string[] {
  const figures = describeFigures(result.run);
  return [
    result.entry.name,
    ...(figures === '' ? [] : [`  ${figures}`]),
    `  ${describeState(result)}`,
    ...result.alerts.flatMap(formatAlertLines),
  ];
}

function formatAlertLines(alert: MonitorAlert): readonly string[] {
  const { shown, more } = listChangeTexts(alert);
  return [
    `  ${alert.severity}: ${alert.title}`,
    ...shown.flatMap(formatChangeLines),
    ...(more === 0 ? [] : [`    and ${more} more`]),
  ];
}

const formatChangeLines = ({ title, from, to, evidence }: ChangeText): readonly string[] => [
  `    ${title}: ${from} before, ${to} now`,
  ...evidence.map(({ side, place, text }) => `      ${side}: ${place}${text === '' ? '' : `  ${text}`}`),
];

const formatEntry = (result: WatchedResult): Record<string, unknown> => {
  const { entry, folder, run, before, alerts, failure } = result;
  return {
    id: entry.id,
    kind: entry.kind,
    name: entry.name,
    history: folder,
    run_id: run?.id ?? null,
    state: run === undefined || failure !== undefined ? 'failed' : run.state,
    reason: failure?.reason ?? run?.reason ?? null,
    detail: failure?.message ?? null,
    compared_with: before ? { run_id: before.id, at: formatIsoTimestamp(before.startedAtMs ?? before.dueMs) } : null,
    summary: run?.summary ? formatRunSummary(run.summary) : null,
    alerts: alerts.map(formatWatchAlert),
  };
};

/** As the service has an alert, without its addresses. */
const formatWatchAlert = ({ id, kind, severity, title, since, atMs, changes, competitor, more }: MonitorAlert) => ({
  id,
  kind,
  severity,
  title,
  at: formatIsoTimestamp(atMs),
  since: since && { run_id: since.runId, at: formatIsoTimestamp(since.atMs) },
  ...(competitor === undefined ? {} : { competitor }),
  ...(more === undefined ? {} : { more }),
  ...formatAlertChanges(changes),
});
