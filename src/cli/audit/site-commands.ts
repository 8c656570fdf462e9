import type { DeployableFile } from '../../fixes/files/generated-file.ts';
import { EXIT, parseArguments, printUsageError } from '../core/usage.ts';
import { compareFiles, isReportFile } from './compare-files.ts';
import { type Format, selectFormat } from './formats.ts';
import { type LocalResult, runLocally, parseTypedTarget } from './local-run.ts';
import { writeFiles } from './out-folder.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** Options of commands that print or write a result about sites. */
export const siteOptions = {
  json: { type: 'boolean' },
  format: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
} as const;

/** `positionals`: the words that are no options. */
export type SiteRequest = { positionals: readonly string[]; format: Format; out?: string; force: boolean };

const TWO_OF_A_KIND = 'Name two URLs, or two files of reports or snapshots.';

/**
 * `sightline compare <url> <competitor>`: who wins each category and why. With two files, reports or snapshots of one
 * site: what changed between them.
 */
export function compareCommand(args: readonly string[]): Promise<number> {
  return withArguments(args, async (wanted) => {
    const [site, competitor, ...more] = wanted.positionals;
    if (site === undefined || competitor === undefined || more.length > 0) return printUsageError(TWO_OF_A_KIND);
    if (isReportFile(site) || isReportFile(competitor))
      return isReportFile(site) && isReportFile(competitor)
        ? compareFiles(site, competitor, wanted)
        : printUsageError(TWO_OF_A_KIND);
    const [one, other] = [parseTypedTarget(site), parseTypedTarget(competitor)];
    if (!one.ok) return printUsageError(one.detail);
    if (!other.ok) return printUsageError(other.detail);
    return finish(await runLocally('compare', { url: site, competitor }), wanted);
  });
}

/** `sightline run <capability> <url> [key=value ...]`: any capability that needs no answer engine, free. */
export function runCommand(args: readonly string[]): Promise<number> {
  return withArguments(args, async (wanted) => {
    const [capability, site, ...fields] = wanted.positionals;
    if (capability === undefined || site === undefined) return printUsageError('Name a capability and a URL.');
    const target = parseTypedTarget(site);
    if (!target.ok) return printUsageError(target.detail);
    const body = buildBody(site, fields);
    if (typeof body === 'string') return printUsageError(body);
    return finish(await runLocally(capability, body), wanted);
  });
}

type Done = { ok: true; result: LocalResult } | { ok: false; status: number };

const finish = async (done: Done, wanted: SiteRequest): Promise<number> =>
  done.ok ? printSiteResult(done.result, wanted) : done.status;

/** Prints the result, or writes its files where `--out` names a folder. */
export async function printSiteResult(result: LocalResult, { format, out, force }: SiteRequest): Promise<number> {
  if (out === undefined) {
    process.stdout.write(await format.render(result));
    return EXIT.done;
  }
  const files: readonly DeployableFile[] = result.files ?? [];
  if (files.length === 0) return printUsageError('This result has no files to write.');
  // What has slots is not served by mistake: it lies apart from what can be.
  const placed = files.map((file) => (file.draft === true ? { ...file, path: `drafts/${file.path}` } : file));
  return writeFiles(out, placed, { force });
}

async function withArguments(args: readonly string[], run: (wanted: SiteRequest) => Promise<number>): Promise<number> {
  const parsed = parseArguments(args, siteOptions);
  if (typeof parsed === 'string') return printUsageError(parsed);
  const { values, positionals } = parsed;
  const format = selectFormat(values);
  if (typeof format === 'string') return printUsageError(format);
  const force = values.force ?? false;
  return run({ positionals, format, force, ...(values.out === undefined ? {} : { out: values.out }) });
}

/** `key=value` fields of a body; whole numbers are numbers. */
function buildBody(url: string, fields: readonly string[]): Record<string, unknown> | string {
  const pairs = fields.map((field) => /^([a-z_]{1,40})=(.*)$/s.exec(field));
  const wrong = pairs.indexOf(null);
  if (wrong !== -1) return `Fields are written key=value: ${formatSafeLine(fields[wrong] ?? '')}`;
  const entries = pairs.map((match) => [match?.[1] ?? '', parseFieldValue(match?.[2] ?? '')] as const);
  return { url, ...Object.fromEntries(entries) };
}

const parseFieldValue = (text: string): string | number => (/^\d{1,6}$/.test(text) ? Number(text) : text);
