import { run } from '../commands.ts';
import { formatPlanFileName, type PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { quoteFileName, toScript, sh, type Script } from '../shell.ts';
import { formatMartEmail } from './facts-script.ts';

/** A service account that the new file needs and 1.2 did not. */
export type UpgradeServiceAccount = {
  name: string;
  role: string;
  roleTitle: string;
  keyPath: string;
  /** Why it is made, beside the commands. */
  text: string;
  /** The undo takes it away again, unless it was there before. */
  isUndone: boolean;
};

export const formatAccountEmail = ({ projectId }: PlanContext, { name }: Pick<UpgradeServiceAccount, 'name'>): string =>
  `${name}@${projectId}.iam.gserviceaccount.com`;

const getAccountSnapshotFile = ({ org }: PlanContext): Script =>
  quoteFileName(formatPlanFileName('accounts-first', org));

/**
 * Which accounts there were before this plan made one: the undo goes by it. It is a part of the command that makes one, so
 * that none is made without it.
 */
const formatAccountSnapshot = (context: PlanContext): Script =>
  toScript(
    sh`{ [ -s ${getAccountSnapshotFile(context)} ] || { gcloud iam service-accounts list --project ${context.projectId} --format=json > ${getAccountSnapshotFile(context)}.new && mv -- ${getAccountSnapshotFile(context)}.new ${getAccountSnapshotFile(context)}; }; }`,
  );

export function buildAccountCreation(context: PlanContext, account: UpgradeServiceAccount): readonly Command[] {
  const { projectId } = context;
  const email = formatAccountEmail(context, account);
  const key = quoteFileName(account.keyPath);
  return [
    run(
      sh`${toScript(account.isUndone ? sh`${formatAccountSnapshot(context)} &&\n  ` : '')}{ gcloud iam service-accounts describe ${email} --project ${projectId} > /dev/null 2>&1 ||
  gcloud iam service-accounts create ${account.name} --project ${projectId} --display-name ${account.name}; }`,
      account.isUndone
        ? `${account.text} The accounts as they are come first, for the undo: a second run keeps the first copy.`
        : account.text,
    ),
    buildRoleGrant(context, toScript(sh`${email}`), account),
    run(
      sh`[ -e ${key} ] || (umask 077; gcloud iam service-accounts keys create ${key} --iam-account ${email} --project ${projectId})`,
      'A file that is there is never written over: if it is the key of another account, the check below fails.',
    ),
  ];
}

export const buildRoleGrant = (
  context: PlanContext,
  email: Script,
  { role, roleTitle }: Pick<UpgradeServiceAccount, 'role' | 'roleTitle'>,
): Command =>
  run(
    sh`${formatPolicySnapshot(context)} &&
  gcloud projects add-iam-policy-binding ${context.projectId} --member "serviceAccount:"${email} --role ${role}`,
    `The role is named ${roleTitle}. The roles as they are come first, for the undo: a second run keeps the first copy.`,
  );

export function buildAccountChecks(context: PlanContext, account: UpgradeServiceAccount): readonly Command[] {
  const email = formatAccountEmail(context, account);
  return [
    run(sh`jq -ne --arg email ${email} 'input | .client_email == $email' < ${quoteFileName(account.keyPath)}`),
    run(formatRoleTest(context, toScript(sh`${email}`), account.role)),
  ];
}

/**
 * Takes the account and its key away, if it was not there before. It can be run again after it was cut off. The first copy
 * goes only then: another attempt begins with the accounts that are there then.
 */
export function buildAccountDeletion(context: PlanContext, account: UpgradeServiceAccount): Command {
  const email = formatAccountEmail(context, account);
  const key = quoteFileName(account.keyPath);
  return run(
    sh`if jq -ne --arg email ${email} 'input | type == "array" and (any(.[]; .email == $email) | not)' < ${getAccountSnapshotFile(context)} > /dev/null; then
  if [ -e ${key} ] && jq -ne --arg email ${email} 'input | .client_email == $email' < ${key} > /dev/null; then rm -f -- ${key}; fi &&
  there=$(gcloud iam service-accounts list --project ${context.projectId} --format=json |
    jq -n --arg email ${email} 'input | any(.[]; .email == $email)') &&
  if [ "$there" = true ]; then
    gcloud iam service-accounts delete ${email} --project ${context.projectId} --quiet
  else
    echo 'This account is gone already.' >&2
  fi
else
  echo 'The account existed before, or may have: it stays, with its key.' >&2
fi &&
  rm -f -- ${getAccountSnapshotFile(context)}`,
    'A key of another account stays. Then the first copy goes: another attempt begins with what is there then.',
  );
}

/** Where the new file names the key of MART: its account gets the role, and nothing is made. */
export const buildMartRoleGrant = (
  context: PlanContext,
  account: Pick<UpgradeServiceAccount, 'role' | 'roleTitle'>,
): Command => buildRoleGrant(context, formatMartEmail(context), account);

export const getPolicySnapshotFile = ({ org }: PlanContext): Script =>
  quoteFileName(formatPlanFileName('iam-policy-first', org));

/** Who had which role before this plan changed anything: undos go by it. It is a part of each command that gives one. */
const formatPolicySnapshot = (context: PlanContext): Script =>
  toScript(
    sh`{ [ -s ${getPolicySnapshotFile(context)} ] || { gcloud projects get-iam-policy ${context.projectId} --format=json > ${getPolicySnapshotFile(context)}.new && mv -- ${getPolicySnapshotFile(context)}.new ${getPolicySnapshotFile(context)}; }; }`,
  );

const HAS = toScript(`any(.bindings[]?; .role == $role and any(.members[]?; . == "serviceAccount:" + $email))`);

export const formatRoleTest = ({ projectId }: PlanContext, email: Script, role: string): string =>
  sh`gcloud projects get-iam-policy ${projectId} --format=json |
  jq -ne --arg email ${email} --arg role ${role} 'input | ${HAS}'`;

/** Takes a role away again, from an account that did not have it before. gcloud fails for one that does not have it now. */
export const buildRoleRevocation = (context: PlanContext, email: Script, role: string, text: string): Command =>
  run(
    sh`account=${email}
if [ -n "$account" ] && jq -ne --arg email "$account" --arg role ${role} 'input | ${HAS} | not' < ${getPolicySnapshotFile(context)} > /dev/null; then
  there=$(gcloud projects get-iam-policy ${context.projectId} --format=json |
    jq -n --arg email "$account" --arg role ${role} 'input | ${HAS}') &&
  if [ "$there" = true ]; then
    gcloud projects remove-iam-policy-binding ${context.projectId} --member "serviceAccount:$account" --role ${role} --quiet
  else
    echo 'The account does not have this role any more.' >&2
  fi
else
  echo 'The account had this role before, or may have: it keeps the role.' >&2
fi`,
    text,
  );
