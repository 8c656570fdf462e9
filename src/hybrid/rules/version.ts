import { keysOf11, leftOver, type Overrides, renamedIn } from '../core/overrides.ts';
import { problem, type Problem } from '../core/problem.ts';
import { isEmpty, plainVariables, textIn } from '../core/tree.ts';

/** Keys of 1.1: nothing else of such a file is worth telling. */
export const version11Problems = (overrides: Overrides): readonly Problem[] =>
  keysOf11(overrides).map(({ key, place }) =>
    problem('version-1-1', place, `This environment has \`${key}\`, which virtual hosts have since 1.2.`),
  );

export const fragmentProblems = ({ org, entries }: Overrides): readonly Problem[] =>
  org === undefined
    ? [problem('fragment', entries.get('org')?.place ?? { line: 1, column: 1 }, 'The file has no `org`.')]
    : [];

/** Of a file that is one of 1.3 but for these. */
export const leftOverProblems = (overrides: Overrides): readonly Problem[] =>
  leftOver(overrides).map(({ key, place }) => problem('left-over', place, `\`${key}\` is of version 1.2.`));

/** Old and new keys that say different things. */
export const renamedProblems = (overrides: Overrides): readonly Problem[] =>
  renamedIn(overrides).flatMap(({ row, old, now }) => {
    const before = textIn(overrides.source, old)?.value;
    const after = textIn(overrides.source, now)?.value;
    if (!isEmpty(old) && before === undefined)
      return [problem('wrong-type', old.place, `\`${old.key}\` takes one value.`)];
    if (now === undefined || isEmpty(old) || plainVariables(before ?? '') === plainVariables(after ?? '')) return [];
    const name = `${row.block}.${row.key}`;
    const message = `\`${old.key}\` and \`${name}\` (line ${now.place.line}) have different values.`;
    return [problem('contradicting-values', old.place, message)];
  });
