import { checkOverrides } from '../../hybrid/core/check.ts';
import type { Report } from '../../hybrid/core/migration.ts';
import { hasErrors } from '../../hybrid/core/problem.ts';
import { flag, migrateOptionsOf, parsed, valueFlags } from './args.ts';
import { readInput } from './input.ts';
import type { Io } from './io.ts';
import { done, fileFault, type Outcome, refused, wrongUsage } from './outcome.ts';
import { problemLines, safePath } from './print.ts';
import { notUtf8 } from './utf8.ts';
import { safeJson } from '../core/safe-text.ts';

/** `sightline hybrid check <file>`: every problem on a line of its own. */
export async function checkCommand(args: readonly string[], io: Io): Promise<Outcome> {
  const given = parsed(args, { ...valueFlags, json: flag, strict: flag });
  if (typeof given === 'string') return wrongUsage(given);
  const { file, values } = given;
  const options = migrateOptionsOf(values);
  if (typeof options === 'string') return wrongUsage(options);
  const read = await readInput(file, io);
  if (!read.ok) return fileFault(read.detail);
  const { text, bytes } = read.input;
  const report: Report = text === undefined ? notUtf8(bytes) : checkOverrides(text, options);
  const { version, isFragment, problems } = report;
  const ok = values.strict ? problems.length === 0 : !hasErrors(problems);
  if (values.json) io.out(`${safeJson({ file, version, isFragment, ok, problems })}\n`);
  else {
    io.out(problemLines(file, problems));
    if (!hasErrors(problems)) io.err(`${safePath(file)}: ${versionText(report)}, no errors.\n`);
  }
  return ok ? done : refused;
}

const versionText = ({ version, isFragment }: Report): string =>
  `${isFragment ? 'a part of a file' : 'a file'} of ${version === 'unknown' ? 'an unknown version' : `version ${version}`}`;
