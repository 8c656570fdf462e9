import { expect, test } from 'vitest';
import { connectMention, readRegistryProof } from '../../../../src/audit/mcp/facts/advertised.ts';
import { judgeMcp } from '../../../support/audit/mcp-rows.ts';
import { type Changes, type Rows, served, testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  AS_URL,
  CACHED_CARD_HEADERS,
  card,
  catalog,
  CHALLENGE,
  ENDPOINT,
  entry,
  legacyServer,
  mcpSite,
  modernServer,
  PRM_PATH,
  protectedServer,
  protectedSite,
  resourceMetadata,
  servedCard,
  serverMetadata,
} from '../../../support/audit/mcp-site.ts';
import {
  failure,
  html,
  json,
  markdown,
  notFound,
  SITE,
  type SiteAnswer,
  siteFetch,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';

type Members = Parameters<typeof card>[0];
const withCard = (members: Members, headers: Readonly<Record<string, string>> = CACHED_CARD_HEADERS): SiteMap =>
  mcpSite({ '/mcp/server-card': servedCard(members, headers) });
const onlyMcpJson = (document: unknown, changes: Changes = {}): SiteMap =>
  mcpSite({
    '/.well-known/ai-catalog.json': undefined,
    '/mcp/server-card': undefined,
    '/.well-known/mcp.json': json(document),
    ...changes,
  });
const inline = mcpSite({
  '/.well-known/ai-catalog.json': json(
    catalog([{ identifier: 'urn:air:acme.example:mcp:a', type: 'application/mcp-server-card+json', data: card() }]),
  ),
});
const start = (body: string, headers: Readonly<Record<string, string>> = {}): SiteAnswer =>
  html(`<!doctype html><title>Archive</title>${body}`, { headers });
const saying = (body: string, changes: Changes = {}): SiteMap => mcpSite({ '/': start(body), ...changes });
const robots = (line: string): Changes => ({ '/robots.txt': text(`User-agent: *\nAllow: /\n${line}\n`) });
const proof = (line: string): SiteMap => mcpSite({ '/.well-known/mcp-registry-auth': text(line) });
const KEY = 'p='.concat('A'.repeat(43), '=');
const info = (serverInfo: object): SiteMap =>
  served(modernServer({ discover: { _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } } }));
const unauthorized = json({ error: 'unauthorized' }, { status: 401, headers: { 'www-authenticate': CHALLENGE } });
const catalogHref = `${SITE}/.well-known/ai-catalog.json`;

