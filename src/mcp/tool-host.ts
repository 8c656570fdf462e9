import type { CallToolResult, ReadResourceResult, Resource } from '@modelcontextprotocol/server';

/** Which server lists the tools: `/mcp`, `/mcp-account`, or `sightline mcp` on the caller's machine. */
export type ToolDoor = 'open' | 'account' | 'stdio';

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
  readResource: (uri: string, origin: CallOrigin) => Promise<ResourceContents>;
};

/** How far a call is: `done` of `total` where the total is known. */
export type CallProgress = { done: number; total?: number };

/**
 * What the transport's owner attached to a request (`authInfo.extra`): over HTTP who calls and how, nothing over stdio.
 * A host knows the shape that its own transport attaches.
 */
export type CallOrigin = Readonly<Record<string, unknown>> | undefined;

/** One `tools/call` whose name is in the table and whose arguments match the tool's schema. */
export type ToolCall = {
  name: string;
  arguments: Record<string, unknown>;
  /** `_meta` of the request without the members that belong to the protocol. */
  meta: Readonly<Record<string, unknown>>;
  /** Aborted when the client calls the request off: before payment nothing may be charged any more (rule Y8). */
  signal?: AbortSignal;
  /** Present when the client asked for progress. */
  progress?: (counts: CallProgress) => void;
  origin?: CallOrigin;
};

/** A resource list of one caller: `shared` when everybody gets the same, so that caches may keep it for all (rule R14). */
export type ResourceList = { resources: readonly Resource[]; isShared: boolean };

/** A resource as it is read; undefined when there is none under the URI for this caller. */
export type ResourceContents = { contents: ReadResourceResult['contents']; isShared: boolean } | undefined;

/**
 * Everything that an MCP server of ours does. The HTTP endpoints, the session object and stdio each bring a host;
 * `createMcpServer` puts the protocol around it. An expected failure is a result with `isError`; a bug throws.
 */
export type ToolHost = {
  callTool: (call: ToolCall) => Promise<CallToolResult>;
  listResources: (origin?: CallOrigin) => Promise<ResourceList>;
  readResource: (uri: string, origin?: CallOrigin) => Promise<ResourceContents>;
};
