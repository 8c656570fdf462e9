import { describe, expect, test } from 'vitest';
import type { OutcomeStatus } from '../../../src/audit/core/check.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { judgeMcp } from './judge-mcp.ts';
import { mcpSite, modernServer, type Server } from './mcp-site.ts';
import { type SiteAnswer, siteFetch, type SiteFetch, type SiteMap } from './site-fetch.ts';

/** A site and what one check makes of it. `postMs` is the time of each answer to a POST, in turn, the last for the rest. */
export type Row = {
  name: string;
  site: SiteMap;
  gives: OutcomeStatus;
  value?: number;
  local?: boolean;
  note?: RegExp;
  postMs?: readonly number[];
};
export type Rows = Readonly<Record<string, readonly Row[]>>;
export type Changes = Readonly<Record<string, SiteAnswer | undefined>>;

/** The sound site with another server. */
export const served = (server: Server, changes: Changes = {}): SiteMap => mcpSite({ 'POST /mcp': server, ...changes });

/** The sound site whose server lists these tools. */
export const withTools = (...tools: readonly unknown[]): SiteMap => served(modernServer({ pages: [tools] }));

/** Checks that never judge: they say what cannot be seen from outside. */
const NEVER_JUDGED = new Set(['mcp.discovery.dns-aid', 'mcp.auth.resource-param']);

/** One test for each row, and one for each check: it has rows that pass, that do not, and that do not apply. */
export function testRows(rows: Rows): void {
  describe.each(Object.entries(rows))('%s', (id, cases) => {
    test.each(cases)('$name gives $gives', async ({ site, gives, value, local, note, postMs }) => {
      const fetch = timed(siteFetch(site), postMs ?? []);
      const { outcomes } = await judgeMcp(site, { local: local ?? false, fetch });
      const outcome = outcomes[id];
      expect(outcome?.note).toMatch(note ?? /./);
      expect(outcome?.status).toBe(gives);
      expect(outcome?.value).toBe(value ?? outcome?.value);
    });

    test('there are rows that pass, that do not, and that do not apply', () => {
      const statuses = cases.map(({ gives }) => gives);
      const weight = checks.find((check) => check.id === id)?.weight;
      expect(weight).toBeDefined();
      expect(statuses.some((status) => status === 'not_applicable' || status === 'unknown')).toBe(true);
      if (NEVER_JUDGED.has(id)) return;
      expect(statuses).toContain('pass');
      expect(statuses.some((status) => status === 'fail' || status === 'partial' || weight === 0)).toBe(true);
    });
  });
}

/** The same fetch, whose POSTs seem to take as long as told. */
function timed(fetch: SiteFetch, postMs: readonly number[]): SiteFetch {
  let count = 0;
  const slow: GuardedFetch = async (target) => {
    const fetched = await fetch(target);
    const elapsedMs = target.method === 'POST' ? (postMs[count++] ?? postMs.at(-1)) : undefined;
    return elapsedMs === undefined ? fetched : { ...fetched, elapsedMs };
  };
  return Object.assign(slow, { requests: fetch.requests });
}
