import { listMcpUrls, service } from '../capabilities/service.ts';
import { SERVER_CARD_TYPE } from './registry-server.ts';

export const AI_CATALOG_TYPE = 'application/ai-catalog+json';

/**
 * The AI Catalog for `/.well-known/ai-catalog.json`: one entry for each MCP endpoint, that without a token first.
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
    ],
  };
}
