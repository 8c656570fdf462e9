import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { findCapability } from '../capabilities/catalog.ts';
import { type BodyIssue, parseBody } from '../capabilities/parse-body.ts';
import { formatJsonPointer } from '../lib/json.ts';
import { INDEX_TOOL, MCP_VERSIONS, service } from '../capabilities/service.ts';
import { buildProblemResult, type ToolProblem } from './result.ts';
import { RESOURCE_TEMPLATES } from './resources.ts';
import type { CallOrigin, ToolHost } from './tool-host.ts';

/** Faults of arguments that are reported: a model fixes the first few and asks again. */
const MAX_ERRORS = 20;

/**
 * Why the arguments of a tool are refused, as a result that a model can act on (SEP-1303); undefined when they are
 * good, or when the name is not one of ours and its host knows better. JSON Pointers name members of our schema only.
 */
export async function checkArguments(
  name: string,
  given: Record<string, unknown>,
): Promise<CallToolResult | undefined> {
  if (name === INDEX_TOOL) return Object.keys(given).length === 0 ? undefined : refuseArguments([NO_MEMBERS]);
  const row = findCapability(name);
  if (!row) return undefined;
  const parsed = parseBody(row, given);
  if (!parsed.ok) return refuseArguments(parsed.issues.slice(0, MAX_ERRORS).map(describeIssue));
  const refusal = await row.refuse?.(parsed.input);
  return refusal && refuseArguments(refusal.errors, refusal.code);
}

const NO_MEMBERS = { pointer: '', message: 'takes no arguments' };

const TITLES = {
  invalid_body: 'The arguments do not match the schema of this tool',
  niche_names_brand: 'The niche names the brand: the question must not contain what is measured',
  not_publishable: 'This report cannot be published',
} as const;

const refuseArguments = (errors: NonNullable<ToolProblem['errors']>, code: keyof typeof TITLES = 'invalid_body') =>
  buildProblemResult({ status: 422, code, title: TITLES[code], errors });

/** zod's texts name keys that a caller chose; ours do not. */
const describeIssue = ({ code, path, message }: BodyIssue) => ({
  pointer: formatJsonPointer(path),
  message: code === 'unrecognized_keys' ? 'has members that are not part of it' : message,
});

/** How long a list that changes only with a deployment may be kept, in milliseconds. */
const LISTS_TTL_MS = 300_000;
const SHARED = { ttlMs: LISTS_TTL_MS, cacheScope: 'public' } as const;
const OWN = { ttlMs: 0, cacheScope: 'private' } as const;

/** What a client learns about a bug: no message of ours or of a runtime's goes out. */
export const FAULT = 'An internal error: repeat the same request with the same payment';

export type McpServerOptions = {
  /** The precomputed table of `buildToolTable`. */
  tools: readonly Tool[];
};

/**
 * A server of the protocol around a host, for one connection or one stateless request: both HTTP endpoints, sessions
 * of 2025-era clients and stdio use it alike. It judges names and arguments, so that a host sees good calls only; an
 * unknown tool is a protocol error (-32602), and arguments of the wrong shape are a tool result that a model can fix
 * (SEP-1303), before any payment is asked for.
 */
export function createMcpServer(host: ToolHost, { tools }: McpServerOptions): Server {
  const { name, title, version, description, instructions, capabilities } = service;
  const server = new Server(
    { name, title, version, description },
    {
      capabilities,
      instructions,
      supportedProtocolVersions: [...MCP_VERSIONS],
      // Shared caches may keep what is the same for everybody; nothing of one caller is ever among it (rules R14, Y5).
      cacheHints: { 'tools/list': SHARED, 'server/discover': SHARED, 'resources/templates/list': SHARED },
    },
  );
  const { list, names } = prepareTools(tools);
  server.setRequestHandler('tools/list', () => list);
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult> => {
    if (!names.has(params.name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool');
    return callTool(host, params.name, params.arguments ?? {}, context);
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
  server.setRequestHandler('resources/list', async (_request, context) => {
    const { resources, isShared } = await throwFault(() => host.listResources(readCallOrigin(context)));
    return { resources: [...resources], ...(isShared ? SHARED : OWN) };
  });
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const found = await throwFault(() => host.readResource(params.uri, readCallOrigin(context)));
    if (!found) throw new ResourceNotFoundError(params.uri);
    return { contents: found.contents, ...(found.isShared ? SHARED : OWN) };
  });
  return server;
}

type Prepared = { list: { tools: Tool[] }; names: ReadonlySet<string> };
const preparedTables = new WeakMap<readonly Tool[], Prepared>();

/** A stateless endpoint makes a server for each request: what follows from the table is made once. */
function prepareTools(tools: readonly Tool[]): Prepared {
  const known = preparedTables.get(tools);
  if (known) return known;
  const made = { list: { tools: [...tools] }, names: new Set(tools.map(({ name }) => name)) };
  preparedTables.set(tools, made);
  return made;
}

async function callTool(
  host: ToolHost,
  name: string,
  given: Record<string, unknown>,
  context: ServerContext,
): Promise<CallToolResult> {
  const refused = await checkArguments(name, given);
  if (refused) return refused;
  const progress = createProgressReporter(context);
  const call = {
    name,
    arguments: given,
    meta: context.mcpReq._meta ?? {},
    signal: context.mcpReq.signal,
    origin: readCallOrigin(context),
    ...(progress ? { progress } : {}),
  };
  return throwFault(() => host.callTool(call));
}

/** The SDK would send the message of whatever is thrown. */
async function throwFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, FAULT);
  }
}

const readCallOrigin = (context: ServerContext): CallOrigin => context.http?.authInfo?.extra;

/** Sends counts to a client that asked for them. A client that went away is none of the work's business. */
function createProgressReporter({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ done, total }: { done: number; total?: number }): void => {
    const params = { progressToken, progress: done, ...(total === undefined ? {} : { total }) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
