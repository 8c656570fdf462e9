import { formatIsoTimestamp } from '../../lib/time.ts';
import {
  CHECK_STATUSES,
  type CheckOrder,
  type CheckPorts,
  type CheckReport,
  type CheckResult,
  type CheckStatus,
} from './check.ts';
import { checkHealth } from './health.ts';

/** Every check of a running deployment from outside. It changes nothing that stays. */
export async function runChecks(order: CheckOrder, ports: CheckPorts): Promise<CheckReport> {
  const results: CheckResult[] = [];
  for (const group of [checkHealth])
    for (const result of await group(order, ports)) {
      results.push(result);
      ports.onResult?.(result);
    }
  return buildReport(order, results, ports.now());
}

/** The checks of a new deployment: the same, and the purchase where `ports.buy` is given. */
export const runSmokeTest = runChecks;

export function buildReport({ addresses }: CheckOrder, results: readonly CheckResult[], nowMs: number): CheckReport {
  const counts = Object.fromEntries(
    CHECK_STATUSES.map((status) => [status, results.filter((result) => result.status === status).length]),
  ) as Record<CheckStatus, number>; // One for each status.
  const isReached = results.some(({ id, status }) => id === 'health.api' && status === 'pass');
  const status = counts.fail > 0 ? 'fail' : isReached ? 'pass' : 'unknown';
  return { status, checked_at: formatIsoTimestamp(nowMs), addresses, counts, results };
}
