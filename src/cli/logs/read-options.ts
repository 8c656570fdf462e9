import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { LogFormat } from '../../traffic/formats/formats-data.ts';
import { compileRanges, type RangeTable } from '../../traffic/ranges/compile-ranges.ts';
import { MAX_RANGES_FILE_BYTES, readRangesText } from '../../traffic/ranges/read-ranges-file.ts';
import { RANGES_DATE, shippedRanges, withNewerRanges } from '../../traffic/ranges/shipped-ranges.ts';
import { createRobotsJudge } from '../../traffic/tally/obedience.ts';
import { readSitemapPaths, type SitemapPaths } from '../../traffic/tally/sitemap-paths.ts';
import { DAY_MS, HOUR_MS, isCalendarDay, MINUTE_MS } from '../../lib/time.ts';
import type { OptionValues } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';

export type LogsValues = OptionValues<CommandTable['logs']['options']>;

/** Largest robots.txt and sitemap that are read, in bytes. */
const MAX_SITE_FILE_BYTES = 50 * 1024 * 1024;

/** What the options of the command come to. */
export type LogsSettings = {
  format: LogFormat | undefined;
  sinceMs: number | undefined;
  untilMs: number | undefined;
  hosts: readonly string[] | undefined;
  /** Requests whose log names no host count as of `hosts`. */
  keepsUnnamed?: boolean | undefined;
  root: string | undefined;
  ranges: RangeTable;
  rangesDate: string;
  isDisallowed: ((token: string, path: string) => boolean) | undefined;
  sitemap: SitemapPaths | undefined;
};

/** Reads the options and the files that they name; the first that cannot be used refuses. */
export function readLogsSettings(values: LogsValues, nowMs: number): LogsSettings | CommandFailure {
  const since = readTimeOption('since', values.since, nowMs);
  if (isFailure(since)) return since;
  const until = readTimeOption('until', values.until, nowMs);
  if (isFailure(until)) return until;
  if (since !== undefined && until !== undefined && since >= until)
    return refuseUsage('--since is not before --until: no request can be between them.');
  const root = values['site-root'];
  if (root !== undefined && !root.startsWith('/')) return refuseUsage('--site-root takes a path, such as /shop/.');
  const host = readHostOption(values.host);
  if (isFailure(host)) return host;
  const ranges = readRangesOption(values.ranges);
  if (isFailure(ranges)) return ranges;
  const robots =
    values.robots === undefined ? undefined : readSmallFile('--robots', values.robots, MAX_SITE_FILE_BYTES);
  if (isFailure(robots)) return robots;
  const sitemap = readSitemapOption(values.sitemap);
  if (isFailure(sitemap)) return sitemap;
  return {
    format: values['log-format'],
    sinceMs: since,
    untilMs: until,
    hosts: host === undefined ? undefined : [host],
    root,
    ...ranges,
    isDisallowed: robots === undefined ? undefined : createRobotsJudge(robots),
    sitemap,
  };
}

/** The settings of a log that is read beside an audit: all of it, by the ranges that ship. */
export const describeSiteLogs = (
  hosts: readonly string[],
  isDisallowed: LogsSettings['isDisallowed'],
): LogsSettings => ({
  format: undefined,
  sinceMs: undefined,
  untilMs: undefined,
  hosts,
  keepsUnnamed: true,
  root: undefined,
  ranges: compileRanges(shippedRanges),
  rangesDate: RANGES_DATE,
  isDisallowed,
  sitemap: undefined,
});

const units: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** `2026-11-01`, a time of RFC 3339, or how long ago: `30m`, `12h`, `7d`. */
function readTimeOption(name: string, text: string | undefined, nowMs: number): number | undefined | CommandFailure {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (units[unit] ?? 0);
  const isDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const hasZone = text.length === 10 || /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const ms = isDate && isCalendarDay(text.slice(0, 10)) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  return Number.isNaN(ms)
    ? refuseUsage(
        `--${name} takes a day, a time or how long ago (2026-11-01, 2026-11-01T12:00Z, 7d), not ${formatSafeLine(text)}.`,
      )
    : ms;
}

function readHostOption(text: string | undefined): string | undefined | CommandFailure {
  if (text === undefined) return undefined;
  const address = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).hostname : refuseUsage('--host takes a host, such as example.com.');
}

function readRangesOption(path: string | undefined): Pick<LogsSettings, 'ranges' | 'rangesDate'> | CommandFailure {
  if (path === undefined) return { ranges: compileRanges(shippedRanges), rangesDate: RANGES_DATE };
  const text = readSmallFile('--ranges', path, MAX_RANGES_FILE_BYTES);
  if (isFailure(text)) return text;
  const read = readRangesText(text);
  if (!read.ok) return refuseCommand(read.reason, `${path} is no file of ranges: ${read.detail}.`, EXIT.usage);
  const dates = [RANGES_DATE, ...read.rows.map(({ date }) => date.slice(0, 10))];
  return {
    ranges: compileRanges(withNewerRanges(shippedRanges, read.rows)),
    rangesDate: dates.reduce((latest, date) => (date > latest ? date : latest)),
  };
}

function readSitemapOption(path: string | undefined): SitemapPaths | undefined | CommandFailure {
  if (path === undefined) return undefined;
  const text = readSmallFile('--sitemap', path, MAX_SITE_FILE_BYTES);
  if (isFailure(text)) return text;
  return (
    readSitemapPaths(text) ??
    refuseCommand(
      'no_sitemap',
      `${path} is no sitemap that lists pages.`,
      EXIT.usage,
      'Name the file with the addresses, not an index of files.',
    )
  );
}

function readSmallFile(option: string, path: string, limit: number): string | CommandFailure {
  try {
    const file = openSync(path, 'r');
    try {
      if (fstatSync(file).size > limit)
        return refuseCommand('too_large', `${option}: ${path} has more than ${limit / (1024 * 1024)} MiB.`, EXIT.usage);
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuseCommand('unreadable_file', `${option}: ${path} cannot be read: ${why}.`, EXIT.usage);
  }
}
