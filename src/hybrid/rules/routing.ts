import { isRoutingMigrated, type Overrides, type RoutingRule, versionOf, type VirtualHost } from '../core/overrides.ts';
import { problem, type Problem } from '../core/problem.ts';
import { hasVariable, plainVariables, type Text } from '../core/tree.ts';

/** Of a rule without paths (documentation of 1.2, base path routing). */
export const DEFAULT_BASE_PATH = '/';

export const pathsOf = ({ paths }: RoutingRule): readonly string[] =>
  paths.length > 0 ? paths.map(({ value }) => value) : [DEFAULT_BASE_PATH];

/** Which environments are reached by which paths of which virtual host. */
export function routingProblems(overrides: Overrides): readonly Problem[] {
  const { virtualHosts, environments, entries, org } = overrides;
  const rules = virtualHosts.flatMap((host) => host.rules);
  // A part of a file, and one that was migrated, has environments without rules.
  const isWhole = (org !== undefined && !isRoutingMigrated(overrides)) || (rules.length > 0 && entries.has('envs'));
  return [
    ...rules.flatMap(ownProblems),
    ...virtualHosts.flatMap(samePaths),
    ...(versionOf(overrides) !== '1.3' && isWhole ? reachProblems(rules, environments) : []),
  ];
}

function ownProblems({ env, place, connectTimeout }: RoutingRule): readonly Problem[] {
  return [
    ...(env ? [] : [problem('missing-key', place, 'This routing rule names no `env`.')]),
    ...(connectTimeout
      ? [problem('connect-timeout-lost', connectTimeout.place, 'Version 1.3 has no `connectTimeout` here.')]
      : []),
  ];
}

function samePaths({ rules }: VirtualHost): readonly Problem[] {
  const seen = new Map<string, string>();
  return rules.flatMap((rule) => {
    const env = rule.env && plainVariables(rule.env.value);
    if (env === undefined) return [];
    return pathsOf(rule).flatMap((path, index) => {
      const first = seen.get(path);
      if (first === undefined) seen.set(path, env);
      if (first === undefined || first === env) return [];
      const place = rule.paths[index]?.place ?? rule.place;
      return [problem('base-path-twice', place, `${path} leads to ${first} and to ${env}.`)];
    });
  });
}

function reachProblems(rules: readonly RoutingRule[], environments: Overrides['environments']): readonly Problem[] {
  const named = rules.flatMap(({ env }) => (env ? [env] : []));
  const names = environments.flatMap(({ name }) => (name ? [name] : []));
  const [defined, routed] = [setOf(names), setOf(named)];
  const undefinedOnes = named.filter(({ value }) => !defined.has(plainVariables(value)));
  const unreached = names.filter(({ value }) => !routed.has(plainVariables(value)));
  // A variable may be any one name of the other side: nobody can tell before it is filled in.
  return [
    ...beyond(undefinedOnes, unreached).map(({ value, place }) =>
      problem('environment-undefined', place, `\`envs\` has no environment ${value}.`),
    ),
    ...beyond(unreached, undefinedOnes).map(({ value, place }) =>
      problem('environment-without-group', place, `No virtual host leads to ${value}.`),
    ),
  ];
}

/** Plain names, where they are more than the variables that might be them. */
function beyond(texts: readonly Text[], others: readonly Text[]): readonly Text[] {
  const plain = texts.filter(({ value }) => !hasVariable(value));
  const variables = setOf(others.filter(({ value }) => hasVariable(value)));
  return setOf(plain).size > variables.size ? plain : [];
}

const setOf = (texts: readonly Text[]): ReadonlySet<string> => new Set(texts.map(({ value }) => plainVariables(value)));
