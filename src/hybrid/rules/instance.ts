import { instanceIdOf, proposedInstanceId } from '../core/instance.ts';
import type { MigrateOptions } from '../core/options.ts';
import { type Overrides, textAt, versionOf } from '../core/overrides.ts';
import { type Place, problem, type Problem } from '../core/problem.ts';
import { hasVariable } from '../core/tree.ts';

/** Property reference, `instanceID`. */
const MAX_INSTANCE_ID_CHARS = 63;
const LETTERS_DIGITS_HYPHENS = /^[A-Za-z0-9-]*$/;

/** The file's `instanceID`, or the one it would get. */
export function instanceProblems(overrides: Overrides, options: MigrateOptions): readonly Problem[] {
  const { org, orgPlace } = overrides;
  const own = instanceIdOf(overrides);
  if (own !== undefined)
    return [...judged(own.value, own.place, 'Write another.'), ...against(own, options.instanceId, '--instance-id')];
  if (org === undefined) return [];
  if (is13(overrides))
    return [problem('instance-id-missing', orgPlace, 'This 1.3 file has no `instanceID`.', 'Add it.')];
  const proposed = proposedInstanceId(overrides, options);
  return proposed === undefined ? [] : judged(proposed.value, orgPlace);
}

/** What a migration needs and a check does not. */
export function instanceToPropose(overrides: Overrides, options: MigrateOptions): readonly Problem[] {
  const { org, orgPlace } = overrides;
  if (org === undefined || versionOf(overrides) === '1.3' || instanceIdOf(overrides)) return [];
  if (proposedInstanceId(overrides, options)) return [];
  const message = '`instanceID` is made of k8sCluster.name and k8sCluster.region, and one of them is missing.';
  return [problem('instance-id-missing', orgPlace, message)];
}

function judged(value: string, place: Place, fix?: string): readonly Problem[] {
  if (hasVariable(value)) return [];
  if (value.length > MAX_INSTANCE_ID_CHARS)
    return [problem('instance-id-too-long', place, `The instanceID ${value} has ${value.length} characters.`, fix)];
  return LETTERS_DIGITS_HYPHENS.test(value)
    ? []
    : [problem('instance-id-characters', place, `The instanceID is ${value}.`, fix)];
}

/** No flag helps such a file: nothing is added to it. */
const is13 = (overrides: Overrides): boolean => versionOf(overrides) === '1.3';

/** `gcp.region` and `gcp.projectID`. */
export function projectProblems(overrides: Overrides, options: MigrateOptions): readonly Problem[] {
  const { org, orgPlace, entries } = overrides;
  if (org === undefined) return [];
  const place = entries.get('gcp')?.place ?? orgPlace;
  const region = textAt(overrides, 'gcp', 'region');
  const project = textAt(overrides, 'gcp', 'projectID');
  return [
    ...(region
      ? against(region, options.region, '--region')
      : [problem('missing-region', place, 'There is no `gcp.region`.', is13(overrides) ? 'Add it.' : undefined)]),
    ...(project ? [] : [problem('missing-project', place, 'There is no `gcp.projectID`.')]),
  ];
}

/** A flag that gives another value than the file has. */
export function against(
  own: { value: string; place: Place } | undefined,
  given: string | undefined,
  flag: string,
): readonly Problem[] {
  if (own === undefined || given === undefined || given === own.value) return [];
  return [problem('contradicting-values', own.place, `${flag} gives another value than the file has.`)];
}
