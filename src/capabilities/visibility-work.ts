import { loadOnce } from '../lib/concurrency.ts';
import type * as z from 'zod';
import type { visibilityFixBody } from './bodies.ts';
import type { WorkOutcome, CapabilityTools } from './capability.ts';
import { createSiteWork } from './site-work.ts';
import { loadAskedPrompts, type QuestionFields, requirePromptChoice } from './visibility-questions.ts';
import type { VisibilityRecording } from './visibility-recording.ts';

// Their word lists take longer to lay out than an audit's Worker should take to start.
const loadPresenters = loadOnce(() => import('./visibility-presenters.ts'));
const loadFixes = loadOnce(() => import('./visibility-fixes.ts'));

type MeasureInput = Omit<VisibilityRecording['input'], 'questions' | 'competitor_brand'> & {
  competitor_brand?: string | undefined;
} & QuestionFields;

/** The names that no question may hold. */
const listNames = ({ brand, competitor_brand }: MeasureInput): readonly string[] =>
  competitor_brand === undefined ? [brand] : [brand, competitor_brand];

/** The work of a capability that measures: has the prompts answered and presents what was collected. */
export function createVisibilityWork(capability: VisibilityRecording['capability']) {
  return async (asked: MeasureInput, tools: CapabilityTools): Promise<WorkOutcome> => {
    if (!tools.measure) throw new Error(`${capability} was run without an answer engine`); // Reported before the payment.
    const { brand, niche, competitor_brand } = asked;
    const questions = await requirePromptChoice(asked, listNames(asked));
    const prompts = await loadAskedPrompts(niche, questions);
    const [run] = await tools.measure(prompts, (step) => tools.onProgress?.(step));
    if (run === undefined) throw new Error(`${capability} was run with an engine that is not there`); // Refused before the payment.
    const input = {
      brand,
      niche,
      ...(competitor_brand === undefined ? {} : { competitor_brand }),
      ...(questions.set === 'v1' ? {} : { questions }),
    };
    const measurement: VisibilityRecording = { version: 2, capability, input, run };
    const { presentVisibility } = await loadPresenters();
    const outcome = await presentVisibility(measurement);
    return outcome.ok ? { ...outcome, measurement } : outcome;
  };
}

const fillFromSite = createSiteWork('visibility_fix_pack');

/**
 * The work of `visibility_fix_pack`: text from what the caller knows already and, where the body names it, from what the
 * brand's site says; no engine is asked.
 */
export async function runVisibilityFixes(
  { url, ...input }: z.infer<typeof visibilityFixBody>,
  tools: CapabilityTools,
): Promise<WorkOutcome> {
  if (url !== undefined) return fillFromSite({ url, ...input }, tools);
  const { presentVisibilityFixes } = await loadFixes();
  return presentVisibilityFixes(input, undefined);
}
