import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { readBody, sendJson } from '../http-server.ts';
import { computeHighTides, MAX_TIDES } from './tides.ts';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const SERVER = { name: 'example.lanternbay/tidewater', version: '1.0.0' };
const INSTRUCTIONS =
  'Counts average high tides from one high tide. Never use the answer for safety: real tides differ by 30 minutes and more.';
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' };
const LATEST_MS = Date.UTC(9000, 0);
/** Pages that may talk to the endpoint beside those of the site: the MCP Inspector on the reader's own machine. */
const BROWSER_CLIENTS = ['http://localhost:6274', 'http://127.0.0.1:6274'];
/** What a browser may send and read: all that a client needs, with a token as well, though this server wants none. */
const CORS = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id',
  'access-control-max-age': '7200',
};

const TOOL = {
  name: 'next_high_tides',
  title: 'Next high tides',
  description:
    'Returns the next high tides after a given high tide, counted by the average lunar interval of 12 hours 25 minutes.',
  inputSchema: {
    type: 'object',
    properties: {
      after: { type: 'string', format: 'date-time', description: 'A high tide to count from, RFC 3339' },
      count: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_TIDES,
        default: 1,
        description: 'How many tides to return, 1 to 8',
      },
    },
    required: ['after'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      high_tides: {
        type: 'array',
        items: { type: 'string', format: 'date-time' },
        description: 'The tides, soonest first',
      },
    },
    required: ['high_tides'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/** Arguments of the tool and of the API that answers the same question. */
export const tideQuery = z.strictObject({
  after: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .refine((ms) => ms < LATEST_MS),
  count: z.coerce.number().int().min(1).max(MAX_TIDES).default(1),
});

const messageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z
    .looseObject({ name: z.string().optional(), _meta: z.record(z.string(), z.unknown()).optional() })
    .default({}),
});
type Message = z.infer<typeof messageSchema>;

type Failure = { status: number; code: number; message: string; data?: unknown };
type Reply = { result: Record<string, unknown> } | { failure: Failure };

const buildRpcFailure = (status: number, code: number, message: string, data?: unknown): { failure: Failure } => ({
  failure: { status, code, message, ...(data === undefined ? {} : { data }) },
});

/** The MCP endpoint of the good site: revision 2026-07-28 without sessions, and 2025-11-25 for older clients. */
export async function answerMcp(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
  const { origin: from } = request.headers;
  if (from !== undefined && from !== origin && !BROWSER_CLIENTS.includes(from))
    return sendReply(response, undefined, buildRpcFailure(403, -32_000, 'Foreign Origin'));
  response.setHeaders(new Headers({ ...CORS, 'access-control-allow-origin': from ?? origin, vary: 'Origin' }));
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'OPTIONS' ? 204 : 405, { allow: 'POST, OPTIONS' }).end();
    return undefined;
  }
  const json = parseJson(await readBody(request));
  if (json === undefined) return sendReply(response, undefined, buildRpcFailure(400, -32_700, 'Parse error'));
  const message = messageSchema.safeParse(json);
  if (!message.success) return sendReply(response, undefined, buildRpcFailure(400, -32_600, 'Invalid request'));
  if (message.data.id === undefined) {
    response.writeHead(202).end();
    return undefined;
  }
  return sendReply(
    response,
    message.data.id,
    isLegacy(request, message.data) ? answerLegacy(message.data) : answerModern(request, message.data),
  );
}

const readHeader = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

const readMetaVersion = ({ params }: Message): unknown => params['_meta']?.['io.modelcontextprotocol/protocolVersion'];

function isLegacy(request: IncomingMessage, message: Message): boolean {
  const version = readHeader(request, 'mcp-protocol-version');
  if (message.method === 'initialize') return version === undefined || version === LEGACY;
  return (
    version === LEGACY ||
    (version === undefined && readMetaVersion(message) === undefined && message.method !== 'server/discover')
  );
}

function answerLegacy({ method, params }: Message): Reply {
  if (method === 'initialize') {
    return {
      result: { protocolVersion: LEGACY, capabilities: { tools: {} }, serverInfo: SERVER, instructions: INSTRUCTIONS },
    };
  }
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list') return { result: { tools: [TOOL] } };
  return method === 'tools/call' ? callTool(params) : buildRpcFailure(200, -32_601, `Method not found: ${method}`);
}

function answerModern(request: IncomingMessage, message: Message): Reply {
  const wrong = findWrongHeader(request, message);
  if (wrong !== undefined) return wrong;
  if (message.method === 'server/discover')
    return complete({ supportedVersions: [MODERN], capabilities: { tools: {} }, instructions: INSTRUCTIONS, ...CACHE });
  if (message.method === 'tools/list') return complete({ tools: [TOOL], ...CACHE });
  if (message.method !== 'tools/call') return buildRpcFailure(404, -32_601, `Method not found: ${message.method}`);
  const called = callTool(message.params);
  return 'result' in called ? complete(called.result) : called;
}

const complete = (result: Record<string, unknown>): Reply => ({
  result: { resultType: 'complete', ...result, _meta: { 'io.modelcontextprotocol/serverInfo': SERVER } },
});

const REQUIRED_META = ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'];

/** Version, method and name are in headers as well, and must match the body; `_meta` must be complete. */
function findWrongHeader(request: IncomingMessage, message: Message): { failure: Failure } | undefined {
  const version = readHeader(request, 'mcp-protocol-version');
  const inBody = readMetaVersion(message);
  const mismatch = (name: string): { failure: Failure } => buildRpcFailure(400, -32_020, `Header mismatch: ${name}`);
  if (version === undefined || (inBody !== undefined && inBody !== version)) return mismatch('MCP-Protocol-Version');
  if (version !== MODERN)
    return buildRpcFailure(400, -32_022, 'Unsupported protocol version', { supported: [MODERN], requested: version });
  if (readHeader(request, 'mcp-method') !== message.method) return mismatch('Mcp-Method');
  const needsName = message.method === 'tools/call';
  if (needsName && readHeader(request, 'mcp-name') !== message.params.name) return mismatch('Mcp-Name');
  const meta = message.params['_meta'];
  const missing = REQUIRED_META.filter((key) => meta?.[key] === undefined);
  return missing.length > 0 ? buildRpcFailure(400, -32_602, `Missing in _meta: ${missing.join(', ')}`) : undefined;
}

function callTool(params: Message['params']): Reply {
  if (params.name !== TOOL.name) return buildRpcFailure(400, -32_602, `Unknown tool: ${params.name ?? 'none'}`);
  const query = tideQuery.safeParse(params['arguments']);
  if (!query.success) {
    const text = 'after must be a date and time in RFC 3339, count a whole number from 1 to 8';
    return { result: { content: [{ type: 'text', text }], isError: true } };
  }
  const structuredContent = { high_tides: computeHighTides(query.data.after, query.data.count) };
  return { result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent } };
}

function sendReply(response: ServerResponse, id: string | number | undefined, reply: Reply): void {
  if ('result' in reply) return sendJson(response, 200, { jsonrpc: '2.0', id, result: reply.result });
  const { status, ...error } = reply.failure;
  return sendJson(response, status, { jsonrpc: '2.0', id: id ?? null, error });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
