import { loadOnce } from '../lib/concurrency.ts';
import type * as z from 'zod';
import type { visibilityFixBody } from './bodies.ts';
import type { WorkOutcome, CapabilityTools } from './capability.ts';
import { createSiteWork } from './site-work.ts';
import type { VisibilityRecording } from './visibility-recording.ts';

// Their word lists take longer to lay out than an audit's Worker should take to start.
const loadPresenters = loadOnce(() => import('./visibility-presenters.ts'));
const loadFixes = loadOnce(() => import('./visibility-fixes.ts'));

type MeasuredRun = VisibilityRecording['input'];

/** The work of a capability that measures: has the 30 prompts answered and presents what was collected. */
export function createVisibilityWork(capability: VisibilityRecording['capability']) {
  return async ({ brand, niche, competitor_brand }: MeasuredRun, tools: CapabilityTools): Promise<WorkOutcome> => {
    if (!tools.measure) throw new Error(`${capability} was run without an answer engine`); // Reported before the payment.
    const run = await tools.measure(niche, (step) => tools.onProgress?.(step));
    const input = { brand, niche, ...(competitor_brand === undefined ? {} : { competitor_brand }) };
    const measurement: VisibilityRecording = { version: 1, capability, input, run };
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
