import type { OverridesVersion, Report } from './migration.ts';
import type { MigrateOptions } from './options.ts';
import { type Overrides, readOverrides, detectOverridesVersion } from './overrides.ts';
import { hasErrors, type OverridesProblem, sortProblems } from './problem.ts';
import { rules } from '../rules/index.ts';
import { findVersion11Problems } from '../rules/version.ts';
import { readSource } from './source.ts';
import { findUnsafeParts } from './unsafe-parts.ts';

/** Reported per file. */
const MAX_PROBLEMS = 1_000;

/** A file that was read, with what is wrong with it; without `overrides` where it could not be read. */
export type OverridesCheckResult = { report: Report; overrides?: Overrides };

/** Reads a file and judges it by all rules. */
export function judge(text: string, options: MigrateOptions): OverridesCheckResult {
  const read = readSource(text);
  if (!read.ok) return { report: buildReport('unknown', false, read.problems) };
  const unsafe = findUnsafeParts(read.source);
  if (hasErrors(unsafe)) return { report: buildReport('unknown', false, unsafe) };
  const overrides = readOverrides(read.source);
  const version = detectOverridesVersion(overrides);
  const isFragment = overrides.org === undefined;
  if (version === '1.1') return { report: buildReport(version, isFragment, findVersion11Problems(overrides)) };
  if (hasErrors(overrides.problems)) return { report: buildReport(version, isFragment, overrides.problems) };
  const problems = [...overrides.problems, ...rules.flatMap((rule) => rule(overrides, options))];
  return { report: buildReport(version, isFragment, problems), overrides };
}

const buildReport = (
  version: OverridesVersion,
  isFragment: boolean,
  problems: readonly OverridesProblem[],
): Report => ({
  version,
  isFragment,
  problems: sortProblems(sortErrorsFirst(problems).slice(0, MAX_PROBLEMS)),
});

/** So that the limit never drops an error. */
const sortErrorsFirst = (problems: readonly OverridesProblem[]): readonly OverridesProblem[] => [
  ...problems.filter(({ severity }) => severity === 'error'),
  ...problems.filter(({ severity }) => severity === 'warning'),
];
