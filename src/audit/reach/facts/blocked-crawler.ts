import { type Snapshot, getExchangeLookup, listNumberedExchanges } from '../../core/snapshot.ts';

/** Statuses by which a host refuses a visitor it does not want, or wants less of; they say nothing about the page. */
const REFUSALS = [403, 429];

export const isRefusalStatus = (status: number): boolean => REFUSALS.includes(status);

/**
 * Whether the host refused us under every name: the start page as ourselves, and as every other User-Agent that
 * was tried. Then there is nothing to judge, which is not a fault of the site.
 */
export function isShutOut(snapshot: Snapshot): boolean {
  const start = getExchangeLookup(snapshot)('page')?.answer;
  if (start?.ok !== true || !isRefusalStatus(start.status)) return false;
  return listNumberedExchanges(snapshot, 'user-agent').every(
    ({ answer }) => !answer.ok || isRefusalStatus(answer.status),
  );
}
