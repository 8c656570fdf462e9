import { run } from '../commands.ts';
import { formatPlanFileName, type PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { quoteFileName, toScript, sh, type Script } from '../shell.ts';

const getPolicySnapshotFile = ({ org }: PlanContext): Script =>
  quoteFileName(formatPlanFileName('iam-policy-first', org));

/** Who had which role before this plan changed anything: undos go by it. */
export const buildPolicySnapshot = (context: PlanContext): Command =>
  run(
    sh`[ -s ${getPolicySnapshotFile(context)} ] || { gcloud projects get-iam-policy ${context.projectId} --format=json > ${getPolicySnapshotFile(context)}.new && mv -- ${getPolicySnapshotFile(context)}.new ${getPolicySnapshotFile(context)}; }`,
    'The roles as they are, for the undo. A second run keeps the first copy.',
  );

const HAS = toScript(`any(.bindings[]?; .role == $role and any(.members[]?; . == "serviceAccount:" + $email))`);

export const formatRoleTest = ({ projectId }: PlanContext, email: Script, role: string): string =>
  sh`gcloud projects get-iam-policy ${projectId} --format=json |
  jq -ne --arg email ${email} --arg role ${role} 'input | ${HAS}'`;

/** Takes a role away again, from an account that did not have it before. */
export const buildRoleRevocation = (context: PlanContext, email: Script, role: string, text: string): Command =>
  run(
    sh`if [ -n ${email} ] && jq -ne --arg email ${email} --arg role ${role} 'input | ${HAS} | not' < ${getPolicySnapshotFile(context)} > /dev/null; then
  gcloud projects remove-iam-policy-binding ${context.projectId} --member "serviceAccount:"${email} --role ${role} --quiet
else
  echo 'The account had this role before, or nobody knows: it keeps it.' >&2
fi`,
    text,
  );
