import { loadOnce } from '../lib/concurrency.ts';
import type { VisibilityFixInput } from '../visibility/fixes/fixes.ts';
import type { WorkOutcome, CapabilityTools } from './capability.ts';
import type { VisibilityRecording } from './visibility-recording.ts';

// Their word lists take longer to lay out than an audit's Worker should take to start.
const loadPresenters = loadOnce(() => import('./visibility-presenters.ts'));
const loadFixes = loadOnce(() => import('../visibility/fixes/fixes.ts'));

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

/** The work of `visibility_fix_pack`: text from what the caller knows already; no engine is asked. */
export async function runVisibilityFixes(input: VisibilityFixInput): Promise<WorkOutcome> {
  const { buildVisibilityFixes: visibilityFixes } = await loadFixes();
  const { brand, niche } = input;
  return { ok: true, result: { brand, niche, fixes: visibilityFixes(input) }, warnings: [] };
}
