import type { StoredRuns } from '../../../capabilities/visibility-recording.ts';
import { loadOnce } from '../../../lib/concurrency.ts';
import { findMeasuredNames, type StoredResult } from '../stored.ts';
import type { ShownAnswers } from './shown-answer.ts';

/** Its word lists take longer to lay out than a Worker should take to start. */
const loadReader = loadOnce(() => import('./read-answers.ts'));

/** The answers behind a stored result, of each engine; undefined for a result that is no measurement. */
export async function readStoredAnswers(
  { json }: Pick<StoredResult, 'json'>,
  { prompts, runs }: StoredRuns,
): Promise<ShownAnswers | undefined> {
  const found = findMeasuredNames(json);
  if (found === undefined || runs.length === 0) return undefined;
  const brands = [found.brand, ...found.others];
  const { readAnswers } = await loadReader();
  return { brands, prompts, runs: runs.map((run) => readAnswers(run, prompts, brands)) };
}
