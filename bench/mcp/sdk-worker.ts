import { MCP_VERSIONS, service } from '../../src/capabilities/service.ts';
import { buildIndexResult } from '../../src/mcp/result.ts';
import { buildToolTable } from '../../src/mcp/tools.ts';
import { buildServiceIndex } from '../../src/openapi/service-index.ts';
// After our own: the bundler would else put the parts of zod in an order in which they do not start.
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

type PeerEnv = { BASE_URL: string; PAY_TO: string };

let handler: ReturnType<typeof createMcpHandler> | undefined;

/** The SDK's own handler with the same tools and the same constant answers, and nothing of ours around it. */
function handlerOf({ BASE_URL, PAY_TO }: PeerEnv) {
  const list = { tools: [...buildToolTable({ payTo: PAY_TO, door: 'open' })] };
  const result = buildIndexResult(buildServiceIndex(BASE_URL, PAY_TO, { hasEngine: false }));
  const { name, title, version, description, instructions, capabilities } = service;
  return createMcpHandler(
    () => {
      const supportedProtocolVersions = [...MCP_VERSIONS];
      const server = new Server(
        { name, title, version, description },
        { capabilities, instructions, supportedProtocolVersions },
      );
      server.setRequestHandler('tools/list', () => list);
      server.setRequestHandler('tools/call', () => result);
      return server;
    },
    { legacy: 'reject' },
  );
}

export default {
  fetch(request: Request, env: PeerEnv): Promise<Response> {
    handler ??= handlerOf(env);
    return handler.fetch(request);
  },
};
