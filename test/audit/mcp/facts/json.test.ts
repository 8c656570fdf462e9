import { describe, expect, test } from 'vitest';
import { readMcpJson } from '../../../../src/audit/mcp/facts/json.ts';

describe('mcp.json and its kin', () => {
  test.each([
    { name: 'url', value: { url: 'https://a.test/mcp' }, urls: ['https://a.test/mcp'] },
    { name: 'a relative endpoint', value: { endpoint: '/mcp' }, urls: ['https://site.test/mcp'] },
    {
      name: 'a list of servers',
      value: { servers: [{ name: 'a', url: '/a' }, { endpoint: '/b' }] },
      urls: ['https://site.test/a', 'https://site.test/b'],
    },
    { name: 'a bare list', value: [{ url: '/a' }], urls: ['https://site.test/a'] },
    {
      name: 'a map of mcpServers',
      value: { mcpServers: { a: { type: 'http', url: '/a' } } },
      urls: ['https://site.test/a'],
    },
    { name: 'remotes', value: { remotes: [{ type: 'sse', url: '/sse' }] }, urls: ['https://site.test/sse'] },
    { name: 'remotes of a server', value: { servers: [{ remotes: [{ url: '/r' }] }] }, urls: ['https://site.test/r'] },
    {
      name: 'a SEP-1649 transport',
      value: { serverInfo: {}, transport: { type: 'streamable-http', endpoint: '/mcp' } },
      urls: ['https://site.test/mcp'],
    },
    {
      name: 'the same endpoint twice',
      value: { url: '/mcp', remotes: [{ url: '/mcp' }] },
      urls: ['https://site.test/mcp'],
    },
    { name: 'a command', value: { mcpServers: { a: { command: 'npx' } } }, urls: [] },
    { name: 'a template', value: { url: 'https://{a}.test/mcp' }, urls: [] },
    { name: 'another scheme', value: { url: 'file:///etc/passwd' }, urls: [] },
    { name: 'no known member', value: { hello: 1 }, urls: [] },
  ])('$name names $urls', ({ value, urls }) => {
    expect(readMcpJson(value, 'https://site.test/.well-known/mcp.json').endpoints.map(({ url }) => url)).toEqual(urls);
  });
});
