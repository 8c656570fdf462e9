import type { CheckOutcome } from '../../../src/audit/core/check.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { judgeSnapshot } from '../../../src/audit/core/run.ts';
import { type CheckResult, type AuditScore, computeScore } from '../../../src/audit/core/scores.ts';
import type { Site } from '../../../src/audit/core/site.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { SITE, siteFetch, type SiteFetch, type SiteMap } from './site-fetch.ts';

const CLOCK_MS = Date.UTC(2026, 10, 21);
/** What a run of the MCP score alone gathers, but for the sample of pages. */
const GATHERERS = [
  'robots',
  'agentCards',
  'mcpDiscovery',
  'mcpEndpoint',
  'mcpAuth',
  'mcpProbes',
  'mcpDocs',
  'mcpRegistry',
] as const;

export type JudgedMcp = {
  outcomes: Readonly<Record<string, CheckOutcome>>;
  score: AuditScore;
  snapshot: Snapshot;
  fetch: SiteFetch;
};

/** Gathers a fixture site's MCP part and judges it by the MCP checks of the registry. */
export async function judgeMcp(
  map: SiteMap,
  options: { url?: string; local?: boolean; fetch?: SiteFetch } = {},
): Promise<JudgedMcp> {
  const url = options.url ?? `${SITE}/`;
  const fetch = options.fetch ?? siteFetch(map, { origin: new URL(url).origin });
  const snapshot = await gatherSite(url, { fetch, clockMs: CLOCK_MS, only: GATHERERS });
  const judged = judge(snapshot, options.local ?? false);
  return { outcomes: outcomesOf(judged), score: computeScore('mcp', judged), snapshot, fetch };
}

/** Judges what is left of a snapshot after it was copied as plain data. */
export const judgeCopy = (snapshot: Snapshot): JudgedMcp['outcomes'] =>
  outcomesOf(judge(structuredClone(snapshot), false));

function judge(snapshot: Snapshot, local: boolean): readonly CheckResult[] {
  const site: Site = {
    start: new URL(snapshot.url),
    local,
    profile: { name: 'mcp', rests_on: [], given: true },
    clockMs: CLOCK_MS,
  };
  return judgeSnapshot(
    snapshot,
    site,
    checks.filter(({ id }) => id.startsWith('mcp.')),
  );
}

const outcomesOf = (judged: readonly CheckResult[]): JudgedMcp['outcomes'] =>
  Object.fromEntries(judged.map(({ check, outcome }) => [check.id, outcome]));
