import { expect, test } from 'vitest';
import { createLogReader } from '../../../src/traffic/formats/log-reader.ts';
import { lookedUp, settleClaims } from '../../../src/traffic/tally/settle-claims.ts';
import { createTally } from '../../../src/traffic/tally/tally.ts';
import { samples } from '../formats/samples-data.ts';

test('lookups of names settle what the ranges leave open', async () => {
  const classify = () => ({ class: 'multi-purpose', token: 'Googlebot', owner: 'Google' }) as const;
  const ports = { classify, findReferral: () => undefined, verify: () => 'pretended' as const };
  const tally = createTally(ports, { apart: lookedUp });
  const reader = createLogReader(tally.count);
  for (const address of ['66.249.66.1', '198.18.0.1', '66.249.66.2', '192.178.4.1'])
    reader.push(`${samples.combined.replace('203.0.113.9', address)}\n`);
  reader.end();
  const resolver = {
    reverse: (address: string) =>
      address === '192.178.4.1'
        ? Promise.reject(new Error('no answer'))
        : Promise.resolve([`crawl-${address}.googlebot.com`]),
    forward: (name: string) => Promise.resolve(name.includes('66.2.') ? [] : ['66.249.66.1']),
  };
  expect(await settleClaims(tally, resolver)).toBe(4);
  const states = tally.agents.get('Googlebot')?.states;
  expect([states?.verified.requests, states?.pretended.requests, states?.claimed.requests]).toEqual([1, 3, 0]);
  expect(tally.pages.get('/docs/a')?.agents).toBe(1);
});
