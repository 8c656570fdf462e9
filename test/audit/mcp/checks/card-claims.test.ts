import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  ENDPOINT,
  legacyServer,
  mcpSite,
  modernServer,
  protectedSite,
  servedCard,
} from '../../../support/audit/mcp-site.ts';
import { json, SITE, text } from '../../../support/audit/site-fetch.ts';
import { withCard, withRemotes } from '../../../support/audit/mcp-variants.ts';

testMcpChecks({
  'mcp.card.remote-https': [
    ['https', mcpSite(), 'pass'],
    ['http on loopback', withRemotes({ type: 'streamable-http', url: 'http://127.0.0.1:9000/mcp' }), 'pass'],
    [
      'a described variable',
      withRemotes({ type: 'streamable-http', url: 'https://{tenant}.site.test/mcp', variables: { tenant: {} } }),
      'pass',
    ],
    [
      'a variable without description',
      withRemotes({ type: 'streamable-http', url: 'https://{tenant}.site.test/mcp' }),
      'fail',
    ],
    ['plain http', withRemotes({ type: 'streamable-http', url: 'http://site.test/mcp' }), 'fail'],
    ['user info', withRemotes({ type: 'streamable-http', url: 'https://me:pw@site.test/mcp' }), 'fail'],
    ['a fragment', withRemotes({ type: 'streamable-http', url: 'https://site.test/mcp#a' }), 'fail'],
    ['no remotes', withCard({ remotes: undefined }), 'not_applicable'],
  ],
  'mcp.card.versions-true': [
    ['the same list', mcpSite(), 'pass'],
    [
      'an older one that the handshake proves',
      mcpSite({
        '/mcp/server-card': servedCard({
          remotes: [{ type: 'streamable-http', url: ENDPOINT, supportedProtocolVersions: ['2025-11-25'] }],
        }),
        'POST /mcp': legacyServer(),
      }),
      'pass',
    ],
    [
      'one that the card leaves out',
      mcpSite({ 'POST /mcp': modernServer({ versions: ['2026-07-28', '2027-01-01'] }) }),
      'partial',
    ],
    [
      'one that the server refuses',
      withRemotes({
        type: 'streamable-http',
        url: ENDPOINT,
        supportedProtocolVersions: ['2026-07-28', '2025-06-18'],
      }),
      'fail',
    ],
    ['no list', withRemotes({ type: 'streamable-http', url: ENDPOINT }), 'not_applicable'],
    ['a protected server', protectedSite(), 'not_applicable'],
  ],
  'mcp.card.single-truth': [
    ['card and mcp.json agree', mcpSite({ '/.well-known/mcp.json': json({ endpoint: '/mcp/' }) }), 'pass'],
    [
      'mcp.json names one more',
      mcpSite({ '/.well-known/mcp.json': json({ servers: [{ url: '/mcp' }, { url: '/other' }] }) }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['mcp.json names another', mcpSite({ '/.well-known/mcp.json': json({ endpoint: '/other' }) }), 'fail'],
    ['llms.txt names the same', mcpSite({ '/llms.txt': text(`# Archive\n\nConnect to ${ENDPOINT}.`) }), 'pass'],
    ['llms.txt names another', mcpSite({ '/llms.txt': text(`# Archive\n\n[MCP](${SITE}/old/mcp)`) }), 'fail'],
    ['one document', mcpSite(), 'not_applicable'],
  ],
});
