import { loadOnce } from '../lib/concurrency.ts';
import type { CapabilityTools, WorkOutcome } from './capability.ts';
import type { PanelName } from './capability-name.ts';
import type { PanelRecording } from './panel-recording.ts';
import { loadAskedPrompts, type QuestionFields, requirePromptChoice } from './visibility-questions.ts';

// Its word lists take longer to lay out than an audit's Worker should take to start.
const loadPresenter = loadOnce(() => import('./panel-presenter.ts'));

type PanelInput = {
  brand: string;
  niche: string;
  competitors?: readonly string[] | undefined;
  site?: string | undefined;
  allow_partial?: boolean | undefined;
} & QuestionFields;

/** Has the prompts answered by each engine of the order and presents what was collected. */
export async function runPanel(
  capability: PanelName,
  { brand, niche, competitors, site, allow_partial: partial, ...fields }: PanelInput,
  tools: CapabilityTools,
): Promise<WorkOutcome> {
  if (!tools.measure) throw new Error(`${capability} was run without answer engines`); // Reported before the payment.
  const questions = await requirePromptChoice(fields, [brand, ...(competitors ?? [])]);
  const runs = await tools.measure(await loadAskedPrompts(niche, questions), (step) => tools.onProgress?.(step));
  const { collectPanelCitations, presentPanel } = await loadPresenter();
  const recorded = {
    panel: 1,
    capability,
    input: {
      brand,
      niche,
      ...(competitors === undefined ? {} : { competitors }),
      ...(site === undefined ? {} : { site }),
      ...(partial === undefined ? {} : { allow_partial: partial }),
      questions,
    },
    runs,
  } as const;
  const measurement: PanelRecording = { ...recorded, citations: await collectPanelCitations(recorded, tools) };
  const outcome = await presentPanel(measurement);
  return outcome.ok ? { ...outcome, measurement } : outcome;
}
