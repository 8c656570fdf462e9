import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import { allowPublicAnd } from '../../../src/net/address-policy.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { listAboutRows } from '../../../src/about/about-data.ts';
import { auditOwnSite, EXAMPLE_OPERATOR, judgeOwnSite, type OwnScore } from '../../support/stack/own-site.ts';

let stack: Stack;
let scores: Record<'aeo' | 'geo' | 'agent' | 'mcp', OwnScore>;
beforeAll(async () => {
  stack = await startStack({ bindings: EXAMPLE_OPERATOR });
  scores = await auditOwnSite(`${stack.api.url}/`, createOwnFetch());
});
afterAll(() => stack.stop());

/** With the requests of one audit. */
function createOwnFetch(): GuardedFetch {
  const policy = allowPublicAnd([`${stack.api.url}/`]);
  return createGuardedFetch({ fetch: createNodeFetch(policy), policy, clock: Date.now });
}

/** The start page quotes no person, and its worth for GEO ends there. */
const START_AIMS = { aeo: 99, geo: 92, agent: 99, mcp: 100 } as const;
/** The pages beside the start page are short: the text of terms and contacts offers little to cite. */
const SITE_AIMS = { aeo: 97, geo: 78, agent: 98, mcp: 100 } as const;
const UNQUOTED = /geo\.evidence\.quotations/;

test.each(['aeo', 'geo', 'agent', 'mcp'] as const)('our own site keeps its aim in %s on its start page', (name) => {
  // `left` is not judged: it shows what there is to fix when this fails.
  expect(scores[name]).toEqual({
    start: expect.toSatisfy((points: number) => points >= START_AIMS[name]) as number,
    score: expect.any(Number) as number,
    heavy: expect.toSatisfy((found: string[]) => found.every((text) => UNQUOTED.test(text))) as string[],
    left: expect.any(Array) as string[],
  });
});

test.each(['aeo', 'geo', 'agent', 'mcp'] as const)('and keeps its aim in %s over all its pages', (name) => {
  const { score, left } = scores[name];
  expect({ left, isReached: score >= SITE_AIMS[name] }).toMatchObject({ isReached: true });
});

test.each(listAboutRows().map(({ path, type }) => [path, type]))('%s is there, as %s', async (path, type) => {
  const answer = await fetch(new URL(path, stack.api.url), { redirect: 'manual' });
  expect([answer.status, answer.headers.get('content-type')?.split(';', 1)[0]]).toEqual([200, type]);
  expect((await answer.text()).length).toBeGreaterThan(100);
});

/** A whole audit has no requests left for what the service says of itself. */
const ABOUT_SCOPE = { scores: ['agent'], maxPages: 1 } as const;

test('our own audit passes what it asks of sites about their changes, weaknesses and ways in', async () => {
  const judged = await judgeOwnSite(`${stack.api.url}/`, createOwnFetch(), ABOUT_SCOPE);
  const ids = ['agent.api.change-policy', 'agent.auth.auth-md', 'agent.llms.full', 'agent.sec.security-txt'];
  const found = judged.filter(({ check }) => ids.includes(check.id));
  expect(found.map(({ check, outcome }) => [check.id, outcome.status, outcome.note])).toEqual(
    found.map(({ check }) => [check.id, 'pass', expect.any(String)]),
  );
  expect(found.map(({ check }) => check.id).toSorted()).toEqual(ids);
});
