import { createReadStream } from 'node:fs';
import { buildFirstPartyReport, type FirstPartyReport } from '../../web/first-party/first-party-report.ts';
import { formatFirstPartyLines, formatFirstPartyMarkdown } from '../../web/first-party/first-party-text.ts';
import { MAX_IMPORT_ROWS } from '../../visibility/imports/csv-rows.ts';
import {
  type GivenFile,
  importFiles,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_FILES,
} from '../../visibility/imports/import-files.ts';
import { type OwnMeasurement, readOwnMeasurement } from '../../visibility/imports/own-measurement.ts';
import type { ImportRefusal } from '../../visibility/imports/refusal.ts';
import { readReportStyles } from '../audit/documents.ts';
import { type OptionValues, parseByRow } from '../commands/parse.ts';
import { commandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { MAX_MEASURED_BYTES, TOO_LARGE } from '../history/measured-file.ts';
import { refuseUnwritableFile, writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine, onScreen } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';

const row = commandTable.visibility.actions.import;
type Values = OptionValues<typeof row.options>;

/** Lines of a refusal: the columns that were found, and one for each table that is known. */
const MAX_DETAIL_CHARS = 500;

/** `sightline visibility import <file...> [--with <measurement.json>]`: reads files of this machine and asks no one. */
export async function runImportCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseByRow(args, row);
  if (isFailure(given)) return given;
  const values = given.values as Values;
  const site = readSite(values.site);
  if (site === null) return refuseUsage('--site takes a host, such as example.com.');
  const unwritable = values.output === undefined ? undefined : refuseUnwritableFile(values.output);
  if (unwritable !== undefined) return unwritable;
  const files = await readFiles(given.words);
  if (isFailure(files)) return files;
  const imported = importFiles(files, { nowMs: Date.now(), maxRows: MAX_IMPORT_ROWS, as: values.as, site });
  if (!imported.ok) return refuseImport(imported);
  const measurement = await readMeasurement(values.with ?? []);
  if (isFailure(measurement)) return measurement;
  const report = buildFirstPartyReport(imported.imports, measurement);
  return writeResult(await formatReport(report, values), values);
}

/** The host of `--site`; null for what is none, undefined where it is not given. */
function readSite(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  const address = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).host : null;
}

async function readFiles(paths: readonly string[]): Promise<readonly GivenFile[] | CommandFailure> {
  if (paths.length > MAX_IMPORT_FILES) return refuseUsage(`At most ${MAX_IMPORT_FILES} files are read at once.`);
  const files: GivenFile[] = [];
  for (const path of paths) {
    const bytes = await readBounded(path, MAX_IMPORT_BYTES);
    if (isFailure(bytes)) return bytes;
    files.push({ name: path, bytes });
  }
  return files;
}

/** At most one byte more than `limit`, so that a reader sees that there is more; pipes too. */
async function readBounded(path: string, limit: number): Promise<Uint8Array | CommandFailure> {
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of createReadStream(path, { end: limit })) pieces.push(piece as Uint8Array);
    return Buffer.concat(pieces);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuseCommand('unreadable_file', `${path} cannot be read: ${why}.`, EXIT.usage);
  }
}

function refuseImport({ reason, file, message, detail }: ImportRefusal): CommandFailure {
  const where = file === '' ? '' : `${file}: `;
  return {
    ...refuseCommand(reason, `${where}${message} Nothing was imported.`, EXIT.usage),
    detail: detail.map((line) => formatSafeLine(line, MAX_DETAIL_CHARS)),
  };
}

async function readMeasurement(paths: readonly string[]): Promise<OwnMeasurement | undefined | CommandFailure> {
  if (paths.length === 0) return undefined;
  const parts: unknown[] = [];
  for (const path of paths) {
    const bytes = await readBounded(path, MAX_MEASURED_BYTES);
    if (isFailure(bytes)) return bytes;
    if (bytes.byteLength > MAX_MEASURED_BYTES)
      return refuseCommand('too_large', `${path} is ${TOO_LARGE}, the most that is read of a measurement.`, EXIT.usage);
    const value = parseJson(bytes);
    if (value === undefined || readOwnMeasurement(value) === undefined)
      return refuseCommand(
        'no_measurement',
        `${path} is no measurement.`,
        EXIT.usage,
        'Name the JSON that sightline visibility --json wrote, its --snapshot, or both.',
      );
    parts.push(value);
  }
  return readOwnMeasurement(...parts);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

async function formatReport(report: FirstPartyReport, values: Values): Promise<string> {
  const show = (text: string): string => (values.output === undefined ? onScreen(text, process.stdout) : text);
  switch (values.format ?? (values.json === true ? 'json' : 'text')) {
    case 'json':
      return `${formatSafeJson(report)}\n`;
    case 'md':
      return show(formatFirstPartyMarkdown(report));
    case 'csv':
      return show((await import('../../web/first-party/first-party-csv.ts')).formatFirstPartyCsv(report));
    case 'html': {
      const { renderFirstPartyFile } = await import('../../web/first-party/first-party-view.tsx');
      return show(`${renderFirstPartyFile(report, readReportStyles())}\n`);
    }
    default:
      return `${formatFirstPartyLines(report).join('\n')}\n`;
  }
}
