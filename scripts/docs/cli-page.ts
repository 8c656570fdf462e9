import { formatOptionName, formatUsageLine, listExits } from '../../src/cli/commands/help.ts';
import {
  type ArgumentRow,
  type CommandRow,
  exitMeanings,
  groupTitles,
  type OptionRows,
} from '../../src/cli/commands/rows.ts';
import { type CommandName, commandNames, getCommandRow } from '../../src/cli/commands/table.ts';
import { capitalise } from '../../src/lib/text.ts';
import { CONFIG_FILE, configSchema } from '../../src/cli/config/schema.ts';
import { environmentRows } from './environment-data.ts';
import { formatTable as formatCells } from './markdown.ts';

/** Cells of this page are text: a bar in one is no border. An empty table is left out. */
const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : formatCells(
        head,
        rows.map((cells) => cells.map((cell) => cell.replaceAll('|', String.raw`\|`))),
      );

const joinParts = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** `docs/reference/cli.md`: every command with its arguments, options, examples and exit statuses, from their table. */
export const cliPage = (): string =>
  `${joinParts([
    '# Command line',
    'Generated from the table of commands (`npm run docs`). `sightline <command> --help` prints the same.',
    '## Commands',
    listCommands(),
    '## Every command',
    EVERYWHERE,
    '### Exit status',
    formatTable(
      ['Status', 'Meaning'],
      Object.entries(exitMeanings).map(([status, meaning]) => [`\`${status}\``, meaning]),
    ),
    '### Errors as JSON',
    ERRORS,
    '## Configuration',
    formatConfiguration(),
    '## Environment',
    'Options win over these variables.',
    formatTable(
      ['Variable', 'Read by', 'Meaning'],
      environmentRows.map(({ name, by, meaning }) => [`\`${name}\``, by, meaning]),
    ),
    ...commandNames.map(formatCommand),
  ])}\n`;

const EVERYWHERE = [
  'A bare host is an address: `example.com` is read by https, and by http only where https cannot connect. On this machine (`localhost`, an IP address) http comes first.',
  'Results go to standard output, or to a file with `--output`; progress and notes go to standard error, and `--quiet` turns them off. `NO_COLOR` turns colours off. `sightline --version` prints the version.',
].join('\n\n');

const ERRORS = `With \`--json\` or \`--format json\`, standard error has one JSON object a line. The error is the last one:

\`\`\`json
{ "reason": "usage", "message": "Unknown option --formt. Did you mean --format?", "detail": null, "next": "See sightline audit --help", "exit": 2 }
\`\`\`

\`reason\` is a stable word, \`message\` says what happened, \`detail\` has more lines or is null, \`next\` says what to do or is null, and \`exit\` is the exit status. A note is an object with the one member \`note\`.`;

function listCommands(): string {
  const rows = commandNames.map((name) => {
    const { group, summary } = getCommandRow(name);
    return [`[\`${name}\`](#${name})`, summary, groupTitles[group]];
  });
  return formatTable(['Command', 'What it does', 'Group'], rows);
}

const EXAMPLE = `{
  "$schema": "./node_modules/@sightline/cli/sightline.config.schema.json",
  "urls": ["example.com"],
  "min-score": { "aeo": 80, "agent": 60 },
  "profile": "content",
  "max-pages": 9,
  "ignore": [
    { "check": "agent.llms.exists", "reason": "planned for the next release", "expires": "2027-03-31" }
  ],
  "baseline": "audit.json"
}`;

/** The example of the page. A test reads it by the schema. */
export const readConfigExample = (): unknown => JSON.parse(EXAMPLE);

function formatConfiguration(): string {
  const rows = Object.entries(configSchema.shape).map(([name, { description = '' }]) => [`\`${name}\``, description]);
  return joinParts([
    `\`${CONFIG_FILE}\` holds the settings of a project. It is looked for in the working folder, then in the folders above it. Options win over the file, and \`--no-config\` ignores it. \`sightline init\` writes one. It holds no secrets: keys come from the environment. \`ANSWER_ENGINE_KEY\` goes only to an address that you name yourself, by \`--url\` or \`ANSWER_ENGINE_URL\`: with a key in the environment, an engine whose address is in the file alone is refused, since another person may have written the file.`,
    formatTable(['Setting', 'Meaning'], rows),
    `\`\`\`json\n${EXAMPLE}\n\`\`\``,
    'An ignored check is shown as ignored with its reason. It never counts as passed, and no gate counts it: a minimum is held against the score without it. After the day of `expires` it counts again, and the report says so; an id that is no check is reported too. The [JSON schema](sightline.config.schema.json) describes the file for editors.',
  ]);
}

function formatCommand(name: CommandName): string {
  const row = getCommandRow(name);
  const { actions = {} } = row;
  const usage = formatUsageLine(name, row, { hasActions: row.actions !== undefined });
  return joinParts([
    `## ${name}`,
    `${capitalise(row.summary)}.`,
    `\`\`\`sh\n${usage}\n\`\`\``,
    formatArguments(row.arguments),
    formatOptions(row.options),
    ...(row.notes ?? []),
    formatExits(row),
    formatExamples(row),
    ...Object.entries(actions).map(([action, one]) =>
      joinParts([
        `### ${name} ${action}`,
        `${capitalise(one.summary)}.`,
        formatArguments(one.arguments),
        formatOptions(one.options),
      ]),
    ),
  ]);
}

const formatArguments = (rows: readonly ArgumentRow[]): string =>
  formatTable(
    ['Argument', 'Meaning'],
    rows.map(({ name, description, optional }) => [
      `\`<${name}>\``,
      `${description}${optional === true ? ' (optional)' : ''}`,
    ]),
  );

const formatOptions = (options: OptionRows): string =>
  formatTable(
    ['Option', 'Meaning'],
    Object.entries(options).map(([name, row]) => [`\`${formatOptionName(name, row)}\``, row.description]),
  );

/** Only where they mean more than for every command. */
const formatExits = (row: CommandRow): string =>
  row.exits === undefined
    ? ''
    : `Exit status: ${listExits(row)
        .map(([status, meaning]) => `${status} ${meaning}`)
        .join('; ')}.`;

const formatExamples = ({ examples }: CommandRow): string =>
  examples.length === 0 ? '' : `\`\`\`sh\n${examples.map(({ run, does }) => `# ${does}\n${run}`).join('\n')}\n\`\`\``;
