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

test.each(['aeo', 'geo', 'agent', 'mcp'] as const)('our own site scores 100 in %s', (name) => {
  // `left` is not judged: it shows what there is to mend when this fails.
  expect(scores[name]).toEqual({ score: 100, heavy: [], left: expect.any(Array) as string[] });
});
