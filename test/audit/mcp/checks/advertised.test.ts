import { type Changes, onlyMcpJson, startPage, withCachedCard } from '../../../support/audit/mcp-variants.ts';
import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import { catalog, ENDPOINT, mcpSite } from '../../../support/audit/mcp-site.ts';
import { failure, html, json, markdown, SITE, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const saying = (body: string, changes: Changes = {}): SiteMap => mcpSite({ '/': startPage(body), ...changes });

const robots = (line: string): Changes => ({ '/robots.txt': text(`User-agent: *\nAllow: /\n${line}\n`) });

const proof = (line: string): SiteMap => mcpSite({ '/.well-known/mcp-registry-auth': text(line) });

const KEY = 'p='.concat('A'.repeat(43), '=');

const catalogHref = `${SITE}/.well-known/ai-catalog.json`;

testMcpChecks({
  'mcp.discovery.catalog-advertised': [
    ['the well-known place alone', mcpSite(), 'pass', /nothing else points/],
    ['a link to it', saying('<link rel="ai-catalog" href="/.well-known/ai-catalog.json">'), 'pass'],
    [
      'a Link header to it',
      mcpSite({ '/': startPage('<p>Hello.', { link: `<${catalogHref}>; rel="ai-catalog"` }) }),
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
          '/': startPage('<link rel="ai-catalog" href="https://other.test/c.json">'),
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
    ['no endpoint', withCachedCard({ remotes: undefined }), 'not_applicable'],
  ],
});
