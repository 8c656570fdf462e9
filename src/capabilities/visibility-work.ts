import type { VisibilityFixInput } from '../generate/visibility-fixes.ts';
import { loadOnce } from '../net/load-once.ts';
import type { BodyRefusal, WorkOutcome, WorkTools } from './capability.ts';
import type { VisibilityRecording } from './visibility-recording.ts';

// Their word lists take longer to lay out than an audit's Worker should take to start.
const presenters = loadOnce(() => import('./visibility-presenters.ts'));
const fixes = loadOnce(() => import('../generate/visibility-fixes.ts'));
const mentions = loadOnce(() => import('../visibility/mentions.ts'));

type Measured = VisibilityRecording['input'];

/** The work of a capability that measures: has the 30 prompts answered and presents what was collected. */
export function visibilityWork(capability: VisibilityRecording['capability']) {
  return async ({ brand, niche, competitor_brand }: Measured, tools: WorkTools): Promise<WorkOutcome> => {
    if (!tools.measure) throw new Error(`${capability} was run without an answer engine`); // Told before the payment.
    const run = await tools.measure(niche, (step) => tools.onProgress?.(step));
    const input = { brand, niche, ...(competitor_brand === undefined ? {} : { competitor_brand }) };
    const measurement: VisibilityRecording = { version: 1, capability, input, run };
    const { presentVisibility } = await presenters();
    const outcome = await presentVisibility(measurement);
    return outcome.ok ? { ...outcome, measurement } : outcome;
  };
}

/** The work of `visibility_fix_pack`: text from what the caller knows already; no engine is asked. */
export async function visibilityFixWork(input: VisibilityFixInput): Promise<WorkOutcome> {
  const { visibilityFixes } = await fixes();
  const { brand, niche } = input;
  return { ok: true, result: { brand, niche, fixes: visibilityFixes(input) }, warnings: [] };
}

/**
 * A measurement needs prompts that name nobody, and two brands that are two. A niche that names a measured brand would
 * put it into every prompt.
 */
export async function refuseMeasurement({
  brand,
  niche,
  competitor_brand,
}: Measured): Promise<BodyRefusal | undefined> {
  const { containsName, sameName } = await mentions();
  if (competitor_brand !== undefined && sameName(brand, competitor_brand)) {
    const message = 'must be another brand than `brand`';
    return { code: 'invalid_body', errors: [{ pointer: '/competitor_brand', message }] };
  }
  const named = [brand, competitor_brand].filter((name) => name !== undefined && containsName(niche, name));
  if (named.length === 0) return undefined;
  const message = 'names a brand that is measured: describe the market without it';
  return { code: 'niche_names_brand', errors: [{ pointer: '/niche', message }] };
}
