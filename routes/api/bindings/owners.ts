import { createTxtResolver } from '../../../src/net/dns-over-https.ts';
import { lookForProof } from '../../../src/ownership/look.ts';
import { createOwners, type Owners } from '../../../src/ownership/owners.ts';
import { listPublishSecrets } from '../../../src/sales/seller.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { createHostCounts, type HostCounts } from '../../../src/traffic/edge/host-counts.ts';
import type { AppOptions } from '../context.ts';
import { createWorkerFetch } from './composition.ts';
import type { Env } from './env.ts';

/** A look reads one small file of the host. */
const LOOK_LIMITS = { requests: 1, redirects: 0, wallMs: 10_000 } as const;
/** Names of the objects with the hosts of an account; the others are named by their host, which has no space. */
const LIST_PREFIX = 'hosts of ';

/** Hosts and who is proven to own them. */
export function createWorkerOwners(env: Env, settings: ApiWorkerSettings, options: AppOptions): Owners {
  const object = (name: string) => env.HOST_RECORD.getByName(name);
  const resolveTxt = createTxtResolver({
    url: settings.DNS_RESOLVER_URL,
    fetch: (url, init) => fetch(url, init),
  });
  return createOwners({
    record: (host) => object(host),
    list: (account) => object(`${LIST_PREFIX}${account}`),
    look: (proof) => lookForProof(proof, { resolveTxt, fetch: createWorkerFetch(env, settings, options, LOOK_LIMITS) }),
    now: Date.now,
  });
}

/** Counts that owners of hosts send. */
export function createWorkerHostCounts(env: Env, settings: ApiWorkerSettings, options: AppOptions): HostCounts {
  const points = env.CRAWLER_COUNTS;
  return createHostCounts({
    object: (host) => env.HOST_RECORD.getByName(host),
    isProven: createWorkerOwners(env, settings, options).isProven,
    secrets: listPublishSecrets(settings),
    writePoint: points === undefined ? undefined : (point) => points.writeDataPoint(point),
  });
}
