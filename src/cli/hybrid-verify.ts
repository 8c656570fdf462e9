import { migrateOverrides } from '../hybrid/migrate.ts';
import type { Migrated } from '../hybrid/migration.ts';
import type { MigrateOptions } from '../hybrid/options.ts';
import { verifyCluster } from '../hybrid/verify/verify.ts';
import { flag, migrateOptionsOf, parsed, text, valueFlags } from './hybrid-args.ts';
import { factsOf } from './hybrid-facts.ts';
import { NOT_UTF8, readInput, STDIN } from './hybrid-input.ts';
import type { Io } from './hybrid-io.ts';
import { done, fileFault, type Outcome, refused, wrongUsage } from './hybrid-outcome.ts';
import { preconditionLines, problemLines } from './hybrid-print.ts';
import { safeJson } from './safe-text.ts';

type Migration = { ok: true; migrated: Migrated | undefined } | { ok: false; outcome: Outcome };

/** `sightline hybrid verify <facts.json>`: which preconditions of the upgrade hold, by facts of the cluster. */
export async function verifyCommand(args: readonly string[], io: Io): Promise<Outcome> {
  const given = parsed(args, { ...valueFlags, overrides: text, json: flag });
  if (typeof given === 'string') return wrongUsage(given);
  const { file, values } = given;
  const options = migrateOptionsOf(values);
  if (typeof options === 'string') return wrongUsage(options);
  if (file === STDIN && values.overrides === STDIN) return wrongUsage('Only one of the files can be standard input.');
  const read = await readInput(file, io);
  if (!read.ok) return fileFault(read.detail);
  const facts = factsOf(file, read.input.text);
  if (!facts.ok) return fileFault(facts.detail);
  const migration = await migrationOf(values.overrides, options, io);
  if (!migration.ok) return migration.outcome;
  const preconditions = verifyCluster(facts.facts, migration.migrated);
  const ok = preconditions.every(({ state }) => state === 'holds');
  io.out(values.json ? `${safeJson({ file, ok, preconditions })}\n` : preconditionLines(preconditions));
  return ok ? done : refused;
}

/** Of the overrides file, if one is named. */
async function migrationOf(file: string | undefined, options: MigrateOptions, io: Io): Promise<Migration> {
  if (file === undefined) return { ok: true, migrated: undefined };
  const read = await readInput(file, io);
  if (!read.ok) return { ok: false, outcome: fileFault(read.detail) };
  const migration = read.input.text === undefined ? NOT_UTF8 : migrateOverrides(read.input.text, options);
  if (migration.ok) return { ok: true, migrated: migration };
  io.err(problemLines(file, migration.problems));
  return { ok: false, outcome: refused };
}
