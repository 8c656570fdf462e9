import { isPanelRecording } from '../../capabilities/panel-recording.ts';
import type { AnyRecording } from '../../capabilities/recording.ts';
import { loadAskedPrompts } from '../../capabilities/visibility-questions.ts';
import {
  isVisibilityRecording,
  loadRecordedPrompts,
  type StoredRuns,
} from '../../capabilities/visibility-recording.ts';
import { type CommandEnd, type CommandFailure, refuseUsage } from '../core/failure.ts';
import { type OutputValues, writeResult } from '../core/output.ts';
import { onScreen } from '../core/terminal.ts';
import { selectFormat } from './formats.ts';
import type { LocalResult } from './local-run.ts';
import { refuseWithoutChecks } from './output-check.ts';
import type { ShownChoice } from './print-answers.ts';
import { renderSiteResult } from './render-site.ts';

/** Prints a measurement of a brand. */
export async function printMeasurement(
  result: Record<string, unknown>,
  values: OutputValues & { table?: string | undefined; show?: ShownChoice | undefined },
  { runs, below = [] }: MeasurementBeside = {},
): Promise<CommandEnd> {
  const refused = refuseWithoutChecks('A measurement', values) ?? refuseAnswerOptions(values);
  if (refused !== undefined) return refused;
  const { format, show } = values;
  const isFile = format === 'csv' || format === 'jsonl';
  const isRead = isFile || show !== undefined || ['md', 'html', 'pdf'].includes(format ?? '');
  const printer = isRead ? await import('./print-answers.ts') : undefined; // With the names and words of the pages.
  const answers = runs && (await printer?.readShownAnswers(result, runs));
  if (isFile)
    return answers === undefined || printer === undefined
      ? refuseUsage('There are no answers to write.')
      : writeAnswerFile(printer.formatAnswerFile(answers, format, values.table), values);
  // Every other format takes any JSON of a result.
  const text = await renderSiteResult(result as LocalResult, values, answers);
  const isText = selectFormat(values).name === 'text';
  const more = [
    ...((show && answers && printer?.formatShownAnswers(answers, show)) ?? []),
    ...(below.length === 0 ? [] : ['', ...below]),
  ];
  return writeResult(
    isText && typeof text === 'string' && more.length > 0 ? `${text}${more.join('\n')}\n` : text,
    values,
  );
}

/** What a measurement is printed with: its runs, and lines below its text. */
type MeasurementBeside = { runs?: StoredRuns | undefined; below?: readonly string[] };

/** A terminal is not steered by what an engine wrote; a file or a pipe gets it as it is. */
const writeAnswerFile = (text: string, values: OutputValues): CommandEnd =>
  writeResult(values.output === undefined ? onScreen(text, process.stdout) : text, values);

/** What is wrong with options about answers: each belongs to some formats only. */
export function refuseAnswerOptions(
  values: OutputValues & { table?: string | undefined; show?: ShownChoice | undefined },
): CommandFailure | undefined {
  const name = values.format ?? (values.json === true ? 'json' : 'text');
  if (values.table !== undefined && name !== 'csv' && name !== 'jsonl')
    return refuseUsage('--table names a table of --format csv or jsonl.');
  return values.show !== undefined && name !== 'text'
    ? refuseUsage('--show prints answers below the text; other formats have them already.')
    : undefined;
}

/** The answers behind a measurement, of one engine or of several; undefined for what is none. */
export async function loadStoredRuns(measurement: AnyRecording): Promise<StoredRuns | undefined> {
  if (isPanelRecording(measurement)) {
    const { input, runs } = measurement;
    return { prompts: (await loadAskedPrompts(input.niche, input.questions)).prompts, runs };
  }
  if (!isVisibilityRecording(measurement)) return undefined;
  return { prompts: await loadRecordedPrompts(measurement), runs: [measurement.run] };
}
