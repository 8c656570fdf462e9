import type { Overrides } from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { hasVariable, normaliseVariables, type Text } from '../core/tree.ts';

/** Of an organization or environment (release notes of 1.3.0). */
const MAX_NAME_CHARS = 32;

/** Names of organization and environments. */
export function findNameProblems({ org, environments }: Overrides): readonly OverridesProblem[] {
  const names = environments.flatMap(({ name }) => (name ? [name] : []));
  const unnamed = environments.filter(({ name }) => name === undefined);
  const seen = new Set<string>();
  const twice = names.filter(({ value }) => seen.size === seen.add(normaliseVariables(value)).size);
  return [
    ...[...(org ? [org] : []), ...names].flatMap(judgeNameLength),
    ...unnamed.map(({ place }) => buildOverridesProblem('missing-key', place, 'This environment has no `name`.')),
    ...twice.map(({ place, value }) =>
      buildOverridesProblem('environment-twice', place, `\`envs\` has ${value} before.`),
    ),
  ];
}

function judgeNameLength({ value, place }: Text): readonly OverridesProblem[] {
  if (value.length <= MAX_NAME_CHARS || hasVariable(value)) return [];
  return [buildOverridesProblem('name-too-long', place, `The name has ${value.length} characters.`)];
}
