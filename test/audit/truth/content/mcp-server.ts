import type { FetchTarget } from '../../../../src/net/fetched.ts';
import { isJsonRecord } from '../../../../src/audit/structured-data/facts/json-document.ts';
import { json, type Served } from '../../../support/audit/site-fetch.ts';
import { asStream, type Server } from '../../../support/audit/mcp-site.ts';

export type Members = Readonly<Record<string, unknown>>;

/** How an MCP server of a fixture behaves. What is left out is done as the specification says. */
export type McpBehaviour = {
  /** Pages of `tools/list`, or what each call answers anew. */
  tools: readonly Members[] | (() => readonly Members[]);
  versions: readonly string[];
  serverInfo: { name: string; version: string };
  instructions?: string;
  resources?: 'listed' | 'declared only';
  /** Members beside the list in a complete result. */
  cacheHints?: Members;
};

const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
  'access-control-expose-headers': 'WWW-Authenticate',
};

/** Answer to a preflight of a browser. */
export const preflight: Served = { status: 204, headers: CORS, body: '' };

/** Answer to GET and DELETE of a server without streams. */
export const postOnly: Served = { status: 405, headers: { allow: 'POST, OPTIONS' }, body: '' };

type Message = { method: string; id: unknown; params: Members };

const OPEN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate' };

const rpc = (id: unknown, member: Members, status = 200): Served =>
  json({ jsonrpc: '2.0', id, ...member }, { status, headers: OPEN });
const error = (id: unknown, code: number, message: string, status: number, data?: Members): Served =>
  rpc(id, { error: { code, message, ...(data === undefined ? {} : { data }) } }, status);

const headersOf = (request: FetchTarget): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

function messageOf(body: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (!isJsonRecord(value)) return undefined;
    const { method, id, params } = value;
    return { method: typeof method === 'string' ? method : '', id, params: isJsonRecord(params) ? params : {} };
  } catch {
    return undefined;
  }
}

/** A server of revision 2026-07-28 that still serves older clients, by the letter of both revisions. */
export function faithfulServer(behaviour: McpBehaviour): Server {
  return (request) => {
    const headers = headersOf(request);
    if (headers['origin'] !== undefined) return error(null, -32_000, 'This origin is not allowed.', 403);
    const message = messageOf(request.body ?? '');
    if (!message) return error(null, -32_700, 'The body is not JSON.', 400);
    const meta = message.params['_meta'];
    const version = isJsonRecord(meta) ? meta[META_VERSION] : undefined;
    if (message.method === 'initialize') return initialized(behaviour, message);
    if (message.method === 'notifications/initialized') return { status: 202, headers: {}, body: '' };
    if (version === undefined && headers['mcp-method'] === undefined)
      return legacyVersionFault(behaviour, headers) ?? call(behaviour, message, 'legacy');
    return modernFault(behaviour, message, headers, version) ?? call(behaviour, message, 'modern');
  };
}

/** Revisions before 2026-07-28 answer 400 to a version header that they do not know. */
function legacyVersionFault({ versions }: McpBehaviour, headers: Readonly<Record<string, string>>): Served | undefined {
  const asked = headers['mcp-protocol-version'];
  if (asked === undefined || versions.includes(asked)) return undefined;
  return error(null, -32_022, 'This protocol version is not supported.', 400, {
    supported: versions,
    requested: asked,
  });
}

function modernFault(
  { versions }: McpBehaviour,
  { method, id }: Message,
  headers: Readonly<Record<string, string>>,
  version: unknown,
): Served | undefined {
  const asked = headers['mcp-protocol-version'];
  if (headers['mcp-method'] !== method) return error(id, -32_020, 'Mcp-Method differs from the body.', 400);
  if (version !== undefined && asked !== version)
    return error(id, -32_020, 'MCP-Protocol-Version differs from the body.', 400);
  if (asked === undefined || !versions.includes(asked))
    return error(id, -32_022, 'This protocol version is not supported.', 400, {
      supported: versions,
      requested: asked,
    });
  return undefined;
}

