import { byHand, run, verified } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { fileWord, script, sh } from '../shell.ts';
import { martAccount, watcherEmail } from './facts-script.ts';
import { metricsChecks, metricsCreation, metricsDeletion } from './metrics.ts';
import { bindingRemoved, hasRole, policyKept } from './policy.ts';
import { secretChecks, secretCreation, secretDeletion } from './secret.ts';
import type { StepContent } from './step.ts';

const ROLE = 'roles/apigee.runtimeAgent';

/** With an account of its own, or with that of MART where the new file names the same key for both. */
export const watcher = (context: PlanContext): StepContent => ({
  id: 'watcher',
  ...(context.isMartsAccount ? withMartsAccount(context) : withItsOwn(context)),
});

type Content = Omit<StepContent, 'id'>;

const why = 'The watcher is new in 1.3: it fetches the virtual hosts of the environment groups.';

function withMartsAccount(context: PlanContext): Content {
  const email = martAccount(context);
  return {
    title: 'Give the account of MART the role of the watcher',
    why: `${why} The new overrides file names the key of MART for it too, so no account and no key is made: a new key in that file would take that of MART away.`,
    commands: [
      policyKept(context),
      run(
        sh`gcloud projects add-iam-policy-binding ${context.projectId} --member "serviceAccount:"${email} --role ${ROLE}`,
        'The role is named Apigee Runtime Agent.',
      ),
      ...metricsCreation(context),
    ],
    check: {
      commands: [run(hasRole(context, email, ROLE)), ...metricsChecks(context), verified(context, 3)],
      expect: `true${context.isMetricsAdded ? ', and the same for metrics' : ''}; verify ends with 0.`,
    },
    undo: [
      bindingRemoved(context, email, ROLE, 'Only if MART did not have the role before.'),
      ...metricsDeletion(context),
    ],
  };
}

function withItsOwn(context: PlanContext): Content {
  const { projectId, watcherKeyPath, secrets } = context;
  const email = watcherEmail(context);
  const key = fileWord(watcherKeyPath);
  return {
    title: 'Create the service account of the watcher',
    why: `${why} ${secrets ? 'The new overrides file names a secret with its key.' : 'The path of its key is the one that the new overrides file names; a relative path is relative to the folder in which apigeectl runs.'}`,
    commands: [
      policyKept(context),
      ...created(context, email),
      ...secretCreation(context),
      ...metricsCreation(context),
    ],
    check: {
      commands: [
        run(sh`jq -ne --arg email ${email} 'input | .client_email == $email' < ${key}`),
        run(hasRole(context, script(sh`${email}`), ROLE)),
        ...secretChecks(context, email),
        ...metricsChecks(context),
        verified(context, 3),
      ],
      expect: `${secrets ? 'true, then true, then true for the secret' : 'true, then true'}${context.isMetricsAdded ? ', and the same for metrics' : ''}; verify ends with 0.`,
    },
    undo: [
      byHand('Undo this only if this step created the account: nothing of 1.2 uses it.'),
      ...secretDeletion(context),
      bindingRemoved(context, script(sh`${email}`), ROLE, 'Only if it did not have the role before.'),
      run(
        sh`jq -ne --arg email ${email} 'input | .client_email == $email' < ${key} > /dev/null && rm -f -- ${key}`,
        'A key of another account stays.',
      ),
      run(sh`gcloud iam service-accounts delete ${email} --project ${projectId} --quiet`),
      ...metricsDeletion(context),
    ],
  };
}

const created = ({ projectId, watcherKeyPath }: PlanContext, email: string): readonly Command[] => [
  run(
    sh`gcloud iam service-accounts describe ${email} --project ${projectId} > /dev/null 2>&1 ||
  gcloud iam service-accounts create apigee-watcher --project ${projectId} --display-name apigee-watcher`,
    'tools/create-service-account of apigeectl 1.3.6 does the same as these three commands.',
  ),
  run(
    sh`gcloud projects add-iam-policy-binding ${projectId} --member ${`serviceAccount:${email}`} --role ${ROLE}`,
    'The role is named Apigee Runtime Agent.',
  ),
  run(
    sh`[ -e ${fileWord(watcherKeyPath)} ] || (umask 077; gcloud iam service-accounts keys create ${fileWord(watcherKeyPath)} --iam-account ${email} --project ${projectId})`,
    'A file that is there is never written over: if it is the key of another account, the check below fails.',
  ),
];
