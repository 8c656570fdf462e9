import { formatPercent } from '../../lib/numbers.ts';
import type { PromptSetId } from '../../visibility/prompts/prompt-set.ts';
import { type CountedChange, compareRates } from '../../visibility/trend/counts.ts';
import { type BrandHistory, computeHistory, historyRefusalWords } from '../../visibility/trend/history.ts';
import type { RunEngine } from '../../visibility/run/run.ts';
import type { MeasuredBrand } from '../../visibility/trend/measured-run.ts';
import { hasComparableEngine } from '../../visibility/trend/series.ts';
import { type CommandFailure, refuseCommand } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { type MeasuredFile, type MeasuredRates, readMeasuredFile } from './measured-file.ts';
import { formatHistory, formatPoints } from './print-history.ts';

/** What changed since the baseline. `rates`: its file has figures only; null where another model answered. */
export type BaselineChange =
  | ({ method: 'paired' } & BrandHistory)
  | { method: 'rates'; model_changed: boolean; change: CountedChange | null };

type AskedNow = { brand: string; niche: string; promptSet: PromptSetId; engines: readonly RunEngine[] };

const refuse = (detail: string): CommandFailure => refuseCommand('baseline_unusable', detail, EXIT.usage);

/** The baseline of a measurement that is about to be made, or why it does not compare: asked before an engine is. */
export async function readMeasuredBaseline(path: string, now: AskedNow): Promise<MeasuredFile | CommandFailure> {
  const read = await readMeasuredFile(path);
  if (!read.ok) return refuse(`The baseline ${path}: ${read.detail}.`);
  const { file } = read;
  const { brand, niche } = file.kind === 'answers' ? file.measured : file.rates;
  const { id, sha256 } =
    file.kind === 'answers'
      ? file.measured.promptSet
      : { id: file.rates.prompts.set, sha256: file.rates.prompts.sha256 };
  if (brand !== now.brand) return refuse(`The baseline is a measurement of ${brand}.`);
  if (niche !== now.niche) return refuse(`The baseline is about another market: ${niche}.`);
  if (id !== now.promptSet.id || sha256 !== now.promptSet.sha256)
    return refuse(
      `The baseline asked the prompt set ${id} (${sha256.slice(0, 12)}), and this measurement asks ${now.promptSet.id} (${now.promptSet.sha256.slice(0, 12)}): a difference could come from the questions. Make a new baseline with --snapshot.`,
    );
  if (file.kind === 'rates' && now.engines.length > 1)
    return refuse('The baseline has the figures of one engine, and this measurement asks several. Name a snapshot.');
  if (file.kind === 'answers' && !hasComparableEngine(file.measured, now.engines))
    return refuse(
      `The baseline was answered by ${listNames(file.measured.runs.map(({ engine }) => engine))}, and this measurement asks ${listNames(now.engines)}: no engine is in both.`,
    );
  return file;
}

const listNames = (engines: readonly RunEngine[]): string =>
  engines.map(({ name, kind }) => formatSafeLine(name ?? kind)).join(', ');

/** What changed since the baseline, or why nothing compares. */
export function compareWithBaseline(
  file: MeasuredFile,
  now: MeasuredBrand,
  result: MeasuredRates | undefined,
): BaselineChange | CommandFailure {
  if (file.kind === 'rates')
    return result === undefined ? refuse('The baseline has figures only.') : compareFigures(file.rates, result);
  const computed = computeHistory([file.measured, now]);
  if (!computed.ok) return refuse(historyRefusalWords[computed.reason]);
  return { method: 'paired', ...computed.history };
}

function compareFigures(before: MeasuredRates, after: MeasuredRates): BaselineChange {
  const isOther = describeEngine(before) !== describeEngine(after);
  const change = isOther ? null : compareRates(before.mention_rate, after.mention_rate);
  return { method: 'rates', model_changed: isOther, change };
}

const describeEngine = ({ engine: { kind, model, served_models: served } }: MeasuredRates): string =>
  JSON.stringify([kind, model, served]);

/** The change for people at a terminal. */
export function formatBaselineChange(change: BaselineChange): readonly string[] {
  if (change.method === 'paired') return ['Since the baseline:', ...formatHistory(change)];
  if (change.change === null) return ['Since the baseline: another model answered, so no change of the brand is said.'];
  const { before, after, difference, verdict } = change.change;
  const { value, low, high } = difference;
  return [
    `Since the baseline: ${formatPercent(before.value)} before, ${formatPercent(after.value)} now, ${formatPoints(value)} points (95 %: ${formatPoints(low)} to ${formatPoints(high)}): ${verdict === 'no_change_seen' ? 'may be chance' : verdict}`,
    'The baseline has figures only. With a snapshot (--snapshot) each prompt is compared with itself, which shows smaller changes.',
  ];
}

/** The failure of a brand that is named less often than in the baseline by more than chance; undefined otherwise. */
export function judgeBaselineChange(change: BaselineChange): CommandFailure | undefined {
  const fallen =
    change.method === 'rates'
      ? change.change?.verdict === 'fell'
        ? ['']
        : []
      : change.engines
          .filter(({ stretches }) => stretches.some(({ changes }) => changes.some(({ verdict }) => verdict === 'fell')))
          .map(({ engine }) => ` (${engine})`);
  return fallen.length === 0
    ? undefined
    : refuseCommand(
        'worse_than_baseline',
        `Worse than the baseline: the mention rate fell by more than chance${fallen.join(',')}.`,
        EXIT.below,
      );
}
