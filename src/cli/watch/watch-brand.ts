import { loadAskedPrompts, requirePromptChoice } from '../../capabilities/visibility-questions.ts';
import { judgeBrandRun } from '../../monitors/alerts/brand-alerts.ts';
import { summariseBrand } from '../../monitors/facts/summary.ts';
import { loadStoredRuns } from '../audit/print-measurement.ts';
import { type CommandFailure, isFailure, refuseCommand } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import { checkEngines, describeEngineHint } from '../visibility/ask-engines.ts';
import { measureAsked } from '../visibility/measure-asked.ts';
import { listMeasuredNames } from '../visibility/typed-measurement.ts';
import type { BrandEntry } from './entries.ts';
import { beginRun, type EntryRun, failRun } from './entry-run.ts';
import type { EntryHistory } from './history-schema.ts';
import type { WatchedLookTools } from './watch-site.ts';

const INCOMPLETE = 'measurement_incomplete';

/** Measures a brand by the engines of this machine, and says what changed by a test over the runs before. */
export async function watchBrand(entry: BrandEntry, history: EntryHistory, tools: WatchedLookTools): Promise<EntryRun> {
  const { input, asked } = entry;
  const run = beginRun(entry, history, tools.nowMs);
  const { prompts } = await loadAskedPrompts(input.niche, await requirePromptChoice(input, listMeasuredNames(input)));
  const engines = await checkEngines(asked, prompts);
  if (isFailure(engines)) return failRun(run, engines.reason, engines);
  const { capability, outcome } = await measureAsked({ input, engines }, { quiet: tools.quiet });
  const incomplete = (detail: string): CommandFailure =>
    refuseCommand(
      INCOMPLETE,
      `The measurement is not complete: ${detail}`,
      EXIT.unreachable,
      describeEngineHint(asked),
    );
  if (!outcome.ok) return failRun(run, outcome.reason, incomplete(outcome.detail));
  const { measurement } = outcome;
  const stored = measurement && (await loadStoredRuns(measurement));
  const after = stored && summariseBrand(stored, input);
  if (after === undefined) return failRun(run, INCOMPLETE, incomplete('too few of its questions have a real answer'));
  const { alerts, summary } = judgeBrandRun({
    monitor: entry,
    history: history.runs,
    after,
    runId: run.id,
    reportId: run.id,
  });
  const part = { role: 'subject', capability, reportId: run.id, amountMicroUsdc: 0 } as const;
  return {
    run: { ...run, state: 'stored', endedAtMs: Date.now(), parts: [part], summary },
    drafts: alerts,
    files: [{ reportId: run.id, kind: 'measurement', text: JSON.stringify(measurement) }],
  };
}
