import { formatOverridesDiff } from '../../hybrid/core/diff.ts';
import { migrateOverrides } from '../../hybrid/core/migrate.ts';
import type { Migrated, Migration } from '../../hybrid/core/migration.ts';
import type { MigrateOptions } from '../../hybrid/core/options.ts';
import { flag, readMigrateOptions, parseFileArguments, readTextFlag, valueFlags } from './args.ts';
import { formatDiffName, refuseNotUtf8, readInput, STDIN } from './input.ts';
import type { Io } from './io.ts';
import { findOutNameFault } from './out.ts';
import { done, failFile, type CommandOutcome, refused, failUsage } from './outcome.ts';
import { formatNotesText, formatProblems, formatProposals, formatSafeLines, formatSafePath } from './print.ts';
import { formatNextSteps, formatWrittenFiles } from './next.ts';
import { formatSafeJson } from '../core/safe-text.ts';
import type { WrittenFiles } from './in-place.ts';
import { type MigrationTarget, writeMigrated } from './write.ts';

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
  else io.err(`${formatProblems(file, migration.problems)}Nothing was written: mend these first.\n`);
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
