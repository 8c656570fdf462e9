import { listPublishSecrets } from '../../../src/sales/seller.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { createHostCounts, type HostCounts } from '../../../src/traffic/edge/host-counts.ts';
import type { AppOptions } from '../context.ts';
import type { Env } from './env.ts';
import { bindOwners } from './owners.ts';

/** Counts that owners of hosts send. */
export function bindHostCounts(env: Env, settings: ApiWorkerSettings, options: AppOptions): HostCounts {
  const points = env.CRAWLER_COUNTS;
  return createHostCounts({
    object: (host) => env.HOST_RECORD.getByName(host),
    isProven: bindOwners(env, settings, options).isProven,
    secrets: listPublishSecrets(settings),
    writePoint: points === undefined ? undefined : (point) => points.writeDataPoint(point),
  });
}
