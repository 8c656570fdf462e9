import type { Gather, Wanted } from '../../../src/audit/core/artifact.ts';
import { type GathererName, laterGatherers } from '../../../src/audit/core/artifacts.ts';

/** What a later gatherer wants of a site that was read so far. */
export async function planOf(name: GathererName, gather: Gather): Promise<readonly Wanted[]> {
  const row = laterGatherers.find((one) => one.name === name);
  if (!row) throw new Error(`${name} is no later gatherer`);
  return row.plan(gather);
}
