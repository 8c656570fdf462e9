import { byHand, run } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { type Account, accountChecks, accountMade, martsRole } from './account.ts';
import { martAccount } from './facts-script.ts';
import { hasRole } from './policy.ts';

const ROLE = { role: 'roles/monitoring.metricWriter', roleTitle: 'Monitoring Metric Writer' };

const accountOf = (keyPath: string): Account => ({
  ...ROLE,
  name: 'apigee-metrics',
  keyPath,
  text: 'The old file had no account for metrics, and in 1.3 they are on.',
});

/** Of a file that had no account for metrics. */
export function metricsCreation(context: PlanContext): readonly Command[] {
  const { metricsKeyPath, martKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded) return [];
  if (metricsKeyPath === undefined)
    return [byHand('The new file names a secret for metrics too: create it like that of the watcher.')];
  return metricsKeyPath === martKeyPath ? [martsRole(context, ROLE)] : accountMade(context, accountOf(metricsKeyPath));
}

export function metricsChecks(context: PlanContext): readonly Command[] {
  const { metricsKeyPath, martKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded || metricsKeyPath === undefined) return [];
  return metricsKeyPath === martKeyPath
    ? [run(hasRole(context, martAccount(context), ROLE.role))]
    : accountChecks(context, accountOf(metricsKeyPath));
}

export const metricsDeletion = ({ isMetricsAdded }: PlanContext): readonly Command[] =>
  isMetricsAdded ? [byHand('The account for metrics may stay: 1.2 does not use it.')] : [];
