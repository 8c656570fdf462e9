import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import { allowPublicAnd } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { auditOwnSite, EXAMPLE_OPERATOR, type OwnScore } from '../../support/stack/own-site.ts';

let stack: Stack;
let scores: Record<'aeo' | 'geo' | 'agent' | 'mcp', OwnScore>;
beforeAll(async () => {
  stack = await startStack({ bindings: EXAMPLE_OPERATOR });
  const url = `${stack.api.url}/`;
  const policy = allowPublicAnd([url]);
  const fetch = createGuardedFetch({ fetch: createNodeFetch(policy), policy, clock: Date.now });
  scores = await auditOwnSite(url, fetch);
});
afterAll(() => stack.stop());

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
