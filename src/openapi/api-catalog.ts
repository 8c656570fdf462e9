import { listMcpUrls } from '../capabilities/service.ts';
import { RESOURCE_METADATA_PATH } from './mcp-json.ts';
import { SERVER_CARD_TYPE } from './registry-server.ts';

export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * The linkset for `/.well-known/api-catalog`: the HTTP interface and both MCP endpoints.
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
