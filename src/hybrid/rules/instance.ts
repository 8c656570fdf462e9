import { findInstanceId, proposeInstanceId } from '../core/decisions.ts';
import type { MigrateOptions } from '../core/options.ts';
import { type Overrides, findBlockText, detectOverridesVersion } from '../core/overrides.ts';
import { type FilePosition, buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { hasVariable } from '../core/tree.ts';

/** Property reference, `instanceID`. */
const MAX_INSTANCE_ID_CHARS = 63;
const LETTERS_DIGITS_HYPHENS = /^[A-Za-z0-9-]*$/;

/** The file's `instanceID`, or the one it would get. */
export function findInstanceProblems(overrides: Overrides, options: MigrateOptions): readonly OverridesProblem[] {
  const { org, orgPlace } = overrides;
  const own = findInstanceId(overrides);
  if (own !== undefined)
    return [
      ...judgeInstanceId(own.value, own.place, 'Write another.'),
      ...findFlagContradiction(own, options.instanceId, '--instance-id'),
    ];
  if (org === undefined) return [];
  if (is13(overrides))
    return [buildOverridesProblem('instance-id-missing', orgPlace, 'This 1.3 file has no `instanceID`.', 'Add it.')];
  const proposed = proposeInstanceId(overrides, options);
  return proposed === undefined ? [] : judgeInstanceId(proposed.value, orgPlace);
}

/** What a migration needs and a check does not. */
export function findMissingInstanceId(overrides: Overrides, options: MigrateOptions): readonly OverridesProblem[] {
  const { org, orgPlace } = overrides;
  if (org === undefined || detectOverridesVersion(overrides) === '1.3' || findInstanceId(overrides)) return [];
  if (proposeInstanceId(overrides, options)) return [];
  const message = '`instanceID` is made of k8sCluster.name and k8sCluster.region, and one of them is missing.';
  return [buildOverridesProblem('instance-id-missing', orgPlace, message)];
}

function judgeInstanceId(value: string, place: FilePosition, fix?: string): readonly OverridesProblem[] {
  if (hasVariable(value)) return [];
  if (value.length > MAX_INSTANCE_ID_CHARS)
    return [
      buildOverridesProblem(
        'instance-id-too-long',
        place,
        `The instanceID ${value} has ${value.length} characters.`,
        fix,
      ),
    ];
  return LETTERS_DIGITS_HYPHENS.test(value)
    ? []
    : [buildOverridesProblem('instance-id-characters', place, `The instanceID is ${value}.`, fix)];
}

/** No flag helps such a file: nothing is added to it. */
const is13 = (overrides: Overrides): boolean => detectOverridesVersion(overrides) === '1.3';

/** `gcp.region` and `gcp.projectID`. */
export function findProjectProblems(overrides: Overrides, options: MigrateOptions): readonly OverridesProblem[] {
  const { org, orgPlace, entries } = overrides;
  if (org === undefined) return [];
  const place = entries.get('gcp')?.place ?? orgPlace;
  const region = findBlockText(overrides, 'gcp', 'region');
  const project = findBlockText(overrides, 'gcp', 'projectID');
  return [
    ...(region
      ? findFlagContradiction(region, options.region, '--region')
      : [
          buildOverridesProblem(
            'missing-region',
            place,
            'There is no `gcp.region`.',
            is13(overrides) ? 'Add it.' : undefined,
          ),
        ]),
    ...(project ? [] : [buildOverridesProblem('missing-project', place, 'There is no `gcp.projectID`.')]),
  ];
}

/** A flag that gives another value than the file has. */
export function findFlagContradiction(
  own: { value: string; place: FilePosition } | undefined,
  given: string | undefined,
  flag: string,
): readonly OverridesProblem[] {
  if (own === undefined || given === undefined || given === own.value) return [];
  return [buildOverridesProblem('contradicting-values', own.place, `${flag} gives another value than the file has.`)];
}
