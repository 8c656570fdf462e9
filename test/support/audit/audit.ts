import { gatherSite } from '../../../src/audit/core/gather.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { SITE, type SiteMap, siteFetch } from './site-fetch.ts';

/** The clock of every test audit: 2026-11-21 in UTC. */
export const CLOCK_MS = Date.UTC(2026, 10, 21);

type Options = {
  url?: string;
  origin?: string;
  only?: Parameters<typeof gatherSite>[1]['only'];
};

/** Gathers a fixture site with all gatherers, or with those named. */
export function snapshotOf(map: SiteMap, { url = `${SITE}/`, origin, only }: Options = {}): Promise<Snapshot> {
  const fetch = siteFetch(map, origin === undefined ? {} : { origin });
  return gatherSite(url, { fetch, clockMs: CLOCK_MS, ...(only === undefined ? {} : { only }) });
}
