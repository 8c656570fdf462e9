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
  url?: string | undefined;
  allow_partial?: boolean | undefined;
} & QuestionFields;

/** Has the prompts answered by each engine of the order and presents what was collected. */
export async function runPanel(
  capability: PanelName,
  { brand, niche, competitors, url, allow_partial: partial, ...fields }: PanelInput,
  tools: CapabilityTools,
): Promise<WorkOutcome> {
  if (!tools.measure) throw new Error(`${capability} was run without answer engines`); // Reported before the payment.
  const questions = await requirePromptChoice(fields, [brand, ...(competitors ?? [])]);
  const runs = await tools.measure(await loadAskedPrompts(niche, questions), (step) => tools.onProgress?.(step));
  const measurement: PanelRecording = {
    panel: 1,
    capability,
    input: {
      brand,
      niche,
      ...(competitors === undefined ? {} : { competitors }),
      ...(url === undefined ? {} : { url }),
      ...(partial === undefined ? {} : { allow_partial: partial }),
      questions,
    },
    runs,
  };
  const { presentPanel } = await loadPresenter();
  const outcome = await presentPanel(measurement);
  return outcome.ok ? { ...outcome, measurement } : outcome;
}
