import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startHttpServer } from '../../../local/http-server.ts';
import { auditSite } from '../../../src/audit/core/report.ts';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import { allowPublicAnd } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';

/** Pages of real sites, kept beside the repository and not in it. */
const FOLDER = fileURLToPath(new URL('../../../../shared/corpora/html', import.meta.url));
const CLOCK_MS = Date.UTC(2026, 10, 21);

const pages = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.html')) : [];

/** The whole audit of a page as the command line does it, without the times that requests took. */
async function auditPage(url: string): Promise<string> {
  const policy = allowPublicAnd([url]);
  const fetch = createGuardedFetch({ fetch: createNodeFetch(policy), policy, clock: Date.now });
  const outcome = await auditSite(url, { fetch, clockMs: CLOCK_MS });
  if (!outcome.ok) throw new Error(`${outcome.failure}: ${outcome.detail}`);
  return JSON.stringify(outcome, (key, value: unknown) => (key === 'ms' ? undefined : value));
}

describe.skipIf(pages.length === 0)('the corpus of real pages (skipped where shared/corpora/html is absent)', () => {
  test.each(pages)('%s is audited to its end, and a second audit gives the same bytes', async (name) => {
    const html = readFileSync(`${FOLDER}/${name}`);
    const site = await startHttpServer((request, response) => {
      const isPage = request.url === '/';
      response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(isPage && request.method !== 'HEAD' ? html : undefined);
    });
    try {
      const first = await auditPage(`${site.url}/`);
      expect(await auditPage(`${site.url}/`)).toBe(first);
      const { scores } = JSON.parse(first) as { scores: Record<string, { score: number; checks: unknown[] }> };
      expect(Object.keys(scores)).toEqual(['aeo', 'geo', 'agent', 'mcp']);
      for (const { score, checks } of Object.values(scores)) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(checks.length).toBeGreaterThan(0);
      }
    } finally {
      await site.stop();
    }
  });
});

test('there is something to audit, or it says why not', ({ skip }) => {
  skip(pages.length === 0, 'shared/corpora/html is absent');
  expect(pages.length).toBeGreaterThan(20);
});
