import { CURL, run, SEND_JSON, buildVerifyCommand } from '../commands.ts';
import { buildApigeeUrl, formatPlanFileName, type PlanContext } from '../context.ts';
import { quoteFileName, toScript, sh, type Script } from '../shell.ts';
import { formatConnectEmail } from './facts-script.ts';
import { buildRoleGrant, buildRoleRevocation, formatRoleTest, getPolicySnapshotFile } from './account.ts';
import type { StepContent } from '../plan.ts';

const AGENT_ROLE = 'roles/apigeeconnect.Agent';
const AGENT_ROLE_TITLE = 'Apigee Connect Agent';

/** Of jq: whether a property is one of the two that this step sets. */
const IS_OURS = '(.name == "features.hybrid.enabled" or .name == "features.mart.connect.enabled")';
const SET_PROPERTIES = toScript(`'.properties.property = ([.properties.property[]? | select(${IS_OURS} | not)] + [
    {name: "features.hybrid.enabled", value: "true"},
    {name: "features.mart.connect.enabled", value: "true"}])'`);
const RESTORE_PROPERTIES = toScript(`'.properties.property = ([.properties.property[]? | select(${IS_OURS} | not)] +
    [$first[0].properties.property[]? | select(${IS_OURS})])'`);
const HAS_PROPERTIES = toScript(`'input | . as $now |
    ([.properties.property[]? | {key: .name, value: .value}] | from_entries |
      .["features.hybrid.enabled"] == "true" and .["features.mart.connect.enabled"] == "true") and
    ([$before[0].properties.property[]? | select(${IS_OURS} | not)] - [$now.properties.property[]?] == [])'`);

export function connect(context: PlanContext): StepContent {
  const { projectId, org } = context;
  const first = quoteFileName(formatPlanFileName('organization-first', org));
  const before = quoteFileName(formatPlanFileName('organization-before', org));
  return {
    id: 'connect',
    title: 'Enable Apigee Connect',
    why: `In 1.3 the management plane reaches MART through Connect, always. The account of the Connect agent needs the role, the organization the properties. ${context.isConnectMarts ? 'That account is the one of MART.' : 'The new overrides file names an account of its own for connectAgent: it gets the role, and that of MART does not.'}`,
    commands: [
      run(sh`gcloud services enable apigeeconnect.googleapis.com --project ${projectId}`),
      run(
        sh`account=${formatConnectEmail(context)}
case $account in ?*@?*) echo "$account" ;; *) echo 'This account is not known: look at the key that the new file names.' >&2; false ;; esac`,
        'The account that connectAgent of the new file names: the e-mail address of a service account.',
      ),
      buildRoleGrant(context, formatConnectEmail(context), { role: AGENT_ROLE, roleTitle: AGENT_ROLE_TITLE }),
      run(
        sh`{ [ -s ${first} ] || { ${formatOrganizationFetch(context, toScript(sh`${first}.new`))} && mv -- ${first}.new ${first}; }; } &&
  ${toScript(formatOrganizationUpdate(context, before, SET_PROPERTIES))}`,
        'The organization as it is comes first, for the undo: a second run keeps the first copy. The PUT replaces the whole list of properties. It is made from what the organization has now, so all the others stay; nothing is sent if the answer is of another organization.',
      ),
    ],
    check: {
      commands: [
        run(sh`gcloud services list --enabled --project ${projectId} | grep apigeeconnect`),
        run(formatRoleTest(context, formatConnectEmail(context), AGENT_ROLE)),
        run(
          sh`${CURL} ${buildApigeeUrl('organizations', org)} |
  jq -ne --slurpfile before ${before} ${HAS_PROPERTIES}`,
          'Both properties are set, and every other one of before is there as it was.',
        ),
        buildVerifyCommand(context, 2),
      ],
      expect: 'A line with apigeeconnect.googleapis.com, then true, then true; verify ends with 0.',
    },
    undo: [
      run(
        sh`if [ ! -e ${first} ]; then
  echo 'There is no first copy of the organization, so nothing of it was changed, or it is as before already.' >&2
else
  ${formatOrganizationTest(context, first)} &&
  ${toScript(formatOrganizationUpdate(context, quoteFileName(formatPlanFileName('organization-undo', org)), toScript(sh`--slurpfile first ${first} ${RESTORE_PROPERTIES}`)))} &&
  rm -f -- ${first}
fi`,
        'These two properties as they were before step 2. All others stay as they are now.',
      ),
      buildRoleRevocation(
        context,
        formatConnectEmail(context),
        AGENT_ROLE,
        'Only if that account did not have the role before: the first copy of the policy says so. The API may stay enabled: it does nothing by itself.',
      ),
      run(
        sh`rm -f -- ${getPolicySnapshotFile(context)}`,
        'The first copy goes, as that of the organization did: another attempt begins with what is there then.',
      ),
    ],
  };
}

const formatOrganizationTest = ({ org }: PlanContext, file: Script): Script =>
  toScript(sh`jq -ne --arg org ${org} 'input.name == $org' < ${file} > /dev/null`);

/** The organization of this moment, and no other. */
const formatOrganizationFetch = (context: PlanContext, file: Script): Script =>
  toScript(
    sh`${CURL} ${buildApigeeUrl('organizations', context.org)} > ${file} && ${formatOrganizationTest(context, file)}`,
  );

/** Read, change, write: each only if the one before went well. */
const formatOrganizationUpdate = (context: PlanContext, file: Script, change: Script): string =>
  sh`${formatOrganizationFetch(context, file)} &&
  jq ${change} ${file} > ${file}.put &&
  ${CURL} -X PUT ${SEND_JSON} ${buildApigeeUrl('organizations', context.org)} < ${file}.put`;
