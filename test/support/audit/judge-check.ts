import { describe, expect, test } from 'vitest';
import { type GathererName, listGatherersFor } from '../../../src/audit/core/artifacts.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import type { AnyCheck, CheckOutcome, OutcomeStatus } from '../../../src/audit/core/check.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { readSite } from '../../../src/audit/core/report.ts';
import { judgeSnapshot } from '../../../src/audit/core/run.ts';
import type { CheckResult } from '../../../src/audit/core/scores.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { CLOCK_MS } from './audit.ts';
import type { FetchTarget, GuardedFetch } from '../../../src/net/fetched.ts';
import { html, SITE, type SiteAnswer, siteFetch, type SiteMap } from './site-fetch.ts';

/** What is judged: the answers of a site by path, the HTML of its start page, or what was read of it already. */
export type JudgedSite = SiteMap | string | Snapshot;

export type JudgeOptions = {
  /** Where the audit starts: a path of `SITE`, or an address whose origin the paths of the map then belong to. */
  at?: string;
  profile?: ProfileName;
  /** Whether the site is on a private host; by its address when absent. */
  local?: boolean;
  /** The answer for every path that the map does not list. */
  catchAll?: SiteAnswer;
  /** Instead of the answers of the map. */
  fetch?: GuardedFetch;
  /** Milliseconds that each answer to a POST seems to take, in turn; the last for the rest. */
  postMs?: readonly number[];
  /** Gatherers to run; when absent those from which the artifacts of the checks are read. */
  only?: readonly GathererName[];
};

/** What was made of a site: the outcomes by check id, and what was asked and read for them. */
export type Judged = {
  outcomes: Readonly<Record<string, CheckOutcome>>;
  judged: readonly CheckResult[];
  snapshot: Snapshot;
  requests: readonly FetchTarget[];
};

/** Audits a site for the named check; for all whose id begins so where the name ends in a dot. */
export async function judgeChecks(ids: string, site: JudgedSite, options: JudgeOptions = {}): Promise<Judged> {
  const chosen = checks.filter(({ id }) => (ids.endsWith('.') ? id.startsWith(ids) : id === ids));
  if (chosen.length === 0) throw new Error(`no check ${ids}`);
  const at = new URL(options.at ?? '/', SITE).href;
  const requests: FetchTarget[] = [];
  const fetch = recordRequests(options.fetch ?? fetchOf(site, at, options), requests, options.postMs ?? []);
  const only = options.only ?? listFeeds(chosen);
  const snapshot = isSnapshot(site) ? site : await gatherSite(at, { fetch, clockMs: CLOCK_MS, only });
  const known = readSite(snapshot, options.profile === undefined ? {} : { profile: options.profile });
  const judged = judgeSnapshot(snapshot, { ...known, local: options.local ?? known.local }, chosen);
  const outcomes = Object.fromEntries(judged.map(({ check, outcome }) => [check.id, outcome]));
  return { outcomes, judged, snapshot, requests };
}

/** Audits a site for one check. */
export async function auditCheck(
  id: string,
  site: JudgedSite,
  options: JudgeOptions = {},
): Promise<Judged & { outcome: CheckOutcome }> {
  const judged = await judgeChecks(id, site, options);
  const outcome = judged.outcomes[id];
  if (!outcome) throw new Error(`no outcome of ${id}`);
  return { ...judged, outcome };
}

/** The outcome of one check. */
export const judgeCheck = async (id: string, site: JudgedSite, options: JudgeOptions = {}): Promise<CheckOutcome> =>
  (await auditCheck(id, site, options)).outcome;

/** The same fetch, which notes what it was asked for. */
function recordRequests(fetch: GuardedFetch, requests: FetchTarget[], postMs: readonly number[]): GuardedFetch {
  const times = postMs.values();
  const recording: GuardedFetch = async (target) => {
    requests.push(target);
    const fetched = await fetch(target);
    const elapsedMs = target.method === 'POST' ? (times.next().value ?? postMs.at(-1)) : undefined;
    return elapsedMs === undefined ? fetched : { ...fetched, elapsedMs };
  };
  return Object.assign(recording, fetch);
}

const isSnapshot = (site: JudgedSite): site is Snapshot => typeof site === 'object' && Array.isArray(site['exchanges']);

function fetchOf(site: JudgedSite, at: string, { catchAll }: JudgeOptions): GuardedFetch {
  const map = typeof site === 'string' ? { [at]: html(site) } : isSnapshot(site) ? {} : site;
  return siteFetch(map, { origin: new URL(at).origin, ...(catchAll === undefined ? {} : { catchAll }) });
}

const listFeeds = (chosen: readonly AnyCheck[]): readonly GathererName[] => [
  ...new Set(['page' as const, ...chosen.flatMap(({ needs }) => needs.flatMap(listGatherersFor))]),
];

/** One case of a table: what it says, what it gives to the check, the verdict, what its note says, and what else differs. */
export type Row<Given = JudgedSite> = readonly [
  name: string,
  given: Given,
  gives: OutcomeStatus,
  note?: RegExp | undefined,
  more?: RowOptions,
];

/** `value` is that of the outcome. */
type RowOptions = JudgeOptions & { value?: number };

/** `site` makes the site of what a row gives; `seen` is the status of an answer that the evidence of every row names. */
export type TableOptions<Given> = JudgeOptions & {
  site?: (given: Given) => JudgedSite;
  seen?: number;
};

/** One test for each row. */
export function testCheck<Given = JudgedSite>(
  id: string,
  rows: readonly Row<Given>[],
  options: TableOptions<Given> = {},
): void {
  test.each(rows.map((row) => [row[0], row[2], row] as const))('%s: %s', async (_name, _gives, row) => {
    await expectRow(id, row, options);
  });
}

/** The tables of several checks, by their ids. */
export function testChecks<Given = JudgedSite>(
  tables: Readonly<Record<string, readonly Row<Given>[]>>,
  options: TableOptions<Given> = {},
): void {
  describe.each(Object.entries(tables))('%s', (id, rows) => {
    testCheck(id, rows, options);
  });
}

async function expectRow<Given>(id: string, row: Row<Given>, table: TableOptions<Given>): Promise<void> {
  const [, given, gives, note = /./, more = {}] = row;
  const { site = (one: Given) => one as JudgedSite, seen, ...options } = table;
  const outcome = await judgeCheck(id, site(given), { ...options, ...more });
  expect({ status: outcome.status, note: outcome.note, value: outcome.value }).toEqual({
    status: gives,
    note: expect.stringMatching(note) as string,
    value: more.value ?? outcome.value,
  });
  expectEvidence(outcome, seen);
}

/** A verdict says where it was seen, in excerpts of a bounded length; what is not applicable was seen nowhere. */
function expectEvidence({ status, evidence }: CheckOutcome, seen: number | undefined): void {
  for (const { excerpt = '' } of evidence) expect(excerpt.length).toBeLessThanOrEqual(300);
  if (status === 'not_applicable') expect(evidence).toEqual([]);
  else if (seen !== undefined) expect(evidence.map((one) => one.status)).toContain(seen);
  else if (status !== 'unknown') expect(evidence.length).toBeGreaterThan(0);
}
