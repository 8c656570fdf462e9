import {
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
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
import { ICON_PATH, MCP_VERSIONS, service } from '../capabilities/service.ts';
import { buildCardContents, REPORT_CARD_URI } from './card/card.ts';
import { CONFIRM_ROUNDS, CONFIRM_TIMEOUT_MS, askPrice } from './confirm-price.ts';
import { freeToolBodies, isFreeTool } from './free-tools.ts';
import { completeArgument, PROMPTS, writePrompt } from './prompts.ts';
import { buildProblemResult, type ToolProblem } from './result.ts';
import { RESOURCE_TEMPLATES } from './resources.ts';
import type { CallOrigin, ToolHost } from './tool-host.ts';
import { buildSharedTerms, buildToolTable, type ToolTableSettings } from './tools.ts';

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
  const row = findCapability(name);
  if (row) {
    const parsed = parseBody(row, given);
    if (!parsed.ok) return refuseArguments(parsed.issues.slice(0, MAX_ERRORS).map(describeIssue));
    const refusal = await row.refuse?.(parsed.input);
    return refusal && refuseArguments(refusal.errors, refusal.code);
  }
  const parsed = isFreeTool(name) ? freeToolBodies[name].safeParse(given) : undefined;
  return parsed?.success === false
    ? refuseArguments(parsed.error.issues.slice(0, MAX_ERRORS).map(describeIssue))
    : undefined;
}

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
  /** Terms that all tools share, in `_meta` of the list; absent where nothing is sold. */
  terms?: Readonly<Record<string, unknown>> | undefined;
  /** Our own address, for the icon and the link of the service. */
  home?: string | undefined;
  /** Calls are paid from credits unless they bring a payment: high prices are asked about where the client can. */
  isPaidByCredits?: boolean | undefined;
};

/** The options of a door of the service. Make them once per settings and door. */
export const buildServerOptions = (settings: ToolTableSettings, home: string | undefined): McpServerOptions => ({
  tools: buildToolTable(settings),
  terms: settings.payTo === undefined ? undefined : buildSharedTerms(settings.payTo, settings.network, settings.others),
  home,
  isPaidByCredits: settings.door === 'account',
});

/**
 * A server of the protocol around a host, for one connection or one stateless request: both HTTP endpoints, sessions
 * of 2025-era clients and stdio use it alike. It judges names and arguments, so that a host sees good calls only; an
 * unknown tool is a protocol error (-32602), and arguments of the wrong shape are a tool result that a model can fix
 * (SEP-1303), before any payment is asked for.
 */
export function createMcpServer(host: ToolHost, options: McpServerOptions): Server {
  const { instructions, capabilities } = service;
  const server = new Server(describeServer(options.home), {
    capabilities,
    instructions,
    supportedProtocolVersions: [...MCP_VERSIONS],
    // Shared caches may keep what is the same for everybody; nothing of one caller is ever among it (rules R14, Y5).
    cacheHints: {
      'tools/list': SHARED,
      'prompts/list': SHARED,
      'server/discover': SHARED,
      'resources/templates/list': SHARED,
    },
    inputRequired: { maxRounds: CONFIRM_ROUNDS, roundTimeoutMs: CONFIRM_TIMEOUT_MS },
  });
  serveTools(server, host, options);
  serveResources(server, host);
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params }) => writePrompt(params.name, params.arguments ?? {}));
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const name = ref.type === 'ref/prompt' ? ref.name : '';
    return { completion: completeArgument(name, argument.name, argument.value) };
  });
  return server;
}

function describeServer(home: string | undefined): Implementation {
  const { name, title, version, description } = service;
  const links =
    home === undefined
      ? {}
      : { websiteUrl: home, icons: [{ src: `${home}${ICON_PATH}`, mimeType: 'image/svg+xml', sizes: ['any'] }] };
  return { name, title, version, description, ...links };
}

function serveTools(server: Server, host: ToolHost, { tools, terms, isPaidByCredits = false }: McpServerOptions): void {
  const { list, names } = prepareTools(tools, terms);
  server.setRequestHandler('tools/list', () => list);
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const { name, arguments: given = {} } = params;
    if (!names.has(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool');
    const refused = await checkArguments(name, given);
    const asked = refused ?? (isPaidByCredits ? askPrice(server, name, context) : undefined);
    return asked ?? callTool(host, name, given, context);
  });
}

function serveResources(server: Server, host: ToolHost): void {
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
  server.setRequestHandler('resources/list', async (_request, context) => {
    const { resources, isShared } = await throwFault(() => host.listResources(readCallOrigin(context)));
    return { resources: [...resources], ...(isShared ? SHARED : OWN) };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    if (uri === REPORT_CARD_URI) return { contents: buildCardContents(), ...SHARED };
    const found = await throwFault(() => host.readResource(uri, readCallOrigin(context)));
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: found.contents, ...(found.isShared ? SHARED : OWN) };
  });
}

type ToolListing = { tools: Tool[]; _meta?: Record<string, unknown> };
type Prepared = { list: ToolListing; names: ReadonlySet<string> };
const preparedTables = new WeakMap<readonly Tool[], Prepared>();

/** A stateless endpoint makes a server for each request: what follows from the table is made once. */
function prepareTools(tools: readonly Tool[], terms: McpServerOptions['terms']): Prepared {
  const known = preparedTables.get(tools);
  if (known) return known;
  const list = { tools: [...tools], ...(terms === undefined ? {} : { _meta: { x402: terms } }) };
  const made = { list, names: new Set(tools.map(({ name }) => name)) };
  preparedTables.set(tools, made);
  return made;
}

async function callTool(
  host: ToolHost,
  name: string,
  given: Record<string, unknown>,
  context: ServerContext,
): Promise<CallToolResult> {
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
