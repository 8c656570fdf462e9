import { SERVER_CARD_SCHEMA } from '../../../../../src/audit/mcp/facts/server-card.ts';
import {
  CARD_HEADERS,
  catalog,
  entry,
  rpcError,
  rpcOf,
  result,
  type Server,
} from '../../../../support/audit/mcp-site.ts';
import { html, json, SITE, text } from '../../../../support/audit/site-fetch.ts';
import { pageHtml } from '../../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../../truth-site.ts';

/** Declares tools and cannot list them; never compares headers with the body; has forgotten the older clients. */
const server: Server = (request) => {
  const { method, id } = rpcOf(request.body?.startsWith('{"') === true ? request : { ...request, body: '{}' });
  if (method === 'server/discover') {
    return result(id, {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'public',
    });
  }
  if (method === 'tools/list') return rpcError(id, -32_603, 500);
  return rpcError(id, -32_601, 404);
};

/** A server that was released half done, and an agent card for an agent that has moved out. */
export const mcpHalf: TruthSite = {
  name: 'half an MCP server',
  map: {
    ...httpsUpgrade,
    '/': html(
      pageHtml({
        path: '/',
        title: 'Seed library of the upper valley',
        description:
          'Borrow seeds in spring and bring back more in autumn: how the library works, and what is in the drawers.',
        content:
          '# Seed library of the upper valley\n\nYou borrow a bag of seeds in spring and bring back two in autumn. The drawers hold beans, peas, leeks and four kinds of kale that are grown nowhere else. Write the name of your garden on the bag, and the weather of the year. Seeds that fail are no shame, but tell us, so that nobody else tries them on the north side.',
      }),
    ),
    '/.well-known/ai-catalog.json': json(
      catalog([entry({ identifier: 'urn:air:acme.example:mcp:seeds', url: `${SITE}/mcp/server-card` })]),
    ),
    '/mcp/server-card': {
      status: 200,
      headers: CARD_HEADERS,
      body: JSON.stringify({
        $schema: SERVER_CARD_SCHEMA,
        name: 'example.acme/seeds',
        version: '0.9.0',
        description: 'The seeds of the library.',
        remotes: [{ type: 'streamable-http', url: `${SITE}/mcp`, supportedProtocolVersions: ['2026-07-28'] }],
      }),
    },
    'POST /mcp': server,
    '/mcp': text('Use POST', { status: 405 }),
    '/llms.txt': text('Slow down', { status: 429, headers: { 'retry-after': '120' } }),
    '/.well-known/agent-card.json': json({
      name: 'Seed clerk',
      description: 'Tells which seeds are in the drawers.',
      version: '1.0.0',
      supportedInterfaces: [{ url: `${SITE}/clerk`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'ask', name: 'Ask for a seed', description: 'Tells whether a seed is there.', tags: ['seed'] }],
    }),
  },
  truth: planted({
    pass: {
      'agent.a2a.card': 'The card has all members of A2A 1.0.',
      'agent.http.rate-limit': 'The 429 of llms.txt carries Retry-After.',
      'mcp.endpoint.modern': 'server/discover names 2026-07-28.',
      'mcp.endpoint.unknown-method': 'An unknown method gets 404 and -32601.',
      'mcp.card.versions-true': 'The only listed version is the one that the server speaks.',
    },
    partial: {
      'mcp.endpoint.legacy': 'initialize is not known.',
    },
    fail: {
      'agent.a2a.interface-live': 'The only interface answers 404.',
      'mcp.endpoint.header-mismatch': 'A wrong Mcp-Method gets a result.',
      'mcp.endpoint.origin': 'A foreign Origin gets a result.',
      'mcp.tools.list': 'tools are declared, and tools/list answers an error.',
    },
    unknown: {
      'agent.llms.exists': 'llms.txt answers 429.',
    },
    not_applicable: {
      'mcp.tools.names': 'No tool was listed.',
      'mcp.auth.challenge': 'The server is open.',
    },
  }),
};
