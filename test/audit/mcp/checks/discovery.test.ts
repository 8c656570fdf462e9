import {
  empty,
  inlineCard,
  noDocuments,
  onlyMcpJson,
  startPage,
  withCard,
} from '../../../support/audit/mcp-variants.ts';
import { judgeMcp, testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import { catalog, ENDPOINT, entry, mcpSite, servedCard } from '../../../support/audit/mcp-site.ts';
import { failure, html, json, notFound, SITE, text } from '../../../support/audit/site-fetch.ts';
import { expect, test } from 'vitest';

const agentCard = {
  name: 'A',
  supportedInterfaces: [{ url: 'https://a.test', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

const olderAgentCard = { name: 'A', url: 'https://a.test', skills: [] };

const linked = html('<!doctype html><link rel="mcp" href="/mcp"><p>Hello.</p>');

testMcpChecks({
  'mcp.discovery.any': [
    ['a catalog, a card and a live endpoint', mcpSite(), 'pass'],
    ['mcp.json alone', onlyMcpJson({ url: '/mcp' }), 'pass'],
    ['a link to an endpoint that answers', mcpSite({ ...noDocuments, '/': linked }), 'pass'],
    ['a link to nothing', mcpSite({ ...noDocuments, '/': linked, 'POST /mcp': undefined }), 'fail'],
    ['nothing anywhere', empty, 'fail'],
    [
      'a catalog that lists no MCP server',
      mcpSite({
        ...noDocuments,
        '/.well-known/ai-catalog.json': json(
          catalog([{ identifier: 'a:b', type: 'application/a2a-agent-card+json', url: 'https://x.test/' }]),
        ),
      }),
      'fail',
    ],
    ['a place that could not be read', { ...empty, '/.well-known/mcp.json': failure('timeout') }, 'unknown'],
    ['a place that answers 503', { ...empty, '/.well-known/mcp.json': text('busy', { status: 503 }) }, 'unknown'],
    [
      'a place that refuses us alone',
      { ...empty, '/.well-known/mcp.json': text('blocked', { status: 403 }) },
      'unknown',
    ],
    [
      'a link to an endpoint that cannot be read',
      mcpSite({ ...noDocuments, '/': linked, 'POST /mcp': failure('timeout') }),
      'unknown',
    ],
  ],
  'mcp.discovery.ai-catalog': [
    ['an entry for a server card', mcpSite(), 'pass'],
    [
      'the older name mediaType',
      mcpSite({
        '/.well-known/ai-catalog.json': json(
          catalog([
            {
              identifier: 'urn:air:a:b',
              mediaType: 'application/mcp-server-card+json',
              url: `${ENDPOINT}/server-card`,
            },
          ]),
        ),
      }),
      'pass',
    ],
    [
      'no specVersion',
      mcpSite({ '/.well-known/ai-catalog.json': json({ entries: [entry()] }) }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'entries of other kinds',
      mcpSite({
        '/.well-known/ai-catalog.json': json(catalog([entry({ type: 'application/a2a-agent-card+json' })])),
        '/.well-known/mcp.json': json({ url: '/mcp' }),
      }),
      'fail',
    ],
    ['no catalog beside mcp.json', onlyMcpJson({ url: '/mcp' }), 'fail'],
    [
      'broken JSON',
      mcpSite({
        '/.well-known/ai-catalog.json': {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: '{"entries": [',
        },
        '/.well-known/mcp.json': json({ url: '/mcp' }),
      }),
      'fail',
    ],
    [
      'a catalog that cannot be read',
      onlyMcpJson({ url: '/mcp' }, { '/.well-known/ai-catalog.json': failure('timeout') }),
      'unknown',
    ],
    ['no MCP surface', empty, 'not_applicable'],
  ],
  'mcp.discovery.ai-catalog-valid': [
    ['all entries valid', mcpSite(), 'pass'],
    [
      'no displayName is a warning',
      mcpSite({
        '/.well-known/ai-catalog.json': json(
          catalog([
            { identifier: 'urn:air:a:b', type: 'application/mcp-server-card+json', url: `${ENDPOINT}/server-card` },
          ]),
        ),
      }),
      'pass',
      /displayName/,
    ],
    [
      'one of two entries has url and data',
      mcpSite({ '/.well-known/ai-catalog.json': json(catalog([entry(), entry({ data: {} })])) }),
      'partial',
      /\/entries\/1/,
      { value: 0.5 },
    ],
    [
      'identifier is no URI',
      mcpSite({ '/.well-known/ai-catalog.json': json(catalog([entry({ identifier: 'archive' })])) }),
      'fail',
    ],
    [
      'one representative query',
      mcpSite({ '/.well-known/ai-catalog.json': json(catalog([entry({ representativeQueries: ['a'] })])) }),
      'fail',
    ],
    ['no catalog', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
  ],
  'mcp.discovery.catalog-urls': [
    ['the URL answers with its type', mcpSite(), 'pass'],
    [
      'the URL answers plain JSON',
      withCard({}, { 'content-type': 'application/json' }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['the URL answers 404', mcpSite({ '/mcp/server-card': notFound }), 'fail'],
    ['the URL cannot be read', mcpSite({ '/mcp/server-card': failure('connection_failed') }), 'unknown'],
    ['only inline cards', mcpSite({ '/.well-known/ai-catalog.json': inlineCard() }), 'not_applicable'],
  ],
  'mcp.discovery.legacy-mcp-json': [
    ['url', onlyMcpJson({ url: '/mcp' }), 'pass'],
    ['servers', onlyMcpJson({ servers: [{ url: ENDPOINT }] }), 'pass'],
    ['mcpServers', onlyMcpJson({ mcpServers: { a: { type: 'http', url: ENDPOINT } } }), 'pass'],
    ['only local commands', onlyMcpJson({ mcpServers: { a: { command: 'npx', args: ['archive'] } } }), 'partial'],
    ['JSON of another kind', mcpSite({ '/.well-known/mcp.json': json({ hello: 'world' }) }), 'fail'],
    ['absent', mcpSite(), 'not_applicable'],
    [
      'HTML for any path',
      mcpSite({ '/.well-known/mcp.json': html('<!doctype html><div id="root"></div>') }),
      'not_applicable',
    ],
  ],
  'mcp.discovery.agent-json': [
    ['an agent card', mcpSite({ '/.well-known/agent-card.json': json(agentCard) }), 'pass', /1\.0/],
    ['one at the older place', { ...empty, '/.well-known/agent.json': json(olderAgentCard) }, 'pass', /0\.3/],
    ['broken JSON', mcpSite({ '/.well-known/agent.json': text('{"name":') }), 'fail'],
    ['not read', mcpSite({ '/.well-known/agent-card.json': failure('timeout') }), 'unknown'],
    ['none', mcpSite(), 'not_applicable'],
  ],
});

test('a catalog that only a link leads to is a surface, and its card is read', async () => {
  const { outcomes } = await judgeMcp(
    mcpSite({
      '/': startPage('<p>Hello.', { link: '</agents/catalog.json>; rel="ai-catalog"' }),
      '/.well-known/ai-catalog.json': notFound,
      '/agents/catalog.json': json(catalog([entry({ url: `${SITE}/cards/archive` })])),
      '/mcp/server-card': undefined,
      '/cards/archive': servedCard(),
    }),
  );
  expect(outcomes['mcp.discovery.any']?.status).toBe('pass');
  expect(outcomes['mcp.discovery.ai-catalog']?.status).toBe('pass');
  expect(outcomes['mcp.card.found']?.note).toMatch(/catalog leads/i);
});
