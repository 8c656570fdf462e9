import { isAtLeast, versionIn, type Version } from '../plan/versions.ts';
import type { ClusterFacts } from './facts.ts';
import { holdsIf, unknown, withVersion, type Found } from './look.ts';

const SUPPORTED: Version = [1, 5, 7];
const NEEDED_REPLICAS = 2;

export const meshVersion = ({ mesh }: ClusterFacts): Found =>
  withVersion(mesh?.version, (version) => isAtLeast(version, SUPPORTED));

/** A deployment without autoscaler has no minReplicas to fulfil; one whose replicas nobody counted is unknown. */
export function meshReplicas({ mesh }: ClusterFacts): Found {
  const version = versionIn(mesh?.version ?? '');
  if (version && isAtLeast(version, SUPPORTED)) return holdsIf(true, `${mesh?.version}: upgraded already`);
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