testMcpChecks({
  'mcp.discovery.catalog-advertised': [
    ['the well-known place alone', mcpSite(), 'pass', /nothing else points/],
    ['a link to it', saying('<link rel="ai-catalog" href="/.well-known/ai-catalog.json">'), 'pass'],
    [
      'a Link header to it',
      mcpSite({ '/': start('<p>Hello.', { link: `<${catalogHref}>; rel="ai-catalog"` }) }),
      'pass',
      /points there/,
    ],
    ['an Agentmap to it', mcpSite(robots(`Agentmap: ${catalogHref}`)), 'pass', /points there/],
    [
      'a catalog where a link alone leads',
      saying('<link rel="ai-catalog" href="/agents/catalog.json">', {
        '/.well-known/ai-catalog.json': undefined,
        '/agents/catalog.json': json(catalog()),
      }),
      'pass',
    ],
    ['a link elsewhere', saying('<link rel="ai-catalog" href="/old.json">'), 'partial', undefined, { value: 0.5 }],
    [
      'an Agentmap elsewhere beside a link to it',
      saying('<link rel="ai-catalog" href="/.well-known/ai-catalog.json">', robots('Agentmap: /agents.json')),
      'partial',
      /1 of 2/,
    ],
    ['no catalog', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
    [
      'a link to a catalog of another owner, which is not read',
      onlyMcpJson(
        { url: '/mcp' },
        {
          '/': start('<link rel="ai-catalog" href="https://other.test/c.json">'),
          'https://other.test/c.json': json(catalog()),
        },
      ),
      'not_applicable',
    ],
  ],
  'mcp.discovery.registry': [
    ['an Ed25519 key', proof(`v=MCPv1; k=ed25519; ${KEY}`), 'pass'],
    ['a key of the wrong length', proof('v=MCPv1; k=ed25519; p=AAAA'), 'fail'],
    ['another text', proof('hello'), 'fail'],
    ['not read', mcpSite({ '/.well-known/mcp-registry-auth': failure('timeout') }), 'unknown'],
    ['absent', mcpSite(), 'not_applicable', /not asked/],
  ],
  'mcp.discovery.dns-aid': [['any site', mcpSite(), 'not_applicable', /DNS is not asked/]],
  'mcp.discovery.docs-page': [
    ['the endpoint on the start page', mcpSite(), 'pass'],
    ['a command to copy', saying('<p>MCP: run <code>claude mcp add archive</code>'), 'pass'],
    [
      'a snippet in a code block',
      saying('<p>For MCP clients:<pre><code>{ "mcpServers": { "archive": {} } }</code></pre>'),
      'pass',
    ],
    ['llms.txt', saying('<p>Hello.', { '/llms.txt': text(`# Archive\n\nMCP server: ${ENDPOINT}.`) }), 'pass'],
    [
      'a page that the start page links to',
      saying('<p><a href="/connect">Use our MCP server</a>', {
        '/connect': html(`<!doctype html><p>Add acme.example/mcp to your client.`),
      }),
      'pass',
    ],
    [
      'a Markdown page that llms.txt links to',
      saying('<p>Hello.', {
        '/llms.txt': text('# Archive\n\n- [Connect](/docs/mcp.md): for agents'),
        '/docs/mcp.md': markdown(`# MCP\n\n${ENDPOINT}`),
      }),
      'pass',
    ],
    ['a name without a way', saying('<p>We have an MCP server.'), 'fail'],
    ['nothing', saying('<p>Hello.'), 'fail'],
    ['the address of another page', saying(`<p>MCP news: ${ENDPOINT}-news`), 'fail'],
    [
      'a linked page that cannot be read',
      saying('<p><a href="/connect">MCP</a>', { '/connect': failure('timeout') }),
      'unknown',
    ],
    ['no endpoint', withCard({ remotes: undefined }), 'not_applicable'],
  ],
  'mcp.card.caching': [
    ['max-age and ETag', mcpSite(), 'pass', /3600/],
    ['max-age alone', withCard({}, { ...CACHED_CARD_HEADERS, etag: '' }), 'partial', /ETag/, { value: 0.5 }],
    ['ETag alone', withCard({}, { ...CACHED_CARD_HEADERS, 'cache-control': 'no-cache' }), 'partial'],
    ['max-age 0 and ETag', withCard({}, { ...CACHED_CARD_HEADERS, 'cache-control': 'max-age=0' }), 'partial'],
    ['s-maxage is for proxies', withCard({}, { 'cache-control': 's-maxage=60' }), 'fail'],
    ['neither', withCard({}, { 'content-type': 'application/json' }), 'fail'],
    ['an inline card', inline, 'not_applicable'],
    ['no card', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
  ],
  'mcp.card.remote-same-site': [
    ['the domain of both', mcpSite(), 'pass'],
    ['a host below it', withCard({ name: 'example.acme.api/archive' }), 'pass'],
    [
      'remotes elsewhere, the card at home',
      withCard({ remotes: [{ type: 'streamable-http', url: 'https://host.test/mcp' }] }),
      'pass',
    ],
    [
      'a template',
      withCard({ remotes: [{ type: 'sse', url: 'https://{t}.acme.example/', variables: { t: {} } }] }),
      'pass',
    ],
    ['a name of another domain', withCard({ name: 'com.victim/archive' }), 'partial', undefined, { value: 0.5 }],
    ['a neighbour below a shared suffix', withCard({ name: 'com.example.acme/archive' }), 'partial'],
    ['a GitHub account', withCard({ name: 'io.github.acme/archive' }), 'unknown'],
    ['no remotes', withCard({ remotes: undefined }), 'not_applicable'],
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
      withCard({
        icons: [
          { src: 'https://acme.example/i.png', mimeType: 'image/png' },
          { src: 'data:image/svg+xml;base64,AAAA' },
        ],
      }),
      'pass',
    ],
    [
      'one of two over http',
      withCard({ icons: [{ src: 'https://acme.example/i.png' }, { src: 'http://acme.example/i.png' }] }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['a page', withCard({ icons: [{ src: 'https://acme.example/i', mimeType: 'text/html' }] }), 'fail'],
    ['a script in data', withCard({ icons: [{ src: 'data:text/html,<script>' }] }), 'fail'],
    ['a relative address', withCard({ icons: [{ src: '/i.png' }] }), 'fail'],
    ['none', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.query-token': [
    ['nothing said', protectedSite(), 'pass'],
    [
      'header alone',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ bearer_methods_supported: ['header'] })) }),
      'pass',
    ],
    [
      'query',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ bearer_methods_supported: ['header', 'query'] })) }),
      'fail',
    ],
    [
      'a token in the URL of mcp.json',
      protectedSite({
        '/.well-known/mcp.json': json({
          servers: [{ url: '/mcp?access_token={token}' }, { url: `${ENDPOINT}?api_key=x` }],
        }),
      }),
      'fail',
      /1 declared/,
    ],
    ['metadata not read', protectedSite({ [PRM_PATH]: failure('timeout') }), 'unknown'],
    ['no metadata', protectedSite({ [PRM_PATH]: undefined }), 'not_applicable'],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.scopes': [
    ['in both', protectedSite(), 'pass'],
    [
      'in the metadata alone',
      protectedSite({ 'POST /mcp': protectedServer('Bearer') }),
      'pass',
      /scopes_supported lists 1/,
    ],
    [
      'in the challenge alone',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ scopes_supported: undefined })) }),
      'pass',
      /challenge/,
    ],
    [
      'in neither',
      protectedSite({
        'POST /mcp': protectedServer('Bearer'),
        [PRM_PATH]: json(resourceMetadata({ scopes_supported: [] })),
      }),
      'fail',
    ],
    [
      'no scope in the challenge, metadata not read',
      protectedSite({ 'POST /mcp': protectedServer('Bearer'), [PRM_PATH]: failure('timeout') }),
      'unknown',
    ],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.resource-param': [
    ['a protected server', protectedSite(), 'not_applicable', /cannot be observed/],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.iss': [
    ['said', protectedSite(), 'pass'],
    [
      'not said',
      protectedSite({
        [AS_URL]: json(serverMetadata({ authorization_response_iss_parameter_supported: undefined })),
      }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'denied',
      protectedSite({
        [AS_URL]: json(serverMetadata({ authorization_response_iss_parameter_supported: false })),
      }),
      'partial',
    ],
    ['metadata not read', protectedSite({ [AS_URL]: undefined }), 'unknown'],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.public-discovery': [
    ['catalog and card', mcpSite(), 'pass', /AI Catalog, the Server Card/],
    ['and metadata', protectedSite(), 'pass', /authorization server metadata/],
    [
      'a guarded place where a card might be',
      onlyMcpJson(
        { url: '/mcp' },
        { '/mcp/server-card': unauthorized, '/.well-known/ai-catalog.json': json(catalog([])) },
      ),
      'pass',
    ],
    [
      'a guarded place before the one with metadata',
      protectedSite({
        'POST /mcp': protectedServer('Bearer'),
        [PRM_PATH]: unauthorized,
        '/.well-known/oauth-protected-resource': json(resourceMetadata()),
      }),
      'pass',
    ],
    ['a guarded card', mcpSite({ '/mcp/server-card': unauthorized }), 'fail', /Server Card/],
    ['guarded metadata', protectedSite({ [PRM_PATH]: unauthorized }), 'fail', /Resource Metadata/],
    ['a guarded catalog', onlyMcpJson({ url: '/mcp' }, { '/.well-known/ai-catalog.json': unauthorized }), 'fail'],
    ['no such document', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
    [
      'a catalog that cannot be read',
      onlyMcpJson({ url: '/mcp' }, { '/.well-known/ai-catalog.json': failure('timeout') }),
      'unknown',
    ],
  ],
} satisfies Rows);

