import { formatPlanFileName } from '../context.ts';
import type { UpgradePlan, UpgradeStep } from '../plan.ts';
import { escapeMarkdown, formatNoteLine, formatProblemLine, formatProposalLine, groupLine } from '../render.ts';
import { formatStepNumber } from './step-number.ts';
import { DURATIONS, EFFECTS, NO_EFFECT } from './durations-data.ts';

/** Rows of a list that the four pages have room for; the others are in details.md. */
const MAX_LISTED = 8;
/** Longest row of a list there. */
const MAX_ROW_CHARS = 240;

/** `plan.md`: what is done, in which order, how long it takes, and how to go back. */
export const formatPlanSummary = (plan: UpgradePlan): string =>
  `${[
    `# Upgrade of the hybrid runtime of ${escapeMarkdown(plan.org)}: ${plan.from} to ${plan.to}`,
    '',
    `Platform ${plan.platform}, \`--dry-run=${plan.dryRun}\`. Version 1.3 is installed beside 1.2: both run, on one Cassandra`,
    'ring, until all traffic is on 1.3. Every step but the last can be undone.',
    '',
    '## Order',
    '',
    '| Step | What | Time | Traffic | Back |',
    '|---|---|---|---|---|',
    ...plan.steps.map(formatOrderRow),
    '',
    'Steps 0 to 11 fill about a working day, and step 12 comes days later. Times are estimates for one person who has the',
    'permissions; none was measured on a cluster.',
    '',
    ...formatHandling(plan),
    ...formatVariables(plan),
    ...listSections(plan).flatMap(({ title, rows }) => formatShortList(title, rows)),
  ].join('\n')}\n`;

/** `details.md`: the lists of plan.md in full. */
export const formatPlanDetails = (plan: UpgradePlan): string =>
  `${[
    `# Details of the upgrade of ${escapeMarkdown(plan.org)}`,
    ...listSections(plan).flatMap(({ title, rows }) => [
      '',
      `## ${title}`,
      '',
      ...(rows.length === 0 ? ['None.'] : rows.map((row) => `- ${escapeMarkdown(row)}`)),
    ]),
  ].join('\n')}\n`;

const listSections = (plan: UpgradePlan): readonly { title: string; rows: readonly string[] }[] => [
  { title: 'Environment groups', rows: plan.groups.map(groupLine) },
  { title: 'Values that are added to the file', rows: plan.proposals.map(formatProposalLine) },
  { title: 'What leaves the file', rows: plan.notes.map(formatNoteLine) },
  { title: 'Warnings to read first', rows: plan.problems.map(formatProblemLine) },
];

function formatOrderRow(step: UpgradeStep): string {
  const { number, id, title, isPointOfNoReturn } = step;
  const back = isPointOfNoReturn ? '**none: only the backups**' : `undo/${formatStepNumber(number)}`;
  const cells = [String(number), escapeMarkdown(title), DURATIONS[id] ?? '', EFFECTS[id] ?? NO_EFFECT, back];
  return `| ${cells.join(' | ')} |`;
}

const formatHandling = (plan: UpgradePlan): readonly string[] => [
  '## How to run it',
  '',
  'Work in the folder in which the plan was made, on a machine with `kubectl`, `gcloud`, `jq`, `curl`, `openssl` and',
  '`sightline`. Set the variables below, then run the scripts one by one, with `PLAN` for this folder:',
  '',
  '```sh',
  'sh PLAN/steps/00-versions.sh             # the commands of a step, then its checks',
  'sh PLAN/steps/00-versions.sh --check     # its checks alone',
  'sh PLAN/steps/00-versions.sh --from 3    # from its third command on, after a stop',
  'sh PLAN/steps/00-versions.sh --done      # takes it for done, after a look of your own',
  '```',
  '',
  'A script stops at the first command that fails, and asks before it goes on where something is to be done by hand. Later',
  'commands rely on the one that failed: go on with `--from` and its number, when the cause is gone.',
  'Go on to the next step only when the checks of a step show what it says under "Must be seen". None is skipped.',
  '',
  `A journal in the folder of work (\`${formatPlanFileName('upgrade', plan.org, 'journal')}\`) says which steps are done, and on which cluster. A`,
  'script refuses, before it does anything, on another cluster or context, when a step before it is not done, with the wrong',
  'version of `apigeectl` or `kubectl`, and while another script runs. Each can be run again after it was cut off.',
  '',
  '## How to go back',
  '',
  'Run the scripts in `undo/`, beginning with that of the last step that was begun, down to the first; any other order is',
  'refused. They go by what was there before: accounts, roles and groups that the plan did not make stay. That of step 10',
  'proves that 1.2 serves at the `INGRESS_IP` of before step 10, then takes 1.3 away. If it asks for it, name the ingress of',
  '1.2 in `OLD_INGRESS_IP`, also where both versions have one address; `PLAN_YES=yes` does not answer this.',
  `Step ${plan.steps.at(-1)?.number ?? ''} is the point of no return. It does nothing until \`CLEAN_UP=yes\` is set; after it only the backups of`,
  'step 1 help, and what was written since is lost. Wait days, with a peak of traffic among them, before it.',
  '',
];

const formatVariables = ({ variables }: UpgradePlan): readonly string[] => [
  '## Variables to set before',
  '',
  '| Name | Meaning |',
  '|---|---|',
  ...variables.slice(0, MAX_VARIABLES).map(({ name, meaning }) => `| \`${name}\` | ${escapeMarkdown(meaning)} |`),
  ...(variables.length > MAX_VARIABLES
    ? [`| ${variables.length - MAX_VARIABLES} more | lib.sh names every one at its end |`]
    : []),
];

const MAX_VARIABLES = 24;

function formatShortList(title: string, rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  const more = rows.length - MAX_LISTED;
  return [
    '',
    `## ${title}`,
    '',
    ...rows.slice(0, MAX_LISTED).map((row) => `- ${escapeMarkdown(shortenRow(row))}`),
    ...(more > 0 ? [`- and ${more} more: details.md`] : []),
  ];
}

const shortenRow = (row: string): string => {
  const characters = Array.from(row);
  return characters.length <= MAX_ROW_CHARS ? row : `${characters.slice(0, MAX_ROW_CHARS - 1).join('')}…`;
};
