import { SERVER_CARD_SCHEMA } from '../../../../../src/audit/mcp/facts/server-card.ts';
import { html, json, type Served, SITE, type SiteMap, text } from '../../../../support/audit/site-fetch.ts';
import { carelessServer, type Members } from '../../content/mcp-server.ts';
import { pageHtml } from '../../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../../truth-site.ts';

const ENDPOINT = `${SITE}/mcp`;

const base: readonly Members[] = [
  {
    name: 'delete_booking',
    description: 'del',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id', 'reason'] },
    annotations: { readOnlyHint: true },
  },
  { name: 'find', description: 'find', inputSchema: null },
  { name: 'find', description: 'find', inputSchema: { type: 'string' } },
  {
    name: 'price',
    description: 'Price of a room.',
    inputSchema: {
      type: 'object',
      properties: { nights: { type: 'number', 'x-mcp-header': 'Room Nights' }, room: { type: 'string' } },
      required: ['nights', 'code'],
    },
    outputSchema: { type: 'array' },
  },
];

/** The list in another order at each call, as a map without order gives it. */
function shuffled(): () => readonly Members[] {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % 2 === 0 ? base.toReversed() : base;
  };
}

const card: Members = {
  $schema: SERVER_CARD_SCHEMA,
  name: 'net.elsewhere/booking',
  version: '^1.0.0',
  description: 'Rooms.',
  icons: [{ src: 'http://acme.example/icon.svg', mimeType: 'text/html' }],
  remotes: [
    {
      type: 'streamable-http',
      url: ENDPOINT,
      supportedProtocolVersions: ['2026-07-28', '2025-11-25'],
      headers: [{ name: 'X-Api-Key', isSecret: true, value: 'sk-live-7c1f9a2b4d6e8f0a1b3c5d7e9f' }],
    },
    { type: 'streamable-http', url: 'http://acme.example/mcp-plain#tools' },
  ],
};

const servedCard: Served = { status: 200, headers: { 'content-type': 'text/plain' }, body: JSON.stringify(card) };

const order = shuffled();

const map: SiteMap = {
  ...httpsUpgrade,
  '/': html(
    pageHtml({
      path: '/',
      title: 'The lighthouse inn on the point',
      description:
        'Nine rooms above the water, a kitchen that opens at six, and a path that the tide covers twice a day.',
      content:
        '# The lighthouse inn\n\nNine rooms look over the water, and the kitchen opens at six. The path to the mainland is covered by the tide twice a day, so ask for the hours before you set out. Dogs may come along if they like cats, of which the inn has three. The lamp has not been lit since the war, but the stairs are open to guests.',
    }),
  ),
  '/.well-known/ai-catalog.json': json({
    entries: [
      { type: 'application/mcp-server-card+json', url: `${SITE}/cards/booking` },
      { identifier: 'urn:air:acme.example:menu', type: 'application/json', url: `${SITE}/cards/gone`, data: {} },
      { identifier: 'urn:air:acme.example:rooms', type: 'rooms' },
    ],
  }),
  '/cards/booking': servedCard,
  '/.well-known/mcp.json': json({
    url: `${SITE}/old-mcp`,
    headers: { Authorization: 'Bearer ghp_0123456789abcdefABCDEF0123456789abcd' },
  }),
  '/llms.txt': text(
    `# The lighthouse inn\n\n> Rooms above the water.\n\n## Programs\n\n- [MCP endpoint](${SITE}/third/mcp): rooms for model clients\n`,
  ),
  'POST /mcp': carelessServer({ serverInfo: { name: 'booking-backend', version: '0.0.1' }, tools: order }),
  '/mcp': html('<!doctype html><title>Booking</title><p>It works!</p>'),
  'OPTIONS /mcp': { status: 204, headers: { 'access-control-allow-origin': '*' }, body: '' },
};

/** An MCP server written in an afternoon: an old revision, broken documents, careless tools and a published key. */
export const mcpCareless: TruthSite = {
  name: 'careless MCP',
  map,
  truth: planted({
    pass: {
      'mcp.discovery.any': 'A catalog, a card and an endpoint are there.',
      'mcp.card.found': 'The catalog leads to a card.',
      'mcp.endpoint.reachable': 'initialize answers with a result.',
      'mcp.endpoint.legacy': 'initialize with 2025-11-25 answers with protocolVersion and serverInfo.',
      'mcp.tools.list': 'tools/list answers with an array.',
    },
    partial: {
      'mcp.discovery.ai-catalog': 'The catalog lists the server, but has no specVersion.',
      'mcp.card.remote-same-site': 'The name is of net.elsewhere, card and remotes are at acme.example.',
      'mcp.endpoint.modern': 'Only initialize is answered; server/discover is unknown.',
    },
    fail: {
      'mcp.discovery.ai-catalog-valid': 'One entry has no identifier, one both url and data, one neither.',
      'mcp.discovery.catalog-urls': 'One url answers text/plain instead of the declared type, the other 404.',
      'mcp.discovery.docs-page': 'Nothing on the start page or in llms.txt tells how to connect with a client.',
      'mcp.card.schema': 'The version is a range.',
      'mcp.card.media-type': 'The card is served as text/plain.',
      'mcp.card.cors': 'The card has no CORS header.',
      'mcp.card.caching': 'The card has neither Cache-Control nor ETag.',
      'mcp.card.remote-https': 'The second remote is plain http, with a fragment.',
      'mcp.card.versions-true': 'The card lists 2026-07-28, which the server does not speak.',
      'mcp.card.identity-true': 'The card says net.elsewhere/booking, the server says booking-backend 0.0.1.',
      'mcp.card.no-secrets': 'The card holds the value of a secret header, mcp.json a GitHub token.',
      'mcp.card.icons': 'The only icon is plain http, of type text/html.',
      'mcp.card.single-truth': 'Card, mcp.json and llms.txt name three endpoints.',
      'mcp.endpoint.version-error': 'Version 1900-01-01 is answered with a result.',
      'mcp.endpoint.bad-json': 'A broken body gets 500 with a stack trace.',
      'mcp.endpoint.unknown-method': 'An unknown method gets a result.',
      'mcp.endpoint.origin': 'A foreign Origin gets a result.',
      'mcp.endpoint.get-behaviour': 'GET answers 200 with HTML.',
      'mcp.endpoint.cors': 'The preflight allows any origin and none of the MCP headers.',
      'mcp.tools.names': 'Two tools are called find.',
      'mcp.tools.input-schema': 'One schema is null, one a string, and two require what they do not describe.',
      'mcp.tools.x-mcp-header': 'x-mcp-header stands on a number and is no token.',
      'mcp.tools.descriptions': 'No description has 20 characters.',
      'mcp.tools.param-descriptions': 'No parameter has a description.',
      'mcp.tools.annotations': 'delete_booking says readOnlyHint: true.',
      'mcp.tools.output-schema': 'The only outputSchema is of type array.',
      'mcp.tools.deterministic': 'The second call lists the tools in another order.',
      'mcp.tools.unknown-tool': 'A call of an unknown tool answers "done".',
      'mcp.resources.list': 'resources are declared, and resources/list answers 500.',
    },
    not_applicable: {
      'mcp.endpoint.header-mismatch': 'The server knows only older revisions.',
      'mcp.endpoint.stateless': 'The server knows only older revisions.',
      'mcp.tools.cache-hints': 'The server knows only older revisions.',
      'mcp.auth.prm': 'The server is open.',
    },
  }),
};
