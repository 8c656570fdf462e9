import {
  isRoutingMigrated,
  type Overrides,
  type RoutingRule,
  detectOverridesVersion,
  type VirtualHost,
} from '../core/overrides.ts';
import { buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import { hasVariable, normaliseVariables, type Text } from '../core/tree.ts';

/** Of a rule without paths (documentation of 1.2, base path routing). */
export const DEFAULT_BASE_PATH = '/';

export const listRulePaths = ({ paths }: RoutingRule): readonly string[] =>
  paths.length > 0 ? paths.map(({ value }) => value) : [DEFAULT_BASE_PATH];

/** Which environments are reached by which paths of which virtual host. */
export function findRoutingProblems(overrides: Overrides): readonly OverridesProblem[] {
  const { virtualHosts, environments, entries, org } = overrides;
  const rules = virtualHosts.flatMap((host) => host.rules);
  // A part of a file, and one that was migrated, has environments without rules.
  const isWhole = (org !== undefined && !isRoutingMigrated(overrides)) || (rules.length > 0 && entries.has('envs'));
  return [
    ...rules.flatMap(findRuleProblems),
    ...virtualHosts.flatMap(findDuplicatePaths),
    ...(detectOverridesVersion(overrides) !== '1.3' && isWhole ? findReachProblems(rules, environments) : []),
  ];
}

function findRuleProblems({ env, place, connectTimeout }: RoutingRule): readonly OverridesProblem[] {
  return [
    ...(env ? [] : [buildOverridesProblem('missing-key', place, 'This routing rule names no `env`.')]),
    ...(connectTimeout
      ? [
          buildOverridesProblem(
            'connect-timeout-lost',
            connectTimeout.place,
            'Version 1.3 has no `connectTimeout` here.',
          ),
        ]
      : []),
  ];
}

function findDuplicatePaths({ rules }: VirtualHost): readonly OverridesProblem[] {
  const seen = new Map<string, string>();
  return rules.flatMap((rule) => {
    const env = rule.env && normaliseVariables(rule.env.value);
    if (env === undefined) return [];
    return listRulePaths(rule).flatMap((path, index) => {
      const first = seen.get(path);
      if (first === undefined) seen.set(path, env);
      if (first === undefined || first === env) return [];
      const place = rule.paths[index]?.place ?? rule.place;
      return [buildOverridesProblem('base-path-twice', place, `${path} leads to ${first} and to ${env}.`)];
    });
  });
}

function findReachProblems(
  rules: readonly RoutingRule[],
  environments: Overrides['environments'],
): readonly OverridesProblem[] {
  const named = rules.flatMap(({ env }) => (env ? [env] : []));
  const names = environments.flatMap(({ name }) => (name ? [name] : []));
  const [defined, routed] = [toNameSet(names), toNameSet(named)];
  const undefinedOnes = named.filter(({ value }) => !defined.has(normaliseVariables(value)));
  const unreached = names.filter(({ value }) => !routed.has(normaliseVariables(value)));
  // A variable may match any one name of the other side; which one is unknown until it is filled in.
  return [
    ...selectUnmatchedNames(undefinedOnes, unreached).map(({ value, place }) =>
      buildOverridesProblem('environment-undefined', place, `\`envs\` has no environment ${value}.`),
    ),
    ...selectUnmatchedNames(unreached, undefinedOnes).map(({ value, place }) =>
      buildOverridesProblem('environment-without-group', place, `No virtual host leads to ${value}.`),
    ),
  ];
}

/** Plain names, where they are more than the variables that might be them. */
function selectUnmatchedNames(texts: readonly Text[], others: readonly Text[]): readonly Text[] {
  const plain = texts.filter(({ value }) => !hasVariable(value));
  const variables = toNameSet(others.filter(({ value }) => hasVariable(value)));
  return toNameSet(plain).size > variables.size ? plain : [];
}

const toNameSet = (texts: readonly Text[]): ReadonlySet<string> =>
  new Set(texts.map(({ value }) => normaliseVariables(value)));
