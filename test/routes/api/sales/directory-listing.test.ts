import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import generated from '../../../../src/capabilities/bazaar.generated.json' with { type: 'json' };
import { post, signedCredential, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Sent = { paymentPayload: { resource?: unknown; extensions?: unknown } };
const sentParts = (): readonly Sent['paymentPayload'][] =>
  [...seen.calls.verify, ...seen.calls.settle].map((call) => {
    const { resource, extensions } = (call as Sent).paymentPayload;
    return { resource, extensions };
  });

test('P7: a facilitator lists by our own words, whatever the client made of them', async () => {
  const extensions = { bazaar: { info: { input: { url: 'https://evil.example' } }, schema: {} }, other: { info: {} } };
  const credential = await signedCredential('check_health', { top: { extensions } });
  expect((await post({ credential })).status).toBe(200);
  const ours = {
    resource: {
      url: `${env.BASE_URL}/api/agent/check_health`,
      description: expect.any(String),
      mimeType: 'application/json',
      serviceName: 'Sightline',
      tags: ['audit', 'seo', 'aeo', 'geo', 'mcp'],
      iconUrl: `${env.BASE_URL}/web/icon.svg`,
    },
    extensions: { bazaar: generated.check_health },
  };
  expect(sentParts()).toEqual([ours, ours]);
  expect(JSON.stringify(seen.calls)).not.toContain('evil');
});

test('a client that does not ask for it is not listed', async () => {
  expect(
    (await post({ credential: await signedCredential('check_health', { top: { extensions: undefined } }) })).status,
  ).toBe(200);
  expect(sentParts()).toEqual([
    { resource: undefined, extensions: undefined },
    { resource: undefined, extensions: undefined },
  ]);
});
