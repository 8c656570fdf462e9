import { isMap, isScalar } from 'yaml';
import { buildMigrationEdits } from '../edits/all.ts';
import { type Edit, sortEdits, spliceText } from '../edits/splice.ts';
import { getGroupName } from '../rules/groups.ts';
import { findMissingInstanceId } from '../rules/instance.ts';
import { listRulePaths } from '../rules/routing.ts';
import { findBlockServiceAccount } from './accounts.ts';
import { decide, type Decisions, buildProposals } from './decisions.ts';
import { judge } from './judge.ts';
import { REMOVED_COMPONENTS, REMOVED_FROM_MART } from './keys-data.ts';
import type { EnvironmentGroup, Migration, Note, MigrationRefusal, Report, UpgradeValues } from './migration.ts';
import { findFirstDifference, isSameYamlValue, computeMigratedValue, parseYamlValue } from './model.ts';
import type { MigrateOptions } from './options.ts';
import {
  findBlockEntry,
  type Overrides,
  findBlockText,
  detectOverridesVersion,
  type VirtualHost,
} from './overrides.ts';
import { hasErrors, buildOverridesProblem, type OverridesProblem, sortProblems } from './problem.ts';
import { listMapEntries, type YamlEntry, isEmpty, getYamlMap, readEntryText, getScalarText } from './tree.ts';

const MAX_SHOWN_CHARS = 100;

/** Where values that leave the file must live from now on. */
function buildNotes(overrides: Overrides): readonly Note[] {
  if (detectOverridesVersion(overrides) === '1.3') return [];
  const { entries, virtualHosts } = overrides;
  const components = REMOVED_COMPONENTS.flatMap((key) => {
    const entry = entries.get(key);
    return entry ? buildLeafNotes(overrides, entry, []) : [];
  });
  return [
    ...virtualHosts.flatMap(({ hostAliases, routingRules }) => [
      ...asNote(
        hostAliases,
        'virtualhosts[].hostAliases',
        'moves to the host names of the environment group (environment-groups.json)',
      ),
      ...asNote(
        routingRules,
        'virtualhosts[].routingRules',
        'moves to the attachments of the environment group, and base paths to the proxies',
      ),
    ]),
    ...REMOVED_FROM_MART.flatMap((key) =>
      asNote(
        findBlockEntry(overrides, 'mart', key),
        `mart.${key}`,
        'is gone: Apigee reaches MART through Connect, without an ingress of its own',
      ),
    ),
    ...asNote(
      findBlockEntry(overrides, 'connectAgent', 'enabled'),
      'connectAgent.enabled',
      'is gone: Connect always runs in 1.3',
    ),
    ...asNote(
      findBlockEntry(overrides, 'cassandra', 'dnsPolicy'),
      'cassandra.dnsPolicy',
      'is gone: 1.3 does not support it',
    ),
    ...asNote(
      findBlockEntry(overrides, 'cassandra', 'externalSeedHost'),
      'cassandra.externalSeedHost',
      'moves to a temporary copy of the file, while the rings are joined (`sightline hybrid seed-host`)',
    ),
    ...components,
  ].toSorted((one, other) => one.line - other.line || one.column - other.column);
}

const asNote = (entry: YamlEntry | undefined, key: string, where: string): readonly Note[] =>
  entry && !isEmpty(entry) ? [{ ...entry.place, key, message: where }] : [];

/** Each value of a component that 1.3 does not install. */
function buildLeafNotes(overrides: Overrides, entry: YamlEntry, above: readonly string[]): readonly Note[] {
  const path = [...above, entry.key];
  if (isMap(entry.value))
    return listMapEntries(overrides.source, getYamlMap(entry) ?? entry.value).flatMap((each) =>
      buildLeafNotes(overrides, each, path),
    );
  const key = path.join('.');
  const shown = isScalar(entry.value) ? ` (${getScalarText(entry.value).slice(0, MAX_SHOWN_CHARS)})` : '';
  return isEmpty(entry) ? [] : [{ ...entry.place, key, message: `${describeDestination(key)}${shown}` }];
}

const PLACES: readonly { key: RegExp; where: string }[] = [
  {
    key: /^ingress\.runtime\.loadBalancerIP$/,
    where: 'moves to the mesh: loadBalancerIP of the service istio-ingressgateway in its manifest',
  },
  { key: /^ingress\.mart\.loadBalancerIP$/, where: 'is gone: MART needs no address; release it after the clean-up' },
  { key: /^ingress\.enableAccesslog$/, where: 'moves to the mesh: meshConfig.accessLogFile in its manifest' },
  { key: /^(?:ingress|istio)\./, where: 'moves to the mesh: its own manifest, if it is still needed' },
  { key: /^certmanager/, where: 'moves to cert-manager: its own manifest, if it is still needed' },
];

const describeDestination = (key: string): string =>
  PLACES.find((row) => row.key.test(key))?.where ?? 'moves to its own installation';

/** The groups that virtual hosts become; none where they say nothing of host names and rules. */
const buildEnvironmentGroups = ({ virtualHosts }: Overrides, options: MigrateOptions): readonly EnvironmentGroup[] =>
  virtualHosts
    .filter(({ hosts, rules }) => hosts.length + rules.length > 0)
    .map((host) => buildEnvironmentGroup(host, options));

