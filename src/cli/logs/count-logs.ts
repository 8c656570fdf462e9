import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { ROSTER_DATE } from '../../audit/crawlers/facts/ai-agents.ts';
import { classifyUserAgent } from '../../traffic/agents/classify-agent.ts';
import { findAssistantReferral } from '../../traffic/agents/referrals.ts';
import { logFormats } from '../../traffic/formats/formats-data.ts';
import { createLogReader, type LineCounts } from '../../traffic/formats/log-reader.ts';
import { verifyAddress } from '../../traffic/ranges/verify.ts';
import { unreadableReasons } from '../../traffic/record.ts';
import { buildTrafficReport } from '../../traffic/tally/build-traffic-report.ts';
import { lookedUp, settleClaims } from '../../traffic/tally/settle-claims.ts';
import { createTally, type TrafficTally } from '../../traffic/tally/tally.ts';
import type { FileTraffic, TrafficReport } from '../../traffic/tally/traffic-report.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { createNodeResolver } from '../core/node-dns.ts';
import type { SayNote } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { readLog, STANDARD_INPUT } from './read-log.ts';
import type { LogsSettings } from './read-options.ts';

/** Files of one run. */
export const MAX_LOG_FILES = 10_000;

/** `asksNames`: the names of addresses are looked up, which asks the network. */
type Asking = { asksNames: boolean; sayNote: SayNote };

/**
 * The part of the heap for what is new keeps its size: it would grow to 128 MB, and lines are dropped as soon as they are
 * counted. It may be set while a program runs, unlike the limit of that part.
 */
const YOUNG_HEAP = '--semi-space-growth-factor=1';

/** Counts who came in access logs; a failure where nothing could be counted. */
export async function countLogs(
  paths: readonly string[],
  settings: LogsSettings,
  { asksNames, sayNote }: Asking,
): Promise<TrafficReport | CommandFailure> {
  const { sinceMs, untilMs, hosts, keepsUnnamed, root } = settings;
  setFlagsFromString(YOUNG_HEAP);
  const tally = createTally(
    {
      classify: classifyUserAgent,
      findReferral: findAssistantReferral,
      verify: (token, address) => verifyAddress(settings.ranges, token, address),
      isDisallowed: settings.isDisallowed,
    },
    {
      sinceMs,
      untilMs,
      hosts,
      keepsUnnamed,
      root,
      sitemap: settings.sitemap?.paths,
      apart: asksNames ? lookedUp : undefined,
    },
  );
  const files = await readFiles(listFiles(paths, sayNote), tally, settings);
  if (isFailure(files)) return files;
  const unreadable = refuseUnreadable(files, settings, tally);
  if (unreadable !== undefined) return unreadable;
  if (asksNames) {
    const asked = await settleClaims(tally, createNodeResolver());
    if (asked >= lookedUp.limit) sayNote(`Names of ${asked} addresses were looked up, the most of one run.`);
  }
  return describe(files, tally, settings);
}

/** Why files are not read; undefined where they may be. */
export function refuseLogFiles(words: readonly string[]): CommandFailure | undefined {
  if (words.length > MAX_LOG_FILES) return refuseUsage(`At most ${MAX_LOG_FILES} files are read at once.`);
  const pipes = words.filter((word) => word === STANDARD_INPUT).length;
  return pipes > 1 ? refuseUsage('Standard input can be named once.') : undefined;
}

/** Each file once, whatever names lead to it. */
function listFiles(paths: readonly string[], sayNote: SayNote): readonly string[] {
  const known = new Set<string>();
  return paths.filter((path) => {
    const key = path === STANDARD_INPUT ? undefined : identifyFile(path);
    if (key === undefined) return true;
    const isNew = !known.has(key);
    known.add(key);
    if (!isNew) sayNote(`${formatSafeLine(path)} was named before: it is counted once.`);
    return isNew;
  });
}

/** What two names of one file have in common; undefined for what is no file, or cannot be read, which reading says. */
function identifyFile(path: string): string | undefined {
  try {
    const stat = statSync(path, { bigint: true });
    return stat.isFile() ? `${stat.dev} ${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}

type CountedFile = { file: FileTraffic; counts: LineCounts };

async function readFiles(
  paths: readonly string[],
  tally: TrafficTally,
  { format }: LogsSettings,
): Promise<readonly CountedFile[] | CommandFailure> {
  const files: CountedFile[] = [];
  const known = new Map<string, string>();
  for (const path of paths) {
    const reader = createLogReader(tally.count, format);
    const fingerprint = createFingerprint();
    const read = await readLog(path, (text) => {
      fingerprint.add(text);
      reader.push(text);
    });
    reader.end();
    const name = path === STANDARD_INPUT ? 'standard input' : path;
    if (!read.ok) return refuseCommand(read.reason, `${name} cannot be read: ${read.detail}.`, EXIT.usage);
    const { counts } = reader;
    const shown = path === STANDARD_INPUT ? name : basename(path);
    const print = counts.requests === 0 ? undefined : fingerprint.compute();
    const same = print === undefined ? undefined : known.get(print);
    if (print !== undefined && same === undefined) known.set(print, shown);
    files.push({
      counts,
      file: {
        name: shown,
        format: counts.format ?? null,
        compression: read.compression,
        ended: read.ended,
        same_as: same ?? null,
        lines: counts.lines,
        requests: counts.requests,
        unreadable: sumUnreadable(counts),
      },
    });
  }
  return files;
}

/** Characters of the beginning, and of the end, that are compared. */
const READ_CHARS = 16_384;

/**
 * What two logs with the same lines have in common: length, beginning and end. Cheaper than a hash of all of it, since a
 * log of a year has gigabytes.
 */
function createFingerprint(): { add: (text: string) => void; compute: () => string } {
  let length = 0;
  let first = '';
  let last = '';
  return {
    add: (text) => {
      length += text.length;
      if (first.length < READ_CHARS) first += text.slice(0, READ_CHARS - first.length);
      last = text.length >= READ_CHARS ? text.slice(-READ_CHARS) : `${last}${text}`.slice(-READ_CHARS);
    },
    compute: () => createHash('sha256').update(`${length} ${first} ${last}`, 'latin1').digest('base64'),
  };
}

const sumUnreadable = ({ unreadable }: LineCounts): number =>
  unreadableReasons.reduce((sum, reason) => sum + unreadable[reason], 0);

/** Nothing to report of: the files are no logs, or name no hosts where one was chosen. An empty log is one. */
function refuseUnreadable(
  files: readonly CountedFile[],
  { hosts, keepsUnnamed, format }: LogsSettings,
  tally: TrafficTally,
): CommandFailure | undefined {
  const requests = files.reduce((sum, { file }) => sum + file.requests, 0);
  const lost = files.reduce((sum, { file }) => sum + file.unreadable, 0);
  if (requests === 0 && lost > 0)
    return refuseCommand(
      'no_access_log',
      `${lost === 1 ? 'The only line is not' : `None of ${lost} lines is`} of ${format === undefined ? 'a known format' : `the format ${format}`}.`,
      EXIT.usage,
      format === undefined
        ? `These are read: ${logFormats.join(', ')}. JSON has one request on each line: jq -c '.[]' makes lines of a list.`
        : 'Leave out --log-format: the format is found from the first lines.',
    );
  if (hosts !== undefined && keepsUnnamed !== true && requests > 0 && tally.hosts() === 'none')
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