test('a site that wants a token for every path it does not have guards no catalog by that', async () => {
  const site = { '/': html('<p>Hello.'), '/.well-known/mcp.json': json({ url: '/mcp' }), 'POST /mcp': modernServer() };
  const { outcomes } = await judgeMcp({}, { fetch: siteFetch(site, { catchAll: unauthorized }) });
  expect(outcomes['mcp.auth.public-discovery']?.status).toBe('not_applicable');
});

test('a catalog that only a link leads to is a surface, and its card is read', async () => {
  const { outcomes } = await judgeMcp(
    mcpSite({
      '/': start('<p>Hello.', { link: '</agents/catalog.json>; rel="ai-catalog"' }),
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

test.each([
  ['v=MCPv1; k=ed25519; p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=', 'valid'],
  ['v=MCPv1;k=ed25519;p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=\n', 'valid'],
  [`v=MCPv1; k=ecdsap384; p=${'A'.repeat(65)}=`.replace('A=', 'A=='), 'broken'],
  [`v=MCPv1; k=ecdsap384; p=${'A'.repeat(66)}==`, 'valid'],
  ['v=MCPv1; k=rsa; p=AAAA', 'broken'],
  ['v=MCPv2; k=ed25519; p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=', 'broken'],
  ['p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=; v=MCPv1; k=ed25519', 'broken'],
  ['v=MCPv1; k=ed25519; p=====', 'broken'],
  ['', 'broken'],
])('the proof %j is %s', (line, state) => expect(readRegistryProof(line).state).toBe(state));

test.each([
  ['Connect by MCP to https://a.test/mcp.', true],
  ['Connect by MCP to a.test/mcp/ today', true],
  ['MCP: https://a.test/mcp?x=1', true],
  ['Model Context Protocol: {"mcpServers": {}}', true],
  ['MCP: https://sub.a.test/mcp', false],
  ['MCP: https://a.test/mcp/tools', false],
  ['MCP: https://a.test/mcp2', false],
  ['MCP soon', false],
  ['', false],
])('the text %j tells how to connect: %s', (words, tells) => {
  expect(connectMention(words, ['https://a.test/mcp']) !== undefined).toBe(tells);
});
