import { parsePrintedVersion, type Version, isAtLeast } from '../plan/versions.ts';
import type { EnvironmentGroup, Migrated } from '../core/migration.ts';
import { extractVariables } from '../plan/shell.ts';
import { normaliseVariables } from '../core/tree.ts';
import { type ClusterFacts, type RingNode, parseRingNodes } from './facts.ts';

/** One condition of the upgrade. */
export type Precondition = {
  /** Stable. */
  id: string;
  title: string;
  /** `unknown`: the facts do not say. It is never counted as met, nor as broken. */
  state: 'holds' | 'fails' | 'unknown';
  seen: string;
  needed: string;
  /** Of the plan: the one that looks at it or brings it about. */
  step: number;
  /** Of the plan: the last after which it must still hold; undefined: it holds for good. */
  lastStep?: number;
};

export type VerifyOptions = {
  /** A trial may have any number of Cassandra nodes. */
  isTrial?: boolean;
};

/** What a look at the facts found. */
export type ConditionResult = { state: Precondition['state']; seen: string };

/** The facts do not say, or not so that it can be read. */
export const buildUnknownResult = (seen = 'not in the facts'): ConditionResult => ({ state: 'unknown', seen });

export const judgeCondition = (holds: boolean, seen: string): ConditionResult => ({
  state: holds ? 'holds' : 'fails',
  seen,
});

export const judgeBoolean = (value: boolean | null | undefined): ConditionResult =>
  value === undefined || value === null ? buildUnknownResult() : judgeCondition(value, String(value));

/** Facts of earlier plans say it of MART: they count where Connect runs with the same account. */
export function judgeConnectRole({ connect }: ClusterFacts, migrated: Migrated | undefined): ConditionResult {
  const { agentAccount, agentHasRole, martHasAgentRole } = connect ?? {};
  if (agentHasRole !== undefined && agentHasRole !== null)
    return judgeCondition(agentHasRole, agentAccount ? `${agentHasRole} (${agentAccount})` : String(agentHasRole));
  const { martServiceAccountPath: mart = '', connectAgentServiceAccountPath: own = mart } = migrated?.values ?? {};
  if (normaliseVariables(own) !== normaliseVariables(mart))
    return buildUnknownResult('the facts are of the account of MART, and the file names another: run the new facts.sh');
  return judgeBoolean(martHasAgentRole);
}

/** An empty place is no backup that anyone could name. */
export const judgeBackup = (value: boolean | string | null | undefined): ConditionResult =>
  typeof value === 'string'
    ? value.trim() === ''
      ? buildUnknownResult()
      : judgeCondition(true, value)
    : judgeBoolean(value);

/** Whether a printed version is of this minor one, whatever the patch. */
export const judgeMinorVersion = (
  text: string | null | undefined,
  [major, minor]: readonly [number, number],
): ConditionResult => withVersion(text, (version) => version[0] === major && version[1] === minor);

export const judgeExactVersion = (text: string | null | undefined, wanted: Version): ConditionResult =>
  withVersion(text, (version) => version.every((part, index) => part === wanted[index]));

/** Unknown for what has no version in it, such as an error message of the tool. */
export function withVersion(text: string | null | undefined, holds: (version: Version) => boolean): ConditionResult {
  if (text === undefined || text === null || text.trim() === '') return buildUnknownResult();
  const version = parsePrintedVersion(text);
  return version === undefined ? buildUnknownResult(text) : judgeCondition(holds(version), text);
}

type ToolVersion = {
  major?: string | null | undefined;
  minor?: string | null | undefined;
  gitVersion?: string | null | undefined;
};

/** `1.18+` of a tool's version object. */
export function withSuffix(version: ToolVersion | null | undefined): string | undefined {
  if (!version) return undefined;
  if (version.major && version.minor) return `${version.major}.${version.minor}`;
  return version.gitVersion || undefined;
}

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
  compareGroups(groups, migrated, ({ hostnames }, seen) => listMissing(hostnames, seen, seen?.hostnames));

export const judgeEnvironmentAttachments = (
  { groups }: ClusterFacts,
  migrated: Migrated | undefined,
): ConditionResult =>
  compareGroups(groups, migrated, ({ environments }, seen) => listMissing(environments, seen, seen?.environments));

