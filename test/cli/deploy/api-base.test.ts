import { expect, test } from 'vitest';
import { readApiBase, readResolve } from '../../../src/cli/deploy/api-base.ts';

const LOCAL = 'http://127.0.0.1:8793/client/v4';

test('without anything it is the API of Cloudflare', () => {
  expect(readApiBase(undefined, {})).toBe('https://api.cloudflare.com/client/v4');
  expect(readApiBase(undefined, { CLOUDFLARE_API_BASE_URL: '' })).toBe('https://api.cloudflare.com/client/v4');
});

test('the environment alone chooses no other, not even on this machine', () => {
  for (const url of [LOCAL, 'https://evil.example/client/v4'])
    expect(readApiBase(undefined, { CLOUDFLARE_API_BASE_URL: url })).toMatchObject({
      exit: 2,
      message: expect.stringContaining('CLOUDFLARE_API_BASE_URL is set'),
    });
});

test('--api-base is taken on this machine, and where the environment says the same or nothing', () => {
  expect(readApiBase(LOCAL, {})).toBe(LOCAL);
  expect(readApiBase(`${LOCAL}/`, { CLOUDFLARE_API_BASE_URL: `${LOCAL}/` })).toBe(LOCAL);
  expect(readApiBase(LOCAL, { CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4' })).toMatchObject({ exit: 2 });
});

test.each([
  'https://api.cloudflare.com/client/v4',
  'http://10.0.0.1/client/v4',
  'http://127.0.0.1.evil.example/',
  'http://127.0.0.1@evil.example/',
  'http://user:pass@127.0.0.1/',
  'file:///etc/passwd',
  'nonsense',
])('--api-base %s is refused', (url) => {
  expect(readApiBase(url, {})).toMatchObject({ reason: 'usage', exit: 2 });
});

test('--resolve is for a stand-in alone, and leads to this machine alone', () => {
  expect(readResolve([], false)).toEqual(new Map());
  expect(readResolve(['a.example=https://127.0.0.1:8443/', '*=https://[::1]:9'], true)).toEqual(
    new Map([
      ['a.example', 'https://127.0.0.1:8443'],
      ['*', 'https://[::1]:9'],
    ]),
  );
  for (const [words, isStandIn] of [
    [['a.example=https://127.0.0.1'], false],
    [['a.example=https://evil.example'], true],
    [['=https://127.0.0.1'], true],
    [['a.example'], true],
  ] as const)
    expect(readResolve(words, isStandIn)).toMatchObject({ reason: 'usage' });
});