const capabilities = ({ resources }: McpBehaviour): Members => ({
  tools: {},
  ...(resources === undefined ? {} : { resources: {}, prompts: {} }),
});

function initialized(behaviour: McpBehaviour, { id, params }: Message): Served {
  const asked = params['protocolVersion'];
  const newest = behaviour.versions.filter((version) => version < '2026').at(-1) ?? behaviour.versions[0];
  const known = typeof asked === 'string' && asked < '2026' && behaviour.versions.includes(asked);
  return rpc(id, {
    result: {
      protocolVersion: known ? asked : newest,
      capabilities: capabilities(behaviour),
      serverInfo: behaviour.serverInfo,
      ...(behaviour.instructions === undefined ? {} : { instructions: behaviour.instructions }),
    },
  });
}

function call(behaviour: McpBehaviour, { method, id, params }: Message, era: 'modern' | 'legacy'): Served {
  const complete: Members = era === 'modern' ? { resultType: 'complete' } : {};
  const hints: Members = era === 'modern' ? (behaviour.cacheHints ?? { ttlMs: 60_000, cacheScope: 'public' }) : {};
  const tools = typeof behaviour.tools === 'function' ? behaviour.tools : () => behaviour.tools;
  switch (method) {
    case 'server/discover':
      return rpc(id, { result: { ...complete, ...discovery(behaviour), ...hints } });
    case 'tools/list':
      return rpc(id, { result: { ...complete, tools: tools(), ...hints } });
    case 'tools/call':
      return error(id, -32_602, `There is no tool called ${String(params['name'])}.`, 400);
    case 'resources/list':
      return listed(behaviour, id, {
        ...complete,
        resources: [{ uri: 'tides://larne/2026', name: 'Tides of 2026', mimeType: 'application/json' }],
        ...hints,
      });
    case 'prompts/list':
      return listed(behaviour, id, {
        ...complete,
        prompts: [{ name: 'plan-a-trip', description: 'Plans a trip by tide.' }],
        ...hints,
      });
    case 'ping':
      return rpc(id, { result: {} });
    default:
      return error(id, -32_601, 'There is no such method.', era === 'modern' ? 404 : 200);
  }
}

const listed = (behaviour: McpBehaviour, id: unknown, result: Members): Served =>
  behaviour.resources === 'listed' ? rpc(id, { result }) : error(id, -32_601, 'There is no such method.', 404);

const discovery = (behaviour: McpBehaviour): Members => ({
  supportedVersions: behaviour.versions,
  capabilities: capabilities(behaviour),
  serverInfo: behaviour.serverInfo,
  ...(behaviour.instructions === undefined ? {} : { instructions: behaviour.instructions }),
});

/**
 * A server as somebody wrote it in an afternoon: one old revision, no session needed, no look at versions, origins or
 * broken bodies, a web page for GET, and an answer to every method and tool.
 */
export function carelessServer(
  behaviour: Pick<McpBehaviour, 'serverInfo'> & { tools: () => readonly Members[] },
): Server {
  return (request) => {
    const message = messageOf(request.body ?? '');
    if (!message) {
      return json(
        { error: 'SyntaxError: Unexpected end of JSON input\n    at parse (/srv/app/server.js:14:22)' },
        { status: 500 },
      );
    }
    const { method, id, params } = message;
    if (method === 'server/discover') return error(id, -32_601, 'Method not found', 200);
    if (method === 'initialize') {
      const result = {
        protocolVersion: typeof params['protocolVersion'] === 'string' ? params['protocolVersion'] : '2025-11-25',
        capabilities: { tools: {}, resources: {} },
        serverInfo: behaviour.serverInfo,
      };
      return asStream(rpc(id, { result }));
    }
    if (method.startsWith('notifications/')) return { status: 202, headers: {}, body: '' };
    if (method === 'tools/list') return rpc(id, { result: { tools: behaviour.tools() } });
    if (method === 'tools/call') return rpc(id, { result: { content: [{ type: 'text', text: 'done' }] } });
    if (method === 'resources/list') return error(id, -32_603, 'Cannot read properties of undefined', 500);
    return rpc(id, { result: {} });
  };
}
