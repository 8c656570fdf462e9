import type { Command, UpgradePlan, UpgradeStep } from './plan.ts';

/** What a terminal would obey, or hide. Line feeds of commands are ours: values have none. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const UNPRINTABLE_BUT_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const BACKTICKS = /`+/g;
/** What begins a construct of Markdown anywhere in a line, and what makes a renderer link an address. */
const MARKDOWN = /[\\`*_[\]<>|~&@#$]|:(?=\/\/)|(?<=www)\./gi;
/** What does so at the beginning: lists, underlines of headings. */
const AT_START = /^[-+=]/;
const NUMBER_AT_START = /^(\d{1,9})([.)])/;
const SHORTEST_FENCE = 3;

/** The plan for a terminal. */
export const planText = (plan: UpgradePlan): string =>
  `${[...formatTextHead(plan), ...plan.steps.flatMap(formatTextStep)].join('\n')}\n`;

/** The plan as GitHub Markdown: values of the file stay text, commands are fenced. */
export const planMarkdown = (plan: UpgradePlan): string =>
  `${[...formatMarkdownHead(plan), ...plan.steps.flatMap(formatMarkdownStep)].join('\n')}\n`;

const ORDER =
  'Do the steps in this order. Go on only when the check of a step shows what it says. To go back, undo the steps that are done in reverse order, the last first.';
const SHELLS =
  'The first commands of step 0 belong at the beginning of every shell; the second says where sightline is not on the path.';
const FORMER = 'A step whose check fails is undone or corrected; none is skipped.';

function formatTextHead(plan: UpgradePlan): readonly string[] {
  return [
    `Hybrid runtime of ${toSingleLine(plan.org)}: ${plan.from} -> ${plan.to}`,
    `platform ${plan.platform}, --dry-run=${plan.dryRun}`,
    '',
    ORDER,
    FORMER,
    SHELLS,
    'Lines of a step without # are commands.',
    '',
    'Variables to set before:',
    ...plan.variables.map(({ name, meaning, example }) => `  ${name}  ${toSingleLine(withExample(meaning, example))}`),
    ...formatTextList('Environment groups:', plan.groups.map(groupLine)),
    ...formatTextList('Values that were added to the file:', plan.proposals.map(formatProposalLine)),
    ...formatTextList('What left the file:', plan.notes.map(formatNoteLine)),
    ...formatTextList('Look at:', plan.problems.map(formatProblemLine)),
  ];
}

const formatTextList = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${toSingleLine(item)}`)];

function formatTextStep(step: UpgradeStep): readonly string[] {
  return [
    '',
    `== Step ${step.number}: ${toSingleLine(step.title)}${step.isPointOfNoReturn ? ' (POINT OF NO RETURN)' : ''}`,
    formatShellComment(step.why),
    ...step.commands.flatMap(formatTextCommand),
    '',
    '-- Check',
    ...step.check.commands.flatMap(formatTextCommand),
    '',
    formatShellComment(`Must be seen: ${step.check.expect}`),
    '',
    '-- Undo',
    ...step.undo.flatMap(formatTextCommand),
  ];
}

/**
 * Commands start at the beginning of their lines, because the line that ends a here-document must. All other text
 * becomes a shell comment.
 */
const formatTextCommand = ({ command, text }: Command): readonly string[] => [
  ...(text === undefined ? [''] : ['', formatShellComment(text)]),
  ...(command === undefined ? [] : splitCommandLines(command)),
];

const formatShellComment = (text: string): string => `# ${toSingleLine(text)}`;

function formatMarkdownHead(plan: UpgradePlan): readonly string[] {
  return [
    `# Hybrid runtime of ${escapeMarkdown(plan.org)}: ${plan.from} to ${plan.to}`,
    '',
    `Platform ${plan.platform}, \`--dry-run=${plan.dryRun}\`.`,
    '',
    ORDER,
    FORMER,
    SHELLS,
    '',
    '| Variable to set before | Meaning |',
    '|---|---|',
    ...plan.variables.map(
      ({ name, meaning, example }) => `| \`${name}\` | ${escapeMarkdown(withExample(meaning, example))} |`,
    ),
    ...formatMarkdownList('Environment groups', plan.groups.map(groupLine)),
    ...formatMarkdownList('Values that were added to the file', plan.proposals.map(formatProposalLine)),
    ...formatMarkdownList('What left the file', plan.notes.map(formatNoteLine)),
    ...formatMarkdownList('Look at', plan.problems.map(formatProblemLine)),
  ];
}

const formatMarkdownList = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${escapeMarkdown(item)}`)];

function formatMarkdownStep(step: UpgradeStep): readonly string[] {
  return [
    '',
    `## Step ${step.number}: ${escapeMarkdown(step.title)}`,
    '',
    ...(step.isPointOfNoReturn ? ['**Point of no return.**', ''] : []),
    escapeMarkdown(step.why),
    ...step.commands.flatMap(formatMarkdownCommand),
    '',
    '### Check',
    ...step.check.commands.flatMap(formatMarkdownCommand),
    '',
    `Must be seen: ${escapeMarkdown(step.check.expect)}`,
    '',
    '### Undo',
    ...step.undo.flatMap(formatMarkdownCommand),
  ];
}

const formatMarkdownCommand = ({ command, text }: Command): readonly string[] => [
  ...(text === undefined ? [] : ['', escapeMarkdown(text)]),
  ...(command === undefined ? [] : ['', ...formatCodeFence(command)]),
];

/** A fence longer than any in the command: nothing in it can close it. */
function formatCodeFence(command: string): readonly string[] {
  const longest = Math.max(0, ...[...command.matchAll(BACKTICKS)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longest + 1));
  return [`${fence}sh`, ...splitCommandLines(command), fence];
}

const withExample = (meaning: string, example: string | undefined): string =>
  example === undefined ? meaning : `${meaning} Example: ${example}`;

export const groupLine = ({ group, hostnames, environments }: UpgradePlan['groups'][number]): string =>
  `${group}: host names ${hostnames.join(', ')}; environments ${environments.join(', ')}`;

export const formatProposalLine = ({ key, value, flag, reason, isGiven }: UpgradePlan['proposals'][number]): string =>
  `${key} = ${value}: ${isGiven ? `given by ${flag}.` : `${reason} ${flag} gives another.`}`;

export const formatNoteLine = ({ line: at, key, message }: UpgradePlan['notes'][number]): string =>
  `line ${at}, ${key} ${message}`;

export const formatProblemLine = ({ line: at, column, code, message, fix }: UpgradePlan['problems'][number]): string =>
  `line ${at}, column ${column}, ${code}: ${message} ${fix}`;

/** Foreign text as one line. */
export const toSingleLine = (text: string): string => text.replaceAll(UNPRINTABLE, ' ');
export const splitCommandLines = (command: string): readonly string[] =>
  command.replaceAll(UNPRINTABLE_BUT_LINES, ' ').split('\n');

/** Foreign or plain text as one line that Markdown shows as it is. */
export const escapeMarkdown = (text: string): string =>
  toSingleLine(text).trim().replaceAll(MARKDOWN, '\\$&').replace(AT_START, '\\$&').replace(NUMBER_AT_START, '$1\\$2');
