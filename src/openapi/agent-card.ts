import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { listMcpUrls, MCP_VERSIONS, service } from '../capabilities/service.ts';

/**
 * The agent card for `/.well-known/agent-card.json`, in the form of A2A 1.0. The service speaks none of the core bindings of
 * A2A: its interfaces say `MCP`, so that A2A clients pass them by and other readers learn where to go.
 * @see https://a2a-protocol.org/latest/specification/ AgentCard, AgentInterface.protocolBinding (an open string)
 */
export function buildAgentCard(baseUrl: string): Record<string, unknown> {
  const { open, account } = listMcpUrls(baseUrl);
  const speaks = { protocolBinding: 'MCP', protocolVersion: MCP_VERSIONS[0] };
  return {
    name: service.title,
    description: `${service.description} Reached by MCP or by plain HTTP, not by A2A messages.`,
    supportedInterfaces: [
      { url: open, ...speaks },
      { url: account, ...speaks },
    ],
    provider: { organization: service.title, url: `${baseUrl}/` },
    version: service.version,
    documentationUrl: `${baseUrl}/llms.txt`,
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: catalog.map((row) => ({
      id: row.name,
      name: row.name.replaceAll('_', ' '),
      description: `${row.summary}. Price: ${formatUsd(row.priceMicroUsdc)} USD.`,
      tags: [row.name.split('_')[0] ?? row.name, row.engineBacked ? 'ai-answers' : 'website', 'x402'],
    })),
  };
}
