import type { DeployableFile } from '../../fixes/files/generated-file.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { createNotes, type OutputValues, writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { compareFiles, isReportFile } from './compare-files.ts';
import { selectFormat } from './formats.ts';
import { type LocalResult, type LocalRun, runLocally } from './local-run.ts';
import { writeFiles } from './out-folder.ts';
import { refuseFolderFormat, refuseOutput, refuseWithoutChecks } from './output-check.ts';
import { refusePdf } from './pdf.ts';
import { renderSiteResult } from './render-site.ts';
import { resolveTypedSites } from './typed-target.ts';

/** Options of commands that print or write a result about sites. */
export type SiteValues = OutputValues & {
  out?: string | undefined;
  force?: boolean | undefined;
  verbose?: boolean | undefined;
};

const TWO_OF_A_KIND = 'Name two addresses, or two files of reports or snapshots.';

/**
 * `sightline compare <url> <competitor>`: who wins each category and why. With two files, reports or snapshots of one
 * site: what changed between them.
 */
export async function compareCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('compare', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const [one = '', other = ''] = words;
  if (isReportFile(one) || isReportFile(other)) {
    if (!isReportFile(one) || !isReportFile(other)) return refuseUsage(TWO_OF_A_KIND);
    return (await refusePdf(values)) ?? compareFiles(one, other, values);
  }
  const refused = await refuseOutput('compare', values);
  if (refused !== undefined) return refused;
  const sites = await resolveTypedSites(words, createNotes(values));
  if (!sites.ok) return sites.failure;
  const [url = '', competitor = ''] = sites.urls;
  return printRun(await runLocally('compare', { url, competitor }, values), values);
}

/** `sightline run <capability> <url> [key=value ...]`: any capability that needs no answer engine, free. */
export async function runCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('run', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const [capability = '', site = '', ...fields] = words;
  const refused = refuseFolderFormat(values) ?? (await refuseOutput(capability, values));
  if (refused !== undefined) return refused;
  const sites = await resolveTypedSites([site], createNotes(values));
  if (!sites.ok) return sites.failure;
  const body = buildBody(sites.urls[0] ?? '', fields);
  return isFailure(body) ? body : printRun(await runLocally(capability, body, values), values);
}

type RunValues = GivenWords<CommandTable['run']['options']>['values'];

const printRun = async (run: LocalRun, values: RunValues): Promise<CommandEnd> =>
  run.ok ? printSiteResult(run.result, values) : run.failure;

/** Prints the result, or writes its files where `--out` names a folder. */
export async function printSiteResult(result: LocalResult, values: SiteValues): Promise<CommandEnd> {
  const { out, force = false } = values;
  const hasChecks = result.scores !== undefined || result.checks !== undefined;
  const refused = hasChecks || out !== undefined ? undefined : refuseWithoutChecks(result.capability, values);
  if (refused !== undefined) return refused;
  if (out === undefined) return writeResult(await renderSiteResult(result, values), values);
  const files: readonly DeployableFile[] = result.files ?? [];
  if (files.length === 0) return refuseUsage('This result has no files to write.', 'Leave out --out.');
  // What has slots is not served by mistake: it lies apart from what can be.
  const placed = files.map((file) => (file.draft === true ? { ...file, path: `drafts/${file.path}` } : file));
  const wrote = writeFiles(out, placed, { force });
  if (!wrote.ok) return wrote.failure;
  const { capability, url } = result;
  return selectFormat(values).name === 'json'
    ? writeResult(`${formatSafeJson({ capability, url, folder: out, paths: wrote.paths })}\n`, values)
    : writeResult(wrote.paths.map((path) => `${formatSafeLine(path)}\n`).join(''), values);
}

/** `key=value` fields of a body; whole numbers are numbers. */
function buildBody(url: string, fields: readonly string[]): Record<string, unknown> | CommandFailure {
  const pairs = fields.map((field) => /^([a-z_]{1,40})=(.*)$/s.exec(field));
  const wrong = pairs.indexOf(null);
  if (wrong !== -1) return refuseUsage(`Fields are written field=value, not ${formatSafeLine(fields[wrong] ?? '')}.`);
  const entries = pairs.map((match) => [match?.[1] ?? '', parseFieldValue(match?.[2] ?? '')] as const);
  return { url, ...Object.fromEntries(entries) };
}

const parseFieldValue = (text: string): string | number => (/^\d{1,6}$/.test(text) ? Number(text) : text);
