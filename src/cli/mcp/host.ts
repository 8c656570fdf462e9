import type { CallToolResult } from '@modelcontextprotocol/server';
import { capabilityNamed } from '../../capabilities/catalog.ts';
import { INDEX_TOOL } from '../../capabilities/service.ts';
import { problemResult } from '../../mcp/problem-result.ts';
import { CATALOGUE, CATALOGUE_URI, catalogueContents } from '../../mcp/resources.ts';
import { indexResult } from '../../mcp/result.ts';
import type { ToolCall, ToolHost } from '../../mcp/tool-host.ts';
import { callHere, indexHere, type LocalReach, runsHere } from './local.ts';

/** What a service adds: `call` pays or hands on, `remote` reads its resources and lists them. */
export type ServiceSide = {
  call: (call: ToolCall) => Promise<CallToolResult>;
  /** The catalogue with the prices of the service. */
  index: () => Promise<CallToolResult>;
  resources: Pick<ToolHost, 'listResources' | 'readResource'>;
};

export type StdioHostSettings = {
  reach: LocalReach;
  /** Whether what can run on this machine does, free. */
  isLocal: boolean;
  service: ServiceSide | undefined;
};

/** Tools that run on this machine: all that can, without credentials or with `--local`; otherwise none. */
export const placeOf =
  (isLocal: boolean) =>
  (name: string): boolean =>
    isLocal && runsHere(name);

/** What `sightline mcp` does: each tool either here or at the service, the same for the life of the server. */
export function stdioHost({ reach, isLocal, service }: StdioHostSettings): ToolHost {
  const isHere = placeOf(isLocal);
  const ownIndex = () => indexHere(service !== undefined);
  const indexService = isLocal ? undefined : service;
  return {
    callTool: async (call) => {
      if (call.name === INDEX_TOOL) return indexService?.index() ?? indexResult(ownIndex());
      const row = isHere(call.name) ? capabilityNamed(call.name) : undefined;
      if (row) return callHere(row, call, reach);
      return service === undefined ? problemResult(NO_SERVICE) : service.call(call);
    },
    listResources: async () => service?.resources.listResources() ?? { resources: [CATALOGUE], isShared: true },
    readResource: async (uri) => {
      if (uri === CATALOGUE_URI && indexService === undefined) return catalogueContents(ownIndex());
      return service?.resources.readResource(uri);
    },
  };
}

const NO_SERVICE = {
  status: 503,
  code: 'no_service',
  title: 'This tool asks an answer engine, which a service has and this machine does not',
  detail:
    'Start sightline mcp with --base <url> or SIGHTLINE_BASE_URL, and with SIGHTLINE_TOKEN, or with SIGHTLINE_WALLET_KEY and its limits',
  howToConfigure: [
    'Name a service: --base <url>, or SIGHTLINE_BASE_URL.',
    'Pay with prepaid credits: SIGHTLINE_TOKEN.',
    'Or pay per call: SIGHTLINE_WALLET_KEY, SIGHTLINE_MAX_USD_PER_CALL (1), SIGHTLINE_MAX_USD_PER_DAY (5).',
  ],
} as const;
