import { onlyMcpJson, served, withCachedCard } from '../../../support/audit/mcp-variants.ts';
import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  CACHED_CARD_HEADERS,
  card,
  catalog,
  legacyServer,
  mcpSite,
  modernServer,
  protectedSite,
  servedCard,
} from '../../../support/audit/mcp-site.ts';
import { json, type SiteMap } from '../../../support/audit/site-fetch.ts';

const inline = mcpSite({
  '/.well-known/ai-catalog.json': json(
    catalog([{ identifier: 'urn:air:acme.example:mcp:a', type: 'application/mcp-server-card+json', data: card() }]),
  ),
});

const info = (serverInfo: object): SiteMap =>
  served(modernServer({ discover: { _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } } }));

testMcpChecks({
  'mcp.card.caching': [
    ['max-age and ETag', mcpSite(), 'pass', /3600/],
    ['max-age alone', withCachedCard({}, { ...CACHED_CARD_HEADERS, etag: '' }), 'partial', /ETag/, { value: 0.5 }],
    ['ETag alone', withCachedCard({}, { ...CACHED_CARD_HEADERS, 'cache-control': 'no-cache' }), 'partial'],
    ['max-age 0 and ETag', withCachedCard({}, { ...CACHED_CARD_HEADERS, 'cache-control': 'max-age=0' }), 'partial'],
    ['s-maxage is for proxies', withCachedCard({}, { 'cache-control': 's-maxage=60' }), 'fail'],
    ['neither', withCachedCard({}, { 'content-type': 'application/json' }), 'fail'],
    ['an inline card', inline, 'not_applicable'],
    ['no card', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
  ],
  'mcp.card.remote-same-site': [
    ['the domain of both', mcpSite(), 'pass'],
    ['a host below it', withCachedCard({ name: 'example.acme.api/archive' }), 'pass'],
    [
      'remotes elsewhere, the card at home',
      withCachedCard({ remotes: [{ type: 'streamable-http', url: 'https://host.test/mcp' }] }),
      'pass',
    ],
    [
      'a template',
      withCachedCard({ remotes: [{ type: 'sse', url: 'https://{t}.acme.example/', variables: { t: {} } }] }),
      'pass',
    ],
    ['a name of another domain', withCachedCard({ name: 'com.victim/archive' }), 'partial', undefined, { value: 0.5 }],
    ['a neighbour below a shared suffix', withCachedCard({ name: 'com.example.acme/archive' }), 'partial'],
    ['a GitHub account', withCachedCard({ name: 'io.github.acme/archive' }), 'unknown'],
    ['no remotes', withCachedCard({ remotes: undefined }), 'not_applicable'],
    ['a local site', mcpSite(), 'not_applicable', undefined, { local: true }],
  ],
  'mcp.card.identity-true': [
    ['the same', mcpSite(), 'pass'],
    ['the part after the slash', info({ name: 'Archive', version: '1.2.0' }), 'pass'],
    [
      'the title',
      {
        ...info({ name: 'Acme Archive', version: '1.2.0' }),
        '/mcp/server-card': servedCard({ title: 'Acme Archive' }),
      },
      'pass',
    ],
    ['another version', info({ name: 'archive', version: '2.0.0' }), 'partial', /version/],
    ['another name', info({ name: 'my-mcp-server', version: '1.2.0' }), 'partial', /name/],
    ['another server', info({ name: 'my-mcp-server', version: '0.1.0' }), 'fail'],
    ['an older server', served(legacyServer()), 'fail'],
    ['no serverInfo', served(modernServer({ discover: { _meta: undefined } })), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
    ['no card', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
  ],
  'mcp.card.icons': [
    [
      'https and data',
      withCachedCard({
        icons: [
          { src: 'https://acme.example/i.png', mimeType: 'image/png' },
          { src: 'data:image/svg+xml;base64,AAAA' },
        ],
      }),
      'pass',
    ],
    [
      'one of two over http',
      withCachedCard({ icons: [{ src: 'https://acme.example/i.png' }, { src: 'http://acme.example/i.png' }] }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['a page', withCachedCard({ icons: [{ src: 'https://acme.example/i', mimeType: 'text/html' }] }), 'fail'],
    ['a script in data', withCachedCard({ icons: [{ src: 'data:text/html,<script>' }] }), 'fail'],
    ['a relative address', withCachedCard({ icons: [{ src: '/i.png' }] }), 'fail'],
    ['none', mcpSite(), 'not_applicable'],
  ],
});
