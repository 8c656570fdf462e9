import { listMcpUrls, MCP_VERSIONS, service } from '../capabilities/service.ts';
import { buildCardIdentity, buildCardRemote } from './registry-server.ts';

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
