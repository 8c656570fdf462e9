import { run } from '../commands.ts';
import { ownFile, type PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { fileWord, script, sh, type Script } from '../shell.ts';
import { martAccount } from './facts-script.ts';
import { hasRole } from './policy.ts';

/** A service account that the new file needs and 1.2 did not. */
export type Account = {
  name: string;
  role: string;
  roleTitle: string;
  keyPath: string;
  /** Why it is made, beside the commands. */
  text: string;
};

export const emailOf = ({ projectId }: PlanContext, { name }: Pick<Account, 'name'>): string =>
  `${name}@${projectId}.iam.gserviceaccount.com`;

const firstFile = ({ org }: PlanContext): Script => fileWord(ownFile('accounts-first', org));

/** Which accounts there were before this plan made one: the undo goes by it. */
export const accountsKept = (context: PlanContext): Command =>
  run(
    sh`[ -s ${firstFile(context)} ] || { gcloud iam service-accounts list --project ${context.projectId} --format=json > ${firstFile(context)}.new && mv -- ${firstFile(context)}.new ${firstFile(context)}; }`,
    'The accounts as they are, for the undo. A second run keeps the first copy.',
  );

export function accountMade(context: PlanContext, account: Account): readonly Command[] {
  const { projectId } = context;
  const email = emailOf(context, account);
  const key = fileWord(account.keyPath);
  return [
    run(
      sh`gcloud iam service-accounts describe ${email} --project ${projectId} > /dev/null 2>&1 ||
  gcloud iam service-accounts create ${account.name} --project ${projectId} --display-name ${account.name}`,
      account.text,
    ),
    roleGiven(context, script(sh`${email}`), account),
    run(
      sh`[ -e ${key} ] || (umask 077; gcloud iam service-accounts keys create ${key} --iam-account ${email} --project ${projectId})`,
      'A file that is there is never written over: if it is the key of another account, the check below fails.',
    ),
  ];
}

export const roleGiven = (
  { projectId }: PlanContext,
  email: Script,
  { role, roleTitle }: Pick<Account, 'role' | 'roleTitle'>,
): Command =>
  run(
    sh`gcloud projects add-iam-policy-binding ${projectId} --member "serviceAccount:"${email} --role ${role}`,
    `The role is named ${roleTitle}.`,
  );

export function accountChecks(context: PlanContext, account: Account): readonly Command[] {
  const email = emailOf(context, account);
  return [
    run(sh`jq -ne --arg email ${email} 'input | .client_email == $email' < ${fileWord(account.keyPath)}`),
    run(hasRole(context, script(sh`${email}`), account.role)),
  ];
}

/** Takes the key away, and the account if it was not there before. */
export function accountGone(context: PlanContext, account: Account): readonly Command[] {
  const email = emailOf(context, account);
  const key = fileWord(account.keyPath);
  return [
    run(
      sh`if jq -ne --arg email ${email} 'input | type == "array" and (any(.[]; .email == $email) | not)' < ${firstFile(context)} > /dev/null; then
  jq -ne --arg email ${email} 'input | .client_email == $email' < ${key} > /dev/null && rm -f -- ${key}
  gcloud iam service-accounts delete ${email} --project ${context.projectId} --quiet
else
  echo 'The account was there before, or nobody knows: it stays, with its key.' >&2
fi`,
      'A key of another account stays.',
    ),
  ];
}

/** Where the new file names the key of MART: its account gets the role, and nothing is made. */
export const martsRole = (context: PlanContext, account: Pick<Account, 'role' | 'roleTitle'>): Command =>
  roleGiven(context, martAccount(context), account);
