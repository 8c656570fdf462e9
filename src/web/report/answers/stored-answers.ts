import { loadOnce } from '../../../lib/concurrency.ts';
import type { StoredRuns } from '../../../capabilities/visibility-recording.ts';
import { versusResult, visibilityResult } from '../../../capabilities/visibility-results.ts';
import type { Measurement } from '../parts/words.ts';
import type { StoredResult } from '../stored.ts';
import type { ShownAnswers } from './shown-answer.ts';

/** Its word lists take longer to lay out than a Worker should take to start. */
const loadReader = loadOnce(() => import('./read-answers.ts'));

/** The answers behind a stored result; undefined for a result that is no measurement of this version. */
export async function readStoredAnswers(
  { json }: StoredResult,
  { prompts, runs: [run] }: StoredRuns,
): Promise<ShownAnswers | undefined> {
  const found = findNames(json);
  if (found === undefined || run === undefined) return undefined;
  const { readAnswers } = await loadReader();
  return {
    runId: run.runId,
    brands: found.brands,
    measurement: found.measurement,
    answers: readAnswers(run, prompts, found),
  };
}

type Found = { measurement: Measurement; brands: readonly string[]; rivals: readonly string[] };

function findNames(json: unknown): Found | undefined {
  const check = visibilityResult.safeParse(json);
  if (check.success)
    return {
      measurement: check.data,
      brands: [check.data.brand],
      rivals: check.data.rivals.map(({ name }) => name),
    };
  const versus = versusResult.safeParse(json);
  if (!versus.success) return undefined;
  const { brand, competitor } = versus.data.brands;
  const rivals = new Set([...brand.rivals, ...competitor.rivals].map(({ name }) => name));
  return { measurement: versus.data, brands: [brand.name, competitor.name], rivals: [...rivals] };
}
