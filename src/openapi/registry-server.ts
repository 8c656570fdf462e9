import { MCP_VERSIONS, listMcpUrls, formatRegistryName, service } from '../capabilities/service.ts';

/** Media type of a Server Card (SEP-2127). */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
const SERVER_CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';

type McpEndpointName = 'open' | 'account';

/** How a client shows its token to the protected endpoint, as cards and the registry write it. */
const tokenHeader = {
  name: 'Authorization',
  description: 'Bearer token of this service: OAuth 2.1 sign-in, a machine client, or a service account.',
  isRequired: true,
  isSecret: true,
} as const;

/**
 * The Server Card of one endpoint, for `<endpoint>/server-card`. Name, version and protocol versions are those that the
 * live server answers with; tools are not listed, as the specification wants it.
 * @see https://github.com/modelcontextprotocol/experimental-ext-server-card schema.json
 */
export function buildServerCard(baseUrl: string, endpoint: McpEndpointName): Record<string, unknown> {
  return { ...buildCardIdentity(baseUrl), remotes: [buildCardRemote(baseUrl, endpoint)] };
}

/** What every card says of the service, whichever endpoint it is about. */
export function buildCardIdentity(baseUrl: string): Record<string, unknown> {
  return {
    $schema: SERVER_CARD_SCHEMA,
    name: formatRegistryName(baseUrl),
    version: service.version,
    description: service.description,
    title: service.title,
    websiteUrl: `${baseUrl}/`,
  };
}

/** One endpoint as a card lists it. The open one reads no `Authorization`; the other answers 401 without it. */
export function buildCardRemote(baseUrl: string, endpoint: McpEndpointName): Record<string, unknown> {
  const headers = [{ ...tokenHeader, value: 'Bearer {token}', variables: { token: { isSecret: true } } }];
  return {
    type: 'streamable-http',
    url: listMcpUrls(baseUrl)[endpoint],
    ...(endpoint === 'account' ? { headers } : {}),
    supportedProtocolVersions: MCP_VERSIONS,
  };
}

/**
 * `server.json` of a deployment, for the official MCP registry. There is no `packages` member: the command line, which
 * serves the same tools over stdio, is in no package registry.
 * @see https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 */
export function buildRegistryServer(baseUrl: string): Record<string, unknown> {
  const { open, account } = listMcpUrls(baseUrl);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: formatRegistryName(baseUrl),
    title: service.title,
    description: service.description,
    version: service.version,
    websiteUrl: `${baseUrl}/`,
    remotes: [
      { type: 'streamable-http', url: open },
      { type: 'streamable-http', url: account, headers: [tokenHeader] },
    ],
  };
}
