import { PRODUCT } from '../../lib/product.ts';
import { formatCodeSpan } from '../../lib/safe-text.ts';
import type { MonitorAlert } from '../../monitors/core/alert.ts';
import {
  type ChangeText,
  formatMinute,
  listChangeTexts,
  SEVERITY_MARKS,
} from '../../monitors/receivers/message-text.ts';
import { escapeReferences } from '../../report/markdown.ts';
import { describeFigures, describeState } from './describe-watch.ts';
import type { WatchedResult } from './entry-run.ts';

/** A comment of a forge takes 65,536 characters. */
const MAX_COMMENT_CHARS = 60_000;

/**
 * What changed, for a comment of a pull request or a mail. What sites say is in code spans only: it makes no link, image,
 * mention or HTML (rule X7).
 */
export function formatWatchMarkdown(results: readonly WatchedResult[]): string {
  const alerts = results.reduce((total, { alerts: own }) => total + own.length, 0);
  const blocks = [
    `# ${PRODUCT}: ${countWords(alerts, 'alert')} in ${countWords(results.length, 'entry', 'entries')}`,
    ...results.flatMap(formatEntryBlocks),
  ];
  const kept: string[] = [];
  let size = 0;
  for (const block of blocks) {
    size += block.length + 2;
    if (size > MAX_COMMENT_CHARS) break;
    kept.push(block);
  }
  const left = blocks.length - kept.length;
  return `${[...kept, ...(left === 0 ? [] : [`${left} more parts are too long for a comment; \`--json\` has all.`])].join('\n\n')}\n`;
}

const countWords = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

function formatEntryBlocks(result: WatchedResult): readonly string[] {
  const figures = describeFigures(result.run);
  const lines = [...(figures === '' ? [] : [escapeReferences(figures)]), escapeReferences(describeState(result))];
  return [`## ${formatCodeSpan(result.entry.name)}\n\n${lines.join('  \n')}`, ...result.alerts.map(formatAlertBlock)];
}

function formatAlertBlock(alert: MonitorAlert): string {
  const { shown, more } = listChangeTexts(alert);
  const since = alert.since === null ? '' : `, since the run of ${formatMinute(alert.since.atMs)}`;
  return [
    `### ${SEVERITY_MARKS[alert.severity]} ${escapeReferences(alert.title)}`,
    '',
    `${alert.severity}${since}`,
    '',
    ...shown.flatMap(formatChange),
    ...(more === 0 ? [] : [`- and ${more} more`]),
  ].join('\n');
}

const formatChange = ({ title, from, to, evidence }: ChangeText): readonly string[] => [
  `- ${escapeReferences(title)}: ${formatCodeSpan(from)} before, ${formatCodeSpan(to)} now`,
  ...evidence.map(
    ({ side, place, text }) => `  - ${side}: ${formatCodeSpan(place)}${text === '' ? '' : ` ${formatCodeSpan(text)}`}`,
  ),
];
