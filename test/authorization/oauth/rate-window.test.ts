import { expect, test } from 'vitest';
import { createRateWindow } from '../../../src/authorization/oauth/rows.ts';
import { listResources } from '../../../src/authorization/oauth/resources.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

function world() {
  const store = memoryStore();
  return { ...store, rate: createRateWindow(store.rows, store.now, { prefix: 'own:t:', max: 2, windowMs: 60_000 }) };
}

test('so many events pass in a window, for each name, and the next are told how long to wait', () => {
  const { rate, advance } = world();
  expect([rate.count('a'), rate.count('a')]).toEqual([{ allowed: true }, { allowed: true }]);
  advance(59_001);
  expect(rate.count('a')).toEqual({ allowed: false, retryAfterS: 1 });
  expect(rate.count('b')).toEqual({ allowed: true });
});

test('a window starts with its first event and refused events do not prolong it', () => {
  const { rate, advance } = world();
  rate.count('a');
  advance(30_000);
  rate.count('a');
  expect(rate.count('a')).toEqual({ allowed: false, retryAfterS: 30 });
  advance(30_000);
  expect(rate.count('a')).toEqual({ allowed: true });
});

test('looking does not count', () => {
  const { rate } = world();
  for (let n = 0; n < 5; n += 1) expect(rate.check('a')).toEqual({ allowed: true });
});

test.each([
  [
    { baseUrl: 'https://a.example' },
    ['https://a.example/mcp-account', 'https://a.example/api/monitors', 'https://a.example/api/hosts'],
  ],
  [
    { baseUrl: 'https://a.example/', webhookUrl: '', controlUrl: undefined },
    ['https://a.example/mcp-account', 'https://a.example/api/monitors', 'https://a.example/api/hosts'],
  ],
  [
    { baseUrl: 'https://a.example', webhookUrl: 'https://b.example/', controlUrl: 'https://c.example/api/' },
    [
      'https://a.example/mcp-account',
      'https://a.example/api/monitors',
      'https://a.example/api/hosts',
      'https://b.example',
      'https://c.example/api',
    ],
  ],
  [
    { baseUrl: 'http://127.0.0.1:8787', controlUrl: 'http://127.0.0.1:8788' },
    [
      'http://127.0.0.1:8787/mcp-account',
      'http://127.0.0.1:8787/api/monitors',
      'http://127.0.0.1:8787/api/hosts',
      'http://127.0.0.1:8788',
    ],
  ],
])('resources have no trailing slash: %j', (origins, expected) => {
  expect(listResources(origins)).toEqual(expected);
});
