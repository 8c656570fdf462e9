import type { OverridesVersion, Report } from './migration.ts';
import type { MigrateOptions } from './options.ts';
import { type Overrides, readOverrides, versionOf } from './overrides.ts';
import { hasErrors, type Problem, sorted } from './problem.ts';
import { rules } from '../rules/index.ts';
import { version11Problems } from '../rules/version.ts';
import { readSource } from './source.ts';
import { unsafeParts } from './unsafe-parts.ts';

/** That are told of a file. */
const MAX_PROBLEMS = 1_000;

/** A file that was read, with what is wrong with it; without `overrides` where it could not be read. */
export type Judged = { report: Report; overrides?: Overrides };

/** Reads a file and judges it by all rules. */
export function judge(text: string, options: MigrateOptions): Judged {
  const read = readSource(text);
  if (!read.ok) return { report: reported('unknown', false, read.problems) };
  const unsafe = unsafeParts(read.source);
  if (hasErrors(unsafe)) return { report: reported('unknown', false, unsafe) };
  const overrides = readOverrides(read.source);
  const version = versionOf(overrides);
  const isFragment = overrides.org === undefined;
  if (version === '1.1') return { report: reported(version, isFragment, version11Problems(overrides)) };
  if (hasErrors(overrides.problems)) return { report: reported(version, isFragment, overrides.problems) };
  const problems = [...overrides.problems, ...rules.flatMap((rule) => rule(overrides, options))];
  return { report: reported(version, isFragment, problems), overrides };
}

const reported = (version: OverridesVersion, isFragment: boolean, problems: readonly Problem[]): Report => ({
  version,
  isFragment,
  problems: sorted(errorsFirst(problems).slice(0, MAX_PROBLEMS)),
});

/** So that none of them is among those that are not told. */
const errorsFirst = (problems: readonly Problem[]): readonly Problem[] => [
  ...problems.filter(({ severity }) => severity === 'error'),
  ...problems.filter(({ severity }) => severity === 'warning'),
];
