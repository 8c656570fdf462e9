import { dirname, join } from 'node:path';
import { formatOverridesDiff } from '../../hybrid/core/diff.ts';
import { migrateOverrides } from '../../hybrid/core/migrate.ts';
import type { EnvironmentGroup, Migrated, Migration } from '../../hybrid/core/migration.ts';
import { type MigrateOptions, OPTION_FLAGS } from '../../hybrid/core/options.ts';
import { formatSafeJson } from '../core/terminal.ts';
import { flag, parseFileArguments, readMigrateOptions, readTextFlag, valueFlags } from './args.ts';
import type { FileDraft } from './files.ts';
import { type InPlaceResult, writeInPlace, type WrittenFiles, findOutNameFault, writeOut } from './write.ts';
import { asFile, formatDiffName, formatNewName, type Input, readInput, refuseNotUtf8, STDIN } from './input.ts';
import { type Io, type CommandOutcome, done, failFile, failUsage, refused } from './io.ts';
import {
  formatNotesText,
  formatProblems,
  formatProposals,
  formatSafeLines,
  formatSafePath,
  formatShellWord,
} from './print.ts';

type Writing = { force: boolean; groupsFile: string | undefined };
/** Where the migrated file goes: to `stdout` with no groups beside it, unless a file for them is named. */
type MigrationTarget =
  | { kind: 'show' }
  | ({ kind: 'stdout' } & Writing)
  | ({ kind: 'file'; path: string } & Writing)
  | ({ kind: 'in_place' } & Writing);
type Work = { file: string; input: Input; migrated: Migrated };

const GROUPS_FILE = 'environment-groups.json';
const HINT = 'To change it in place, use --write.';

/** Writes what the target says, or nothing: every reason against it is found before. */
function writeMigrated(target: MigrationTarget, work: Work): InPlaceResult {
  if (target.kind === 'show') return { ok: true, written: {} };
  const { file, input, migrated } = work;
  if (target.kind === 'in_place') {
    const { changed, text } = migrated;
    return writeInPlace({ file, input, text, changed, groups: draftGroups(target, file, work), force: target.force });
  }
  const path = target.kind === 'file' ? target.path : undefined;
  const groups = path === undefined && target.groupsFile === undefined ? [] : draftGroups(target, path ?? '', work);
  // What was named comes first: it is what a refusal names.
  const drafts = [...(path === undefined ? [] : [{ path, content: migrated.text, like: input.stats }]), ...groups];
  const wrote = writeOut(drafts, { stats: input.stats, force: target.force, hint: HINT });
  if (!wrote.ok) return wrote;
  const own = path !== undefined && wrote.paths.includes(path) ? { file: path } : {};
  const [groupsFile] = groups.flatMap((draft) => (wrote.paths.includes(draft.path) ? [draft.path] : []));
  const [groupsBackup] = wrote.kept;
  const kept = groupsBackup === undefined ? {} : { groupsBackup };
  return { ok: true, written: { ...own, ...(groupsFile === undefined ? {} : { groupsFile }), ...kept } };
}

function draftGroups({ groupsFile }: Writing, file: string, { input, migrated }: Work): readonly FileDraft[] {
  if (migrated.groups.length === 0) return [];
  const path = groupsFile ?? join(dirname(file), GROUPS_FILE);
  return [{ path, content: formatGroups(migrated.groups), like: input.stats, isKept: true }];
}

const formatGroups = (groups: readonly EnvironmentGroup[]): string =>
  `${JSON.stringify(
    groups.map(({ group, hostnames, environments, basePaths }) => ({ group, hostnames, environments, basePaths })),
    null,
    2,
  )}\n`;

