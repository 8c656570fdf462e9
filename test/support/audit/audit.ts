import type { CheckOutcome } from '../../../src/audit/core/check.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { judgeSite } from '../../../src/audit/core/report.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { SITE, type SiteMap, siteFetch } from './site-fetch.ts';

/** The clock of every test audit: 2026-11-21 in UTC. */
export const CLOCK_MS = Date.UTC(2026, 10, 21);

type Options = {
  url?: string;
  profile?: ProfileName;
  origin?: string;
  only?: Parameters<typeof gatherSite>[1]['only'];
};

/** Gathers a fixture site with all gatherers, or with those named. */
export function snapshotOf(map: SiteMap, { url = `${SITE}/`, origin, only }: Options = {}): Promise<Snapshot> {
  const fetch = siteFetch(map, origin === undefined ? {} : { origin });
  return gatherSite(url, { fetch, clockMs: CLOCK_MS, ...(only === undefined ? {} : { only }) });
}

/** The outcome of one check for a fixture site. */
export async function outcomeOf(id: string, map: SiteMap, options: Options = {}): Promise<CheckOutcome> {
  const snapshot = await snapshotOf(map, options);
  const { judged } = judgeSite(snapshot, options.profile === undefined ? {} : { profile: options.profile });
  const found = judged.find(({ check }) => check.id === id);
  if (!found) throw new Error(`no check ${id}`);
  return found.outcome;
}
