import type { StoredRuns } from '../../../capabilities/visibility-recording.ts';
import { loadOnce } from '../../../lib/concurrency.ts';
import { type BrandHistory, computeHistory } from '../../../visibility/trend/history.ts';
import { findMeasuredNames } from '../stored.ts';

/** Its word lists take longer to lay out than a Worker should take to start. */
const loadReader = loadOnce(() => import('../../../visibility/trend/measured-run.ts'));

/**
 * What changed between stored measurements by their answers; undefined where those of one are no longer stored, or where
 * they may not be compared.
 */
export async function readStoredHistory(
  stored: readonly { json: unknown; runs: StoredRuns | undefined }[],
): Promise<BrandHistory | undefined> {
  const { readMeasuredBrand } = await loadReader();
  const read = stored.flatMap(({ json, runs }) => {
    const names = findMeasuredNames(json);
    return names === undefined || runs === undefined ? [] : (readMeasuredBrand(names, runs) ?? []);
  });
  if (read.length < stored.length) return undefined;
  const computed = computeHistory(read);
  return computed.ok ? computed.history : undefined;
}
