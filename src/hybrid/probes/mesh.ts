import { isAtLeast, type Version, versionIn } from '../plan/versions.ts';
import type { ClusterFacts } from '../verify/facts.ts';
import { type Found, holdsIf, minorVersion, unknown, withSuffix, withVersion } from './look.ts';

const LEAST: Readonly<Record<'managed' | 'attached', Version>> = { managed: [1, 15, 0], attached: [1, 16, 0] };

/** Of the server, or of Anthos where that is what counts. */
export function platformVersion({ platform, platformVersion: anthos, kubectl }: ClusterFacts): Found {
  if (platform === undefined || platform === null) return unknown();
  if (platform === 'multi-cloud') return minorVersion(anthos, [1, 5]);
  return withVersion(withSuffix(kubectl?.serverVersion), (version) => isAtLeast(version, LEAST[platform]));
}

const SUPPORTED: Version = [1, 5, 7];
const NEEDED_REPLICAS = 2;

/** A control plane, by the deployment that says its version. */
type ControlPlane = { seen: string; isSupported: boolean };

/** Old and new are there side by side until the old one is removed. */
export function meshVersion({ mesh }: ClusterFacts): Found {
  const planes = controlPlanes(mesh);
  const supported = planes.filter(({ isSupported }) => isSupported);
  const old = planes.filter(({ isSupported }) => !isSupported);
  if (supported.length > 0 && old.length > 0) return holdsIf(true, `${listed(supported)}; still there: ${listed(old)}`);
  if (planes.length > 0) return holdsIf(supported.length > 0, listed(planes));
  return mesh?.version ? unknown(mesh.version) : unknown();
}

const listed = (planes: readonly ControlPlane[]): string => planes.map(({ seen }) => seen).join(', ');

function controlPlanes(mesh: ClusterFacts['mesh']): readonly ControlPlane[] {
  const deployed = (mesh?.deployments ?? []).map(({ name, version }) => ({ version, place: ` (${name})` }));
  return [{ version: mesh?.version, place: '' }, ...deployed].flatMap(({ version, place }) => {
    const read = versionIn(version ?? '');
    return read ? [{ seen: `${version}${place}`, isSupported: isAtLeast(read, SUPPORTED) }] : [];
  });
}

/** A deployment without autoscaler has no minReplicas to fulfil; one whose replicas nobody counted is unknown. */
export function meshReplicas({ mesh }: ClusterFacts): Found {
  const supported = controlPlanes(mesh).filter(({ isSupported }) => isSupported);
  if (supported.length > 0) return holdsIf(true, `${listed(supported)}: upgraded already`);
  const deployments = mesh?.deployments ?? [];
  if (deployments.length === 0) return unknown();
  const few = deployments.filter(
    ({ replicas, minReplicas }) =>
      (replicas ?? NEEDED_REPLICAS) < NEEDED_REPLICAS || (minReplicas ?? NEEDED_REPLICAS) < NEEDED_REPLICAS,
  );
  if (few.length > 0) return holdsIf(false, `too few: ${few.map(({ name }) => name).join(', ')}`);
  const uncounted = deployments.filter(({ replicas }) => replicas === undefined || replicas === null);
  return uncounted.length > 0
    ? unknown(`not counted: ${uncounted.map(({ name }) => name).join(', ')}`)
    : holdsIf(true, `${deployments.length} deployments`);
}
