import { describe, expect, test } from 'vitest';
import { readAiCatalog } from '../../../../src/audit/agent-files/facts/ai-catalog.ts';
import {
  readResourceMetadata,
  readServerMetadata,
  classifyResourceFit,
  listResourceMetadataUrls,
  listServerMetadataUrls,
} from '../../../../src/audit/mcp/facts/auth.ts';
import { readMcpJson } from '../../../../src/audit/mcp/facts/json.ts';
import { readRpcReply, listSseData } from '../../../../src/audit/mcp/facts/messages.ts';
import { findSecrets } from '../../../../src/audit/hidden-text/facts/secrets.ts';
import { isServerCardShape, readServerCard, SERVER_CARD_SCHEMA } from '../../../../src/audit/mcp/facts/server-card.ts';
import { listInputSchemaIssues } from '../../../../src/audit/mcp/facts/tool-schema.ts';
import { parseChallenges } from '../../../../src/audit/mcp/facts/www-authenticate.ts';

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

const catalog = (...entries: readonly unknown[]): unknown => ({ specVersion: '1.0', entries });

describe('AI Catalog', () => {
  const entry = {
    identifier: 'urn:air:a.test:mcp:x',
    displayName: 'X',
    type: 'application/mcp-server-card+json',
    url: 'https://a.test/card',
  };

  test.each([
    { name: 'an entry with a URL', value: catalog(entry) },
    { name: 'an entry with inline data', value: catalog({ identifier: 'urn:air:a:b', type: 'a/b', data: {} }) },
    { name: 'another URI as identifier', value: catalog({ ...entry, identifier: 'https://a.test/x' }) },
    { name: 'two representative queries', value: catalog({ ...entry, representativeQueries: ['a', 'b'] }) },
    { name: 'no entries', value: catalog() },
    {
      name: 'the older name mediaType',
      value: catalog({ identifier: 'a:b', mediaType: 'a/b', url: 'https://a.test' }),
    },
  ])('$name is valid', ({ value }) => {
    expect(readAiCatalog(value).issues).toEqual([]);
  });

  test.each([
    { name: 'no specVersion', value: { entries: [] }, at: '/specVersion' },
    { name: 'a number as specVersion', value: { specVersion: 1, entries: [] }, at: '/specVersion' },
    { name: 'entries that are no list', value: { specVersion: '1.0', entries: {} }, at: '/entries' },
    { name: 'an entry that is no object', value: catalog('x'), at: '/entries/0' },
    { name: 'no identifier', value: catalog({ type: 'a/b', url: 'https://a.test' }), at: '/entries/0/identifier' },
    { name: 'a type that is no media type', value: catalog({ ...entry, type: 'mcp' }), at: '/entries/0/type' },
    { name: 'neither url nor data', value: catalog({ identifier: 'a:b', type: 'a/b' }), at: '/entries/0' },
    { name: 'both url and data', value: catalog({ ...entry, data: {} }), at: '/entries/0' },
    { name: 'a relative URL', value: catalog({ ...entry, url: '/card' }), at: '/entries/0/url' },
    {
      name: 'six representative queries',
      value: catalog({ ...entry, representativeQueries: ['1', '2', '3', '4', '5', '6'] }),
      at: '/entries/0/representativeQueries',
    },
  ])('$name is refused at $at', ({ value, at }) => {
    expect(pointers(readAiCatalog(value).issues)).toContain(at);
  });

  test('a missing displayName and an older name are warnings', () => {
    const { warnings, entries } = readAiCatalog(
      catalog({ identifier: 'a:b', mediaType: 'a/b', url: 'https://a.test' }),
    );
    expect(pointers(warnings)).toEqual(['/entries/0', '/entries/0/mediaType']);
    expect(entries[0]?.type).toBe('a/b');
  });
});

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

