import type { Monitor } from '../core/monitor.ts';
import { computeRunMicroUsdc, findWatchedRow } from '../core/run-price.ts';
import { type BookParts, tryOpenSchedule } from './parts.ts';

/** Due times that one look ahead counts: an account whose runs are more than these until then hears of its first ones. */
const MAX_TIMES_AHEAD = 500;

/**
 * What the runs of an account cost, in micro-USDC, that are due until and with the next one of a monitor; 0 where it has no next
 * one. Runs that are under way are not counted: what is paid of them by now, the balance says.
 */
export function computeAheadMicroUsdc({ monitors, tools }: BookParts, { account, nextDueMs }: Monitor): number {
  if (nextDueMs === null) return 0;
  let left = MAX_TIMES_AHEAD;
  let sum = 0;
  for (const { monitor, nextMs, afterMs } of monitors.listDueUntil(account, nextDueMs)) {
    if (findWatchedRow(monitor) === undefined) continue; // What is sold no more, its own run says.
    const price = computeRunMicroUsdc(monitor);
    if (price === 0) continue;
    const times = afterMs > nextDueMs ? 1 : countTimes(monitor, Math.max(nextMs, tools.now()), nextDueMs, left);
    sum += price * times;
    left = Math.max(0, left - times);
  }
  return sum;
}

/** @returns 1 for the next run, and how many come after it; those that passed without a run are not piled up */
function countTimes(monitor: Monitor, fromMs: number, untilMs: number, limit: number): number {
  const schedule = tryOpenSchedule(monitor);
  let times = 1;
  for (let ms = schedule?.nextAfter(fromMs); ms !== undefined && ms <= untilMs && times < limit; times += 1)
    ms = schedule?.nextAfter(ms);
  return times;
}
