import { computeHistory, historyRefusalWords, MAX_COMPARED_MEASUREMENTS } from '../../visibility/trend/history.ts';
import type { MeasuredBrand } from '../../visibility/trend/measured-run.ts';
import { parseCommand } from '../commands/parse.ts';
import { type CommandEnd, isFailure, refuseCommand } from '../core/failure.ts';
import { writeResult } from '../core/output.ts';
import { formatSafeJson } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { readMeasuredFile } from './measured-file.ts';
import { formatHistory } from './print-history.ts';

/** `sightline history FILE FILE...`: what changed between measurements of one brand, from their snapshots. */
export async function runHistoryCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('history', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  if (words.length > MAX_COMPARED_MEASUREMENTS)
    return refuseCommand('not_comparable', historyRefusalWords.too_many, EXIT.usage);
  const measured: MeasuredBrand[] = [];
  for (const path of words) {
    const read = await readMeasuredFile(path);
    if (!read.ok) return refuseCommand('file_unusable', `${path}: ${read.detail}.`, EXIT.usage, HOW);
    if (read.file.kind === 'rates')
      return refuseCommand('file_unusable', `${path}: a result without its answers.`, EXIT.usage, HOW);
    measured.push(read.file.measured);
  }
  const computed = computeHistory(measured);
  if (!computed.ok) return refuseCommand('not_comparable', historyRefusalWords[computed.reason], EXIT.usage);
  const isJson = values.json === true || values.format === 'json';
  const text = isJson ? formatSafeJson(computed.history) : formatHistory(computed.history).join('\n');
  return writeResult(`${text}\n`, values);
}

const HOW =
  'Name snapshots: sightline visibility --snapshot FILE saves one, and a service has them at /runs/<run_id>.json.';
