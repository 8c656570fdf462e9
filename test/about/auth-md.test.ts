import { expect, test } from 'vitest';
import { formatAuthMd } from '../../src/about/auth-md.ts';
import { serviceScopes } from '../../src/authorization/oauth/scopes.ts';

const BASE = 'https://a.example';
const text = formatAuthMd(BASE, 'Base');

test('opens with its name, and names the metadata that decides', () => {
  expect(text.split('\n', 1)).toEqual(['# auth.md']);
  for (const path of ['/.well-known/oauth-protected-resource/mcp-account', '/.well-known/oauth-authorization-server'])
    expect(text).toContain(`${BASE}${path}`);
});

test('names scopes that exist', () => {
  const named = [...text.matchAll(/`([a-z-]+:[a-z]+)`/g)].map(([, scope = '']) => scope);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((scope) => !Object.hasOwn(serviceScopes, scope))).toEqual([]);
});

test('promises no registration that is not there', () => {
  expect(text).toContain('There is no `agent_auth`');
  expect(text).not.toMatch(/\/agent\/(?:auth|identity)/);
});
