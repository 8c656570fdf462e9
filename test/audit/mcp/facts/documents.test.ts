import { expect, test } from 'vitest';
import { connectMention, readRegistryProof } from '../../../../src/audit/mcp/facts/advertised.ts';
import { judgeMcp } from '../../../support/audit/judge-mcp.ts';
import { type Changes, type Rows, served, testRows } from '../../../support/audit/mcp-rows.ts';
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

testRows({
  'mcp.discovery.catalog-advertised': [
    { name: 'the well-known place alone', site: mcpSite(), gives: 'pass', note: /nothing else points/ },
    {
      name: 'a link to it',
      site: saying('<link rel="ai-catalog" href="/.well-known/ai-catalog.json">'),
      gives: 'pass',
    },
    {
      name: 'a Link header to it',
      site: mcpSite({ '/': start('<p>Hello.', { link: `<${catalogHref}>; rel="ai-catalog"` }) }),
      gives: 'pass',
      note: /points there/,
    },
    {
      name: 'an Agentmap to it',
      site: mcpSite(robots(`Agentmap: ${catalogHref}`)),
      gives: 'pass',
      note: /points there/,
    },
    {
      name: 'a catalog where a link alone leads',
      site: saying('<link rel="ai-catalog" href="/agents/catalog.json">', {
        '/.well-known/ai-catalog.json': undefined,
        '/agents/catalog.json': json(catalog()),
      }),
      gives: 'pass',
    },
    {
      name: 'a link elsewhere',
      site: saying('<link rel="ai-catalog" href="/old.json">'),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'an Agentmap elsewhere beside a link to it',
      site: saying('<link rel="ai-catalog" href="/.well-known/ai-catalog.json">', robots('Agentmap: /agents.json')),
      gives: 'partial',
      note: /1 of 2/,
    },
    { name: 'no catalog', site: onlyMcpJson({ url: '/mcp' }), gives: 'not_applicable' },
    {
      name: 'a link to a catalog of another owner, which is not read',
      site: onlyMcpJson(
        { url: '/mcp' },
        {
          '/': start('<link rel="ai-catalog" href="https://other.test/c.json">'),
          'https://other.test/c.json': json(catalog()),
        },
      ),
      gives: 'not_applicable',
    },
  ],
  'mcp.discovery.registry': [
    { name: 'an Ed25519 key', site: proof(`v=MCPv1; k=ed25519; ${KEY}`), gives: 'pass' },
    { name: 'a key of the wrong length', site: proof('v=MCPv1; k=ed25519; p=AAAA'), gives: 'fail' },
    { name: 'another text', site: proof('hello'), gives: 'fail' },
    { name: 'not read', site: mcpSite({ '/.well-known/mcp-registry-auth': failure('timeout') }), gives: 'unknown' },
    { name: 'absent', site: mcpSite(), gives: 'not_applicable', note: /not asked/ },
  ],
  'mcp.discovery.dns-aid': [{ name: 'any site', site: mcpSite(), gives: 'not_applicable', note: /DNS is not asked/ }],
  'mcp.discovery.docs-page': [
    { name: 'the endpoint on the start page', site: mcpSite(), gives: 'pass' },
    { name: 'a command to copy', site: saying('<p>MCP: run <code>claude mcp add archive</code>'), gives: 'pass' },
    {
      name: 'a snippet in a code block',
      site: saying('<p>For MCP clients:<pre><code>{ "mcpServers": { "archive": {} } }</code></pre>'),
      gives: 'pass',
    },
    {
      name: 'llms.txt',
      site: saying('<p>Hello.', { '/llms.txt': text(`# Archive\n\nMCP server: ${ENDPOINT}.`) }),
      gives: 'pass',
    },
    {
      name: 'a page that the start page links to',
      site: saying('<p><a href="/connect">Use our MCP server</a>', {
        '/connect': html(`<!doctype html><p>Add acme.example/mcp to your client.`),
      }),
      gives: 'pass',
    },
    {
      name: 'a Markdown page that llms.txt links to',
      site: saying('<p>Hello.', {
        '/llms.txt': text('# Archive\n\n- [Connect](/docs/mcp.md): for agents'),
        '/docs/mcp.md': markdown(`# MCP\n\n${ENDPOINT}`),
      }),
      gives: 'pass',
    },
    { name: 'a name without a way', site: saying('<p>We have an MCP server.'), gives: 'fail' },
    { name: 'nothing', site: saying('<p>Hello.'), gives: 'fail' },
    { name: 'the address of another page', site: saying(`<p>MCP news: ${ENDPOINT}-news`), gives: 'fail' },
    {
      name: 'a linked page that cannot be read',
      site: saying('<p><a href="/connect">MCP</a>', { '/connect': failure('timeout') }),
      gives: 'unknown',
    },
    { name: 'no endpoint', site: withCard({ remotes: undefined }), gives: 'not_applicable' },
  ],
  'mcp.card.caching': [
    { name: 'max-age and ETag', site: mcpSite(), gives: 'pass', note: /3600/ },
    {
      name: 'max-age alone',
      site: withCard({}, { ...CACHED_CARD_HEADERS, etag: '' }),
      gives: 'partial',
      value: 0.5,
      note: /ETag/,
    },
    {
      name: 'ETag alone',
      site: withCard({}, { ...CACHED_CARD_HEADERS, 'cache-control': 'no-cache' }),
      gives: 'partial',
    },
    {
      name: 'max-age 0 and ETag',
      site: withCard({}, { ...CACHED_CARD_HEADERS, 'cache-control': 'max-age=0' }),
      gives: 'partial',
    },
    { name: 's-maxage is for proxies', site: withCard({}, { 'cache-control': 's-maxage=60' }), gives: 'fail' },
    { name: 'neither', site: withCard({}, { 'content-type': 'application/json' }), gives: 'fail' },
    { name: 'an inline card', site: inline, gives: 'not_applicable' },
    { name: 'no card', site: onlyMcpJson({ url: '/mcp' }), gives: 'not_applicable' },
  ],
  'mcp.card.remote-same-site': [
    { name: 'the domain of both', site: mcpSite(), gives: 'pass' },
    { name: 'a host below it', site: withCard({ name: 'example.acme.api/archive' }), gives: 'pass' },
    {
      name: 'remotes elsewhere, the card at home',
      site: withCard({ remotes: [{ type: 'streamable-http', url: 'https://host.test/mcp' }] }),
      gives: 'pass',
    },
    {
      name: 'a template',
      site: withCard({ remotes: [{ type: 'sse', url: 'https://{t}.acme.example/', variables: { t: {} } }] }),
      gives: 'pass',
    },
    { name: 'a name of another domain', site: withCard({ name: 'com.victim/archive' }), gives: 'partial', value: 0.5 },
    {
      name: 'a neighbour below a shared suffix',
      site: withCard({ name: 'com.example.acme/archive' }),
      gives: 'partial',
    },
    { name: 'a GitHub account', site: withCard({ name: 'io.github.acme/archive' }), gives: 'unknown' },
    { name: 'no remotes', site: withCard({ remotes: undefined }), gives: 'not_applicable' },
    { name: 'a local site', site: mcpSite(), local: true, gives: 'not_applicable' },
  ],
  'mcp.card.identity-true': [
    { name: 'the same', site: mcpSite(), gives: 'pass' },
    { name: 'the part after the slash', site: info({ name: 'Archive', version: '1.2.0' }), gives: 'pass' },
    {
      name: 'the title',
      site: {
        ...info({ name: 'Acme Archive', version: '1.2.0' }),
        '/mcp/server-card': servedCard({ title: 'Acme Archive' }),
      },
      gives: 'pass',
    },
    { name: 'another version', site: info({ name: 'archive', version: '2.0.0' }), gives: 'partial', note: /version/ },
    { name: 'another name', site: info({ name: 'my-mcp-server', version: '1.2.0' }), gives: 'partial', note: /name/ },
    { name: 'another server', site: info({ name: 'my-mcp-server', version: '0.1.0' }), gives: 'fail' },
    { name: 'an older server', site: served(legacyServer()), gives: 'fail' },
    { name: 'no serverInfo', site: served(modernServer({ discover: { _meta: undefined } })), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
    { name: 'no card', site: onlyMcpJson({ url: '/mcp' }), gives: 'not_applicable' },
  ],
  'mcp.card.icons': [
    {
      name: 'https and data',
      site: withCard({
        icons: [
          { src: 'https://acme.example/i.png', mimeType: 'image/png' },
          { src: 'data:image/svg+xml;base64,AAAA' },
        ],
      }),
      gives: 'pass',
    },
    {
      name: 'one of two over http',
      site: withCard({ icons: [{ src: 'https://acme.example/i.png' }, { src: 'http://acme.example/i.png' }] }),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'a page',
      site: withCard({ icons: [{ src: 'https://acme.example/i', mimeType: 'text/html' }] }),
      gives: 'fail',
    },
    { name: 'a script in data', site: withCard({ icons: [{ src: 'data:text/html,<script>' }] }), gives: 'fail' },
    { name: 'a relative address', site: withCard({ icons: [{ src: '/i.png' }] }), gives: 'fail' },
    { name: 'none', site: mcpSite(), gives: 'not_applicable' },
  ],
  'mcp.auth.query-token': [
    { name: 'nothing said', site: protectedSite(), gives: 'pass' },
    {
      name: 'header alone',
      site: protectedSite({ [PRM_PATH]: json(resourceMetadata({ bearer_methods_supported: ['header'] })) }),
      gives: 'pass',
    },
    {
      name: 'query',
      site: protectedSite({ [PRM_PATH]: json(resourceMetadata({ bearer_methods_supported: ['header', 'query'] })) }),
      gives: 'fail',
    },
    {
      name: 'a token in the URL of mcp.json',
      site: protectedSite({
        '/.well-known/mcp.json': json({
          servers: [{ url: '/mcp?access_token={token}' }, { url: `${ENDPOINT}?api_key=x` }],
        }),
      }),
      gives: 'fail',
      note: /1 declared/,
    },
    { name: 'metadata not read', site: protectedSite({ [PRM_PATH]: failure('timeout') }), gives: 'unknown' },
    { name: 'no metadata', site: protectedSite({ [PRM_PATH]: undefined }), gives: 'not_applicable' },
    { name: 'an open server', site: mcpSite(), gives: 'not_applicable' },
  ],
  'mcp.auth.scopes': [
    { name: 'in both', site: protectedSite(), gives: 'pass' },
    {
      name: 'in the metadata alone',
      site: protectedSite({ 'POST /mcp': protectedServer('Bearer') }),
      gives: 'pass',
      note: /scopes_supported lists 1/,
    },
    {
      name: 'in the challenge alone',
      site: protectedSite({ [PRM_PATH]: json(resourceMetadata({ scopes_supported: undefined })) }),
      gives: 'pass',
      note: /challenge/,
    },
    {
      name: 'in neither',
      site: protectedSite({
        'POST /mcp': protectedServer('Bearer'),
        [PRM_PATH]: json(resourceMetadata({ scopes_supported: [] })),
      }),
      gives: 'fail',
    },
    {
      name: 'no scope in the challenge, metadata not read',
      site: protectedSite({ 'POST /mcp': protectedServer('Bearer'), [PRM_PATH]: failure('timeout') }),
      gives: 'unknown',
    },
    { name: 'an open server', site: mcpSite(), gives: 'not_applicable' },
  ],
  'mcp.auth.resource-param': [
    { name: 'a protected server', site: protectedSite(), gives: 'not_applicable', note: /cannot be observed/ },
    { name: 'an open server', site: mcpSite(), gives: 'not_applicable' },
  ],
  'mcp.auth.iss': [
    { name: 'said', site: protectedSite(), gives: 'pass' },
    {
      name: 'not said',
      site: protectedSite({
        [AS_URL]: json(serverMetadata({ authorization_response_iss_parameter_supported: undefined })),
      }),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'denied',
      site: protectedSite({
        [AS_URL]: json(serverMetadata({ authorization_response_iss_parameter_supported: false })),
      }),
      gives: 'partial',
    },
    { name: 'metadata not read', site: protectedSite({ [AS_URL]: undefined }), gives: 'unknown' },
    { name: 'an open server', site: mcpSite(), gives: 'not_applicable' },
  ],
  'mcp.auth.public-discovery': [
    { name: 'catalog and card', site: mcpSite(), gives: 'pass', note: /AI Catalog, the Server Card/ },
    { name: 'and metadata', site: protectedSite(), gives: 'pass', note: /authorization server metadata/ },
    {
      name: 'a guarded place where a card might be',
      site: onlyMcpJson(
        { url: '/mcp' },
        { '/mcp/server-card': unauthorized, '/.well-known/ai-catalog.json': json(catalog([])) },
      ),
      gives: 'pass',
    },
    {
      name: 'a guarded place before the one with metadata',
      site: protectedSite({
        'POST /mcp': protectedServer('Bearer'),
        [PRM_PATH]: unauthorized,
        '/.well-known/oauth-protected-resource': json(resourceMetadata()),
      }),
      gives: 'pass',
    },
    {
      name: 'a guarded card',
      site: mcpSite({ '/mcp/server-card': unauthorized }),
      gives: 'fail',
      note: /Server Card/,
    },
    {
      name: 'guarded metadata',
      site: protectedSite({ [PRM_PATH]: unauthorized }),
      gives: 'fail',
      note: /Resource Metadata/,
    },
    {
      name: 'a guarded catalog',
      site: onlyMcpJson({ url: '/mcp' }, { '/.well-known/ai-catalog.json': unauthorized }),
      gives: 'fail',
    },
    { name: 'no such document', site: onlyMcpJson({ url: '/mcp' }), gives: 'not_applicable' },
    {
      name: 'a catalog that cannot be read',
      site: onlyMcpJson({ url: '/mcp' }, { '/.well-known/ai-catalog.json': failure('timeout') }),
      gives: 'unknown',
    },
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
