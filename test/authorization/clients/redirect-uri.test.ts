import { describe, expect, test } from 'vitest';
import { isSameRedirectUri, judgeRedirectUri } from '../../../src/authorization/clients/redirect-uri.ts';

test.each([
  ['https://app.example/cb', 'usable'],
  ['https://app.example:8443/cb?x=1', 'usable'],
  ['http://localhost/', 'usable'],
  ['http://127.8.9.10:1/', 'usable'],
  ['http://[::1]/', 'usable'],
  ['http://127.0.0.1.example/', 'refused'],
  ['http://localhost.example/', 'refused'],
  ['http://10.0.0.1/', 'refused'],
  ['http://app.example/cb', 'refused'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'listed'],
  ['com.example.app:/cb', 'listed'],
  ['https://app.example@evil.example/cb', 'refused'],
  ['https://app.example/cb#', 'refused'],
  ['https://*.example.com/cb', 'refused'],
  ['https://app.example/*', 'refused'],
  ['https:\\\\evil.example', 'refused'],
  ['https://app.example/a b', 'refused'],
  ['https://bücher.example/cb', 'refused'],
  ['JavaScript:alert(1)', 'refused'],
  ['view-source:https://app.example/', 'refused'],
  ['ws://app.example/', 'refused'],
  ['ftp://app.example/', 'refused'],
  [`https://app.example/${'x'.repeat(2_048)}`, 'refused'],
  ['//app.example/cb', 'refused'],
  ['', 'refused'],
])('G3: %s is %s', (uri, expected) => {
  expect(judgeRedirectUri(uri)).toBe(expected);
});

describe('B11.5: the redirect URI of a request', () => {
  test.each([
    ['https://app.example/cb', 'https://app.example/cb'],
    ['http://127.0.0.1:51999/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51999/callback'],
    ['http://127.0.0.1:1/callback?a=b', 'http://127.0.0.1:2/callback?a=b'],
    ['http://[::1]:51999/callback', 'http://[::1]/callback'],
    ['http://localhost:51999/callback', 'http://localhost:3000/callback'],
    ['http://127.0.0.1:51999', 'http://127.0.0.1'],
  ])('%s is the registered %s', (given, registered) => {
    expect(isSameRedirectUri(given, registered)).toBe(true);
  });

  test.each([
    'http://127.1:51999/callback',
    'http://127.0.1:51999/callback',
    'http://2130706433:51999/callback',
    'http://0x7f.0.0.1:51999/callback',
    'http://0177.0.0.1:51999/callback',
    'http://127.0.0.01:51999/callback',
    'http://１２７.0.0.1:51999/callback',
    'http://127。0。0。1:51999/callback',
    ' http://127.0.0.1:51999/callback',
    'http://127.0.0.1:51999/callback ',
    '\thttp://127.0.0.1:51999/callback',
    'http://127.0.0.1:51999/call\nback',
    'HTTP://127.0.0.1:51999/callback',
    'http:127.0.0.1:51999/callback',
    'http:/127.0.0.1:51999/callback',
    'http:\\\\127.0.0.1:51999/callback',
    'http://127.0.0.1:51999/./callback',
    'http://127.0.0.1:51999/x/../callback',
    'http://127.0.0.1:51999/%63allback',
    'http://127.0.0.1:51999/callback#',
    'http://127.0.0.1:51999/callback?',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:123456/callback',
    'http://user@127.0.0.1:51999/callback',
    'http://127.0.0.2:51999/callback',
    'http://localhost:51999/callback',
    'http://127.0.0.1.:51999/callback',
    'https://127.0.0.1:51999/callback',
  ])('%j is not the registered http://127.0.0.1/callback', (given) => {
    expect(isSameRedirectUri(given, 'http://127.0.0.1/callback')).toBe(false);
  });

  test.each([
    'https://app.example:443/cb',
    'https://app.example:8443/cb',
    'HTTPS://app.example/cb',
    'https://APP.example/cb',
  ])('off loopback nothing may differ, the port neither: %s', (given) => {
    expect(isSameRedirectUri(given, 'https://app.example/cb')).toBe(false);
  });
});
