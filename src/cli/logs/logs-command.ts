import { basename } from 'node:path';
import { ROSTER_DATE } from '../../audit/crawlers/facts/ai-agents.ts';
import { classifyUserAgent } from '../../traffic/agents/classify-agent.ts';
import { findAssistantReferral } from '../../traffic/agents/referrals.ts';
import { createLogReader, type LineCounts } from '../../traffic/formats/log-reader.ts';
import { verifyAddress } from '../../traffic/ranges/verify.ts';
import { unreadableReasons } from '../../traffic/record.ts';
import { formatTrafficLines, formatTrafficMarkdown } from '../../traffic/report/traffic-lines.ts';
import { buildTrafficReport } from '../../traffic/tally/build-traffic-report.ts';
import { lookedUp, settleClaims } from '../../traffic/tally/settle-claims.ts';
import { createTally, type TrafficTally } from '../../traffic/tally/tally.ts';
import type { FileTraffic, TrafficReport } from '../../traffic/tally/traffic-report.ts';
import { parseCommand } from '../commands/parse.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { createNodeResolver } from '../core/node-dns.ts';
import { createNotes, refuseUnwritableFile, writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine, onScreen } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { readLog, STANDARD_INPUT } from './read-log.ts';
import { type LogsSettings, type LogsValues, readLogsSettings } from './read-options.ts';

/** Files of one run. */
export const MAX_LOG_FILES = 10_000;

/** `sightline logs FILE...`: counts who came. Reads files of this machine, and asks the network only with --dns. */
export async function runLogsCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('logs', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const unusable =
    refuseFiles(words) ?? (values.output === undefined ? undefined : refuseUnwritableFile(values.output));
  if (unusable !== undefined) return unusable;
  const settings = readLogsSettings(values, Date.now());
  if (isFailure(settings)) return settings;
  const tally = createTally(
    {
      classify: classifyUserAgent,
      findReferral: findAssistantReferral,
      verify: (token, address) => verifyAddress(settings.ranges, token, address),
      isDisallowed: settings.isDisallowed,
    },
    {
      sinceMs: settings.sinceMs,
      untilMs: settings.untilMs,
      host: settings.host,
      root: settings.root,
      sitemap: settings.sitemap?.paths,
      apart: values.dns === true ? lookedUp : undefined,
    },
  );
  const files = await readFiles(words, tally, settings);
  if (isFailure(files)) return files;
  const unreadable = refuseUnreadable(files, settings, tally);
  if (unreadable !== undefined) return unreadable;
  const more = settings.sitemap?.more ?? 0;
  if (more > 0) createNotes(values)(`The sitemap has ${more} more addresses than are compared.`);
  if (values.dns === true) {
    const asked = await settleClaims(tally, createNodeResolver());
    if (asked >= lookedUp.limit)
      createNotes(values)(`Names of ${asked} addresses were looked up, the most of one run.`);
  }
  return writeResult(formatReport(describe(files, tally, settings), values), values);
}

function refuseFiles(words: readonly string[]): CommandFailure | undefined {
  if (words.length > MAX_LOG_FILES) return refuseUsage(`At most ${MAX_LOG_FILES} files are read at once.`);
  const pipes = words.filter((word) => word === STANDARD_INPUT).length;
  return pipes > 1 ? refuseUsage('Standard input can be named once.') : undefined;
}

type CountedFile = { file: FileTraffic; counts: LineCounts };

async function readFiles(
  paths: readonly string[],
  tally: TrafficTally,
  { format }: LogsSettings,
): Promise<readonly CountedFile[] | CommandFailure> {
  const files: CountedFile[] = [];
  for (const path of paths) {
    const reader = createLogReader(tally.count, format);
    const read = await readLog(path, reader.push);
    reader.end();
    const name = path === STANDARD_INPUT ? 'standard input' : path;
    if (!read.ok) return refuseCommand(read.reason, `${name} cannot be read: ${read.detail}.`, EXIT.usage);
    const { counts } = reader;
    files.push({
      counts,
      file: {
        name: path === STANDARD_INPUT ? name : basename(path),
        format: counts.format ?? null,
        compression: read.compression,
        ended: read.ended,
        lines: counts.lines,
        requests: counts.requests,
        unreadable: sumUnreadable(counts),
      },
    });
  }
  return files;
}

const sumUnreadable = ({ unreadable }: LineCounts): number =>
  unreadableReasons.reduce((sum, reason) => sum + unreadable[reason], 0);

/** Nothing to report of: the files are no logs, or name no hosts where one was chosen. An empty log is one. */
function refuseUnreadable(
  files: readonly CountedFile[],
  { host }: LogsSettings,
  tally: TrafficTally,
): CommandFailure | undefined {
  const requests = files.reduce((sum, { file }) => sum + file.requests, 0);
  const lost = files.reduce((sum, { file }) => sum + file.unreadable, 0);
  if (requests === 0 && lost > 0)
    return refuseCommand(
      'no_access_log',
      `None of ${lost} lines is of a known format.`,
      EXIT.usage,
      'Name the format with --log-format to see which lines it cannot read.',
    );
  if (host !== undefined && requests > 0 && tally.hosts() === 'none')
    return refuseCommand(
      'host_not_logged',
      'This log does not name the host that was asked for, so --host cannot choose one.',
      EXIT.usage,
    );
  return undefined;
}

function describe(files: readonly CountedFile[], tally: TrafficTally, settings: LogsSettings): TrafficReport {
  const sum = (pick: (counts: LineCounts) => number): number =>
    files.reduce((total, { counts }) => total + pick(counts), 0);
  return buildTrafficReport(tally, {
    rosterDate: ROSTER_DATE,
    rangesDate: settings.rangesDate,
    files: files.map(({ file }) => file),
    lines: {
      read: sum(({ lines }) => lines),
      other: sum(({ other }) => other),
      undated: sum(({ undated }) => undated),
      unreadable: {
        too_long: sum(({ unreadable }) => unreadable.too_long),
        binary: sum(({ unreadable }) => unreadable.binary),
        incomplete: sum(({ unreadable }) => unreadable.incomplete),
        shape: sum(({ unreadable }) => unreadable.shape),
      },
    },
    hasRobots: settings.isDisallowed !== undefined,
    sitemap: settings.sitemap?.paths,
  });
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
