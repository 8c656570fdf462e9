import { formatIsoTimestamp } from '../../lib/time.ts';
import { type CheckName, failCheck, leaveUnknown, acceptCheck } from './asking.ts';
import {
  CHECK_STATUSES,
  type CheckOrder,
  type CheckPorts,
  type CheckReport,
  type DeploymentCheck,
  type DeploymentStatus,
} from './check.ts';
import { discoverAddresses } from './discover.ts';
import { checkHealth } from './health.ts';
import { checkMcp } from './mcp.ts';
import { checkOauth } from './oauth.ts';
import { checkAsOperator } from './operator.ts';
import { checkPaymentTerms } from './terms.ts';
import { checkCertificates, checkClocks, checkHeaders } from './transport.ts';
import { checkVersions } from './versions.ts';

/** From outside, in this order: what the later ones say is of use only where the earlier ones pass. */
const outside = [checkHealth, checkCertificates, checkClocks, checkHeaders, checkPaymentTerms, checkMcp, checkOauth];

/** Every check of a running deployment from outside. It changes nothing that stays. */
export async function runChecks(given: CheckOrder, ports: CheckPorts): Promise<CheckReport> {
  const order = { ...given, addresses: await discoverAddresses(given.addresses, ports) };
  const results: DeploymentCheck[] = [];
  const add = (found: readonly DeploymentCheck[]): void => {
    results.push(...found);
    for (const result of found) ports.onResult?.(result);
  };
  for (const group of outside) add(await group(order, ports));
  const { results: asOperator, checkups } = await checkAsOperator(order, ports);
  add(asOperator);
  add(await checkVersions(order, checkups, ports));
  return buildReport(order, results, ports.now());
}

/** The checks of a new deployment: the same, and a purchase where `ports.buy` is given. */
export async function runSmokeTest(order: CheckOrder, ports: CheckPorts): Promise<CheckReport> {
  const report = await runChecks(order, ports);
  if (ports.buy === undefined) return report;
  const result = await checkPurchase(report, ports.buy);
  ports.onResult?.(result);
  return buildReport({ ...order, addresses: report.addresses }, [...report.results, result], ports.now());
}

const purchase: CheckName = { id: 'purchase', title: 'A purchase is paid and delivered' };

/** Nothing is bought where the terms are not as they should be. */
async function checkPurchase({ results }: CheckReport, buy: NonNullable<CheckPorts['buy']>): Promise<DeploymentCheck> {
  const isSound = results.every(({ id, status }) => !id.startsWith('terms.') || status === 'pass');
  if (!isSound) return leaveUnknown(purchase, 'Nothing was bought: the terms are not in order');
  const tried = await buy();
  if (tried.ok) return acceptCheck(purchase, tried.detail);
  return tried.isUnknown
    ? leaveUnknown(purchase, tried.detail)
    : failCheck(purchase, tried.detail, 'Read the log: npx wrangler tail');
}

export function buildReport(
  { addresses }: CheckOrder,
  results: readonly DeploymentCheck[],
  nowMs: number,
): CheckReport {
  const counts = Object.fromEntries(
    CHECK_STATUSES.map((status) => [status, results.filter((result) => result.status === status).length]),
  ) as Record<DeploymentStatus, number>; // One for each status.
  const isReached = results.every(({ id, status }) => !id.startsWith('health.') || status !== 'unknown');
  const status = counts.fail > 0 ? 'fail' : isReached ? 'pass' : 'unknown';
  return { status, checked_at: formatIsoTimestamp(nowMs), addresses, counts, results };
}
