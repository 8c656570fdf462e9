import type { Migrated } from '../../hybrid/core/migration.ts';
import { type MigrateOptions, OPTION_FLAGS } from '../../hybrid/core/options.ts';
import { asFile, formatNewName, STDIN } from './input.ts';
import { formatSafePath, formatShellWord } from './print.ts';
import type { WrittenFiles } from './in-place.ts';
import type { MigrationTarget } from './write.ts';

/** Which files were written. */
export function formatWrittenFiles(
  target: MigrationTarget,
  { file, groupsFile, backup, groupsBackup }: WrittenFiles,
): string {
  const lines = [
    ...(backup === undefined ? [] : [`The old file is kept as ${formatSafePath(backup)}.`]),
    ...(groupsBackup === undefined
      ? []
      : [
          `Other groups were there: they are kept as ${formatSafePath(groupsBackup)}; --groups-file names another place.`,
        ]),
    ...(file === undefined ? [] : [`Wrote ${formatSafePath(file)}.`]),
    ...(groupsFile === undefined ? [] : [`Wrote ${formatSafePath(groupsFile)}.`]),
    ...(target.kind === 'file' && file === undefined
      ? [`${formatSafePath(target.path)} has this content already.`]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

type NextStepsInput = { file: string; target: MigrationTarget; options: MigrateOptions };
type MigrationResult = { migrated: Pick<Migrated, 'isFragment' | 'groups'>; written: WrittenFiles };

/** What to do after a migration, as commands to copy: none that could not work. */
export function formatNextSteps(
  { file, target, options }: NextStepsInput,
  { migrated, written: { backup = file } }: MigrationResult,
): string {
  if (target.kind === 'stdout') return '';
  if (target.kind === 'show' && file === STDIN) return 'Nothing was written: -o <file> writes it.\n';
  const flags = formatFlags(options);
  const command = (...words: readonly string[]): string => `  sightline hybrid ${[...words, ...flags].join(' ')}\n`;
  const plan = (old: string, ...more: readonly string[]): string =>
    file === STDIN || migrated.isFragment || migrated.groups.length === 0
      ? ''
      : command('plan', formatPathWord(old), '--kubectl VERSION', ...more);
  if (target.kind === 'show')
    return `Nothing was written. Next:\n${command('migrate', formatPathWord(file), '-o', formatPathWord(formatNewName(file)))}${plan(file)}`;
  const made = formatPathWord(target.kind === 'file' ? target.path : file);
  return `Next:\n${command('check', made)}${plan(target.kind === 'file' ? file : backup, '--out-name', made)}`;
}

const formatPathWord = (path: string): string => formatShellWord(asFile(path));

/** The flags that give the options again. */
function formatFlags(options: MigrateOptions): readonly string[] {
  const { groups = {}, enableConnect = false, production, ...values } = options;
  const said = (flag: string, value: string): string =>
    value.startsWith('-') ? formatShellWord(`${flag}=${value}`) : `${flag} ${formatShellWord(value)}`;
  return [
    ...Object.entries(groups).map(([old, name]) => said(OPTION_FLAGS.groups, `${old}=${name}`)),
    ...valueNames.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [said(OPTION_FLAGS[name], value)];
    }),
    ...(enableConnect ? [OPTION_FLAGS.enableConnect] : []),
    ...(production === undefined ? [] : [production ? OPTION_FLAGS.production : '--no-production']),
  ];
}

const valueNames = [
  'instanceId',
  'region',
  'connectAgentServiceAccountPath',
  'metricsServiceAccountPath',
  'watcherServiceAccountPath',
] as const satisfies readonly (keyof MigrateOptions)[];
