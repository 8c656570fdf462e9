import type { Migrated } from '../../hybrid/core/migration.ts';
import { type MigrateOptions, OPTION_FLAGS } from '../../hybrid/core/options.ts';
import { asFile, newNameOf, STDIN } from './input.ts';
import { safePath, shellWord } from './print.ts';
import type { Written } from './in-place.ts';
import type { Target } from './write.ts';

/** Which files were written. */
export function writtenLines(target: Target, { file, groupsFile, backup, groupsBackup }: Written): string {
  const lines = [
    ...(backup === undefined ? [] : [`The old file is kept as ${safePath(backup)}.`]),
    ...(groupsBackup === undefined
      ? []
      : [`Other groups were there: they are kept as ${safePath(groupsBackup)}; --groups-file names another place.`]),
    ...(file === undefined ? [] : [`Wrote ${safePath(file)}.`]),
    ...(groupsFile === undefined ? [] : [`Wrote ${safePath(groupsFile)}.`]),
    ...(target.kind === 'file' && file === undefined ? [`${safePath(target.path)} has this content already.`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

type Given = { file: string; target: Target; options: MigrateOptions };
type Made = { migrated: Pick<Migrated, 'isFragment' | 'groups'>; written: Written };

/** What to do after a migration, as commands to copy: none that could not work. */
export function nextLines({ file, target, options }: Given, { migrated, written: { backup = file } }: Made): string {
  if (target.kind === 'stdout') return '';
  if (target.kind === 'show' && file === STDIN) return 'Nothing was written: -o <file> writes it.\n';
  const flags = flagsOf(options);
  const command = (...words: readonly string[]): string => `  sightline hybrid ${[...words, ...flags].join(' ')}\n`;
  const plan = (old: string, ...more: readonly string[]): string =>
    file === STDIN || migrated.isFragment || migrated.groups.length === 0
      ? ''
      : command('plan', fileWord(old), '--kubectl VERSION', ...more);
  if (target.kind === 'show')
    return `Nothing was written. Next:\n${command('migrate', fileWord(file), '-o', fileWord(newNameOf(file)))}${plan(file)}`;
  const made = fileWord(target.kind === 'file' ? target.path : file);
  return `Next:\n${command('check', made)}${plan(target.kind === 'file' ? file : backup, '--out-name', made)}`;
}

const fileWord = (path: string): string => shellWord(asFile(path));

/** The flags that give the options again. */
function flagsOf(options: MigrateOptions): readonly string[] {
  const { groups = {}, enableConnect = false, production, ...values } = options;
  const said = (flag: string, value: string): string =>
    value.startsWith('-') ? shellWord(`${flag}=${value}`) : `${flag} ${shellWord(value)}`;
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
