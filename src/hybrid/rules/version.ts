import { listVersion11Keys, listLeftoverKeys, type Overrides, listRenamedEntries } from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { isEmpty, normaliseVariables, readEntryText } from '../core/tree.ts';

/** Keys of 1.1: nothing else of such a file is worth telling. */
export const findVersion11Problems = (overrides: Overrides): readonly OverridesProblem[] =>
  listVersion11Keys(overrides).map(({ key, place }) =>
    buildOverridesProblem('version-1-1', place, `This environment has \`${key}\`, which virtual hosts have since 1.2.`),
  );

export const findFragmentProblems = ({ org, entries }: Overrides): readonly OverridesProblem[] =>
  org === undefined
    ? [buildOverridesProblem('fragment', entries.get('org')?.place ?? { line: 1, column: 1 }, 'The file has no `org`.')]
    : [];

/** Of a file that is one of 1.3 but for these. */
export const findLeftoverProblems = (overrides: Overrides): readonly OverridesProblem[] =>
  listLeftoverKeys(overrides).map(({ key, place }) =>
    buildOverridesProblem('left-over', place, `\`${key}\` is of version 1.2.`),
  );

/** Old and new keys that say different things. */
export const findRenamedProblems = (overrides: Overrides): readonly OverridesProblem[] =>
  listRenamedEntries(overrides).flatMap(({ row, old, now }) => {
    const before = readEntryText(overrides.source, old)?.value;
    const after = readEntryText(overrides.source, now)?.value;
    if (!isEmpty(old) && before === undefined)
      return [buildOverridesProblem('wrong-type', old.place, `\`${old.key}\` takes one value.`)];
    if (now === undefined || isEmpty(old) || normaliseVariables(before ?? '') === normaliseVariables(after ?? ''))
      return [];
    const name = `${row.block}.${row.key}`;
    const message = `\`${old.key}\` and \`${name}\` (line ${now.place.line}) have different values.`;
    return [buildOverridesProblem('contradicting-values', old.place, message)];
  });
