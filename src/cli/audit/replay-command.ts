import { readFileSync } from 'node:fs';
import { computeCurrentRubric } from '../../audit/core/report.ts';
import { parseRecording } from '../../capabilities/recording.ts';
import { presenters } from '../../capabilities/site-work.ts';
import { presentVisibility } from '../../capabilities/visibility-presenters.ts';
import { isVisibilityRecording, parseVisibilityRecording } from '../../capabilities/visibility-recording.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { explainOtherRubric, isRecordingJson, isSameRubric, parseStoredReport } from './baseline.ts';
import { selectFormat } from './formats.ts';
import { gateOptions, type Gates, hasGates, judgeGates, MAX_REASON_CHARS, parseGates } from './gates.ts';
import { createLocalTools, type LocalResult } from './local-run.ts';
import { formatVisibility } from './print-visibility.ts';
import { printSiteResult, siteOptions, type SiteRequest } from './site-commands.ts';

type ReplayRequest = SiteRequest & { file: string; gates: Gates };

const NO_SCORES = 'A result without scores has no minimum and no baseline.';

/**
 * `sightline replay <file>`: the result of a snapshot, offline; the same bytes that the audit gave, under the same rubric.
 * A stored report is printed as it was judged.
 */
export async function replayCommand(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(args, { ...siteOptions, ...gateOptions });
  if (typeof parsed === 'string') return printUsageError(parsed);
  const { values, positionals } = parsed;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return printUsageError('Name one snapshot file.');
  const format = selectFormat(values);
  if (typeof format === 'string') return printUsageError(format);
  const gates = await parseGates(values);
  if (typeof gates === 'string') return printUsageError(gates);
  if ('refused' in gates) return printFailure(gates.refused, EXIT.usage);
  const out = values.out === undefined ? {} : { out: values.out };
  return replayFile({ positionals, file, format, gates, force: values.force ?? false, ...out });
}

function replayFile(wanted: ReplayRequest): Promise<number> | number {
  const text = readText(wanted.file);
  const json = parseJsonObject(text);
  if (json !== undefined && isVisibilityRecording(json)) return replayVisibility(json, wanted);
  if (json !== undefined && !isRecordingJson(json) && 'scores' in json) return printStoredReport(json, wanted);
  return replaySites(text, wanted);
}

async function replaySites(text: string, wanted: ReplayRequest): Promise<number> {
  const read = parseRecording(text);
  if (!read.ok) return printUsageError(`${formatSafeLine(wanted.file)}: ${formatSafeLine(read.detail)}`);
  const { recording } = read;
  const present = await computeCurrentRubric();
  if (!isSameRubric(recording.rubric, present))
    process.stderr.write(
      `The snapshot was judged by another rubric (${formatSafeLine(recording.rubric.version)}); ${present.version} judges it again: the result may differ.\n`,
    );
  const presenter = Object.hasOwn(presenters, recording.capability)
    ? presenters[recording.capability as keyof typeof presenters]
    : undefined;
  if (!presenter) return printUsageError(`${recording.capability} is not made from a snapshot of sites.`);
  const outcome = await presenter(recording, await createLocalTools());
  if (!outcome.ok) return printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable);
  const { url, competitor } = recording.input;
  const named = { capability: recording.capability, url, ...(competitor === undefined ? {} : { competitor }) };
  const result: LocalResult = { ...named, ...outcome.result, warnings: outcome.warnings };
  if (hasGates(wanted.gates) && result.scores === undefined) return printUsageError(NO_SCORES);
  const status = await printSiteResult(result, wanted);
  return status === EXIT.done ? judgeGates(result, wanted.gates) : status;
}

/** A report as it was judged; a gate is held against it only if the present rubric judged it. */
async function printStoredReport(json: object, { file, format, out, gates }: ReplayRequest): Promise<number> {
  if (format.name !== 'text' && format.name !== 'json')
    return printUsageError('A stored report is printed as text or json: replay its snapshot for other formats.');
  if (out !== undefined) return printUsageError('A stored report has no files to write: replay its snapshot.');
  const report = parseStoredReport(json);
  if (report === undefined) return printUsageError(`${formatSafeLine(file)}: no report with scores`);
  const refusal = explainOtherRubric('The report', report.rubric, await computeCurrentRubric());
  if (refusal !== undefined && hasGates(gates))
    return printFailure(formatSafeLine(refusal, MAX_REASON_CHARS), EXIT.usage);
  if (refusal !== undefined)
    process.stderr.write(
      `The report was judged by another rubric (${formatSafeLine(report.rubric?.version ?? '?')}).\n`,
    );
  process.stdout.write(await format.render(json as LocalResult)); // Both formats take any JSON.
  return judgeGates(report, gates);
}

async function replayVisibility(json: object, { file, format, out, gates }: ReplayRequest): Promise<number> {
  if (hasGates(gates)) return printUsageError(NO_SCORES);
  if (format.name !== 'text' && format.name !== 'json')
    return printUsageError('A measurement is printed as text or json.');
  if (out !== undefined) return printUsageError('A measurement has no files to write.');
  const read = await parseVisibilityRecording(json);
  if (!read.ok) return printUsageError(`${formatSafeLine(file)}: ${formatSafeLine(read.detail)}`);
  const outcome = await presentVisibility(read.recording);
  if (!outcome.ok) return printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable);
  const result = { capability: read.recording.capability, ...outcome.result, warnings: outcome.warnings };
  const text = format.name === 'text' ? formatVisibility(result).join('\n') : formatSafeJson(result);
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}

/** The object of a file; undefined where it holds none, which the reader of snapshots says. */
function parseJsonObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : String(error)}`; // No JSON: refused as such.
  }
}
