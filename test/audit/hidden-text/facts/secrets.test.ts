import { describe, expect, test } from 'vitest';
import { findSecrets } from '../../../../src/audit/hidden-text/facts/secrets.ts';

describe('secrets', () => {
  test.each([
    { name: 'a secret input with a value', value: { headers: [{ isSecret: true, value: 'hunter2' }] } },
    { name: 'a secret input with a default', value: { variables: { token: { isSecret: true, default: 'hunter2' } } } },
    {
      name: 'a template around a live token',
      value: { headers: [{ isSecret: true, value: 'Bearer {x}sk-aB3dE5fG7hJ9kL1mN3pQ5rS7' }] },
    },
    { name: 'a provider key in env', value: { env: { K: 'AKIAIOSFODNN7EXAMPLQ' } } },
    { name: 'a key in args', value: { args: ['--api-key=ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7'] } },
    {
      name: 'a JWT in a header map',
      value: { headers: { Authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc' } },
    },
    {
      name: 'hexadecimal in a URL query',
      value: { url: 'https://a.test/mcp?key=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b' },
    },
    { name: 'random letters and digits', value: { headers: { 'x-key': 'Zm9vYmFyMTIzNDU2Nzg5cXdlcnR5' } } },
  ])('$name is found', ({ value }) => {
    expect(findSecrets(value).length).toBe(1);
  });

  test.each([
    { name: 'a template', value: { headers: [{ isSecret: true, value: 'Bearer {token}' }] } },
    { name: 'an empty secret', value: { headers: [{ isSecret: true, value: '' }] } },
    { name: 'a placeholder in angle brackets', value: { env: { API_KEY: '<your-api-key-goes-here-1234567890>' } } },
    { name: 'a placeholder in words', value: { env: { API_KEY: 'YOUR_API_KEY_GOES_HERE' } } },
    { name: 'a UUID', value: { headers: { tenant: '3f2504e0-4f89-11d3-9a0c-0305e82c3301' } } },
    {
      name: 'a long description',
      value: { description: 'A1 thing that does 2 things and even 33 more of them for everyone' },
    },
    { name: 'a version and a package', value: { args: ['-y', '@modelcontextprotocol/server-filesystem@2026.8.31'] } },
    { name: 'a URL path', value: { url: 'https://a.test/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b' } },
  ])('$name is not', ({ value }) => {
    expect(findSecrets(value)).toEqual([]);
  });
});
