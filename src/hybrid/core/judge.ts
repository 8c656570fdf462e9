import { isAlias, isCollection, isNode, isPair, isScalar, type Node, visit } from 'yaml';
import type { OverridesVersion, Report } from './migration.ts';
import type { MigrateOptions } from './options.ts';
import { type Overrides, readOverrides, detectOverridesVersion } from './overrides.ts';
import { hasErrors, type OverridesProblem, sortProblems, buildOverridesProblem } from './problem.ts';
import { rules } from '../rules/index.ts';
import { findVersion11Problems } from '../rules/version.ts';
import { readSource, type OverridesSource } from './source.ts';
import { TOUCHED } from './keys-data.ts';
import type { ProblemCode } from './problems-data.ts';

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

/** Reported places. */
const MAX_PLACES = 20;

/**
 * What makes a splice unsafe in the parts that are read or changed: anchors, aliases, merge keys, tags, keys that are no
 * text. Elsewhere they stay as they are.
 */
export function findUnsafeParts(source: OverridesSource): readonly OverridesProblem[] {
  const problems: OverridesProblem[] = [];
  const add: Add = (code, at = 0, message, sign = '') => {
    // A node begins after its anchor and tag.
    const signAt = sign === '' ? at : source.text.lastIndexOf(sign, at);
    const first = source.text.startsWith('!!', signAt - 1) ? signAt - 1 : signAt;
    if (problems.length < MAX_PLACES)
      problems.push(buildOverridesProblem(code, source.placeOf(Math.max(first, 0)), message));
  };
  judgeNode(source.root, add, false);
  for (const { key, value } of source.root.items) {
    if (!isScalar(key)) {
      add('complex-key', isNode(key) ? key.range?.[0] : 0, 'A key of the file is no plain text.');
      continue;
    }
    judgeNode(key, add, true);
    if (key.value === '<<') add('anchor', key.range?.[0], 'A merge key brings in keys from elsewhere.');
    if (TOUCHED.has(String(key.value)) && isNode(value)) judgeNodes(value, add);
  }
  return problems;
}

type Add = (code: ProblemCode, at: number | undefined, message: string, sign?: string) => void;

function judgeNodes(part: Node, add: Add): void {
  visit(part, (_key, node) => {
    if (isPair(node)) {
      if (!isScalar(node.key))
        add('complex-key', isNode(node.key) ? node.key.range?.[0] : part.range?.[0], 'A key here is no plain text.');
      else if (node.key.value === '<<')
        add('anchor', node.key.range?.[0], 'A merge key brings in keys from elsewhere.');
    } else if (isNode(node)) judgeNode(node, add, true);
  });
}

function judgeNode(node: Node, add: Add, aliasToo: boolean): void {
  const at = node.range?.[0];
  if (isAlias(node)) {
    if (aliasToo) add('anchor', at, 'An alias stands for a value from elsewhere.');
    return;
  }
  if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined)
    add('anchor', at, 'An anchor lets other parts share this value.', `&${node.anchor}`);
  if (node.tag !== undefined) add('tag', at, 'A tag says of what type this value is.', '!');
}
