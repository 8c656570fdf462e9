import { empty, inlineCard, onlyMcpJson, withCard, withRemotes } from '../../../support/audit/mcp-variants.ts';
import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import { card, CARD_HEADERS, ENDPOINT, mcpSite, servedCard } from '../../../support/audit/mcp-site.ts';
import { failure, json, notFound } from '../../../support/audit/site-fetch.ts';

testMcpChecks({
  'mcp.card.found': [
    ['by the catalog', mcpSite(), 'pass'],
    ['inline in the catalog', mcpSite({ '/.well-known/ai-catalog.json': inlineCard() }), 'pass'],
    [
      'beside the endpoint that mcp.json names',
      onlyMcpJson({ url: '/mcp' }, { '/mcp/server-card': servedCard() }),
      'pass',
    ],
    [
      'at a place of older drafts',
      onlyMcpJson({ url: '/mcp' }, { '/.well-known/mcp/server-card.json': json(card()) }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['nowhere', onlyMcpJson({ url: '/mcp' }), 'fail'],
    ['its URL cannot be read', mcpSite({ '/mcp/server-card': failure('timeout') }), 'unknown'],
    ['no MCP surface', empty, 'not_applicable'],
  ],
  'mcp.card.schema': [
    ['valid', mcpSite(), 'pass'],
    ['open to other members', withCard({ serverInfo: { name: 'a' } }), 'pass'],
    ['a version range', withCard({ version: '^1.0.0' }), 'fail', /\/version/],
    [
      'an older shape',
      onlyMcpJson(
        { url: '/mcp' },
        { '/.well-known/mcp/server-card.json': json({ serverInfo: { name: 'a' }, transport: { endpoint: '/mcp' } }) },
      ),
      'fail',
      /\$schema/,
    ],
    ['no card', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
  ],
  'mcp.card.media-type': [
    ['its own type', withCard({}, { 'content-type': 'Application/MCP-Server-Card+JSON; charset=utf-8' }), 'pass'],
    ['plain JSON', withCard({}, { 'content-type': 'application/json' }), 'partial', undefined, { value: 0.5 }],
    ['text', withCard({}, { 'content-type': 'text/plain' }), 'fail'],
    ['inline', mcpSite({ '/.well-known/ai-catalog.json': inlineCard() }), 'not_applicable'],
  ],
  'mcp.card.cors': [
    ['any origin, GET', mcpSite(), 'pass'],
    [
      'any origin, methods without GET',
      withCard({}, { ...CARD_HEADERS, 'access-control-allow-methods': 'POST' }),
      'partial',
    ],
    ['one origin', withCard({}, { ...CARD_HEADERS, 'access-control-allow-origin': 'https://a.test' }), 'fail'],
    ['no header', withCard({}, { 'content-type': 'application/json' }), 'fail'],
    ['a local site', mcpSite(), 'not_applicable', undefined, { local: true }],
  ],
  'mcp.card.no-secrets': [
    [
      'a secret described, not shown',
      withRemotes({
        type: 'streamable-http',
        url: ENDPOINT,
        headers: [
          { name: 'Authorization', isSecret: true, value: 'Bearer {token}', variables: { token: { isSecret: true } } },
        ],
      }),
      'pass',
    ],
    [
      'a secret header with its value',
      withRemotes({
        type: 'streamable-http',
        url: ENDPOINT,
        headers: [{ name: 'X-Key', isSecret: true, value: 'hunter2' }],
      }),
      'fail',
      /1 value/,
    ],
    [
      'a key in the env of mcp.json',
      onlyMcpJson({ mcpServers: { a: { command: 'x', env: { KEY: 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7' } } } }),
      'fail',
    ],
    ['a catalog entry without a card', mcpSite({ '/mcp/server-card': notFound }), 'not_applicable'],
  ],
});
