import { A2A_PATH, AGENT_CARD_PATH, listMcpUrls, service, MCP_VERSIONS } from '../capabilities/service.ts';
import { SERVER_CARD_TYPE, buildCardIdentity, buildCardRemote } from './registry-server.ts';

export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * The linkset for `/.well-known/api-catalog`: the HTTP interface, both MCP endpoints and the A2A endpoint.
 * @see https://www.rfc-editor.org/rfc/rfc9727, RFC 9264 (linkset), RFC 8631 (service-desc and its siblings)
 */
export function buildApiCatalog(baseUrl: string): Record<string, unknown> {
  const { open, account } = listMcpUrls(baseUrl);
  const doc = [{ href: `${baseUrl}/llms.txt`, type: 'text/markdown' }];
  const card = (endpoint: string) => ({ href: `${endpoint}/server-card`, type: SERVER_CARD_TYPE });
  return {
    linkset: [
      {
        anchor: `${baseUrl}/api/agent`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
        'service-meta': [{ href: `${baseUrl}/api/agent/index`, type: 'application/json' }],
        'service-doc': doc,
        status: [{ href: `${baseUrl}/health`, type: 'application/json' }],
      },
      { anchor: open, 'service-meta': [card(open)], 'service-doc': doc },
      {
        anchor: account,
        'service-meta': [card(account), { href: `${baseUrl}${RESOURCE_METADATA_PATH}`, type: 'application/json' }],
        'service-doc': doc,
      },
      {
        anchor: `${baseUrl}${A2A_PATH}`,
        'service-meta': [{ href: `${baseUrl}${AGENT_CARD_PATH}`, type: 'application/json' }],
        'service-doc': doc,
      },
    ],
  };
}

/** Where programs find the rest, as a Link header (RFC 8288) of the start page and of discovery documents. */
export const formatDiscoveryLinks = (baseUrl: string): string =>
  [
    `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${baseUrl}/llms.txt>; rel="service-doc"; type="text/markdown"`,
    `<${baseUrl}/llms.txt>; rel="describedby"; type="text/markdown"`,
    `<${baseUrl}/.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"`,
    `<${listMcpUrls(baseUrl).open}>; rel="mcp"`,
  ].join(', ');

export const AI_CATALOG_TYPE = 'application/ai-catalog+json';

/**
 * The AI Catalog for `/.well-known/ai-catalog.json`: one entry for each MCP endpoint, that without a token first, and the agent card.
 * @see https://github.com/Agent-Card/ai-catalog specification/ai-catalog.md
 */
export function buildAiCatalog(baseUrl: string): Record<string, unknown> {
  const { hostname } = new URL(baseUrl);
  // An IPv6 address holds colons, which part the segments of a URN.
  const publisher = hostname.replaceAll(/[^A-Za-z0-9.-]/g, '-');
  const { open, account } = listMcpUrls(baseUrl);
  const entry = (name: string, displayName: string, endpoint: string) => ({
    identifier: `urn:air:${publisher}:mcp:${name}`,
    displayName,
    type: SERVER_CARD_TYPE,
    url: `${endpoint}/server-card`,
  });
  return {
    specVersion: '1.0',
    host: { displayName: service.title, identifier: hostname },
    entries: [
      entry(service.name, `${service.title}, paid per call`, open),
      entry(`${service.name}-account`, `${service.title}, paid from prepaid credits`, account),
      {
        identifier: `urn:air:${publisher}:a2a:${service.name}`,
        displayName: `${service.title} as an A2A agent`,
        type: 'application/a2a-agent-card+json',
        url: `${baseUrl}${AGENT_CARD_PATH}`,
      },
    ],
  };
}

/** Path of the RFC 9728 document of the protected endpoint. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp-account';

/**
 * One document for the places where older clients look (`/.well-known/mcp.json` and the card places of SEP-1649): a
 * Server Card with both endpoints, and the members of the older shape. `transport`, `capabilities` and `authentication`
 * speak of the open endpoint, where no token is needed; what the other one needs is with its remote.
 */
export function buildMcpDiscovery(baseUrl: string): Record<string, unknown> {
  const { name, title, version, capabilities, instructions } = service;
  return {
    ...buildCardIdentity(baseUrl),
    protocolVersion: MCP_VERSIONS[0],
    serverInfo: { name, title, version },
    documentationUrl: `${baseUrl}/llms.txt`,
    remotes: [
      { ...buildCardRemote(baseUrl, 'open'), authentication: { required: false, schemes: [] } },
      {
        ...buildCardRemote(baseUrl, 'account'),
        authentication: {
          required: true,
          schemes: ['oauth2', 'bearer'],
          resourceMetadata: `${baseUrl}${RESOURCE_METADATA_PATH}`,
        },
      },
    ],
    transport: { type: 'streamable-http', endpoint: listMcpUrls(baseUrl).open },
    capabilities,
    authentication: { required: false, schemes: [] },
    instructions,
  };
}
