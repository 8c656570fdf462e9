import { listGatherersFor } from '../../../src/audit/core/artifacts.ts';
import type { CheckOutcome, OutcomeStatus } from '../../../src/audit/core/check.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { judgeSnapshot } from '../../../src/audit/core/run.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { classifyHost } from '../../../src/net/address.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { CLOCK_MS } from './audit.ts';
import { html, SITE, siteFetch, type SiteMap } from './site-fetch.ts';

type Options = { url?: string; origin?: string; fetch?: GuardedFetch };

/** One row of a table: what it says, the site, the verdict, and what its note says. */
export type Row = readonly [name: string, map: SiteMap, status: OutcomeStatus, note: RegExp];

/** The outcome of one check: reads only what its artifacts are fed by, and judges it alone. */
export async function judgeOne(id: string, map: SiteMap, options: Options = {}): Promise<CheckOutcome> {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check ${id}`);
  const only = [...new Set(['page' as const, ...check.needs.flatMap(listGatherersFor)])];
  const url = options.url ?? `${SITE}/`;
  const fetch = options.fetch ?? siteFetch(map, options.origin === undefined ? {} : { origin: options.origin });
  const snapshot = await gatherSite(url, { fetch, clockMs: CLOCK_MS, only });
  return judgeRead(id, snapshot);
}

/** The outcome of one check for what was read already. */
export function judgeRead(id: string, snapshot: Snapshot): CheckOutcome {
  const start = new URL(snapshot.url);
  const local = classifyHost(start.hostname).kind !== 'public';
  const profile = { name: 'content', rests_on: [], given: true } as const;
  const chosen = checks.filter((check) => check.id === id);
  const [judged] = judgeSnapshot(snapshot, { start, local, profile, clockMs: snapshot.clockMs }, chosen);
  if (!judged) throw new Error(`no check ${id}`);
  return judged.outcome;
}

/** OutcomeStatus and note of one check, for a table of rows. */
export async function verdict(
  id: string,
  map: SiteMap,
  options: Options = {},
): Promise<{ status: OutcomeStatus; note: string }> {
  const { status, note } = await judgeOne(id, map, options);
  return { status, note };
}

/** A site of one page. */
export const onePage = (body: string, head = '', lang = 'en'): SiteMap => ({
  '/': html(`<!doctype html><html lang="${lang}"><head>${head}</head><body>${body}</body></html>`),
});

/** A paragraph of `count` words. */
export const words = (count: number): string => `<p>${'word '.repeat(count)}</p>`;

export const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
