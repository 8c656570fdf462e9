import { type Snapshot, lookup, numbered } from '../../core/snapshot.ts';

/** Statuses by which a host refuses a visitor it does not want, or wants less of; they say nothing about the page. */
const REFUSALS = [403, 429];

export const refusesUs = (status: number): boolean => REFUSALS.includes(status);

/**
 * Tells whether the host refused us as whomever we came: the start page as ourselves, and as every other User-Agent that
 * was tried. Then there is nothing to judge, which is no fault of the site.
 */
export function isShutOut(snapshot: Snapshot): boolean {
  const start = lookup(snapshot)('page')?.answer;
  if (start?.ok !== true || !refusesUs(start.status)) return false;
  return numbered(snapshot, 'user-agent').every(({ answer }) => !answer.ok || refusesUs(answer.status));
}
