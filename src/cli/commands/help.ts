import { service } from '../../capabilities/service.ts';
import { PRODUCT } from '../../lib/product.ts';
import { wrapText } from '../core/terminal.ts';
import {
  type ActionRow,
  type ArgumentRow,
  type CommandGroup,
  type CommandRow,
  exitMeanings,
  groupTitles,
  type OptionRow,
  type OptionRows,
} from './rows.ts';
import { type CommandName, commandNames, getCommandRow } from './table.ts';

/** Widest line of help. */
const WIDTH = 96;
/** Where descriptions begin: two of indent, the name, two between. */
const MIN_COLUMN = 14;
const MAX_COLUMN = 32;

const groups = Object.keys(groupTitles) as readonly CommandGroup[];

/** The first screen: what this is, the commands that matter, and how to learn more. */
export function formatOverview({ all }: { all: boolean }): string {
  const shown = commandNames.filter((name) => all || getCommandRow(name).first === true);
  const sections = groups.flatMap((group) => {
    const rows = shown
      .filter((name) => getCommandRow(name).group === group)
      .map((name) => [name, getCommandRow(name).summary] as const);
    return rows.length === 0 ? [] : [[groupTitles[group], ...formatColumns(rows)].join('\n')];
  });
  const example = 'Begin with: sightline audit example.com';
  const more = [
    'sightline help <command>   options and examples of a command',
    ...(all ? [] : ['sightline help --all       every command']),
    'sightline completion bash  completion for your shell: bash, zsh or fish',
  ];
  return `${[`${PRODUCT} ${service.version}: what AI systems can see of a website or brand`, ...sections, example, more.join('\n')].join('\n\n')}\n`;
}

/** What `sightline <command> --help` prints, or that of one of its actions. */
export function formatCommandHelp(name: CommandName, action?: string): string {
  const row = getCommandRow(name);
  const found = action === undefined ? undefined : row.actions?.[action];
  const shown: CommandRow =
    found === undefined
      ? row
      : { ...row, ...found, options: { ...found.options, ...(found.alone === true ? {} : row.options) } };
  const title = found === undefined ? name : `${name} ${action ?? ''}`;
  const sections = [
    `sightline ${title}: ${shown.summary}`,
    `Usage: ${formatUsageLine(title, shown, { hasActions: found === undefined && row.actions !== undefined })}`,
    ...formatSection('Actions', found === undefined ? listActions(row.actions) : []),
    ...formatSection(
      'Arguments',
      shown.arguments.map(({ name: word, description }) => [`<${word}>`, description]),
    ),
    ...formatSection('Options', listOptions(shown.options)),
    ...(found?.alone === true ? [] : (shown.notes ?? [])).map((note) => wrapText(note, WIDTH).join('\n')),
    ...formatSection('Exit status', listExits(row)),
    ...(found === undefined ? formatExamples(row) : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** `audit [<url>] [options]`, as usage lines write it. */
export function formatUsageLine(
  title: string,
  { arguments: words, options, actionIsOptional }: Pick<CommandRow, 'arguments' | 'options' | 'actionIsOptional'>,
  { hasActions = false }: { hasActions?: boolean } = {},
): string {
  const action = actionIsOptional === true ? '[<action>]' : '<action>';
  const parts = [...(hasActions ? [action] : []), ...words.map(formatArgument)];
  const hasOptions = Object.keys(options).length > 0;
  return ['sightline', title, ...parts, ...(hasOptions ? ['[options]'] : [])].join(' ');
}

function formatArgument({ name, optional, many }: ArgumentRow): string {
  const word = `<${name}>${many === true ? '...' : ''}`;
  return optional === true ? `[${word}]` : word;
}

/** An option as it is typed: `-o, --output <file>`. */
export const formatOptionName = (name: string, { short, value }: OptionRow): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

function listOptions(options: OptionRows): readonly (readonly [string, string])[] {
  const rows = Object.entries(options).map(([name, row]) => [formatOptionName(name, row), row.description] as const);
  return rows.length === 0 ? [] : [...rows, ['-h, --help', 'show this help']];
}

const listActions = (actions: Readonly<Record<string, ActionRow>> = {}): readonly (readonly [string, string])[] =>
  Object.entries(actions).map(([name, { summary, arguments: words }]) => [
    [name, ...words.map(formatArgument)].join(' '),
    summary,
  ]);

/** What each exit status of a command means. */
export const listExits = ({ exits = {} }: Pick<CommandRow, 'exits'>): readonly (readonly [string, string])[] =>
  Object.entries({ ...exitMeanings, ...exits }).map(([status, meaning]) => [status, meaning]);

function formatExamples({ examples }: CommandRow): readonly string[] {
  if (examples.length === 0) return [];
  return [['Examples', ...examples.flatMap(({ run, does }) => [`  ${run}`, `      ${does}`])].join('\n')];
}

const formatSection = (title: string, rows: readonly (readonly [string, string])[]): readonly string[] =>
  rows.length === 0 ? [] : [[title, ...formatColumns(rows)].join('\n')];

/** Names and what they mean in two columns; a name that is too long has a line to itself. */
function formatColumns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const longest = Math.max(...rows.map(([name]) => name.length));
  const column = Math.min(MAX_COLUMN, Math.max(MIN_COLUMN, longest + 4));
  return rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapText(text, WIDTH - column);
    const indent = ' '.repeat(column);
    const head = `  ${name}`.padEnd(column);
    const isLong = head.length > column || !head.endsWith(' ');
    return [...(isLong ? [head, `${indent}${first}`] : [`${head}${first}`]), ...rest.map((line) => `${indent}${line}`)];
  });
}
