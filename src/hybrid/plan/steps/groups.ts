import type { EnvironmentGroup } from '../../core/migration.ts';
import { buildManualCommand, CURL, run, SEND_JSON, buildVerifyCommand, waitFor } from '../commands.ts';
import { buildApigeeUrl, formatPlanFileName, type PlanContext, withWholePage } from '../context.ts';
import type { Command, StepContent } from '../plan.ts';
import { quoteFileName, toScript, sh, type Script } from '../shell.ts';

/** Checks read by `jq -ne 'input | ...'`: of no input at all `jq -e` of jq 1.6 says that all is well. */
const ACTIVE_TRIES = 30;
const ACTIVE_SECONDS = 10;

export const buildGroupsStep = (context: PlanContext): StepContent => ({
  id: 'groups',
  title: 'Create the environment groups',
  why: 'In 1.3 host names belong to groups in the organization, no longer to routing rules of the file. The runtime of 1.2 does not read them, so traffic is untouched. A host name can be in one group only.',
  commands: [
    ...context.groups.flatMap((group) => buildGroupCreation(context, group)),
    buildManualCommand(
      'Base paths are no longer given here: in 1.3 the proxies say them, and two proxies of one group need different ones.',
    ),
  ],
  check: {
    commands: [...context.groups.flatMap((group) => buildGroupChecks(context, group)), buildVerifyCommand(context, 4)],
    expect: 'true for every group, and true for every environment of it; verify ends with 0.',
  },
  undo: [
    buildManualCommand(
      'Only while no 1.3 runtime serves them. Groups that were there before this step stay, with what was attached to them: look whether an attachment is new. Attachments go in the background: if a group is refused, delete it again a little later.',
    ),
    ...context.groups.toReversed().map((group) => buildGroupDeletion(context, group)),
    run(
      sh`rm -f -- ${getGroupSnapshotFile(context)}`,
      'The first copy goes: another attempt begins with what is there then.',
    ),
  ],
});

/** Of jq: an answer that has all there is. A group that is on a later page is not one that is missing. */
const IS_WHOLE = `input | type == "object" and (.nextPageToken // "") == ""`;

const buildListUrl = ({ org }: PlanContext): string => withWholePage(buildApigeeUrl('organizations', org, 'envgroups'));
const buildAttachmentsUrl = (context: PlanContext, group: EnvironmentGroup): string =>
  withWholePage(buildGroupUrl(context, group, 'attachments'));

const buildGroupUrl = ({ org }: PlanContext, { group }: EnvironmentGroup, ...rest: readonly string[]): string =>
  buildApigeeUrl('organizations', org, 'envgroups', group, ...rest);

/** `--arg host0 NAME ...`: jq makes the JSON, so that no name can change it. */
const formatHostArguments = ({ hostnames }: EnvironmentGroup): Script =>
  toScript(hostnames.map((host, index) => sh` --arg ${`host${index}`} ${host}`).join(''));

const formatHostList = ({ hostnames }: EnvironmentGroup): Script =>
  toScript(`[${hostnames.map((_, index) => `$host${index}`).join(', ')}]`);

function buildGroupCreation(context: PlanContext, group: EnvironmentGroup): readonly Command[] {
  const all = buildApigeeUrl('organizations', context.org, 'envgroups');
  const first = getGroupSnapshotFile(context);
  return [
    run(
      sh`groups=$(${CURL} ${buildListUrl(context)}) && printf '%s' "$groups" | jq -ne ${IS_WHOLE} > /dev/null &&
{ [ -s ${first} ] || { printf '%s' "$groups" > ${first}.new && mv -- ${first}.new ${first}; }; } &&
if printf '%s' "$groups" | jq -ne --arg group ${group.group} 'input | any(.environmentGroups[]?; .name == $group)' > /dev/null; then
  echo 'This group exists already. Its host names must be those of the plan:' >&2
  printf '%s' "$groups" | jq -ne --arg group ${group.group}${formatHostArguments(group)} \
    'input | any(.environmentGroups[]?; .name == $group and (.hostnames // [] | sort) == (${formatHostList(group)} | sort))'
else
  jq -n --arg group ${group.group}${formatHostArguments(group)} '{name: $group, hostnames: ${formatHostList(group)}}' |
    ${CURL} -X POST ${SEND_JSON} ${all}
fi`,
      'The groups as they are come first, for the undo: a second run keeps the first copy.',
    ),
    run(
      waitFor(
        sh`${CURL} ${buildGroupUrl(context, group)} | jq -ne 'input | (.state // "ACTIVE") == "ACTIVE"' > /dev/null`,
        ACTIVE_TRIES,
        ACTIVE_SECONDS,
      ),
      'The service creates it in the background: wait.',
    ),
    ...group.environments.map((environment) =>
      run(
        sh`attached=$(${CURL} ${buildAttachmentsUrl(context, group)}) && printf '%s' "$attached" | jq -ne ${IS_WHOLE} > /dev/null &&
if printf '%s' "$attached" | jq -ne --arg environment ${environment} 'input | any(.environmentGroupAttachments[]?; .environment == $environment)' > /dev/null; then
  echo 'It is attached already.'
else
  jq -n --arg environment ${environment} '{environment: $environment}' |
    ${CURL} -X POST ${SEND_JSON} ${buildGroupUrl(context, group, 'attachments')}
fi`,
      ),
    ),
  ];
}

const buildGroupChecks = (context: PlanContext, group: EnvironmentGroup): readonly Command[] => [
  run(sh`${CURL} ${buildGroupUrl(context, group)} |
  jq -ne${formatHostArguments(group)} 'input | (.hostnames | sort) == (${formatHostList(group)} | sort)'`),
  ...group.environments.map((environment) =>
    run(
      waitFor(
        sh`${CURL} ${buildAttachmentsUrl(context, group)} |
  jq -ne --arg environment ${environment} 'input | any(.environmentGroupAttachments[]?; .environment == $environment)'`,
        ACTIVE_TRIES,
        ACTIVE_SECONDS,
      ),
    ),
  ),
];

const getGroupSnapshotFile = ({ org }: PlanContext): Script => quoteFileName(formatPlanFileName('groups-first', org));

/** Attachments have names that the service gave them. */
const buildGroupDeletion = (context: PlanContext, group: EnvironmentGroup): Command =>
  run(sh`if jq -ne --arg group ${group.group} 'input | any(.environmentGroups[]?; .name == $group) | not' < ${getGroupSnapshotFile(context)} > /dev/null; then
  groups=$(${CURL} ${buildListUrl(context)}) && printf '%s' "$groups" | jq -ne ${IS_WHOLE} > /dev/null &&
  if printf '%s' "$groups" | jq -ne --arg group ${group.group} 'input | any(.environmentGroups[]?; .name == $group)' > /dev/null; then
    attached=$(${CURL} ${buildAttachmentsUrl(context, group)}) &&
      printf '%s' "$attached" | jq -ne ${IS_WHOLE} > /dev/null &&
      names=$(printf '%s' "$attached" | jq -nr 'input | .environmentGroupAttachments[]?.name') &&
      printf '%s\\n' "$names" | while read -r attachment; do
        [ -z "$attachment" ] || ${CURL} -X DELETE ${buildGroupUrl(context, group, 'attachments')}/"$attachment" </dev/null
      done &&
      ${CURL} -X DELETE ${buildGroupUrl(context, group)}
  else
    echo 'This group is gone already.'
  fi
else
  echo 'This group existed before, or may have: it stays.' >&2
fi`);