/** A group that is not there has none of them; one of which they were not listed may have all. */
const listMissing = (
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

const LEAST_KUBERNETES: Readonly<Record<'managed' | 'attached', Version>> = {
  managed: [1, 15, 0],
  attached: [1, 16, 0],
};

/** Of the server, or of Anthos where that is what counts. */
export function judgePlatformVersion({ platform, platformVersion: anthos, kubectl }: ClusterFacts): ConditionResult {
  if (platform === undefined || platform === null) return buildUnknownResult();
  if (platform === 'multi-cloud') return judgeMinorVersion(anthos, [1, 5]);
  return withVersion(withSuffix(kubectl?.serverVersion), (version) => isAtLeast(version, LEAST_KUBERNETES[platform]));
}

const SUPPORTED_MESH: Version = [1, 5, 7];
const NEEDED_REPLICAS = 2;

/** A control plane, by the deployment that says its version. */
type ControlPlane = { seen: string; isSupported: boolean };

/** Old and new are there side by side until the old one is removed. */
export function judgeMeshVersion({ mesh }: ClusterFacts): ConditionResult {
  const planes = listControlPlanes(mesh);
  const supported = planes.filter(({ isSupported }) => isSupported);
  const old = planes.filter(({ isSupported }) => !isSupported);
  if (supported.length > 0 && old.length > 0)
    return judgeCondition(true, `${formatControlPlanes(supported)}; still there: ${formatControlPlanes(old)}`);
  if (planes.length > 0) return judgeCondition(supported.length > 0, formatControlPlanes(planes));
  return mesh?.version ? buildUnknownResult(mesh.version) : buildUnknownResult();
}

const formatControlPlanes = (planes: readonly ControlPlane[]): string => planes.map(({ seen }) => seen).join(', ');

function listControlPlanes(mesh: ClusterFacts['mesh']): readonly ControlPlane[] {
  const deployed = (mesh?.deployments ?? []).map(({ name, version }) => ({ version, place: ` (${name})` }));
  return [{ version: mesh?.version, place: '' }, ...deployed].flatMap(({ version, place }) => {
    const read = parsePrintedVersion(version ?? '');
    return read ? [{ seen: `${version}${place}`, isSupported: isAtLeast(read, SUPPORTED_MESH) }] : [];
  });
}

/** A deployment without an autoscaler needs no minReplicas; one without a replica count is unknown. */
export function judgeMeshReplicas({ mesh }: ClusterFacts): ConditionResult {
  const supported = listControlPlanes(mesh).filter(({ isSupported }) => isSupported);
  if (supported.length > 0) return judgeCondition(true, `${formatControlPlanes(supported)}: upgraded already`);
  const deployments = mesh?.deployments ?? [];
  if (deployments.length === 0) return buildUnknownResult();
  const few = deployments.filter(
    ({ replicas, minReplicas }) =>
      (replicas ?? NEEDED_REPLICAS) < NEEDED_REPLICAS || (minReplicas ?? NEEDED_REPLICAS) < NEEDED_REPLICAS,
  );
  if (few.length > 0) return judgeCondition(false, `too few: ${few.map(({ name }) => name).join(', ')}`);
  const uncounted = deployments.filter(({ replicas }) => replicas === undefined || replicas === null);
  return uncounted.length > 0
    ? buildUnknownResult(`not counted: ${uncounted.map(({ name }) => name).join(', ')}`)
    : judgeCondition(true, `${deployments.length} deployments`);
}

const REPLICATION_FACTOR = 3;
const UP_AND_NORMAL = 'UN';

export function judgeCassandraReplicas(
  { cassandra }: ClusterFacts,
  _: unknown,
  { isTrial = false }: VerifyOptions,
): ConditionResult {
  const count = cassandra?.replicas;
  if (count === undefined || count === null) return buildUnknownResult();
  return judgeCondition(count > 0 && (isTrial || count % REPLICATION_FACTOR === 0), String(count));
}

export const judgeNodeStates = (facts: ClusterFacts): ConditionResult =>
  withNodes(facts, (nodes) => {
    const others = nodes.filter(({ status }) => status !== UP_AND_NORMAL);
    const seen = others.map(({ address, status }) => `${address} ${status}`).join(', ');
    return judgeCondition(others.length === 0, others.length === 0 ? `${nodes.length} UN` : seen);
  });

export const judgeRingSize = (facts: ClusterFacts): ConditionResult =>
  withNodes(facts, (nodes) => {
    const wanted = facts.cassandra?.replicas;
    const count = new Set(nodes.map(({ address }) => address)).size;
    if (wanted === undefined || wanted === null) return buildUnknownResult(`${count} nodes, replicas not in the facts`);
    return judgeCondition(count === wanted || count === 2 * wanted, `${count} nodes, ${wanted} replicas`);
  });

export const judgeDataCenters = (facts: ClusterFacts): ConditionResult =>
  withNodes(facts, (nodes) => {
    const names = [...new Set(nodes.map(({ dataCenter }) => dataCenter).filter((name) => name !== ''))];
    return names.length === 0
      ? buildUnknownResult('no data center named')
      : judgeCondition(names.length === 1, names.join(', '));
  });

/** Without a node in it the text is an error of the tool, and says nothing of the ring. */
function withNodes(
  { cassandra }: ClusterFacts,
  judge: (nodes: readonly RingNode[]) => ConditionResult,
): ConditionResult {
  const ring = cassandra?.ring;
  if (ring === undefined || ring === null || ring === '') return buildUnknownResult();
  const nodes = parseRingNodes(ring);
  return nodes.length === 0
    ? buildUnknownResult(typeof ring === 'string' ? `no nodes: ${ring}` : 'no nodes')
    : judge(nodes);
}
