import { formatOverridesDiff } from '../../hybrid/core/diff.ts';
import { migrateOverrides } from '../../hybrid/core/migrate.ts';
import type { Migrated, Migration } from '../../hybrid/core/migration.ts';
import type { MigrateOptions } from '../../hybrid/core/options.ts';
import { flag, migrateOptionsOf, parsed, readTextFlag, valueFlags } from './args.ts';
import { diffNameOf, notUtf8, readInput, STDIN } from './input.ts';
import type { Io } from './io.ts';
import { outRefusal } from './out.ts';
import { done, fileFault, type Outcome, refused, wrongUsage } from './outcome.ts';
import { noteLines, problemLines, proposalLines, safeLines, safePath } from './print.ts';
import { nextLines, writtenLines } from './next.ts';
import { safeJson } from '../core/safe-text.ts';
import type { Written } from './in-place.ts';
import { type Target, writeMigrated } from './write.ts';

type Given = { file: string; target: Target; options: MigrateOptions; json: boolean };

/** `sightline hybrid migrate <file>`: shows the 1.3 file as a diff, or writes it. */
export async function migrateCommand(args: readonly string[], io: Io): Promise<Outcome> {
  const given = givenBy(args);
  if (typeof given === 'string') return wrongUsage(given);
  const { file, target, options } = given;
  const read = await readInput(file, io);
  if (!read.ok) return fileFault(read.detail);
  const { input } = read;
  const migration: Migration = input.text === undefined ? notUtf8(input.bytes) : migrateOverrides(input.text, options);
  if (!migration.ok) return refuse(given, migration, io);
  const name = diffNameOf(file);
  const diff = formatOverridesDiff({ before: name, after: name }, input.text ?? '', migration.edits);
  const wrote = writeMigrated(target, { file, input, migrated: migration });
  if (!wrote.ok) return fileFault(wrote.detail);
  if (given.json) io.out(json(file, migration, { written: wrote.written, diff, overrides: migration.text }));
  else tell(given, { migrated: migration, written: wrote.written, diff }, io);
  return done;
}

function givenBy(args: readonly string[]): Given | string {
  const own = {
    out: { ...readTextFlag, short: 'o' },
    write: flag,
    force: flag,
    'groups-file': readTextFlag,
    json: flag,
  } as const;
  const given = parsed(args, { ...valueFlags, ...own });
  if (typeof given === 'string') return given;
  const { file, values } = given;
  const options = migrateOptionsOf(values);
  if (typeof options === 'string') return options;
  const target = targetOf(file, { ...values, groupsFile: values['groups-file'] });
  if (values.json && typeof target === 'object' && target.kind === 'stdout')
    return '-o - and --json exclude each other.';
  return typeof target === 'string' ? target : { file, target, options, json: values.json };
}

type Wish = { out?: string | undefined; write: boolean; force: boolean; groupsFile?: string | undefined };

function targetOf(file: string, { out, write, force, groupsFile }: Wish): Target | string {
  const isPiped = out === STDIN;
  const wrong = outRefusal(isPiped ? undefined : out) ?? outRefusal(groupsFile);
  if (wrong !== undefined) return wrong;
  if (write && out !== undefined) return '-o and --write exclude each other.';
  if (write && file === STDIN) return '--write needs a file, not standard input.';
  if (write) return { kind: 'in_place', force, groupsFile };
  if (isPiped) return { kind: 'stdout', force, groupsFile };
  if (out !== undefined) return { kind: 'file', path: out, force, groupsFile };
  return groupsFile === undefined && !force ? { kind: 'show' } : '--groups-file and --force need -o or --write.';
}

function refuse({ file, json: asJson }: Given, migration: Extract<Migration, { ok: false }>, io: Io): Outcome {
  if (asJson) io.out(json(file, { ...NOTHING, ...migration }, { written: {}, diff: '' }));
  else io.err(`${problemLines(file, migration.problems)}Nothing was written: mend these first.\n`);
  return refused;
}

const NOTHING = { changed: false, groups: [], proposals: [], notes: [] } as const;

type Told = Pick<Migration, 'ok' | 'version' | 'isFragment'> &
  Pick<Migrated, 'changed' | 'groups' | 'proposals' | 'notes' | 'problems'>;
/** `overrides` is the new file: a refused one has none. */
type Outputs = { written: Written; diff: string; overrides?: string };

function json(file: string, migration: Told, { written, ...outputs }: Outputs): string {
  const { version, isFragment, ok, changed, groups: environmentGroups, proposals, notes, problems } = migration;
  const found = { version, isFragment, ok, changed, written, environmentGroups, proposals, notes, problems };
  return `${safeJson({ file, ...found, ...outputs })}\n`;
}

type Made = { migrated: Migrated; written: Written; diff: string };

function tell(given: Given, made: Made, io: Io): void {
  const { file, target } = given;
  const { migrated, written, diff } = made;
  const { changed, proposals, notes, problems, version } = migrated;
  const shown = { show: diff, stdout: migrated.text, file: '', in_place: '' }[target.kind];
  io.out(io.isTerminal ? safeLines(shown) : shown);
  if (!changed) io.err(`${safePath(file)}: nothing to change (version ${version}).\n`);
  io.err(proposalLines(proposals) + noteLines(notes) + problemLines(file, problems));
  io.err(writtenLines(target, written));
  if (changed) io.err(nextLines(given, made));
}
