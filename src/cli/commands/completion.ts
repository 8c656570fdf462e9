import type { OptionRows } from './rows.ts';
import { commandNames, getCommandRow } from './table.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type ShellName = (typeof shells)[number];

/** A command, or an action of one, with the words that may follow it. */
type Place = { path: string; words: readonly string[]; options: OptionRows };

const listPlaces = (): readonly Place[] =>
  commandNames.flatMap((name) => {
    const { options, actions = {} } = getCommandRow(name);
    const words = name === 'help' ? commandNames : name === 'completion' ? shells : Object.keys(actions);
    return [
      { path: name, words, options },
      ...Object.entries(actions).map(([action, row]) => ({
        path: `${name} ${action}`,
        words: [],
        options: { ...row.options, ...(row.alone === true ? {} : options) },
      })),
    ];
  });

/** The completion script of a shell, made from the table of commands. It runs nothing of ours while one types. */
export function formatCompletion(shell: ShellName): string {
  if (shell === 'fish') return formatFish();
  return shell === 'bash' ? formatBash() : formatZsh();
}

const listOptionWords = (options: OptionRows): readonly string[] => [
  ...Object.keys(options).map((name) => `--${name}`),
  '--help',
];

/** Cases of a shell: which words may follow an option, and which follow a place. */
function formatCases(assign: (words: readonly string[]) => string): string {
  const places = listPlaces();
  const values = places.flatMap(({ path, options }) =>
    Object.entries(options).flatMap(([name, { values: known }]) =>
      known === undefined ? [] : [`    "${path} --${name}") ${assign(known)} ;;`],
    ),
  );
  const follows = places.map(
    ({ path, words, options }) => `    "${path}") ${assign([...words, ...listOptionWords(options)])} ;;`,
  );
  return [
    '  case "$place $before" in',
    ...values,
    '  esac',
    '  [ -n "$words" ] || case "$place" in',
    `    "") ${assign([...commandNames, '--help', '--version'])} ;;`,
    ...follows,
    '  esac',
  ].join('\n');
}

/** Of commands with actions, two words say where one is, unless an option comes first. */
const withActions = (): string => commandNames.filter((name) => getCommandRow(name).actions !== undefined).join('|');

const formatBash = (): string => `# sightline completion for bash
_sightline() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="" place="" words=""
  [ "$COMP_CWORD" -gt 1 ] && before="\${COMP_WORDS[COMP_CWORD-1]}" place="\${COMP_WORDS[1]}"
  case "$place" in
    ${withActions()}) [ "$COMP_CWORD" -gt 2 ] && [[ "\${COMP_WORDS[2]}" != -* ]] && place="$place \${COMP_WORDS[2]}" ;;
  esac
${formatCases((words) => `words="${words.join(' ')}"`)}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sightline sightline
`;

const formatZsh = (): string => `#compdef sightline
# sightline completion for zsh
_sightline() {
  local before="" place="" words_of="" words_here=""
  (( CURRENT > 2 )) && before="\${words[CURRENT-1]}" place="\${words[2]}"
  case "$place" in
    ${withActions()}) (( CURRENT > 3 )) && [[ "\${words[3]}" != -* ]] && place="$place \${words[3]}" ;;
  esac
${formatCases((words) => `words_here="${words.join(' ')}"`).replace('-n "$words"', '-n "$words_here"')}
  compadd -- \${=words_here}
  [[ "$PREFIX" == -* ]] || _files
}
compdef _sightline sightline
`;

function formatFish(): string {
  const lines = commandNames.flatMap((name) => {
    const { summary, options, actions = {} } = getCommandRow(name);
    const at = `__fish_seen_subcommand_from ${name}`;
    return [
      `complete -c sightline -n __fish_use_subcommand -a ${name} -d ${quoteFish(summary)}`,
      ...formatFishOptions(at, options),
      ...Object.entries(actions).flatMap(([action, row]) => [
        `complete -c sightline -n ${quoteFish(at)} -a ${action} -d ${quoteFish(row.summary)}`,
        ...formatFishOptions(`${at}; and __fish_seen_subcommand_from ${action}`, row.options),
      ]),
    ];
  });
  const words = [
    `complete -c sightline -n '__fish_seen_subcommand_from help' -a '${commandNames.join(' ')}'`,
    `complete -c sightline -n '__fish_seen_subcommand_from completion' -a '${shells.join(' ')}'`,
  ];
  return `${['# sightline completion for fish', ...lines, ...words].join('\n')}\n`;
}

const formatFishOptions = (at: string, options: OptionRows): readonly string[] =>
  Object.entries(options).map(([name, { short, type, values, description }]) =>
    [
      `complete -c sightline -n ${quoteFish(at)} -l ${name}`,
      ...(short === undefined ? [] : [`-s ${short}`]),
      ...(type === 'string' ? ['-r'] : []),
      ...(values === undefined ? [] : [`-f -a '${values.join(' ')}'`]),
      `-d ${quoteFish(description)}`,
    ].join(' '),
  );

const quoteFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
