import type { Overrides } from '../core/overrides.ts';
import { problem, type Problem } from '../core/problem.ts';
import { hasVariable, plainVariables, type Text } from '../core/tree.ts';

/** Of an organization or environment (release notes of 1.3.0). */
const MAX_NAME_CHARS = 32;

/** Names of organization and environments. */
export function nameProblems({ org, environments }: Overrides): readonly Problem[] {
  const names = environments.flatMap(({ name }) => (name ? [name] : []));
  const unnamed = environments.filter(({ name }) => name === undefined);
  const seen = new Set<string>();
  const twice = names.filter(({ value }) => seen.size === seen.add(plainVariables(value)).size);
  return [
    ...[...(org ? [org] : []), ...names].flatMap(tooLong),
    ...unnamed.map(({ place }) => problem('missing-key', place, 'This environment has no `name`.')),
    ...twice.map(({ place, value }) => problem('environment-twice', place, `\`envs\` has ${value} before.`)),
  ];
}

function tooLong({ value, place }: Text): readonly Problem[] {
  if (value.length <= MAX_NAME_CHARS || hasVariable(value)) return [];
  return [problem('name-too-long', place, `The name has ${value.length} characters.`)];
}
