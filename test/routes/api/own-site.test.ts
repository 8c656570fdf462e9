import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../../routes/api/app.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { localAnswers } from '../../../src/models/registry-local.ts';
import { auditOwnSite, judgeOwnSite } from '../../support/stack/own-site.ts';
import { world } from './world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const policy = allowPublicOnly({ alternatePorts: true });
const app = createApp({ policy: () => policy, local: false, engines: localAnswers });
/** A public name: that of the other tests is reserved, and checks of public sites would not apply. */
const BASE_URL = 'https://audits.example.com';

/** Our Worker behind its address; the network in front of it leads http to https, as a deployment's does. */
async function fetchOwn(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.host !== new URL(BASE_URL).host) return new Response('not ours', { status: 404 });
  if (url.protocol === 'http:') return Response.redirect(request.url.replace('http:', 'https:'), 308);
  const context = createExecutionContext();
  // Under an address of its own: the free limit of the other tests' caller is theirs.
  const sent = new Request(request, { headers: [...request.headers, ['cf-connecting-ip', '203.0.113.9']] });
  const answer = await app.fetch(sent, { ...env, BASE_URL }, context);
  await waitOnExecutionContext(context);
  return answer;
}

const guarded = () =>
  createGuardedFetch({ fetch: (input, init) => fetchOwn(new Request(input, init)), policy, clock: Date.now });

// The local stack is audited in test/e2e/pages/own-site.test.ts: here the site is public, so https, CORS and names count too.
test('a public deployment scores 95 or more in MCP and Agent Readiness, and no check of weight 2 or more fails', async () => {
  const { agent, mcp } = await auditOwnSite(`${BASE_URL}/`, guarded());
  for (const score of [agent, mcp])
    // `left` is not judged: it shows what there is to fix when this fails.
    expect(score).toEqual({
      start: expect.toSatisfy((points: number) => points >= 95) as number,
      score: expect.toSatisfy((points: number) => points >= 95) as number,
      heavy: [],
      left: expect.any(Array) as string[],
    });
});

/** A whole audit may have no request left for the interface. */
const ONE_SCORE = { scores: ['agent'], maxPages: 1 } as const;

test('a public deployment passes the checks of A2A that we sell: a valid card, its older form in step, an agent behind it', async () => {
  const judged = await judgeOwnSite(`${BASE_URL}/`, guarded(), ONE_SCORE);
  const statuses = judged.map(({ check, outcome }) => [check.id, outcome.status] as const);
  expect(statuses.filter(([id]) => /^agent\.a2a\.(?:card|legacy-path|interface-live)$/.test(id))).toEqual([
    ['agent.a2a.card', 'pass'],
    ['agent.a2a.legacy-path', 'pass'],
    ['agent.a2a.interface-live', 'pass'],
  ]);
});
