import { expect, test } from 'vitest';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { reportOn } from '../../../src/audit/core/report.ts';
import { DEFAULT_LIMITS } from '../../../src/net/fetch-budget.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import { seededTurns } from '../../support/audit/seeded-turns.ts';
import { SITE, siteFetch } from '../../support/audit/site-fetch.ts';
import { good } from '../truth/sites/good.ts';
import { mcpOpen } from '../truth/sites/mcp/mcp-open.ts';
import { mcpProtected } from '../truth/sites/mcp/mcp-protected.ts';
import { moved } from '../truth/sites/moved.ts';
import { shop } from '../truth/sites/shop.ts';
import type { TruthSite } from '../truth/truth-site.ts';

const SEEDS = 12;

test.each([good, shop, mcpOpen, mcpProtected].map((site) => [site.name, site] as const))(
  '%s: the order in which answers come leaves no trace in the report',
  async (_name, site) => {
    const first = await reportOf(site, () => 0);
    const orders = new Set([first.order]);
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { order, bytes } = await reportOf(site, seededTurns(seed));
      orders.add(order);
      expect(bytes).toBe(first.bytes);
    }
    expect(orders.size).toBeGreaterThan(SEEDS / 2);
  },
  60_000,
);

test('behind a long chain of redirects, where the budget ends midway, the same requests go without', async () => {
  const { bytes } = await reportOf(moved, () => 0);
  expect(bytes).toContain('budget_exhausted');
  for (let seed = 1; seed <= SEEDS; seed += 1)
    expect((await reportOf(moved, seededTurns(seed))).bytes === bytes).toBe(true);
}, 60_000);

/** A report without the times of its requests, and the order in which they were answered. */
async function reportOf(site: TruthSite, turns: () => number): Promise<{ order: string; bytes: string }> {
  const plain = siteFetch(site.map, site.catchAll === undefined ? {} : { catchAll: site.catchAll });
  const answered: string[] = [];
  let used = 0;
  const fetch: GuardedFetch = async (target) => {
    if (used >= DEFAULT_LIMITS.requests)
      return { ok: false, reason: 'budget_exhausted', detail: 'no requests left', redirects: [], elapsedMs: 0 };
    used += 1;
    for (let left = turns(); left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
    const answer = await plain(target);
    used += answer.redirects.length;
    answered.push(target.url);
    return answer;
  };
  const snapshot = await gatherSite(SITE + (site.path ?? '/'), { fetch, clockMs: CLOCK_MS });
  const report = await reportOn(snapshot, site.profile === undefined ? {} : { profile: site.profile });
  if (!report.ok) throw new Error(report.detail);
  return {
    order: answered.join(' '),
    bytes: JSON.stringify(report, (key, value: unknown) => (key === 'ms' ? 0 : value)),
  };
}
