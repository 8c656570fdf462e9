import { buildManualCommand, run } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { type UpgradeServiceAccount, buildAccountChecks, buildAccountCreation, buildMartRoleGrant } from './account.ts';
import { formatMartEmail } from './facts-script.ts';
import { formatRoleTest } from './policy.ts';

const ROLE = { role: 'roles/monitoring.metricWriter', roleTitle: 'Monitoring Metric Writer' };

const buildMetricsAccount = (keyPath: string): UpgradeServiceAccount => ({
  ...ROLE,
  name: 'apigee-metrics',
  keyPath,
  text: 'The old file had no account for metrics, and in 1.3 they are on.',
});

/** Of a file that had no account for metrics. */
export function buildMetricsCreation(context: PlanContext): readonly Command[] {
  const { metricsKeyPath, martKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded) return [];
  if (metricsKeyPath === undefined)
    return [buildManualCommand('The new file names a secret for metrics too: create it like that of the watcher.')];
  return metricsKeyPath === martKeyPath
    ? [buildMartRoleGrant(context, ROLE)]
    : buildAccountCreation(context, buildMetricsAccount(metricsKeyPath));
}

export function buildMetricsChecks(context: PlanContext): readonly Command[] {
  const { metricsKeyPath, martKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded || metricsKeyPath === undefined) return [];
  return metricsKeyPath === martKeyPath
    ? [run(formatRoleTest(context, formatMartEmail(context), ROLE.role))]
    : buildAccountChecks(context, buildMetricsAccount(metricsKeyPath));
}

export const buildMetricsDeletion = ({ isMetricsAdded }: PlanContext): readonly Command[] =>
  isMetricsAdded ? [buildManualCommand('The account for metrics may stay: 1.2 does not use it.')] : [];
