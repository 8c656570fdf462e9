import { expect, test } from 'vitest';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { type AuditScore, computeScore } from '../../../src/audit/core/scores.ts';
import { judgeChecks, type Judged, type JudgedSite, type JudgeOptions, type Row, testChecks } from './judge-check.ts';
import type { SiteMap } from './site-fetch.ts';

export type Rows = Readonly<Record<string, readonly Row<SiteMap>[]>>;

/** What a run of the MCP score alone gathers, but for the sample of pages. */
const OPTIONS = {
  profile: 'mcp',
  only: ['robots', 'agentCards', 'mcpDiscovery', 'mcpEndpoint', 'mcpAuth', 'mcpProbes', 'mcpDocs', 'mcpRegistry'],
} as const satisfies JudgeOptions;

export type JudgedMcp = Judged & { score: AuditScore };

/** Gathers a fixture site's MCP part and judges it by the MCP checks. */
export async function judgeMcp(site: JudgedSite, options: JudgeOptions = {}): Promise<JudgedMcp> {
  const judged = await judgeChecks('mcp.', site, { ...OPTIONS, ...options });
  return { ...judged, score: computeScore('mcp', judged.judged) };
}

/** Checks that never judge: they say what cannot be seen from outside. */
const NEVER_JUDGED = new Set(['mcp.discovery.dns-aid', 'mcp.auth.resource-param']);

/** One test for each row, and one for each check: it has rows that pass, that do not, and that do not apply. */
export function testMcpChecks(rows: Rows): void {
  testChecks(rows, OPTIONS);
  test.each(Object.entries(rows))('%s has rows that pass, that do not, and that do not apply', (id, cases) => {
    const statuses = cases.map(([, , gives]) => gives);
    const weight = checks.find((check) => check.id === id)?.weight;
    expect(weight).toBeDefined();
    expect(statuses.some((status) => status === 'not_applicable' || status === 'unknown')).toBe(true);
    if (NEVER_JUDGED.has(id)) return;
    expect(statuses).toContain('pass');
    expect(statuses.some((status) => status === 'fail' || status === 'partial' || weight === 0)).toBe(true);
  });
}
