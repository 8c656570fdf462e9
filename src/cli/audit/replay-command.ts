import { readFileSync } from 'node:fs';
import { computeCurrentRubric } from '../../audit/core/report.ts';
import { isPanelRecording, parsePanelRecording } from '../../capabilities/panel-recording.ts';
import { presentPanel } from '../../capabilities/panel-presenter.ts';
import { parseRecording } from '../../capabilities/recording.ts';
import { presenters } from '../../capabilities/site-work.ts';
import { presentVisibility } from '../../capabilities/visibility-presenters.ts';
import { isVisibilityRecording, parseVisibilityRecording } from '../../capabilities/visibility-recording.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { createNotes, writeResult } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { isSameRubric } from '../../monitors/facts/site-facts.ts';
import { explainOtherRubric, isRecordingJson, parseStoredReport } from './baseline.ts';
import { selectFormat } from './formats.ts';
import { type Gates, hasGates, judgeGates, parseGates } from './gates.ts';
import { createLocalTools, type LocalResult } from './local-run.ts';
import { refusePdf } from './pdf.ts';
import { refuseFolderFormat } from './output-check.ts';
import { renderSiteResult } from './render-site.ts';
import { loadStoredRuns, printMeasurement, refuseAnswerOptions } from './print-measurement.ts';
import { printSiteResult } from './site-commands.ts';

type ReplayValues = GivenWords<CommandTable['replay']['options']>['values'];
type ReplayRequest = { file: string; gates: Gates; values: ReplayValues };

const NO_SCORES = 'A result without scores has no minimum and no baseline.';

/**
 * `sightline replay <file>`: the result of a snapshot, offline; the same bytes that the audit gave, under the same rubric.
 * A stored report is printed as it was judged.
 */
export async function replayCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('replay', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const refused = refuseFolderFormat(values) ?? refuseAnswerOptions(values) ?? (await refusePdf(values));
  if (refused !== undefined) return refused;
  const gates = await parseGates(values);
  return isFailure(gates) ? gates : replayFile({ file: words[0] ?? '', gates, values });
}

async function replayFile(wanted: ReplayRequest): Promise<CommandEnd> {
  const text = readText(wanted.file);
  if (typeof text !== 'string') return text;
  const json = parseJsonObject(text);
  if (json !== undefined && (isPanelRecording(json) || isVisibilityRecording(json)))
    return replayMeasurement(json, wanted);
  const { format, show } = wanted.values;
  if (format === 'csv' || format === 'jsonl' || show !== undefined)
    return refuseUsage(`${wanted.file} is no measurement: it has no answers.`);
  if (json !== undefined && !isRecordingJson(json) && 'scores' in json) return printStoredReport(json, wanted);
  return replaySites(text, wanted);
}

const refuseFile = (file: string, detail: string): CommandFailure =>
  refuseCommand(
    'file_unusable',
    `${file}: ${detail}`,
    EXIT.usage,
    'Name a snapshot (audit --snapshot) or a JSON report.',
  );

async function replaySites(text: string, { file, gates, values }: ReplayRequest): Promise<CommandEnd> {
  const read = parseRecording(text);
  if (!read.ok) return refuseFile(file, read.detail);
  const { recording } = read;
  const present = await computeCurrentRubric();
  const sayNote = createNotes(values);
  if (!isSameRubric(recording.rubric, present))
    sayNote(
      `The snapshot was judged by another rubric (${formatSafeLine(recording.rubric.version)}); ${present.version} judges it again: the result may differ.`,
    );
  const presenter = Object.hasOwn(presenters, recording.capability)
    ? presenters[recording.capability as keyof typeof presenters]
    : undefined;
  if (!presenter) return refuseFile(file, `${recording.capability} is not made from a snapshot of sites.`);
  const outcome = await presenter(recording, await createLocalTools());
  if (!outcome.ok)
    return refuseCommand(
      outcome.reason,
      `${file} holds no page that can be judged: ${outcome.detail}`,
      EXIT.unreachable,
    );
  const { url, competitor } = recording.input;
  const named = { capability: recording.capability, url, ...(competitor === undefined ? {} : { competitor }) };
  const result: LocalResult = { ...named, ...outcome.result, warnings: outcome.warnings };
  if (hasGates(gates) && result.scores === undefined) return refuseUsage(NO_SCORES);
  const printed = await printSiteResult(result, values);
  return printed === EXIT.done ? judgeGates(result, gates, sayNote) : printed;
}

/** A report as it was judged; a gate is held against it only if the present rubric judged it. */
async function printStoredReport(json: object, { file, gates, values }: ReplayRequest): Promise<CommandEnd> {
  if (values.out !== undefined) return refuseUsage('A stored report has no files to write: replay its snapshot.');
  const report = parseStoredReport(json);
  if (report === undefined) return refuseFile(file, 'no report with scores');
  const refusal = explainOtherRubric('The report', report.rubric, await computeCurrentRubric());
  if (refusal !== undefined && hasGates(gates)) return refuseCommand('other_rubric', refusal, EXIT.usage);
  const { name } = selectFormat(values);
  if (name !== 'text' && name !== 'json')
    return refuseUsage('A stored report is printed as text or json: replay its snapshot for other formats.');
  const sayNote = createNotes(values);
  if (refusal !== undefined)
    sayNote(`The report was judged by another rubric (${formatSafeLine(report.rubric?.version ?? '?')}).`);
  // Both formats take any JSON.
  const printed = writeResult(await renderSiteResult(json as LocalResult, values), values);
  return printed === EXIT.done ? judgeGates(report, gates, sayNote) : printed;
}

/** A measurement of one engine or of several, from its answers. */
async function replayMeasurement(json: object, { file, gates, values }: ReplayRequest): Promise<CommandEnd> {
  if (hasGates(gates)) return refuseUsage(NO_SCORES);
  if (values.out !== undefined) return refuseUsage('A measurement has no files to write.');
  const read = isPanelRecording(json) ? await parsePanelRecording(json) : await parseVisibilityRecording(json);
  if (!read.ok) return refuseFile(file, read.detail);
  const { recording } = read;
  const outcome = await (isPanelRecording(recording) ? presentPanel(recording) : presentVisibility(recording));
  if (!outcome.ok) return refuseCommand(outcome.reason, `${file}: ${outcome.detail}`, EXIT.unreachable);
  const result = { capability: recording.capability, ...outcome.result, warnings: outcome.warnings };
  return printMeasurement(result, values, { runs: await loadStoredRuns(recording) });
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

function readText(file: string): string | CommandFailure {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return refuseFile(
      file,
      error instanceof Error && 'code' in error ? `cannot be read (${String(error.code)})` : 'cannot be read',
    );
  }
}
