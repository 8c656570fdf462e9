import { parseArgs } from 'node:util';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import { type NamedFile, refuseReplacing } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import type { ActionRow, ArgumentRow, OptionRow, OptionRows } from './rows.ts';
import { suggestWord } from './suggest.ts';
import { type CommandName, type CommandTable, commandTable } from './table.ts';

type ValueOf<Row extends OptionRow> = Row extends { multiple: true }
  ? readonly string[]
  : Row['type'] extends 'boolean'
    ? boolean
    : Row extends { values: readonly (infer Word)[] }
      ? Word
      : string;

export type OptionValues<Rows extends OptionRows> = { [Name in keyof Rows]?: ValueOf<Rows[Name]> | undefined };

/** The words of a command, judged by its row: options by name, and the other words in their order. */
export type GivenWords<Rows extends OptionRows> = { values: OptionValues<Rows>; words: readonly string[] };

/** Reads the arguments of a command by its row of the table. */
export function parseCommand<Name extends CommandName>(
  name: Name,
  args: readonly string[],
): GivenWords<CommandTable[Name]['options']> | CommandFailure {
  const { options, arguments: expected }: { options: OptionRows; arguments: readonly ArgumentRow[] } =
    commandTable[name];
  return parseByRow(args, { options, arguments: expected });
}

type ParsedOption = {
  kind: 'option';
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
};

/** The same for any row, such as an action of a command. */
export function parseByRow(
  args: readonly string[],
  { options, arguments: expected }: Pick<ActionRow, 'options' | 'arguments'>,
): GivenWords<OptionRows> | CommandFailure {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
    ]),
  );
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = tokens.filter((token): token is typeof token & ParsedOption => token.kind === 'option');
  const fault = given.map((token) => findOptionFault(token, options)).find((found) => found !== undefined);
  const wrong = fault ?? findWordFault(positionals, expected);
  if (wrong !== undefined) return refuseUsage(wrong);
  const replacing = refuseReplacing({
    read: [...listOptionFiles(given, options, 'read'), ...listWordFiles(positionals, expected)],
    written: listOptionFiles(given, options, 'written'),
  });
  return replacing ?? { values: values as OptionValues<OptionRows>, words: positionals };
}

const listOptionFiles = (
  given: readonly ParsedOption[],
  options: OptionRows,
  use: NonNullable<OptionRow['file']>,
): readonly NamedFile[] =>
  given.flatMap(({ name, value }) =>
    options[name]?.file === use && value !== undefined ? [{ by: `--${name}`, path: value }] : [],
  );

/** Words behind the last argument are of it. */
const listWordFiles = (words: readonly string[], expected: readonly ArgumentRow[]): readonly NamedFile[] =>
  words.flatMap((path, at) => {
    const row = expected[at] ?? expected.at(-1);
    return row?.file === 'read' ? [{ by: `<${row.name}>`, path }] : [];
  });

function findOptionFault({ name, rawName, value, inlineValue }: ParsedOption, options: OptionRows): string | undefined {
  const row = Object.hasOwn(options, name) ? options[name] : undefined;
  if (row === undefined) return describeUnknownOption(rawName, Object.keys(options));
  if (row.type === 'boolean') return value === undefined ? undefined : `${rawName} takes no value.`;
  const isNextOption = inlineValue !== true && /^--?[a-z]/i.test(value ?? '');
  if (value === undefined || isNextOption) return `${rawName} needs a value: ${rawName} ${row.value ?? '<value>'}.`;
  return row.values === undefined || row.values.includes(value)
    ? undefined
    : describeUnknownValue(rawName, value, row.values);
}

function describeUnknownOption(rawName: string, known: readonly string[]): string {
  const shown = formatSafeLine(rawName);
  const near = rawName.startsWith('--') ? suggestWord(rawName.slice(2), [...known, 'help']) : undefined;
  return `Unknown option ${shown}.${near === undefined ? '' : ` Did you mean --${near}?`}`;
}

/** The words that an option takes, and the nearest of them. */
export function describeUnknownValue(option: string, value: string, known: readonly string[]): string {
  const near = suggestWord(value, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${option} takes one of ${known.join(', ')}, not ${formatSafeLine(value)}.${hint}`;
}

function findWordFault(words: readonly string[], expected: readonly ArgumentRow[]): string | undefined {
  const missing = expected.slice(words.length).find(({ optional }) => optional !== true);
  if (missing !== undefined) return `<${missing.name}> is missing: ${missing.description}.`;
  const isOpen = expected.some(({ many }) => many === true);
  const extra = isOpen ? undefined : words[expected.length];
  if (extra === undefined) return undefined;
  const takes =
    expected.length === 0 ? 'takes options only' : `takes ${expected.map(({ name }) => `<${name}>`).join(' ')}`;
  return `Unexpected word ${formatSafeLine(extra)}: the command ${takes}.`;
}
