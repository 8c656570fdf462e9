import { isAtLeast, type Version, parsePrintedVersion } from '../plan/versions.ts';
import type { ClusterFacts } from '../verify/facts.ts';
import {
  type ConditionResult,
  judgeCondition,
  judgeMinorVersion,
  buildUnknownResult,
  withSuffix,
  withVersion,
} from './look.ts';

const LEAST: Readonly<Record<'managed' | 'attached', Version>> = { managed: [1, 15, 0], attached: [1, 16, 0] };

/** Of the server, or of Anthos where that is what counts. */
export function judgePlatformVersion({ platform, platformVersion: anthos, kubectl }: ClusterFacts): ConditionResult {
  if (platform === undefined || platform === null) return buildUnknownResult();
  if (platform === 'multi-cloud') return judgeMinorVersion(anthos, [1, 5]);
  return withVersion(withSuffix(kubectl?.serverVersion), (version) => isAtLeast(version, LEAST[platform]));
}

const SUPPORTED: Version = [1, 5, 7];
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
    return read ? [{ seen: `${version}${place}`, isSupported: isAtLeast(read, SUPPORTED) }] : [];
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
