import { addUses, type LimitUses } from './limit-use.ts';
import { COUNTER_NAMES } from './rate-counts.ts';

/** The counter objects of a Worker, as far as their counts are read. */
export type UseReader = { getByName: (name: string) => { uses: () => Promise<LimitUses> } };

/** What all counter objects of this Worker counted in the minutes that run. @throws what asking an object throws */
export async function readLimitUses(counters: UseReader): Promise<LimitUses> {
  return addUses(await Promise.all(COUNTER_NAMES.map((name) => counters.getByName(name).uses())));
}
