import { migrateOverrides } from '../../hybrid/core/migrate.ts';
import type { Migrated } from '../../hybrid/core/migration.ts';
import type { MigrateOptions } from '../../hybrid/core/options.ts';
import type { Precondition } from '../../hybrid/verify/precondition.ts';
import { counts, verifyCluster } from '../../hybrid/verify/verify.ts';
import { flag, migrateOptionsOf, parsed, text, valueFlags } from './args.ts';
import { factsOf } from './facts.ts';
import { readInput, STDIN } from './input.ts';
import { notUtf8 } from './utf8.ts';
import type { Io } from './io.ts';
import { done, fileFault, type Outcome, refused, wrongUsage } from './outcome.ts';
import { preconditionLines, problemLines } from './print.ts';
import { safeJson, safeLine } from '../core/safe-text.ts';

type Migration = { ok: true; migrated: Migrated | undefined } | { ok: false; outcome: Outcome };

/** `sightline hybrid verify <facts.json>`: which preconditions of the upgrade hold, by facts of the cluster. */
export async function verifyCommand(args: readonly string[], io: Io): Promise<Outcome> {
  const given = parsed(args, { ...valueFlags, overrides: text, step: text, json: flag });
  if (typeof given === 'string') return wrongUsage(given);
  const { file, values } = given;
  const options = migrateOptionsOf(values);
  if (typeof options === 'string') return wrongUsage(options);
  const step = stepOf(values.step);
  if (typeof step === 'string') return wrongUsage(step);
  if (file === STDIN && values.overrides === STDIN) return wrongUsage('Only one of the files can be standard input.');
  const read = await readInput(file, io);
  if (!read.ok) return fileFault(read.detail);
  const facts = factsOf(file, read.input.text);
  if (!facts.ok) return fileFault(facts.detail);
  const migration = await migrationOf(values.overrides, options, io);
  if (!migration.ok) return migration.outcome;
  const isTrial = options.production === false;
  const rows = verifyCluster(facts.facts, migration.migrated, { isTrial });
  const preconditions = rows.map((row) => ({ ...row, counts: counts(row, step.after) }));
  const ok = preconditions.every((row) => !row.counts || row.state === 'holds');
  io.out(values.json ? `${safeJson({ file, ok, preconditions })}\n` : preconditionLines(preconditions.map(withStep)));
  return ok ? done : refused;
}

const LAST_STEP = 12;

/** The step of the plan that is done; without one every condition counts. */
function stepOf(given: string | undefined): { after: number | undefined } | string {
  if (given === undefined) return { after: undefined };
  const after = /^\d{1,2}$/.test(given) ? Number(given) : Infinity;
  return after <= LAST_STEP
    ? { after }
    : `--step takes the number of a step, 0 to ${LAST_STEP}, not ${safeLine(given)}.`;
}

/** A row of the table, with its step. */
const withStep = (row: Precondition & { counts: boolean }): Precondition => ({
  ...row,
  title: `step ${row.step}: ${row.title}${row.counts ? '' : ' (not counted)'}`,
});

/** Of the overrides file, if one is named. */
async function migrationOf(file: string | undefined, options: MigrateOptions, io: Io): Promise<Migration> {
  if (file === undefined) return { ok: true, migrated: undefined };
  const read = await readInput(file, io);
  if (!read.ok) return { ok: false, outcome: fileFault(read.detail) };
  const migration =
    read.input.text === undefined ? notUtf8(read.input.bytes) : migrateOverrides(read.input.text, options);
  if (migration.ok) return { ok: true, migrated: migration };
  io.err(problemLines(file, migration.problems));
  return { ok: false, outcome: refused };
}
