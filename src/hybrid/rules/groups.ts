import type { MigrateOptions } from '../core/options.ts';
import { isRoutingMigrated, type Overrides, detectOverridesVersion, type VirtualHost } from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { hasVariable, normaliseVariables, type Text } from '../core/tree.ts';

/** Names of environment groups (documentation of environment groups). Virtual hosts of 1.2 might have 253 characters. */
const GROUP_NAME = /^[a-z0-9-]{1,63}$/;

/** A virtual host with what 1.3 does not know. One without it is a group already, and keeps its name. */
const isOld = ({ hostAliases, routingRules }: VirtualHost): boolean => (hostAliases ?? routingRules) !== undefined;

/** The name that --group gives to a virtual host of that name. */
export const getRenamedGroup = (name: string, { groups }: MigrateOptions): string =>
  groups !== undefined && Object.hasOwn(groups, name) ? (groups[name] ?? name) : name;

/** The name of the group that a virtual host becomes; '' where it has none. */
export const getGroupName = (host: VirtualHost, options: MigrateOptions): string => {
  const name = host.name?.value ?? '';
  return isOld(host) ? getRenamedGroup(name, options) : name;
};

export function groupProblems(overrides: Overrides, options: MigrateOptions): readonly OverridesProblem[] {
  const { virtualHosts } = overrides;
  return [
    ...virtualHosts.flatMap((host) => findGroupNameProblems(host, options)),
    ...findDuplicateGroups(virtualHosts, options),
    ...findSharedAliases(virtualHosts),
    ...(isRouted(overrides) ? virtualHosts.flatMap(withoutHosts) : []),
    ...findUnknownGroups(overrides, options),
  ];
}

/** Whether virtual hosts are to have host names: in a file of 1.2, or a whole one that says nothing of its version. */
function isRouted(overrides: Overrides): boolean {
  if (isRoutingMigrated(overrides)) return false;
  const version = detectOverridesVersion(overrides);
  return version === '1.2' || (version === 'unknown' && overrides.org !== undefined);
}

function findGroupNameProblems(host: VirtualHost, options: MigrateOptions): readonly OverridesProblem[] {
  const { name, place } = host;
  if (name === undefined) return [buildOverridesProblem('missing-key', place, 'This virtual host has no `name`.')];
  const group = getGroupName(host, options);
  if (hasVariable(group) || isGroupName(group)) return [];
  const message = `${group} is no name of an environment group: at most 63 lower case letters, digits and hyphens, with a letter or digit at both ends.`;
  return [buildOverridesProblem('group-name', name.place, message, getGroupFix(host))];
}

/** A group that is one already keeps its name, whatever the flag says. */
const getGroupFix = (host: VirtualHost): string | undefined => (isOld(host) ? undefined : 'Give it another name.');

const isGroupName = (name: string): boolean => GROUP_NAME.test(name) && !name.startsWith('-') && !name.endsWith('-');

function findDuplicateGroups(hosts: readonly VirtualHost[], options: MigrateOptions): readonly OverridesProblem[] {
  const seen = new Map<string, Text>();
  return hosts.flatMap((host) => {
    const { name } = host;
    if (name === undefined) return [];
    const group = getGroupName(host, options);
    const first = seen.get(normaliseVariables(group));
    if (first === undefined) seen.set(normaliseVariables(group), name);
    if (first === undefined) return [];
    return [
      buildOverridesProblem(
        'group-twice',
        name.place,
        `The virtual host of line ${first.place.line} is ${group} too.`,
        getGroupFix(host),
      ),
    ];
  });
}

/** Host names mean the same in any case, and with a dot at the end. */
const asHost = (alias: string): string => alias.toLowerCase().replace(/\.$/, '');

function findSharedAliases(hosts: readonly VirtualHost[]): readonly OverridesProblem[] {
  const seen = new Map<string, { host: VirtualHost; alias: Text }>();
  return hosts.flatMap((host) =>
    host.hosts.flatMap((alias) => {
      const key = hasVariable(alias.value) ? normaliseVariables(alias.value) : asHost(alias.value);
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { host, alias });
      if (first === undefined || first.host === host) return [];
      const message = `${alias.value} belongs to the virtual host of line ${first.alias.place.line} too.`;
      return [buildOverridesProblem('alias-in-two-groups', alias.place, message)];
    }),
  );
}

const withoutHosts = ({ hosts, hostAliases, name, place }: VirtualHost): readonly OverridesProblem[] =>
  hosts.length > 0
    ? []
    : [
        buildOverridesProblem(
          'host-names-missing',
          hostAliases?.place ?? name?.place ?? place,
          'This virtual host has no host names.',
        ),
      ];

/** Names that --group gives and the file does not have, neither as they were nor as they are to be: a second run has the latter. */
function findUnknownGroups(
  { virtualHosts, entries }: Overrides,
  { groups = {} }: MigrateOptions,
): readonly OverridesProblem[] {
  const names = new Set(virtualHosts.map(({ name }) => name?.value));
  const place = entries.get('virtualhosts')?.place ?? { line: 1, column: 1 };
  return Object.entries(groups)
    .filter(([old, group]) => !names.has(old) && !names.has(group))
    .map(([old]) => buildOverridesProblem('group-unknown', place, `No virtual host is named ${old}.`));
}