describe('JSON-RPC replies', () => {
  const ok = '{"jsonrpc":"2.0","id":1,"result":{"a":1}}';

  test.each([
    { name: 'JSON', body: ok, type: 'application/json', via: 'json' },
    { name: 'JSON with a charset', body: ok, type: 'Application/JSON; charset=utf-8', via: 'json' },
    { name: 'a batch of one', body: `[${ok}]`, type: 'application/json', via: 'json' },
    { name: 'a stream', body: `event: message\ndata: ${ok}\n\n`, type: 'text/event-stream', via: 'sse' },
    {
      name: 'a stream that begins with an event without data',
      body: `id: 0\ndata: \n\nevent: message\ndata: ${ok}\n\n`,
      type: 'text/event-stream',
      via: 'sse',
    },
    {
      name: 'a stream with CRLF, comments and a notification',
      body: `: hi\r\n\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\ndata:${ok}\r\n\r\n`,
      type: 'text/event-stream',
      via: 'sse',
    },
    {
      name: 'data over several lines',
      body: 'data: {"jsonrpc":"2.0",\ndata: "id":1,"result":{"a":1}}\n\n',
      type: 'text/event-stream',
      via: 'sse',
    },
  ])('$name holds the result', ({ body, type, via }) => {
    expect(readRpcReply(body, type, 1)).toEqual({ kind: 'result', result: { a: 1 }, via });
  });

  test.each([
    { name: 'an error without id', body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}' },
    { name: 'an error with id null', body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}' },
    { name: 'an error with our id', body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}' },
  ])('$name is an error', ({ body }) => {
    expect(readRpcReply(body, 'application/json', 1)).toMatchObject({ kind: 'error', code: -32_000, message: 'no' });
  });

  test.each([
    { body: '', type: 'application/json', reason: 'empty' },
    { body: '<!DOCTYPE html><p>', type: 'text/html', reason: 'html' },
    { body: '{"jsonrpc":', type: 'application/json', reason: 'not_json' },
    { body: '{"ok":true}', type: 'application/json', reason: 'not_json_rpc' },
    { body: '{"jsonrpc":"2.0","id":2,"result":{}}', type: 'application/json', reason: 'not_json_rpc' },
    { body: '{"jsonrpc":"2.0","id":2,"error":{"code":1}}', type: 'application/json', reason: 'not_json_rpc' },
    { body: '{"jsonrpc":"2.0","id":1,"result":[]}', type: 'application/json', reason: 'not_json_rpc' },
    { body: 'data: {"jsonrpc":"2.0","method":"x"}\n\n', type: 'text/event-stream', reason: 'no_reply_in_stream' },
    { body: `data: ${ok}`, type: 'text/event-stream', reason: 'no_reply_in_stream' },
  ])('$body as $type is none: $reason', ({ body, type, reason }) => {
    expect(readRpcReply(body, type, 1)).toEqual({ kind: 'none', reason });
  });

  test('a data field keeps all but one leading space, and other fields are no data', () => {
    expect(listSseData('\uFEFFdata:  a\nretry: 5\ndatax: b\ndata\n\ndata:c\n\n')).toEqual([' a\n', 'c']);
  });
});

const shown = (header: string): unknown =>
  parseChallenges(header).map(({ scheme, params, token68, malformed }) => [
    scheme,
    Object.fromEntries(params),
    token68 ?? '',
    malformed,
  ]);

describe('WWW-Authenticate', () => {
  test.each([
    { header: 'Bearer', gives: [['bearer', {}, '', false]] },
    { header: 'bearer realm="x"', gives: [['bearer', { realm: 'x' }, '', false]] },
    {
      header: 'Bearer Realm=x, error = "invalid_token"',
      gives: [['bearer', { realm: 'x', error: 'invalid_token' }, '', false]],
    },
    { header: 'Bearer realm="a, b=\\"c\\""', gives: [['bearer', { realm: 'a, b="c"' }, '', false]] },
    {
      header: 'Basic realm="a", Bearer realm="b", scope="c d"',
      gives: [
        ['basic', { realm: 'a' }, '', false],
        ['bearer', { realm: 'b', scope: 'c d' }, '', false],
      ],
    },
    {
      header: 'Negotiate abc==, Bearer',
      gives: [
        ['negotiate', {}, 'abc==', false],
        ['bearer', {}, '', false],
      ],
    },
    {
      header: 'Basic, Bearer realm=b',
      gives: [
        ['basic', {}, '', false],
        ['bearer', { realm: 'b' }, '', false],
      ],
    },
    { header: ' , Bearer realm=b , ', gives: [['bearer', { realm: 'b' }, '', false]] },
    { header: 'Bearer realm="a" error="b"', gives: [['bearer', { realm: 'a', error: 'b' }, '', true]] },
    { header: 'Bearer realm="a", realm="b"', gives: [['bearer', { realm: 'b' }, '', true]] },
    { header: 'Bearer realm="a', gives: [['bearer', {}, '', true]] },
    { header: '"nonsense"', gives: [['', {}, '', true]] },
    { header: '', gives: [] },
  ])('$header', ({ header, gives }) => {
    expect(shown(header)).toEqual(gives);
  });
});

