import { SERVER_CARD_SCHEMA, SERVER_CARD_TYPE } from '../../../../../src/audit/mcp/facts/server-card.ts';
import { CARD_HEADERS, catalog, entry } from '../../../../support/audit/mcp-site.ts';
import { html, json, notFound, type Served, SITE } from '../../../../support/audit/site-fetch.ts';
import { pageHtml } from '../../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../../truth-site.ts';

const page = (title: string, content: string): Served =>
  html(
    pageHtml({
      path: '/',
      title,
      description: `${title}: what it offers to people and to programs, and since when.`,
      content: `# ${title}\n\n${content}`,
    }),
  );

/** A sound description of an API that answers unknown paths in plain text. */
const openApi = {
  openapi: '3.1.0',
  info: { title: 'Bells', version: '1.0.0' },
  servers: [{ url: `${SITE}/data` }],
  paths: {
    '/bells': {
      get: { operationId: 'listBells', summary: 'List the bells', responses: { 200: { description: 'The bells.' } } },
    },
  },
};

/** The files of two drafts ago: a card where nobody looks any more, and a transport that was retired. */
export const mcpOldFiles: TruthSite = {
  name: 'MCP of old drafts',
  map: {
    ...httpsUpgrade,
    '/': page(
      'The bell foundry museum',
      'Nine bells hang in the yard, and children may ring the smallest. The furnace is lit on the first Sunday in May. A guide explains how the mould is made from clay, horse dung and goat hair, and why the largest bell of the county cracked on its first day.',
    ),
    '/openapi.json': json(openApi),
    '/.well-known/mcp/server-card.json': {
      status: 200,
      headers: {
        'content-type': SERVER_CARD_TYPE,
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=3600',
      },
      body: JSON.stringify({
        $schema: SERVER_CARD_SCHEMA,
        name: 'example.acme/bells',
        version: '1.0.0',
        description: 'The bells of the museum.',
        remotes: [{ type: 'sse', url: `${SITE}/sse` }],
      }),
    },
  },
  truth: planted({
    pass: {
      'mcp.discovery.any': 'A card is there.',
      'mcp.card.schema': 'The card is valid by the v1 schema.',
      'mcp.card.remote-https': 'The remote is https.',
    },
    partial: {
      'mcp.card.found': 'The card is at /.well-known/mcp/server-card.json only.',
      'mcp.card.caching': 'The card has Cache-Control and no ETag.',
      'mcp.legacy.sse': 'The only remote is of type sse.',
    },
    fail: {
      'agent.http.errors-machine': 'An unknown path of the API answers plain text.',
      'mcp.discovery.ai-catalog': 'There is no catalog.',
    },
    not_applicable: {
      'mcp.discovery.ai-catalog-valid': 'There is no catalog.',
      'mcp.discovery.catalog-urls': 'There is no catalog.',
      'mcp.discovery.catalog-advertised': 'There is no catalog.',
      'mcp.discovery.legacy-mcp-json': 'There is no mcp.json.',
      'mcp.card.icons': 'The card has no icons.',
    },
  }),
};

const plainEndpoint = 'http://acme.example/mcp';

/** Documents that promise a server over plain http, and no server. */
export const mcpPromise: TruthSite = {
  name: 'MCP promised only',
  map: {
    ...httpsUpgrade,
    '/': page(
      'The weather ship',
      'A ship that once sent the weather from the middle of the ocean lies at the quay and takes visitors. The cook shows the galley, and the mast can be climbed when there is no wind. Programs will be able to read the old logs one day, as soon as somebody has typed them.',
    ),
    '/.well-known/ai-catalog.json': json(
      catalog([entry({ identifier: 'urn:air:acme.example:mcp:logs', url: `${SITE}/logs-card` })]),
    ),
    '/logs-card': {
      status: 200,
      headers: CARD_HEADERS,
      body: JSON.stringify({
        $schema: SERVER_CARD_SCHEMA,
        name: 'logs',
        version: '1.0.0',
        description: 'Logs of the weather ship.',
        remotes: [{ type: 'streamable-http', url: plainEndpoint }],
      }),
    },
    '/.well-known/mcp.json': json({ hello: 'world' }),
    [`POST ${plainEndpoint}`]: notFound,
    [plainEndpoint]: notFound,
    'POST /mcp': notFound,
  },
  truth: planted({
    pass: {
      'mcp.discovery.any': 'A catalog and a card are there.',
      'mcp.discovery.ai-catalog': 'The catalog lists an entry of the right type.',
      'mcp.card.cors': 'The card allows GET from any origin.',
    },
    fail: {
      'mcp.discovery.legacy-mcp-json': 'mcp.json names no endpoint.',
      'mcp.card.schema': 'The name has no namespace.',
      'mcp.card.remote-https': 'The remote is plain http on a public host.',
      'mcp.endpoint.reachable': 'The declared endpoint answers 404.',
      'mcp.endpoint.https': 'The declared endpoint is plain http.',
    },
    not_applicable: {
      'mcp.tools.list': 'Nothing answered as MCP.',
      'mcp.auth.prm': 'Nothing answered 401.',
    },
  }),
};
