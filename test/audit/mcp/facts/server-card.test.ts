import { describe, expect, test } from 'vitest';
import { isServerCardShape, readServerCard, SERVER_CARD_SCHEMA } from '../../../../src/audit/mcp/facts/server-card.ts';

const minimal = { $schema: SERVER_CARD_SCHEMA, name: 'org/card', version: '1.0.0', description: 'Does one thing.' };

const without = (key: string): object => Object.fromEntries(Object.entries(minimal).filter(([name]) => name !== key));

const pointers = (issues: readonly { pointer: string }[]): readonly string[] => issues.map(({ pointer }) => pointer);

describe('Server Card', () => {
  // The two valid and five invalid kinds of the extension's own examples, then the edges of each rule.
  test.each([
    { name: 'the smallest card', card: minimal },
    {
      name: 'a templated remote with a secret header',
      card: {
        ...minimal,
        title: 'T',
        websiteUrl: 'https://a.test',
        remotes: [
          {
            type: 'streamable-http',
            url: 'https://{tenant}.a.test/mcp',
            variables: { tenant: { isRequired: true, default: 'x' } },
            headers: [
              {
                name: 'Authorization',
                isSecret: true,
                value: 'Bearer {token}',
                variables: { token: { isSecret: true } },
              },
            ],
            supportedProtocolVersions: ['2025-11-25'],
          },
        ],
      },
    },
    { name: 'a name of 200 characters', card: { ...minimal, name: `o/${'n'.repeat(198)}` } },
    { name: 'a description of 100 characters', card: { ...minimal, description: 'd'.repeat(100) } },
    { name: 'a prerelease version', card: { ...minimal, version: '2.1.0-alpha.x1+build' } },
    { name: 'a version that is no number', card: { ...minimal, version: '2026-11-21' } },
    { name: 'a version of 255 characters', card: { ...minimal, version: '1'.repeat(255) } },
    { name: 'members of other forms', card: { ...minimal, serverInfo: {}, tools: ['dynamic'] } },
    { name: 'a remote that is all template', card: { ...minimal, remotes: [{ type: 'sse', url: '{base}/sse' }] } },
  ])('$name is valid', ({ card }) => {
    expect(readServerCard(card).issues).toEqual([]);
  });

  test.each([
    { name: 'no slash in the name', card: { ...minimal, name: 'no-slash' }, at: '/name' },
    {
      name: 'a schema URL by date',
      card: { ...minimal, $schema: SERVER_CARD_SCHEMA.replace('/v1/', '/2025-11-25/') },
      at: '/$schema',
    },
    { name: 'no name', card: without('name'), at: '/name' },
    { name: 'no schema', card: without('$schema'), at: '/$schema' },
    {
      name: 'the schema of server.json',
      card: { ...minimal, $schema: SERVER_CARD_SCHEMA.replace('server-card', 'server') },
      at: '/$schema',
    },
    { name: 'two slashes in the name', card: { ...minimal, name: 'a/b/c' }, at: '/name' },
    { name: 'a name of 201 characters', card: { ...minimal, name: `o/${'n'.repeat(199)}` }, at: '/name' },
    { name: 'no description', card: without('description'), at: '/description' },
    { name: 'an empty description', card: { ...minimal, description: '' }, at: '/description' },
    { name: 'a description of 101 characters', card: { ...minimal, description: 'd'.repeat(101) }, at: '/description' },
    { name: 'no version', card: without('version'), at: '/version' },
    { name: 'a version of 256 characters', card: { ...minimal, version: '1'.repeat(256) }, at: '/version' },
    {
      name: 'a remote of another type',
      card: { ...minimal, remotes: [{ type: 'http', url: 'https://a.test' }] },
      at: '/remotes/0/type',
    },
    { name: 'a relative remote', card: { ...minimal, remotes: [{ type: 'sse', url: '/mcp' }] }, at: '/remotes/0/url' },
    { name: 'a remote without URL', card: { ...minimal, remotes: [{ type: 'sse' }] }, at: '/remotes/0/url' },
    {
      name: 'versions that are no list',
      card: { ...minimal, remotes: [{ type: 'sse', url: 'https://a.test', supportedProtocolVersions: '2025-11-25' }] },
      at: '/remotes/0/supportedProtocolVersions',
    },
    { name: 'remotes that are no list', card: { ...minimal, remotes: {} }, at: '/remotes' },
    { name: 'a list', card: [], at: '' },
    { name: 'null', card: null, at: '' },
  ])('$name is refused at "$at"', ({ card, at }) => {
    expect(pointers(readServerCard(card).issues)).toContain(at);
  });

  test.each(['^1.2.3', '~1.2.3', '>=1.2.3', '<2', '=1', '1.x', '1.X.0', 'x', '1.*', '*', '1.0 || 2.0', '1.0 - 2.0'])(
    'the version range %s is refused',
    (version) => {
      expect(pointers(readServerCard({ ...minimal, version }).issues)).toEqual(['/version']);
    },
  );

  test.each([
    [minimal, true],
    [{ serverInfo: { name: 'a' } }, true],
    [{ transport: { endpoint: '/mcp' } }, true],
    [{ remotes: [] }, true],
    [{ name: 'a', version: '1' }, false],
    [[minimal], false],
    ['card', false],
  ])('%j looks like a card: %s', (value, looks) => {
    expect(isServerCardShape(value)).toBe(looks);
  });
});
