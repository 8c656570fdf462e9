import type { EnvironmentGroup, Migrated } from '../core/migration.ts';
import { variablesIn } from '../plan/shell.ts';
import type { ClusterFacts } from '../verify/facts.ts';
import { holdsIf, unknown, type Found } from './look.ts';

type Seen = NonNullable<ClusterFacts['groups']>[number];
/** Names that are missing from what was seen; undefined where that was not looked at. */
type Missing = (wanted: EnvironmentGroup, seen: Seen | undefined) => readonly string[] | undefined;

const hasVariable = (name: string): boolean => variablesIn(name).length > 0;

/** Without a file: whether there is any group, which 1.3 needs. */
export function groupsExist({ groups }: ClusterFacts, migrated: Migrated | undefined): Found {
  if (!groups) return unknown();
  if (!migrated) return holdsIf(groups.length > 0, names(groups.map(({ name }) => name)));
  return compared(groups, migrated, ({ group }, seen) => (seen ? [] : [group]));
}

export const hostNamesMatch = ({ groups }: ClusterFacts, migrated: Migrated | undefined): Found =>
  compared(groups, migrated, ({ hostnames }, seen) => without(hostnames, seen, seen?.hostnames));

export const environmentsAttached = ({ groups }: ClusterFacts, migrated: Migrated | undefined): Found =>
  compared(groups, migrated, ({ environments }, seen) => without(environments, seen, seen?.environments));

/** A group that is not there has none of them; one of which they were not listed may have all. */
const without = (
  wanted: readonly string[],
  seen: Seen | undefined,
  listed: readonly string[] | null | undefined,
): readonly string[] | undefined => {
  if (!seen) return wanted;
  return listed ? wanted.filter((name) => !listed.includes(name)) : undefined;
};

function compared(groups: ClusterFacts['groups'], migrated: Migrated | undefined, missing: Missing): Found {
  if (!groups) return unknown();
  if (!migrated || migrated.groups.length === 0) return unknown('the facts alone do not say what is needed');
  const results = migrated.groups.map((wanted) =>
    missing(
      wanted,
      groups.find(({ name }) => name === wanted.group),
    ),
  );
  const lost = [...new Set(results.flatMap((result) => result ?? []))];
  const certain = lost.filter((name) => !hasVariable(name));
  const isCertain = migrated.groups.every(({ group }) => !hasVariable(group));
  if (certain.length > 0 && isCertain) return holdsIf(false, `missing: ${certain.join(', ')}`);
  if (lost.length > 0)
    return unknown(`cannot tell what stands for ${lost.filter(hasVariable).join(', ') || 'a group'}`);
  return results.includes(undefined)
    ? unknown('not listed for every group')
    : holdsIf(true, names(groups.map(({ name }) => name)));
}

const names = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '));