/** Which files were written. */
function formatWrittenFiles(target: MigrationTarget, { file, groupsFile, backup, groupsBackup }: WrittenFiles): string {
  const lines = [
    ...(backup === undefined ? [] : [`The old file was saved as ${formatSafePath(backup)}.`]),
    ...(groupsBackup === undefined
      ? []
      : [
          `A file with other groups was there and was saved as ${formatSafePath(groupsBackup)}. To write to another place, use --groups-file.`,
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
function formatNextSteps(
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
  const said = (name: string, value: string): string =>
    value.startsWith('-') ? formatShellWord(`${name}=${value}`) : `${name} ${formatShellWord(value)}`;
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

type MigrateArguments = { file: string; target: MigrationTarget; options: MigrateOptions; json: boolean };

/** `sightline hybrid migrate <file>`: shows the 1.3 file as a diff, or writes it. */
export async function migrateCommand(args: readonly string[], io: Io): Promise<CommandOutcome> {
  const given = readMigrateArguments(args);
  if (typeof given === 'string') return failUsage(given);
  const { file, target, options } = given;
  const read = await readInput(file, io);
  if (!read.ok) return failFile(read.detail);
  const { input } = read;
  const migration: Migration =
    input.text === undefined ? refuseNotUtf8(input.bytes) : migrateOverrides(input.text, options);
  if (!migration.ok) return refuse(given, migration, io);
  const name = formatDiffName(file);
  const diff = formatOverridesDiff({ before: name, after: name }, input.text ?? '', migration.edits);
  const wrote = writeMigrated(target, { file, input, migrated: migration });
  if (!wrote.ok) return failFile(wrote.detail);
  if (given.json)
    io.out(formatMigrationJson(file, migration, { written: wrote.written, diff, overrides: migration.text }));
  else printMigration(given, { migrated: migration, written: wrote.written, diff }, io);
  return done;
}

function readMigrateArguments(args: readonly string[]): MigrateArguments | string {
  const own = {
    out: { ...readTextFlag, short: 'o' },
    write: flag,
    force: flag,
    'groups-file': readTextFlag,
    json: flag,
  } as const;
  const given = parseFileArguments(args, { ...valueFlags, ...own });
  if (typeof given === 'string') return given;
  const { file, values } = given;
  const options = readMigrateOptions(values);
  if (typeof options === 'string') return options;
  const target = selectTarget(file, { ...values, groupsFile: values['groups-file'] });
  if (values.json && typeof target === 'object' && target.kind === 'stdout')
    return '-o - and --json exclude each other.';
  return typeof target === 'string' ? target : { file, target, options, json: values.json };
}

type MigrationTargetOptions = {
  out?: string | undefined;
  write: boolean;
  force: boolean;
  groupsFile?: string | undefined;
};

function selectTarget(
  file: string,
  { out, write, force, groupsFile }: MigrationTargetOptions,
): MigrationTarget | string {
  const isPiped = out === STDIN;
  const wrong = findOutNameFault(isPiped ? undefined : out) ?? findOutNameFault(groupsFile);
  if (wrong !== undefined) return wrong;
  if (write && out !== undefined) return '-o and --write exclude each other.';
  if (write && file === STDIN) return '--write needs a file, not standard input.';
  if (write) return { kind: 'in_place', force, groupsFile };
  if (isPiped) return { kind: 'stdout', force, groupsFile };
  if (out !== undefined) return { kind: 'file', path: out, force, groupsFile };
  return groupsFile === undefined && !force ? { kind: 'show' } : '--groups-file and --force need -o or --write.';
}

function refuse(
  { file, json: asJson }: MigrateArguments,
  migration: Extract<Migration, { ok: false }>,
  io: Io,
): CommandOutcome {
  if (asJson) io.out(formatMigrationJson(file, { ...NOTHING, ...migration }, { written: {}, diff: '' }));
  else io.err(`${formatProblems(file, migration.problems)}Nothing was written. Fix these problems first.\n`);
  return refused;
}

const NOTHING = { changed: false, groups: [], proposals: [], notes: [] } as const;

type FinishedMigration = Pick<Migration, 'ok' | 'version' | 'isFragment'> &
  Pick<Migrated, 'changed' | 'groups' | 'proposals' | 'notes' | 'problems'>;
/** `overrides` is the new file: a refused one has none. */
type Outputs = { written: WrittenFiles; diff: string; overrides?: string };

function formatMigrationJson(file: string, migration: FinishedMigration, { written, ...outputs }: Outputs): string {
  const { version, isFragment, ok, changed, groups: environmentGroups, proposals, notes, problems } = migration;
  const found = { version, isFragment, ok, changed, written, environmentGroups, proposals, notes, problems };
  return `${formatSafeJson({ file, ...found, ...outputs })}\n`;
}

type PerformedMigration = { migrated: Migrated; written: WrittenFiles; diff: string };

function printMigration(given: MigrateArguments, made: PerformedMigration, io: Io): void {
  const { file, target } = given;
  const { migrated, written, diff } = made;
  const { changed, proposals, notes, problems, version } = migrated;
  const shown = { show: diff, stdout: migrated.text, file: '', in_place: '' }[target.kind];
  io.out(io.isTerminal ? formatSafeLines(shown) : shown);
  if (!changed) io.err(`${formatSafePath(file)}: nothing to change (version ${version}).\n`);
  io.err(formatProposals(proposals) + formatNotesText(notes) + formatProblems(file, problems));
  io.err(formatWrittenFiles(target, written));
  if (changed) io.err(formatNextSteps(given, made));
}
