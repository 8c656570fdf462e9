import { describe, expect, test } from 'vitest';
import { parseRegistration } from '../../../src/authorization/clients/registration.ts';

const base = { client_name: 'Desk', redirect_uris: ['https://app.example/cb'] };
const errorOf = (value: unknown): string => {
  const parsed = parseRegistration(value);
  return parsed.ok ? 'ok' : parsed.error;
};

describe('G3: redirect URIs', () => {
  test.each([
    ['https', ['https://app.example/cb']],
    ['loopback http', ['http://127.0.0.1:8912/cb', 'http://localhost/cb', 'http://[::1]:1/cb']],
    ['the scheme of an app beside one that is usable (O9)', ['https://app.example/cb', 'cursor://anysphere/cb']],
  ])('%s is accepted', (_, uris) => {
    expect(errorOf({ ...base, redirect_uris: uris })).toBe('ok');
  });

  test.each([
    ['none', []],
    ['none at all', undefined],
    ['only the scheme of an app', ['com.example.app:/cb']],
    ['javascript', ['https://app.example/cb', 'javascript:alert(1)']],
    ['data', ['data:text/html,x', 'https://app.example/cb']],
    ['vbscript in capitals', ['VBScript:x', 'https://app.example/cb']],
    ['a file', ['file:///etc/passwd', 'https://app.example/cb']],
    ['remote http', ['http://app.example/cb', 'https://app.example/cb']],
    ['a host that looks like loopback', ['http://127.0.0.1.evil.example/cb']],
    ['a wildcard', ['https://*.example.com/cb']],
    ['a user name', ['https://app.example@evil.example/cb']],
    ['a fragment', ['https://app.example/cb#x']],
    ['an empty fragment', ['https://app.example/cb#']],
    ['white space', [' https://app.example/cb']],
    ['a line break', ['https://app.example/cb\n']],
    ['a backslash', ['https:\\\\evil.example/cb']],
    ['no URL', ['/cb']],
    ['eleven', Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`)],
    ['a long one', [`https://app.example/${'x'.repeat(2_048)}`]],
    ['a number', [1]],
  ])('%s is refused', (_, uris) => {
    expect(errorOf({ ...base, redirect_uris: uris })).toBe('invalid_redirect_uri');
  });
});

describe('A1, G7: grants', () => {
  test.each([
    ['authorization_code', ['authorization_code'], ['authorization_code']],
    [
      'device_code beside it is left out',
      ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      ['authorization_code', 'refresh_token'],
    ],
  ])('%s', (_, asked, kept) => {
    const parsed = parseRegistration({ ...base, grant_types: asked });
    expect(parsed.ok && parsed.metadata.grant_types).toEqual(kept);
  });

  test.each([
    [['client_credentials']],
    [['authorization_code', 'client_credentials']],
    [['authorization_code', 'urn:ietf:params:oauth:grant-type:jwt-bearer']],
    [['refresh_token']],
    [['implicit']],
    [['password', 'authorization_code']],
    [[]],
  ])('%j is refused', (grants) => {
    expect(errorOf({ ...base, grant_types: grants })).toBe('invalid_client_metadata');
  });
});

describe('A8, N6: names', () => {
  test.each(['Desk', 'Ünïcode 日本語', '<script>alert(1)</script>', 'x'.repeat(80), '😀'.repeat(80)])(
    '%s is accepted',
    (name) => {
      expect(errorOf({ ...base, client_name: name })).toBe('ok');
    },
  );

  test.each([
    ['81 characters', 'x'.repeat(81)],
    ['nothing', ''],
    ['blanks', '   '],
    ['a bidirectional override', 'Desk\u202Eelpmaxe'],
    ['an isolate', 'Desk\u2066x\u2069'],
    ['a line break', 'Desk\nVerified'],
    ['NUL', 'Desk\u0000'],
    ['a zero-width space', 'De\u200Bsk'],
    ['a soft hyphen', 'De\u00ADsk'],
    ['a tag character', 'Desk\u{E0041}'],
    ['a lone surrogate', 'Desk\uD800'],
    ['a pile of marks', `D${'\u0301'.repeat(9)}`],
    ['a number', 7],
  ])('%s is refused', (_, name) => {
    expect(errorOf({ ...base, client_name: name })).toBe('invalid_client_metadata');
  });
});

test.each([
  ['G4: a script for a logo', { logo_uri: 'javascript:alert(1)' }],
  ['G4: a data URL for a home page', { client_uri: 'data:text/html,x' }],
  ['G4: a relative policy', { policy_uri: '/policy' }],
  ['G4: a file for terms', { tos_uri: 'file:///terms' }],
  ['private_key_jwt', { token_endpoint_auth_method: 'private_key_jwt' }],
  ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }],
  ['the implicit response', { response_types: ['token'] }],
  ['two response types', { response_types: ['code', 'token'] }],
  ['an unknown kind of application', { application_type: 'toaster' }],
])('%s is refused', (_, over) => {
  expect(errorOf({ ...base, ...over })).toBe('invalid_client_metadata');
});

test.each([undefined, null, 'x', 1, [], true])('%j is no metadata', (value) => {
  expect(errorOf(value)).toBe('invalid_client_metadata');
});

test('a refusal never repeats what was sent', () => {
  const parsed = parseRegistration({ ...base, client_name: 'EVIL\u202E', grant_types: ['EVIL'] });
  expect(JSON.stringify(parsed)).not.toContain('EVIL');
});

test('unknown members are dropped', () => {
  const parsed = parseRegistration({
    ...base,
    scope: 'operator',
    jwks_uri: 'https://a.example/jwks',
    'client_name#ja': 'x',
  });
  expect(parsed.ok && Object.keys(parsed.metadata).toSorted()).toEqual(['client_name', 'redirect_uris']);
});
