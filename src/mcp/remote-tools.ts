import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CallOrigin, CallProgress, ReadResource, ResourceList, ToolCall } from './tool-host.ts';

/** A tool call as data: what is left of it when signal and callbacks are taken off. */
export type RemoteCall = Pick<ToolCall, 'name' | 'arguments' | 'meta'>;

/** What the callee of a remote call may tell and ask: both go over RPC. */
export type RemoteWatcher = {
  progress: (counts: CallProgress) => Promise<void>;
  /** Resolves when the client calls the call off (`true`) or when it is over (`false`). */
  whenCancelled: () => Promise<boolean>;
};

/** The tools behind an RPC entrypoint: a `ToolHost` for callers in another object of the same Worker. */
export type RemoteTools = {
  callTool: (call: RemoteCall, origin: CallOrigin, watcher: RemoteWatcher) => Promise<CallToolResult>;
  listResources: (origin: CallOrigin) => Promise<ResourceList>;
  readResource: (uri: string, origin: CallOrigin) => Promise<ReadResource>;
};
