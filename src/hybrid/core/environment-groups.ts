import type { EnvironmentGroup } from './migration.ts';
import type { MigrateOptions } from './options.ts';
import type { Overrides, VirtualHost } from './overrides.ts';
import { groupNameOf } from '../rules/groups.ts';
import { pathsOf } from '../rules/routing.ts';

/** The groups that virtual hosts become; none where they say nothing of host names and rules. */
export const environmentGroups = ({ virtualHosts }: Overrides, options: MigrateOptions): readonly EnvironmentGroup[] =>
  virtualHosts.filter(({ hosts, rules }) => hosts.length + rules.length > 0).map((host) => groupOf(host, options));

function groupOf(host: VirtualHost, options: MigrateOptions): EnvironmentGroup {
  const { hosts, rules } = host;
  const paths = new Map<string, Set<string>>();
  for (const rule of rules) {
    if (rule.env === undefined) continue;
    const known = paths.get(rule.env.value) ?? new Set();
    for (const path of pathsOf(rule)) known.add(path);
    paths.set(rule.env.value, known);
  }
  return {
    group: groupNameOf(host, options),
    hostnames: [...new Set(hosts.map(({ value }) => value))],
    environments: [...paths.keys()],
    // `fromEntries` defines own members, so that a name such as `__proto__` stays data.
    basePaths: Object.fromEntries([...paths].map(([env, known]) => [env, [...known]])),
  };
}
