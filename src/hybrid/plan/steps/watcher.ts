import { run, buildVerifyCommand, buildManualCommand } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command, StepContent } from '../plan.ts';
import { quoteFileName, toScript, sh } from '../shell.ts';
import {
  type UpgradeServiceAccount,
  buildAccountChecks,
  buildAccountDeletion,
  buildAccountCreation,
  buildMartRoleGrant,
  buildRoleRevocation,
  formatRoleTest,
} from './account.ts';
import { formatMartEmail, formatWatcherEmail } from './facts-script.ts';

/** The key in such a secret: the vendor's reference of `serviceAccountRef` names it `client_secret.json`. */
const KEY_NAME = toScript(`'input.data | keys | select(length == 1) | .[0]'`);

/** The secret of the watcher, where the new file names no file. It is made as the one of MART is. */
function buildSecretCreation({ secrets, namespace, watcherKeyPath }: PlanContext): readonly Command[] {
  if (secrets === undefined) return [];
  return [
    run(
      sh`kubectl get secret ${secrets.mart} -n ${namespace} -o json | jq -ne 'input.data | keys'`,
      'How the secret of MART names its key. The reference says client_secret.json; the new secret takes the name that is there.',
    ),
    run(
      sh`key_name=$(kubectl get secret ${secrets.mart} -n ${namespace} -o json | jq -ner ${KEY_NAME}) &&
  kubectl create secret generic ${secrets.watcher} -n ${namespace} --from-file="$key_name"=${quoteFileName(watcherKeyPath)}`,
      'The secret that watcher.serviceAccountRef of the new file names. If that of MART has several keys, nothing is made: put client_secret.json in place of $key_name after a look.',
    ),
  ];
}

function buildSecretChecks({ secrets, namespace }: PlanContext, email: string): readonly Command[] {
  if (secrets === undefined) return [];
  return [
    run(sh`kubectl get secret ${secrets.watcher} -n ${namespace} -o json |
  jq -ne --arg email ${email} 'input | [.data[] | @base64d | fromjson | .client_email] == [$email]'`),
  ];
}

function buildSecretDeletion({ secrets, namespace }: PlanContext): readonly Command[] {
  if (secrets === undefined) return [];
  return [run(sh`kubectl delete secret ${secrets.watcher} -n ${namespace} --ignore-not-found`)];
}

const ROLE = 'roles/apigee.runtimeAgent';
const ROLE_TITLE = 'Apigee Runtime Agent';

const buildWatcherAccount = ({ watcherKeyPath }: PlanContext): UpgradeServiceAccount => ({
  name: 'apigee-watcher',
  role: ROLE,
  roleTitle: ROLE_TITLE,
  keyPath: watcherKeyPath,
  text: 'tools/create-service-account of apigeectl 1.3.6 does the same as these three commands.',
  isUndone: true,
});

/** With an account of its own, or with that of MART where the new file names the same key for both. */
export const buildWatcherStep = (context: PlanContext): StepContent => ({
  id: 'watcher',
  ...(context.isMartsAccount ? withMartsAccount(context) : withItsOwn(context)),
});

type Content = Omit<StepContent, 'id'>;

const why = 'The watcher is new in 1.3: it fetches the virtual hosts of the environment groups.';

function withMartsAccount(context: PlanContext): Content {
  const email = formatMartEmail(context);
  return {
    title: 'Give the account of MART the role of the watcher',
    why: `${why} The new overrides file names the key of MART for it too, so no account and no key is made: a new key in that file would take that of MART away.`,
    commands: [buildMartRoleGrant(context, { role: ROLE, roleTitle: ROLE_TITLE }), ...buildMetricsCreation(context)],
    check: {
      commands: [
        run(formatRoleTest(context, email, ROLE)),
        ...buildMetricsChecks(context),
        buildVerifyCommand(context, 3),
      ],
      expect: `true${context.isMetricsAdded ? ', and the same for metrics' : ''}; verify ends with 0.`,
    },
    undo: [
      buildRoleRevocation(context, email, ROLE, 'Only if MART did not have the role before.'),
      ...buildMetricsDeletion(context),
    ],
  };
}

function withItsOwn(context: PlanContext): Content {
  const { secrets } = context;
  const account = buildWatcherAccount(context);
  const email = formatWatcherEmail(context);
  return {
    title: 'Create the service account of the watcher',
    why: `${why} ${secrets ? 'The new overrides file names a secret with its key.' : 'The path of its key is the one that the new overrides file names; a relative path is relative to the folder in which apigeectl runs.'}`,
    commands: [
      ...buildAccountCreation(context, account),
      ...buildSecretCreation(context),
      ...buildMetricsCreation(context),
    ],
    check: {
      commands: [
        ...buildAccountChecks(context, account),
        ...buildSecretChecks(context, email),
        ...buildMetricsChecks(context),
        buildVerifyCommand(context, 3),
      ],
      expect: `${secrets ? 'true, then true, then true for the secret' : 'true, then true'}${context.isMetricsAdded ? ', and the same for metrics' : ''}; verify ends with 0.`,
    },
    undo: [
      ...buildSecretDeletion(context),
      buildRoleRevocation(context, toScript(sh`${email}`), ROLE, 'Only if it did not have the role before.'),
      buildAccountDeletion(context, account),
      ...buildMetricsDeletion(context),
    ],
  };
}

const METRICS_ROLE = { role: 'roles/monitoring.metricWriter', roleTitle: 'Monitoring Metric Writer' };

const buildMetricsAccount = (keyPath: string): UpgradeServiceAccount => ({
  ...METRICS_ROLE,
  name: 'apigee-metrics',
  keyPath,
  text: 'The old file had no account for metrics, and in 1.3 they are on.',
  isUndone: false,
});

/** Of a file that had no account for metrics. */
export function buildMetricsCreation(context: PlanContext): readonly Command[] {
  const { metricsKeyPath, martKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded) return [];
  if (metricsKeyPath === undefined)
    return [buildManualCommand('The new file names a secret for metrics too: create it like that of the watcher.')];
  return metricsKeyPath === martKeyPath
    ? [buildMartRoleGrant(context, METRICS_ROLE)]
    : buildAccountCreation(context, buildMetricsAccount(metricsKeyPath));
}

export function buildMetricsChecks(context: PlanContext): readonly Command[] {
  const { metricsKeyPath, martKeyPath, isMetricsAdded } = context;
  if (!isMetricsAdded || metricsKeyPath === undefined) return [];
  return metricsKeyPath === martKeyPath
    ? [run(formatRoleTest(context, formatMartEmail(context), METRICS_ROLE.role))]
    : buildAccountChecks(context, buildMetricsAccount(metricsKeyPath));
}

export const buildMetricsDeletion = ({ isMetricsAdded }: PlanContext): readonly Command[] =>
  isMetricsAdded ? [buildManualCommand('The account for metrics may stay: 1.2 does not use it.')] : [];