function buildEnvironmentGroup(host: VirtualHost, options: MigrateOptions): EnvironmentGroup {
  const { hosts, rules } = host;
  const paths = new Map<string, Set<string>>();
  for (const rule of rules) {
    if (rule.env === undefined) continue;
    const known = paths.get(rule.env.value) ?? new Set();
    for (const path of listRulePaths(rule)) known.add(path);
    paths.set(rule.env.value, known);
  }
  return {
    group: getGroupName(host, options),
    hostnames: [...new Set(hosts.map(({ value }) => value))],
    environments: [...paths.keys()],
    // `fromEntries` defines own members, so that a name such as `__proto__` stays data.
    basePaths: Object.fromEntries([...paths].map(([env, known]) => [env, [...known]])),
  };
}

/**
 * The 1.3 file of a 1.2 file, as splices of its text: every byte outside of them stays. What `checkOverrides` calls an
 * error is refused. The outcome is parsed again, and compared with what it must say, before it is given out. A 1.3 file
 * comes back as it is.
 */
export function migrateOverrides(text: string, options: MigrateOptions = {}): Migration {
  const { report, overrides } = judge(text, options);
  const { version, isFragment } = report;
  const refused = (problems: readonly OverridesProblem[]): MigrationRefusal => ({
    ok: false,
    version,
    isFragment,
    problems,
  });
  if (overrides === undefined) return refused(report.problems);
  const problems = sortProblems([...report.problems, ...findMissingInstanceId(overrides, options)]);
  if (hasErrors(problems)) return refused(problems);
  const decisions = decide(overrides, options);
  const found = buildMigrationEdits(overrides, decisions, options);
  if (hasErrors(found.problems)) return refused(sortProblems([...problems, ...found.problems]));
  const edits = sortEdits(found.edits);
  const changed = spliceText(text, edits);
  const wrong = edits.length === 0 ? undefined : findUnsafeEdit(overrides, { edits, changed, decisions, options });
  if (wrong) return refused(sortProblems([...problems, wrong]));
  return {
    ok: true,
    version,
    isFragment,
    changed: changed !== text,
    text: changed,
    edits,
    groups: buildEnvironmentGroups(overrides, options),
    values: readUpgradeValues(overrides, decisions),
    proposals: buildProposals(decisions),
    notes: buildNotes(overrides),
    problems,
  };
}

/** Edits that are made alone to see which of them breaks the file. */
const MAX_TRIED = 8;

type Outcome = { edits: readonly Edit[]; changed: string; decisions: Decisions; options: MigrateOptions };

/** What the new file says besides what it must. */
function findUnsafeEdit(
  overrides: Overrides,
  { edits, changed, decisions, options }: Outcome,
): OverridesProblem | undefined {
  const { source, entries } = overrides;
  const [old, now] = [parseYamlValue(source.text), parseYamlValue(changed)];
  if (old === undefined) throw new Error('a file that was read is no YAML');
  const wanted = computeMigratedValue(old, decisions, options);
  if (now !== undefined && isSameYamlValue(now, wanted)) return undefined;
  const key = now === undefined ? undefined : findFirstDifference(now, wanted, entries.keys());
  const breaking =
    edits.slice(0, MAX_TRIED).find((edit) => parseYamlValue(spliceText(source.text, [edit])) === undefined) ?? edits[0];
  const place = entries.get(key ?? '')?.place ?? source.placeOf(breaking?.start ?? 0);
  return buildOverridesProblem(
    'unsafe-edit',
    place,
    'The changed file would say something else here: this layout is not known.',
  );
}

function readUpgradeValues(overrides: Overrides, { region, accounts }: Decisions): UpgradeValues {
  const { source, entries, org, environments } = overrides;
  const [projectId, clusterName] = [
    findBlockText(overrides, 'gcp', 'projectID'),
    findBlockText(overrides, 'k8sCluster', 'name'),
  ];
  const inRegion = findBlockText(overrides, 'gcp', 'region')?.value ?? region?.value;
  const replicas = Number(readEntryText(source, findBlockEntry(overrides, 'cassandra', 'replicaCount'))?.value);
  const pathIn = (block: string): string | undefined => {
    const account = findBlockServiceAccount(overrides, block);
    if (account) return account.key === 'serviceAccountPath' ? account.text.value : undefined;
    const missing = accounts.find((each) => each.block === block);
    return missing?.key === 'serviceAccountPath' ? missing.proposal?.value : undefined;
  };
  const [mart, connectAgent, watcher] = [pathIn('mart'), pathIn('connectAgent'), pathIn('watcher')];
  return {
    ...(org && { org: org.value }),
    ...(projectId && { projectId: projectId.value }),
    ...(inRegion !== undefined && { region: inRegion }),
    ...(clusterName && { clusterName: clusterName.value }),
    namespace: readEntryText(source, entries.get('namespace'))?.value ?? DEFAULT_NAMESPACE,
    environments: environments.flatMap(({ name }) => (name ? [name.value] : [])),
    ...(Number.isInteger(replicas) && replicas > 0 && { cassandraReplicas: replicas }),
    ...(mart !== undefined && { martServiceAccountPath: mart }),
    ...(connectAgent !== undefined && { connectAgentServiceAccountPath: connectAgent }),
    ...(watcher !== undefined && { watcherServiceAccountPath: watcher }),
  };
}

const DEFAULT_NAMESPACE = 'apigee';

/**
 * What is wrong with an overrides file of 1.2 or 1.3, and what a migration of it would refuse. Sorted by place.
 * A file of 1.2 without `instanceID` is right: the migration adds it.
 */
export function checkOverrides(text: string, options: MigrateOptions = {}): Report {
  const { version, isFragment, problems } = migrateOverrides(text, options);
  const isTargetVersion = version === '1.3';
  return {
    version,
    isFragment,
    problems: problems.filter(({ code }) => isTargetVersion || code !== 'instance-id-missing'),
  };
}
