import type { CallToolResult } from '@modelcontextprotocol/server';
import { WorkerEntrypoint } from 'cloudflare:workers';
import type {
  CallOrigin,
  ResourceContents,
  RemoteCall,
  RemoteTools,
  RemoteWatcher,
  ResourceList,
  ToolHost,
} from '../../../src/mcp/tool-host.ts';
import { listSoldMembers } from '../../../src/telemetry/recorder.ts';
import type { SoldFacts } from '../../../src/telemetry/request-span.ts';
import { logLine } from '../../shared/telemetry.ts';
import type { AppOptions } from '../context.ts';
import { type Env, readSettings } from './env.ts';
import { parseCaller } from '../../../src/sales/mcp/mcp-tools.ts';
import { createWorkerHost } from './mcp-host.ts';

/**
 * The tools of both MCP endpoints for session objects of this Worker, by RPC. Each entry exports the class of its own
 * options under the name `McpTools`. Who calls comes with each call, from the Worker that checked it.
 */
export function defineMcpToolsEntrypoint(options: AppOptions) {
  return class McpTools extends WorkerEntrypoint<Env> implements RemoteTools {
    async callTool(call: RemoteCall, origin: CallOrigin, watcher: RemoteWatcher): Promise<CallToolResult> {
      const controller = new AbortController();
      const cancelled = watcher.whenCancelled().then(
        (isCancelled) => isCancelled && controller.abort(),
        () => undefined, // The session object is gone; what is paid is delivered by the stored report.
      );
      this.ctx.waitUntil(cancelled);
      return this.hostOf(origin).callTool({
        ...call,
        signal: controller.signal,
        progress: (counts) => void watcher.progress(counts).catch(() => undefined),
      });
    }

    listResources(origin: CallOrigin): Promise<ResourceList> {
      return this.hostOf(origin).listResources();
    }

    readResource(uri: string, origin: CallOrigin): Promise<ResourceContents> {
      return this.hostOf(origin).readResource(uri);
    }

    private hostOf(origin: CallOrigin): ToolHost {
      const from = parseCaller(origin);
      const { env, ctx } = this;
      const waitUntil = (promise: Promise<unknown>): void => ctx.waitUntil(promise);
      const scope = { env, settings: readSettings(env), requestId: from.requestId, waitUntil };
      const { requestId } = from;
      // The request that began the call is answered in another place, which knows nothing of how it ends.
      const noteCall = (sold: SoldFacts): void =>
        logLine({ event: 'tool_call', request_id: requestId, ...listSoldMembers(sold) });
      return createWorkerHost({ scope, options, from, noteCall });
    }
  };
}
