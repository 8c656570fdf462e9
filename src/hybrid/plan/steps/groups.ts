import type { EnvironmentGroup } from '../../core/migration.ts';
import { byHand, CURL, run, SEND_JSON, verified, waitFor } from '../commands.ts';
import { apiUrl, ownFile, type PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { fileWord, script, sh, type Script } from '../shell.ts';
import type { StepContent } from './step.ts';

/** Checks read by `jq -ne 'input | ...'`: of no input at all `jq -e` of jq 1.6 says that all is well. */
const ACTIVE_TRIES = 30;
const ACTIVE_SECONDS = 10;

export const groups = (context: PlanContext): StepContent => ({
  id: 'groups',
  title: 'Create the environment groups',
  why: 'In 1.3 host names belong to groups in the organization, no longer to routing rules of the file. The runtime of 1.2 does not read them, so traffic is untouched. A host name can be in one group only.',
  commands: [
    run(
      sh`[ -s ${first(context)} ] || { ${CURL} ${apiUrl('organizations', context.org, 'envgroups')} > ${first(context)}.new && jq -ne 'input | type == "object"' < ${first(context)}.new > /dev/null && mv -- ${first(context)}.new ${first(context)}; }`,
      'The groups as they are, for the undo. A second run keeps the first copy.',
    ),
    ...context.groups.flatMap((group) => created(context, group)),
    byHand(
      'An answer 409 says that the group or attachment exists: go on if the check below is satisfied. Base paths are no longer given here: in 1.3 the proxies say them, and two proxies of one group need different ones.',
    ),
  ],
  check: {
    commands: [...context.groups.flatMap((group) => checked(context, group)), verified(context, 4)],
    expect: 'true for every group, and true for every environment of it; verify ends with 0.',
  },
  undo: [
    byHand(
      'Only while no 1.3 runtime serves them. Groups that were there before this step stay, with what was attached to them: look whether an attachment is new. Attachments go in the background: if a group is refused, delete it again a little later.',
    ),
    ...context.groups.toReversed().map((group) => deleted(context, group)),
  ],
});

const addressOf = ({ org }: PlanContext, { group }: EnvironmentGroup, ...rest: readonly string[]): string =>
  apiUrl('organizations', org, 'envgroups', group, ...rest);

/** `--arg host0 NAME ...`: jq makes the JSON, so that no name can change it. */
const hostArguments = ({ hostnames }: EnvironmentGroup): Script =>
  script(hostnames.map((host, index) => sh` --arg ${`host${index}`} ${host}`).join(''));

const hostList = ({ hostnames }: EnvironmentGroup): Script =>
  script(`[${hostnames.map((_, index) => `$host${index}`).join(', ')}]`);

function created(context: PlanContext, group: EnvironmentGroup): readonly Command[] {
  const all = apiUrl('organizations', context.org, 'envgroups');
  return [
    run(sh`jq -n --arg group ${group.group}${hostArguments(group)} '{name: $group, hostnames: ${hostList(group)}}' |
  ${CURL} -X POST ${SEND_JSON} ${all}`),
    run(
      waitFor(
        sh`${CURL} ${addressOf(context, group)} | jq -ne 'input | (.state // "ACTIVE") == "ACTIVE"' > /dev/null`,
        ACTIVE_TRIES,
        ACTIVE_SECONDS,
      ),
      'The service creates it in the background: wait.',
    ),
    ...group.environments.map((environment) =>
      run(sh`jq -n --arg environment ${environment} '{environment: $environment}' |
  ${CURL} -X POST ${SEND_JSON} ${addressOf(context, group, 'attachments')}`),
    ),
  ];
}

const checked = (context: PlanContext, group: EnvironmentGroup): readonly Command[] => [
  run(sh`${CURL} ${addressOf(context, group)} |
  jq -ne${hostArguments(group)} 'input | (.hostnames | sort) == (${hostList(group)} | sort)'`),
  ...group.environments.map((environment) =>
    run(
      waitFor(
        sh`${CURL} ${addressOf(context, group, 'attachments')} |
  jq -ne --arg environment ${environment} 'input | any(.environmentGroupAttachments[]?; .environment == $environment)'`,
        ACTIVE_TRIES,
        ACTIVE_SECONDS,
      ),
    ),
  ),
];

const first = ({ org }: PlanContext): Script => fileWord(ownFile('groups-first', org));

/** Attachments have names that the service gave them. */
const deleted = (context: PlanContext, group: EnvironmentGroup): Command =>
  run(sh`if jq -ne --arg group ${group.group} 'input | any(.environmentGroups[]?; .name == $group) | not' < ${first(context)} > /dev/null; then
  ${CURL} ${addressOf(context, group, 'attachments')} |
    jq -r '.environmentGroupAttachments[]?.name' | while read -r attachment; do
      ${CURL} -X DELETE ${addressOf(context, group, 'attachments')}/"$attachment" </dev/null
    done
  ${CURL} -X DELETE ${addressOf(context, group)}
else
  echo 'This group was there before, or nobody knows: it stays.' >&2
fi`);
