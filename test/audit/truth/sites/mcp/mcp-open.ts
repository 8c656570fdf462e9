import { SERVER_CARD_SCHEMA } from '../../../../../src/audit/mcp/facts/server-card.ts';
import { CARD_HEADERS, catalog, entry } from '../../../../support/audit/mcp-site.ts';
import { html, json, markdown, type Served, SITE, type SiteMap, text } from '../../../../support/audit/site-fetch.ts';
import { faithfulServer, type Members, postOnly, preflight } from '../../content/mcp-server.ts';
import { navigation, pageHtml } from '../../document.ts';
import { httpsUpgrade, isBelow, planted, type TruthSite } from '../../truth-site.ts';

const ENDPOINT = `${SITE}/mcp`;
const VERSIONS = ['2025-11-25', '2026-07-28'];
const SERVER = { name: 'example.acme/tides', version: '2.1.0' };

const stationInput: Members = {
  type: 'object',
  properties: {
    station: { type: 'string', description: 'The name of the harbour, for example larne.', 'x-mcp-header': 'Station' },
    day: { type: 'string', description: 'The day as YYYY-MM-DD; today when left out.' },
  },
  required: ['station'],
  additionalProperties: false,
};

const tools: readonly Members[] = [
  {
    name: 'list_stations',
    description: 'Lists the harbours whose tides are known, with their names and positions.',
    inputSchema: { type: 'object', additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: { stations: { type: 'array', items: { type: 'string' }, description: 'Names of harbours.' } },
      required: ['stations'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'read_tides',
    description: 'Returns the times and heights of high and low water at one harbour on one day.',
    inputSchema: stationInput,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

const card: Members = {
  $schema: SERVER_CARD_SCHEMA,
  name: SERVER.name,
  title: 'Tides of the Firth',
  version: SERVER.version,
  description: 'Times and heights of high and low water for harbours of the Firth.',
  icons: [{ src: `${SITE}/icon.png`, mimeType: 'image/png', sizes: ['48x48'] }],
  remotes: [{ type: 'streamable-http', url: ENDPOINT, supportedProtocolVersions: VERSIONS }],
};

const servedCard: Served = {
  status: 200,
  headers: { ...CARD_HEADERS, 'cache-control': 'public, max-age=3600', etag: '"tides-2-1-0"' },
  body: JSON.stringify(card),
};

const openApi = {
  openapi: '3.1.0',
  info: { title: 'Tides', version: '2.1.0' },
  servers: [{ url: `${SITE}/api` }],
  security: [],
  paths: {
    '/tides/{station}': {
      get: {
        operationId: 'readTides',
        summary: 'Read the tides of a harbour',
        parameters: [
          {
            name: 'station',
            in: 'path',
            required: true,
            description: 'The harbour.',
            schema: { type: 'string' },
            example: 'larne',
          },
        ],
        responses: {
          200: {
            description: 'The tides of today.',
            content: {
              'application/json': {
                schema: { type: 'object', description: 'Times and heights.' },
                example: { high: ['04:12'] },
              },
            },
          },
          404: {
            description: 'No such harbour.',
            content: { 'application/problem+json': { schema: { type: 'object', description: 'A problem.' } } },
          },
        },
      },
    },
  },
};

const content = `# Tides of the Firth for programs

The harbour office of Larne answers programs as well as skippers. A model client can ask for the times and heights of high and low water at fourteen harbours, and it gets the same figures as the printed tables.

## Connect with MCP

Add the MCP endpoint ${ENDPOINT} to your client. No key and no account is needed. Clients that read a file of settings take the lines below.

\`\`\`json
{ "mcpServers": { "tides": { "url": "${ENDPOINT}" } } }
\`\`\`

## What the tools do

One tool lists the harbours, and another returns the tides of one harbour on one day. Both only read. The heights are given in metres above the lowest water of the year, and all times are those of Belfast. A strong wind from the south can raise the water above the tables, so ask the harbour master before you rely on a narrow margin.

## Limits

Please ask no more than once a second. The office keeps the server running beside its own work, and the figures of a day do not change once they have been printed. If the server is busy it says so, and names the second in which you may come back. The same figures can be read over plain HTTP through the [API](/developers) that is described beside it. Programs that show the tides to people should say where the figures come from and on which day they were read, because a table that was read in spring is wrong by autumn.`;

const map: SiteMap = {
  ...httpsUpgrade,
  '/': html(
    pageHtml({
      path: '/',
      title: 'Tides of the Firth for programs | Harbour office Larne',
      description:
        'How to ask the harbour office for tides from a program: the MCP endpoint, its tools and its limits.',
      header: navigation('Harbour office Larne', { '/': 'Tides', '/developers': 'API' }),
      head: `<link rel="ai-catalog" href="/.well-known/ai-catalog.json">`,
      content,
    }),
    {
      headers: {
        link: '</.well-known/ai-catalog.json>; rel="ai-catalog", </openapi.json>; rel="service-desc"',
      },
    },
  ),
  '/developers': html(
    pageHtml({
      path: '/developers',
      title: 'The tides API over plain HTTP',
      content:
        '# The tides API\n\nAsk for /api/tides/larne and read the answer as JSON. The [OpenAPI document](/openapi.json) holds the rest.',
    }),
  ),
  '/robots.txt': text('User-agent: *\nAllow: /\n\nAgentmap: https://acme.example/.well-known/ai-catalog.json\n'),
  '/llms.txt': markdown(
    `# Harbour office Larne\n\n> Tides of the Firth for people and programs.\n\n## Connect\n\n- [API](${SITE}/developers): tides over plain HTTP\n- [MCP endpoint](${ENDPOINT}): for model clients\n`,
  ),
  '/openapi.json': json(openApi, {
    headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' },
  }),
  '/api': json({ name: 'Tides' }),
  '/.well-known/ai-catalog.json': json(
    catalog([
      entry({
        identifier: 'urn:air:acme.example:mcp:tides',
        displayName: 'Tides of the Firth',
        url: `${ENDPOINT}/server-card`,
        representativeQueries: ['When is high water in Larne today?', 'How deep is the bar tomorrow at noon?'],
      }),
    ]),
    { headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' } },
  ),
  '/.well-known/mcp.json': json({ mcpServers: { tides: { url: ENDPOINT } } }),
  '/.well-known/mcp-registry-auth': text('v=MCPv1; k=ed25519; p=yKmA4Kz1RFN2Ds6uwLrCqL9oJ9VvVJzPQ0h7kM3eSXw='),
  '/mcp/server-card': servedCard,
  'POST /mcp': faithfulServer({
    tools,
    versions: VERSIONS,
    serverInfo: SERVER,
    resources: 'listed',
    instructions: 'Heights are metres above the lowest water of the year. Times are those of Belfast.',
  }),
  'OPTIONS /mcp': preflight,
  '/mcp': postOnly,
  '/icon.png': { status: 200, headers: { 'content-type': 'image/png' }, body: new Uint8Array([137, 80, 78, 71]) },
};

/** An API with an MCP server beside it, by the letter: catalog, card, both protocol eras, honest tools. */
export const mcpOpen: TruthSite = {
  name: 'API with MCP',
  map,
  catchAll: ({ url }) =>
    isBelow(url, '/api/')
      ? json(
          { title: 'Not Found', status: 404 },
          { status: 404, headers: { 'content-type': 'application/problem+json' } },
        )
      : html('<!doctype html><title>Not found</title><h1>Not found</h1>', { status: 404 }),
  truth: planted({
    pass: {
      'agent.api.openapi-found': 'A Link header names /openapi.json as service-desc.',
      'agent.api.openapi-valid': 'The description has no structural fault.',
      'agent.api.operation-ids': 'The only operation has an id and a summary.',
      'agent.http.errors-machine': 'An unknown path of the API answers application/problem+json.',
      'mcp.discovery.any': 'A catalog, a card and an endpoint are there.',
      'mcp.discovery.ai-catalog': 'The catalog lists an entry of type application/mcp-server-card+json.',
      'mcp.discovery.ai-catalog-valid': 'The entry has identifier, type, url and two representative queries.',
      'mcp.discovery.catalog-advertised': 'A link element, a Link header and an Agentmap line name the catalog.',
      'mcp.discovery.catalog-urls': 'The url of the entry answers 200 with the declared type.',
      'mcp.discovery.legacy-mcp-json': 'mcp.json has mcpServers with the endpoint.',
      'mcp.discovery.registry': 'mcp-registry-auth has the form v=MCPv1; k=...; p=....',
      'mcp.discovery.docs-page': 'The start page names MCP, the endpoint and a snippet of settings.',
      'mcp.card.found': 'The catalog leads to a card.',
      'mcp.card.schema': 'The card is valid by the v1 schema.',
      'mcp.card.media-type': 'The card is served as application/mcp-server-card+json.',
      'mcp.card.cors': 'The card answers Access-Control-Allow-Origin: * and GET.',
      'mcp.card.caching': 'The card has max-age=3600 and an ETag.',
      'mcp.card.remote-https': 'The remote is an absolute https address.',
      'mcp.card.remote-same-site': 'example.acme is the reverse of acme.example, where the remote is.',
      'mcp.card.versions-true': 'The listed versions are those that the server accepts.',
      'mcp.card.identity-true': 'Name and version of the card are those of serverInfo.',
      'mcp.card.no-secrets': 'Neither card nor mcp.json holds a secret.',
      'mcp.card.icons': 'The only icon is https and image/png.',
      'mcp.card.single-truth': 'Catalog, card, mcp.json and llms.txt name one endpoint.',
      'mcp.endpoint.reachable': 'server/discover answers with a result.',
      'mcp.endpoint.modern': 'supportedVersions holds 2026-07-28, with capabilities and resultType.',
      'mcp.endpoint.legacy': 'initialize with 2025-11-25 answers with protocolVersion and serverInfo.',
      'mcp.endpoint.version-error': 'Version 1900-01-01 gets 400, -32022 and the supported list.',
      'mcp.endpoint.header-mismatch': 'A wrong Mcp-Method gets 400 and -32020.',
      'mcp.endpoint.unknown-method': 'An unknown method gets 404 and -32601.',
      'mcp.endpoint.bad-json': 'A broken body gets 400 and -32700.',
      'mcp.endpoint.origin': 'A foreign Origin gets 403.',
      'mcp.endpoint.get-behaviour': 'GET answers 405.',
      'mcp.endpoint.accept': 'Answers are application/json.',
      'mcp.endpoint.stateless': 'server/discover and tools/list work without a session.',
      'mcp.endpoint.https': 'The endpoint is https.',
      'mcp.endpoint.latency': 'Every answer comes within a millisecond.',
      'mcp.endpoint.cors': 'The preflight allows all MCP headers and exposes WWW-Authenticate.',
      'mcp.tools.list': 'tools/list answers with two tools.',
      'mcp.tools.names': 'Both names are valid and differ.',
      'mcp.tools.input-schema': 'Both schemas are of type object; required is described.',
      'mcp.tools.x-mcp-header': 'The only x-mcp-header stands on a string and is a token.',
      'mcp.tools.descriptions': 'Both tools are described in a sentence.',
      'mcp.tools.param-descriptions': 'Both parameters are described.',
      'mcp.tools.annotations': 'Both tools say readOnlyHint: true, and their names only read.',
      'mcp.tools.output-schema': 'The only outputSchema is a valid object schema.',
      'mcp.tools.deterministic': 'Both calls list the tools in the same order.',
      'mcp.tools.cache-hints': 'Results carry ttlMs and cacheScope public.',
      'mcp.tools.count': 'There are two tools.',
      'mcp.tools.tokens': 'The list has about 300 tokens.',
      'mcp.tools.injection': 'Tools and instructions describe, and nothing else.',
      'mcp.tools.unknown-tool': 'A call of an unknown tool gets -32602.',
      'mcp.resources.list': 'resources/list and prompts/list answer with one item each.',
      'mcp.instructions': 'The instructions have about 80 characters.',
      'mcp.auth.public-discovery': 'Catalog and card answer 200 without Authorization.',
    },
    not_applicable: {
      'mcp.auth.challenge': 'The server is open.',
      'mcp.auth.prm': 'The server is open.',
      'mcp.auth.as-metadata': 'The server is open.',
      'mcp.auth.pkce': 'The server is open.',
      'mcp.auth.registration': 'The server is open.',
      'mcp.auth.bad-token': 'The server is open.',
      'mcp.auth.query-token': 'The server is open.',
      'mcp.auth.scopes': 'The server is open.',
      'mcp.auth.iss': 'The server is open.',
      'mcp.pay.x402': 'Nothing is paid.',
    },
  }),
};