describe('authorization metadata', () => {
  test.each([
    {
      resource: 'https://a.test/mcp',
      urls: [
        'https://a.test/.well-known/oauth-protected-resource/mcp',
        'https://a.test/.well-known/oauth-protected-resource',
      ],
    },
    {
      resource: 'https://a.test/v1/mcp/?x=1',
      urls: [
        'https://a.test/.well-known/oauth-protected-resource/v1/mcp',
        'https://a.test/.well-known/oauth-protected-resource',
      ],
    },
    { resource: 'https://a.test', urls: ['https://a.test/.well-known/oauth-protected-resource'] },
    { resource: 'nonsense', urls: [] },
  ])(
    'RFC 9728 section 3.1: the metadata of $resource is looked for with its path, then at the root',
    ({ resource, urls }) => {
      expect(listResourceMetadataUrls(resource)).toEqual(urls);
    },
  );

  test.each([
    {
      issuer: 'https://a.test',
      urls: [
        'https://a.test/.well-known/oauth-authorization-server',
        'https://a.test/.well-known/openid-configuration',
      ],
    },
    {
      issuer: 'https://a.test/t',
      urls: [
        'https://a.test/.well-known/oauth-authorization-server/t',
        'https://a.test/.well-known/openid-configuration/t',
        'https://a.test/t/.well-known/openid-configuration',
      ],
    },
    { issuer: 'nonsense', urls: [] },
  ])('MCP authorization server discovery: the metadata of $issuer is looked for in this order', ({ issuer, urls }) => {
    expect(listServerMetadataUrls(issuer)).toEqual(urls);
  });

  test.each([
    ['https://a.test/mcp', 'https://a.test/mcp', 'exact'],
    ['HTTPS://A.test/mcp', 'https://a.test/mcp', 'exact'],
    ['https://a.test:443/mcp', 'https://a.test/mcp', 'exact'],
    ['https://a.test/mcp/', 'https://a.test/mcp', 'prefix'],
    ['https://a.test', 'https://a.test/mcp', 'prefix'],
    ['https://a.test/v1', 'https://a.test/v1/mcp', 'prefix'],
    ['https://a.test/mc', 'https://a.test/mcp', 'other'],
    ['https://a.test/mcp/x', 'https://a.test/mcp', 'other'],
    ['https://b.test/mcp', 'https://a.test/mcp', 'other'],
    ['http://a.test/mcp', 'https://a.test/mcp', 'other'],
    ['mcp', 'https://a.test/mcp', 'other'],
  ])('the resource %s fits the endpoint %s: %s', (resource, endpoint, fit) => {
    expect(classifyResourceFit(resource, endpoint)).toBe(fit);
  });

  test.each([
    { value: { resource: 'https://a.test/mcp#x', authorization_servers: ['https://b.test'] }, at: '/resource' },
    { value: { authorization_servers: ['https://b.test'] }, at: '/resource' },
    { value: { resource: 'https://a.test' }, at: '/authorization_servers' },
    { value: { resource: 'https://a.test', authorization_servers: [] }, at: '/authorization_servers' },
    { value: { resource: 'https://a.test', authorization_servers: ['b'] }, at: '/authorization_servers/0' },
    { value: 'x', at: '' },
  ])('RFC 9728 section 2: $value is refused at "$at"', ({ value, at }) => {
    expect(pointers(readResourceMetadata(value).issues)).toContain(at);
  });

  test.each([
    {
      value: { issuer: 'https://a.test', token_endpoint: 'https://a.test/t', response_types_supported: [] },
      at: '/authorization_endpoint',
    },
    {
      value: {
        authorization_endpoint: 'https://a.test/a',
        token_endpoint: 'https://a.test/t',
        response_types_supported: [],
      },
      at: '/issuer',
    },
    {
      value: {
        issuer: 'https://a.test',
        authorization_endpoint: '/a',
        token_endpoint: 'https://a.test/t',
        response_types_supported: [],
      },
      at: '/authorization_endpoint',
    },
    { value: null, at: '' },
  ])('RFC 8414 section 2: $value is refused at "$at"', ({ value, at }) => {
    expect(pointers(readServerMetadata(value).issues)).toContain(at);
  });
});

describe('tool input schemas', () => {
  test.each([
    { schema: { type: 'object', properties: { a: true }, required: ['a'] } },
    { schema: { type: 'object', allOf: [{ required: ['a'] }], properties: { a: {} } } },
    { schema: { type: 'object', properties: { a: { type: ['string', 'null'] } } } },
    { schema: { type: 'object', $defs: { 'a/b': {} }, properties: { a: { $ref: '#/$defs/a~1b' } } } },
    { schema: { type: 'object', properties: { a: { $ref: '#' } } } },
  ])('$schema is sound', ({ schema }) => {
    expect(listInputSchemaIssues(schema)).toEqual([]);
  });

  test.each([
    { schema: null, at: '' },
    { schema: {}, at: '/type' },
    { schema: { type: 'object', properties: [] }, at: '' },
    { schema: { type: 'object', properties: { a: 1 } }, at: '/properties/a' },
    { schema: { type: 'object', properties: { a: { type: 'text' } } }, at: '/properties/a' },
    { schema: { type: 'object', required: 'a' }, at: '' },
    {
      schema: { type: 'object', properties: { a: { type: 'object', properties: {}, required: ['b'] } } },
      at: '/properties/a',
    },
    { schema: { type: 'object', anyOf: [{ $ref: 'other.json' }] }, at: '/anyOf/0' },
  ])('$schema is refused at "$at"', ({ schema, at }) => {
    expect(pointers(listInputSchemaIssues(schema))).toContain(at);
  });
});
