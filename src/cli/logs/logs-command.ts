import { formatTrafficLines, formatTrafficMarkdown } from '../../traffic/report/traffic-lines.ts';
import type { TrafficReport } from '../../traffic/tally/traffic-report.ts';
import { parseCommand } from '../commands/parse.ts';
import { type CommandEnd, isFailure } from '../core/failure.ts';
import { createNotes, refuseUnwritableFile, writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine, onScreen } from '../core/terminal.ts';
import { countLogs, refuseLogFiles } from './count-logs.ts';
import { type LogsValues, readLogsSettings } from './read-options.ts';

/** `sightline logs FILE...`: counts who came. Reads files of this machine, and asks the network only with --dns. */
export async function runLogsCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('logs', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const unusable =
    refuseLogFiles(words) ?? (values.output === undefined ? undefined : refuseUnwritableFile(values.output));
  if (unusable !== undefined) return unusable;
  const settings = readLogsSettings(values, Date.now());
  if (isFailure(settings)) return settings;
  const sayNote = createNotes(values);
  const report = await countLogs(words, settings, { asksNames: values.dns === true, sayNote });
  if (isFailure(report)) return report;
  const more = settings.sitemap?.more ?? 0;
  if (more > 0) sayNote(`The sitemap has ${more} more addresses than are compared.`);
  return writeResult(formatReport(report, values), values);
}

function formatReport(report: TrafficReport, values: LogsValues): string {
  switch (values.format ?? (values.json === true ? 'json' : 'text')) {
    case 'json':
      return `${formatSafeJson(report)}\n`;
    case 'md':
      return values.output === undefined
        ? onScreen(formatTrafficMarkdown(report), process.stdout)
        : formatTrafficMarkdown(report);
    default:
      return `${formatTrafficLines(report)
        .map((line) => formatSafeLine(line, MAX_LINE_CHARS))
        .join('\n')}\n`;
  }
}

const MAX_LINE_CHARS = 1_000;
