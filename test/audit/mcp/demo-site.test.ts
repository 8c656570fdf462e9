import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sites, startSites } from '../../../local/sites/sites.ts';
import { auditSite, type WireScore } from '../../../src/audit/core/report.ts';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import { allowPublicAnd } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import type { WireCheck } from '../../../src/audit/core/wire.ts';

let sites: Sites;
beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.stop());

async function audit(scores?: readonly ['mcp']): Promise<WireScore> {
  const url = `${sites.good}/`;
  const policy = allowPublicAnd([url]);
  const fetch = createGuardedFetch({ fetch: createNodeFetch(policy), policy, clock: () => Date.now() });
  const report = await auditSite(url, {
    fetch,
    clockMs: Date.UTC(2026, 10, 21),
    ...(scores ? { scores } : {}),
  });
  if (!report.ok || !('scores' in report) || !report.scores.mcp) throw new Error('no MCP score');
  return report.scores.mcp;
}

test('the demo site, with a server of its own, scores 100 in MCP over real connections', async () => {
  const mcp = await audit(['mcp']);
  const of = (status: WireCheck['status']): readonly string[] =>
    mcp.checks.filter((check) => check.status === status).map(({ id, note }) => `${id}: ${note}`);
  expect([of('fail'), of('partial'), of('unknown')]).toEqual([[], [], []]);
  expect(mcp.score).toBe(100);
  expect(of('pass').length).toBeGreaterThanOrEqual(40);
});

test('all four scores of the demo site leave room for every probe of its server', async () => {
  const mcp = await audit();
  const unseen = mcp.checks.filter(({ status, weight }) => status === 'unknown' && weight > 0);
  expect(unseen.map(({ id }) => id)).toEqual([]);
});
