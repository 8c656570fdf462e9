import { isAtLeast, type Version } from '../plan/versions.ts';
import type { ClusterFacts } from '../verify/facts.ts';
import { unknown, withSuffix, withVersion, minorVersion, type Found } from './look.ts';

const LEAST: Readonly<Record<'managed' | 'attached', Version>> = { managed: [1, 15, 0], attached: [1, 16, 0] };

/** Of the server, or of Anthos where that is what counts. */
export function platformVersion({ platform, platformVersion: anthos, kubectl }: ClusterFacts): Found {
  if (platform === undefined || platform === null) return unknown();
  if (platform === 'multi-cloud') return minorVersion(anthos, [1, 5]);
  return withVersion(withSuffix(kubectl?.serverVersion), (version) => isAtLeast(version, LEAST[platform]));
}
