import { expect, test } from 'vitest';
import { judgeRedirectUri } from '../../src/authorization/redirect-uri.ts';

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
