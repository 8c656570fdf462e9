import type { EnvironmentGroup, Migrated } from '../core/migration.ts';
import { extractVariables } from '../plan/shell.ts';
import type { ClusterFacts } from '../verify/facts.ts';
import { judgeCondition, buildUnknownResult, type ConditionResult } from './look.ts';

type GroupFacts = NonNullable<ClusterFacts['groups']>[number];
/** Names that are missing from what was seen; undefined where that was not looked at. */
type Missing = (wanted: EnvironmentGroup, seen: GroupFacts | undefined) => readonly string[] | undefined;

const hasVariable = (name: string): boolean => extractVariables(name).length > 0;

/** Without a file: whether there is any group, which 1.3 needs. */
export function judgeGroupExistence({ groups }: ClusterFacts, migrated: Migrated | undefined): ConditionResult {
  if (!groups) return buildUnknownResult();
  if (!migrated) return judgeCondition(groups.length > 0, formatNames(groups.map(({ name }) => name)));
  return compareGroups(groups, migrated, ({ group }, seen) => (seen ? [] : [group]));
}

export const judgeHostNames = ({ groups }: ClusterFacts, migrated: Migrated | undefined): ConditionResult =>
  compareGroups(groups, migrated, ({ hostnames }, seen) => without(hostnames, seen, seen?.hostnames));

export const judgeEnvironmentAttachments = (
  { groups }: ClusterFacts,
  migrated: Migrated | undefined,
): ConditionResult =>
  compareGroups(groups, migrated, ({ environments }, seen) => without(environments, seen, seen?.environments));

/** A group that is not there has none of them; one of which they were not listed may have all. */
const without = (
  wanted: readonly string[],
  seen: GroupFacts | undefined,
  listed: readonly string[] | null | undefined,
): readonly string[] | undefined => {
  if (!seen) return wanted;
  return listed ? wanted.filter((name) => !listed.includes(name)) : undefined;
};

function compareGroups(
  groups: ClusterFacts['groups'],
  migrated: Migrated | undefined,
  missing: Missing,
): ConditionResult {
  if (!groups) return buildUnknownResult();
  if (!migrated || migrated.groups.length === 0) return buildUnknownResult('the facts alone do not say what is needed');
  const results = migrated.groups.map((wanted) =>
    missing(
      wanted,
      groups.find(({ name }) => name === wanted.group),
    ),
  );
  const lost = [...new Set(results.flatMap((result) => result ?? []))];
  const certain = lost.filter((name) => !hasVariable(name));
  const isCertain = migrated.groups.every(({ group }) => !hasVariable(group));
  if (certain.length > 0 && isCertain) return judgeCondition(false, `missing: ${certain.join(', ')}`);
  if (lost.length > 0)
    return buildUnknownResult(`cannot tell what stands for ${lost.filter(hasVariable).join(', ') || 'a group'}`);
  return results.includes(undefined)
    ? buildUnknownResult('not listed for every group')
    : judgeCondition(true, formatNames(groups.map(({ name }) => name)));
}

const formatNames = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '));
