import { run, verified } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import { script, sh } from '../shell.ts';
import { type Account, accountChecks, accountGone, accountMade, accountsKept, martsRole } from './account.ts';
import { martAccount, watcherEmail } from './facts-script.ts';
import { metricsChecks, metricsCreation, metricsDeletion } from './metrics.ts';
import { bindingRemoved, hasRole, policyKept } from './policy.ts';
import { secretChecks, secretCreation, secretDeletion } from './secret.ts';
import type { StepContent } from './step.ts';

const ROLE = 'roles/apigee.runtimeAgent';
const ROLE_TITLE = 'Apigee Runtime Agent';

const accountOf = ({ watcherKeyPath }: PlanContext): Account => ({
  name: 'apigee-watcher',
  role: ROLE,
  roleTitle: ROLE_TITLE,
  keyPath: watcherKeyPath,
  text: 'tools/create-service-account of apigeectl 1.3.6 does the same as these three commands.',
});

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
      martsRole(context, { role: ROLE, roleTitle: ROLE_TITLE }),
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
  const { secrets } = context;
  const account = accountOf(context);
  const email = watcherEmail(context);
  return {
    title: 'Create the service account of the watcher',
    why: `${why} ${secrets ? 'The new overrides file names a secret with its key.' : 'The path of its key is the one that the new overrides file names; a relative path is relative to the folder in which apigeectl runs.'}`,
    commands: [
      policyKept(context),
      accountsKept(context),
      ...accountMade(context, account),
      ...secretCreation(context),
      ...metricsCreation(context),
    ],
    check: {
      commands: [
        ...accountChecks(context, account),
        ...secretChecks(context, email),
        ...metricsChecks(context),
        verified(context, 3),
      ],
      expect: `${secrets ? 'true, then true, then true for the secret' : 'true, then true'}${context.isMetricsAdded ? ', and the same for metrics' : ''}; verify ends with 0.`,
    },
    undo: [
      ...secretDeletion(context),
      bindingRemoved(context, script(sh`${email}`), ROLE, 'Only if it did not have the role before.'),
      ...accountGone(context, account),
      ...metricsDeletion(context),
    ],
  };
}
