import { mcpUrls, registryName, service } from '../capabilities/service.ts';
import { tokenHeader } from './server-card.ts';

/**
 * `server.json` of a deployment, for the official MCP registry. There is no `packages` member: the command line, which
 * serves the same tools over stdio, is in no package registry.
 * @see https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 */
export function registryServer(baseUrl: string): Record<string, unknown> {
  const { open, account } = mcpUrls(baseUrl);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: registryName(baseUrl),
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
