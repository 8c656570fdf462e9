import { readFileSync } from 'node:fs';
import { computeCurrentRubric } from '../../audit/core/report.ts';
import { presenters } from '../../capabilities/site-work.ts';
import { parseRecording } from '../../capabilities/recording.ts';
import { presentVisibility } from '../../capabilities/visibility-presenters.ts';
import { isVisibilityRecording, parseVisibilityRecording } from '../../capabilities/visibility-recording.ts';
import type { DeployableFile } from '../../fixes/files/generated-file.ts';
import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { type Format, selectFormat } from './formats.ts';
import { type LocalResult, createLocalTools, runLocally, parseTypedTarget } from './local-run.ts';
import { writeFiles } from './out-folder.ts';
import { formatVisibility } from './print-visibility.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';

const options = {
  json: { type: 'boolean' },
  format: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
} as const;

type SiteRequest = { positionals: readonly string[]; format: Format; out?: string; force: boolean };

/** `sightline compare <url> <competitor>`: who wins each category and why. */
export function compareCommand(args: readonly string[]): Promise<number> {
  return withArguments(args, async (wanted) => {
    const [site, competitor, ...more] = wanted.positionals;
    if (site === undefined || competitor === undefined || more.length > 0) return printUsageError('Name two URLs.');
    const [one, other] = [parseTypedTarget(site), parseTypedTarget(competitor)];
    if (!one.ok) return printUsageError(one.detail);
    if (!other.ok) return printUsageError(other.detail);
    return finish(await runLocally('compare', { url: one.url, competitor: other.url }), wanted);
  });
}

/** `sightline run <capability> <url> [key=value ...]`: any capability that needs no answer engine, free. */
export function runCommand(args: readonly string[]): Promise<number> {
  return withArguments(args, async (wanted) => {
    const [capability, site, ...fields] = wanted.positionals;
    if (capability === undefined || site === undefined) return printUsageError('Name a capability and a URL.');
    const target = parseTypedTarget(site);
    if (!target.ok) return printUsageError(target.detail);
    const body = buildBody(target.url, fields);
    if (typeof body === 'string') return printUsageError(body);
    return finish(await runLocally(capability, body), wanted);
  });
}

/** `sightline replay <file>`: the result of a snapshot, offline; the same bytes that the audit gave. */
export function replayCommand(args: readonly string[]): Promise<number> {
  return withArguments(args, async (wanted) => {
    const [file, ...more] = wanted.positionals;
    if (file === undefined || more.length > 0) return printUsageError('Name one snapshot file.');
    const text = readText(file);
    const measured = parseRecordingFile(text);
    if (measured !== undefined) return replayVisibility(file, measured, wanted);
    const read = parseRecording(text);
    if (!read.ok) return printUsageError(`${formatSafeLine(file)}: ${formatSafeLine(read.detail)}`);
    const { recording } = read;
    if (recording.rubric.sha256 !== (await computeCurrentRubric()).sha256)
      process.stderr.write('The snapshot was judged by another rubric: the result may differ.\n');
    const present = Object.hasOwn(presenters, recording.capability)
      ? presenters[recording.capability as keyof typeof presenters]
      : undefined;
    if (!present) return printUsageError(`${recording.capability} is not made from a snapshot of sites.`);
    const outcome = await present(recording, await createLocalTools());
    if (!outcome.ok) return printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable);
    const { url, competitor } = recording.input;
    const named = { capability: recording.capability, url, ...(competitor === undefined ? {} : { competitor }) };
    return finish({ ok: true, result: { ...named, ...outcome.result, warnings: outcome.warnings } }, wanted);
  });
}

/** The JSON of a file that holds a measurement; undefined for every other file. */
function parseRecordingFile(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && isVisibilityRecording(json) ? json : undefined;
  } catch {
    return undefined; // The reader of snapshots says what is wrong with it.
  }
}

async function replayVisibility(file: string, json: unknown, wanted: SiteRequest): Promise<number> {
  if (wanted.format.name !== 'text' && wanted.format.name !== 'json')
    return printUsageError('A measurement is printed as text or json.');
  if (wanted.out !== undefined) return printUsageError('A measurement has no files to write.');
  const read = await parseVisibilityRecording(json);
  if (!read.ok) return printUsageError(`${formatSafeLine(file)}: ${formatSafeLine(read.detail)}`);
  const outcome = await presentVisibility(read.recording);
  if (!outcome.ok) return printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable);
  const result = { capability: read.recording.capability, ...outcome.result, warnings: outcome.warnings };
  const text = wanted.format.name === 'text' ? formatVisibility(result).join('\n') : formatSafeJson(result);
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}

type Done = { ok: true; result: LocalResult } | { ok: false; status: number };

/** Prints the result, or writes its files where `--out` names a folder. */
async function finish(done: Done, { format, out, force }: SiteRequest): Promise<number> {
  if (!done.ok) return done.status;
  if (out === undefined) {
    process.stdout.write(await format.render(done.result));
    return EXIT.done;
  }
  const files: readonly DeployableFile[] = done.result.files ?? [];
  if (files.length === 0) return printUsageError('This result has no files to write.');
  // What has slots is not served by mistake: it lies apart from what can be.
  const placed = files.map((file) => (file.draft === true ? { ...file, path: `drafts/${file.path}` } : file));
  return writeFiles(out, placed, { force });
}

async function withArguments(args: readonly string[], run: (wanted: SiteRequest) => Promise<number>): Promise<number> {
  const parsed = parseArguments(args, options);
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

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : String(error)}`; // No JSON: refused as such.
  }
}
