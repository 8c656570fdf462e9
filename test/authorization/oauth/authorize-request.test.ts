import { describe, expect, test } from 'vitest';
import { checkAuthorizeQuery } from '../../../src/authorization/oauth/authorize-request.ts';

const base = {
  response_type: 'code',
  client_id: 'client',
  redirect_uri: 'https://app.example/cb',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  resource: 'https://sightline.test/mcp-account',
  scope: 'audit:run credits:use',
  state: 'xyz',
};
const urlOf = (query: string): URL => new URL(`https://sightline.test/authorize?${query}`);
const check = (over: Record<string, string | undefined>) => {
  const entries = Object.entries({ ...base, ...over }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return checkAuthorizeQuery(urlOf(new URLSearchParams(entries).toString()));
};
const brief = (outcome: ReturnType<typeof checkAuthorizeQuery>): string =>
  outcome.ok ? 'ok' : `${outcome.error} ${outcome.redirectable ? 'redirect' : 'page'}`;

test.each([
  ['everything in order', {}],
  ['no state', { state: undefined }],
  ['no scope: the least is meant', { scope: undefined }],
  ['offline_access, which every grant has', { scope: 'audit:run offline_access' }],
  ['a vendor scope by its full URL', { scope: 'https://www.googleapis.com/auth/admin.directory.user' }],
  ['response_mode query', { response_mode: 'query' }],
  ['parameters nobody knows', { prompt: 'login', nonce: 'x' }],
])('%s passes', (_, over) => {
  expect(brief(check(over))).toBe('ok');
});

describe('an error page, never a redirect', () => {
  test.each([
    ['no client', { client_id: undefined }, 'invalid_request page'],
    ['a client id of 2,049 characters', { client_id: 'x'.repeat(2_049) }, 'invalid_request page'],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_request page'],
    ['state beyond 2,048 characters', { state: 'x'.repeat(2_049) }, 'invalid_request page'],
    ['state with a control character', { state: 'a\u0000b' }, 'invalid_request page'],
    ['state with a line break', { state: 'a\r\nLocation: x' }, 'invalid_request page'],
    ['a query beyond 8 KiB', { x: 'y'.repeat(8_192) }, 'invalid_request page'],
  ])('%s', (_, over, expected) => {
    expect(brief(check(over))).toBe(expected);
  });

  test.each(Object.keys(base))('O6: %s given twice', (name) => {
    const query = new URLSearchParams(base);
    query.append(name, 'https://evil.example/cb');
    expect(brief(checkAuthorizeQuery(urlOf(query.toString())))).toBe('invalid_request page');
  });
});

describe('an error for the redirect URI', () => {
  test.each([
    ['P1: no challenge', { code_challenge: undefined }, 'invalid_request redirect'],
    ['P2: the method plain', { code_challenge_method: 'plain' }, 'invalid_request redirect'],
    ['P3: no method', { code_challenge_method: undefined }, 'invalid_request redirect'],
    ['P6: a challenge of 3 characters', { code_challenge: 'abc' }, 'invalid_request redirect'],
    ['P6: a challenge of 44 characters', { code_challenge: `${base.code_challenge}A` }, 'invalid_request redirect'],
    ['P6: a challenge in plain base64', { code_challenge: `${'A'.repeat(42)}+` }, 'invalid_request redirect'],
    ['a method in lower case', { code_challenge_method: 's256' }, 'invalid_request redirect'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported redirect'],
    ['a request_uri', { request_uri: 'https://a.example/r' }, 'request_uri_not_supported redirect'],
    ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request redirect'],
    ['response_mode form_post', { response_mode: 'form_post' }, 'invalid_request redirect'],
    ['no response type', { response_type: undefined }, 'invalid_request redirect'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type redirect'],
    ['no resource', { resource: undefined }, 'invalid_target redirect'],
    ['U6: a query in the resource', { resource: 'https://sightline.test/mcp-account?x=1' }, 'invalid_target redirect'],
    ['an unknown scope', { scope: 'audit:run everything' }, 'invalid_scope redirect'],
    ['a scope of the prototype', { scope: 'constructor' }, 'invalid_scope redirect'],
    ['a vendor scope with a quote', { scope: 'https://www.googleapis.com/auth/a"b' }, 'invalid_scope redirect'],
    [
      '51 scopes',
      { scope: Array.from({ length: 51 }, (_, n) => `https://www.googleapis.com/auth/s${n}`).join(' ') },
      'invalid_scope redirect',
    ],
  ])('%s', (_, over, expected) => {
    expect(brief(check(over))).toBe(expected);
  });
});
