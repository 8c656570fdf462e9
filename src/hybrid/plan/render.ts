import type { Command, Plan, Step } from './plan.ts';

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
export const planText = (plan: Plan): string => `${[...textHead(plan), ...plan.steps.flatMap(textStep)].join('\n')}\n`;

/** The plan as GitHub Markdown: values of the file stay text, commands are fenced. */
export const planMarkdown = (plan: Plan): string =>
  `${[...markdownHead(plan), ...plan.steps.flatMap(markdownStep)].join('\n')}\n`;

const ORDER =
  'Do the steps in this order. Go on only when the check of a step shows what it says. To go back, undo the steps that are done in reverse order, the last first.';
const SHELLS =
  'The first commands of step 0 belong at the beginning of every shell; the second makes npx run sightline where it is not on the path.';
const FORMER = 'A step whose check fails is undone or mended; none is skipped.';

function textHead(plan: Plan): readonly string[] {
  return [
    `Hybrid runtime of ${line(plan.org)}: ${plan.from} -> ${plan.to}`,
    `platform ${plan.platform}, --dry-run=${plan.dryRun}`,
    '',
    ORDER,
    FORMER,
    SHELLS,
    'Lines of a step without # are commands.',
    '',
    'Variables to set before:',
    ...plan.variables.map(({ name, meaning, example }) => `  ${name}  ${line(withExample(meaning, example))}`),
    ...listed('Environment groups:', plan.groups.map(groupLine)),
    ...listed('Values that were added to the file:', plan.proposals.map(proposalLine)),
    ...listed('What left the file:', plan.notes.map(noteLine)),
    ...listed('Look at:', plan.problems.map(problemLine)),
  ];
}

const listed = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${line(item)}`)];

function textStep(step: Step): readonly string[] {
  return [
    '',
    `== Step ${step.number}: ${line(step.title)}${step.isPointOfNoReturn ? ' (POINT OF NO RETURN)' : ''}`,
    said(step.why),
    ...step.commands.flatMap(textCommand),
    '',
    '-- Check',
    ...step.check.commands.flatMap(textCommand),
    '',
    said(`Must be seen: ${step.check.expect}`),
    '',
    '-- Undo',
    ...step.undo.flatMap(textCommand),
  ];
}

/** Commands stand at the beginning of their lines: what ends a script in them must. All else is a comment of the shell. */
const textCommand = ({ command, text }: Command): readonly string[] => [
  ...(text === undefined ? [''] : ['', said(text)]),
  ...(command === undefined ? [] : lines(command)),
];

const said = (text: string): string => `# ${line(text)}`;

function markdownHead(plan: Plan): readonly string[] {
  return [
    `# Hybrid runtime of ${escaped(plan.org)}: ${plan.from} to ${plan.to}`,
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
      ({ name, meaning, example }) => `| \`${name}\` | ${escaped(withExample(meaning, example))} |`,
    ),
    ...bullets('Environment groups', plan.groups.map(groupLine)),
    ...bullets('Values that were added to the file', plan.proposals.map(proposalLine)),
    ...bullets('What left the file', plan.notes.map(noteLine)),
    ...bullets('Look at', plan.problems.map(problemLine)),
  ];
}

const bullets = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${escaped(item)}`)];

function markdownStep(step: Step): readonly string[] {
  return [
    '',
    `## Step ${step.number}: ${escaped(step.title)}`,
    '',
    ...(step.isPointOfNoReturn ? ['**Point of no return.**', ''] : []),
    escaped(step.why),
    ...step.commands.flatMap(markdownCommand),
    '',
    '### Check',
    ...step.check.commands.flatMap(markdownCommand),
    '',
    `Must be seen: ${escaped(step.check.expect)}`,
    '',
    '### Undo',
    ...step.undo.flatMap(markdownCommand),
  ];
}

const markdownCommand = ({ command, text }: Command): readonly string[] => [
  ...(text === undefined ? [] : ['', escaped(text)]),
  ...(command === undefined ? [] : ['', ...fenced(command)]),
];

/** A fence longer than any in the command: nothing in it can close it. */
function fenced(command: string): readonly string[] {
  const longest = Math.max(0, ...[...command.matchAll(BACKTICKS)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longest + 1));
  return [`${fence}sh`, ...lines(command), fence];
}

const withExample = (meaning: string, example: string | undefined): string =>
  example === undefined ? meaning : `${meaning} Example: ${example}`;

const groupLine = ({ group, hostnames, environments }: Plan['groups'][number]): string =>
  `${group}: host names ${hostnames.join(', ')}; environments ${environments.join(', ')}`;

const proposalLine = ({ key, value, flag, reason, isGiven }: Plan['proposals'][number]): string =>
  `${key} = ${value}: ${isGiven ? `given by ${flag}.` : `${reason} ${flag} gives another.`}`;

const noteLine = ({ line: at, key, message }: Plan['notes'][number]): string => `line ${at}, ${key} ${message}`;

const problemLine = ({ line: at, column, code, message, fix }: Plan['problems'][number]): string =>
  `line ${at}, column ${column}, ${code}: ${message} ${fix}`;

/** Foreign text as one line. */
const line = (text: string): string => text.replaceAll(UNPRINTABLE, ' ');
const lines = (command: string): readonly string[] => command.replaceAll(UNPRINTABLE_BUT_LINES, ' ').split('\n');

/** Foreign or plain text as one line that Markdown shows as it is. */
const escaped = (text: string): string =>
  line(text).trim().replaceAll(MARKDOWN, '\\$&').replace(AT_START, '\\$&').replace(NUMBER_AT_START, '$1\\$2');
