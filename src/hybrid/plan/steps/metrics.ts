import { byHand, run } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { fileWord, sh } from '../shell.ts';

const ROLE = 'roles/monitoring.metricWriter';

/** Of a file that had no account for metrics; in 1.3 they are on. */
export function metricsCreation(context: PlanContext): readonly Command[] {
  const { projectId, metricsKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded) return [];
  if (metricsKeyPath === undefined)
    return [byHand('The new file names a secret for metrics too: create it like that of the watcher.')];
  const email = accountOf(context);
  return [
    run(
      sh`gcloud iam service-accounts describe ${email} --project ${projectId} > /dev/null 2>&1 ||
  gcloud iam service-accounts create apigee-metrics --project ${projectId} --display-name apigee-metrics`,
      'The old file had no account for metrics, and in 1.3 they are on.',
    ),
    run(
      sh`gcloud projects add-iam-policy-binding ${projectId} --member ${`serviceAccount:${email}`} --role ${ROLE}`,
      'The role is named Monitoring Metric Writer.',
    ),
    run(
      sh`[ -e ${fileWord(metricsKeyPath)} ] || (umask 077; gcloud iam service-accounts keys create ${fileWord(metricsKeyPath)} --iam-account ${email} --project ${projectId})`,
    ),
  ];
}

export function metricsChecks(context: PlanContext): readonly Command[] {
  const { projectId, metricsKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded || metricsKeyPath === undefined) return [];
  const email = accountOf(context);
  return [
    run(sh`jq -ne --arg email ${email} 'input | .client_email == $email' < ${fileWord(metricsKeyPath)}`),
    run(sh`gcloud projects get-iam-policy ${projectId} --format=json |
  jq -ne --arg email ${email} --arg role ${ROLE} '
    input | any(.bindings[] | select(.role == $role) | .members[]; . == "serviceAccount:" + $email)'`),
  ];
}

export const metricsDeletion = ({ isMetricsAdded }: PlanContext): readonly Command[] =>
  isMetricsAdded ? [byHand('The account for metrics may stay: 1.2 does not use it.')] : [];

const accountOf = ({ projectId }: PlanContext): string => `apigee-metrics@${projectId}.iam.gserviceaccount.com`;
