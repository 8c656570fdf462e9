import { expect } from 'vitest';
import { listGatherersFor } from '../../../src/audit/core/artifacts.ts';
import type { CheckOutcome, OutcomeStatus } from '../../../src/audit/core/check.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { judgeSite } from '../../../src/audit/core/report.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { CLOCK_MS } from './audit.ts';
import { SITE, siteFetch, type SiteFetch, type SiteMap } from './site-fetch.ts';

export type FedOptions = { profile?: ProfileName; url?: string; catchAll?: Parameters<typeof siteFetch>[1] };

/** Name, what the site serves, the status expected, what the note says, and the value where it is partial. */
export type FedRow = readonly [
  name: string,
  site: SiteMap,
  status: OutcomeStatus,
  note: RegExp,
  value?: number | undefined,
];

export type Fed = { outcome: CheckOutcome; fetch: SiteFetch; snapshot: Snapshot };

/** Judges one check with nothing gathered but what its artifacts say they are read from. */
export async function judgeFed(id: string, map: SiteMap, options: FedOptions = {}): Promise<Fed> {
  const url = options.url ?? `${SITE}/`;
  const fetch = siteFetch(map, { origin: new URL(url).origin, ...options.catchAll });
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check ${id}`);
  const only = [...new Set(['page' as const, ...check.needs.flatMap(listGatherersFor)])];
  const snapshot = await gatherSite(url, { fetch, clockMs: CLOCK_MS, only });
  const { judged } = judgeSite(snapshot, options.profile === undefined ? {} : { profile: options.profile });
  const found = judged.find((one) => one.check.id === id);
  if (!found) throw new Error(`no outcome of ${id}`);
  return { outcome: found.outcome, fetch, snapshot };
}

/** Expects status, note and value of a row, and evidence for every verdict. */
export async function expectFed(id: string, row: FedRow, options: FedOptions = {}): Promise<void> {
  const [, map, status, note, value] = row;
  const { outcome } = await judgeFed(id, map, options);
  expect({ status: outcome.status, note: outcome.note }).toEqual({
    status,
    note: expect.stringMatching(note) as string,
  });
  if (value !== undefined) expect(outcome.value).toBe(value);
  if (status === 'not_applicable' || status === 'unknown') return;
  expect(outcome.evidence.length).toBeGreaterThan(0);
  for (const { excerpt = '' } of outcome.evidence) expect(excerpt.length).toBeLessThanOrEqual(300);
}
