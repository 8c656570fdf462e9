import type { FetchTarget } from '../../../src/net/fetched.ts';
import { isJsonRecord, parseSiteJson } from '../../../src/audit/structured-data/facts/json-document.ts';
import { SERVER_CARD_SCHEMA, SERVER_CARD_TYPE } from '../../../src/audit/mcp/facts/server-card.ts';
import { html, json, notFound, type Served, type SiteAnswer, type SiteMap, SITE } from './site-fetch.ts';

export const ENDPOINT = `${SITE}/mcp`;

type Members = Readonly<Record<string, unknown>>;

/** A well described tool; `members` replace its own. */
export const tool = (name: string, members: Members = {}): Members => ({
  name,
  description: `Looks up ${name} in the public archive and returns the matching rows.`,
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Words to look for.' } },
    required: ['query'],
  },
  annotations: { readOnlyHint: true },
  ...members,
});

/** What the servers call themselves, and the card calls them. */
export const SERVER_INFO = { name: 'example.acme/archive', version: '1.2.0' };

export const card = (members: Members = {}): Members => ({
  $schema: SERVER_CARD_SCHEMA,
  name: SERVER_INFO.name,
  version: SERVER_INFO.version,
  description: 'Search the public archive.',
  remotes: [{ type: 'streamable-http', url: ENDPOINT, supportedProtocolVersions: ['2026-07-28'] }],
  ...members,
});

export const entry = (members: Members = {}): Members => ({
  identifier: 'urn:air:site.test:mcp:archive',
  displayName: 'Archive',
  type: SERVER_CARD_TYPE,
  url: `${ENDPOINT}/server-card`,
  ...members,
});

export const catalog = (entries: readonly unknown[] = [entry()], members: Members = {}): Members => ({
  specVersion: '1.0',
  entries,
  ...members,
});

export const CARD_HEADERS = {
  'content-type': SERVER_CARD_TYPE,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
};

/** The same, with leave to keep the card for an hour. */
export const CACHED_CARD_HEADERS = { ...CARD_HEADERS, 'cache-control': 'public, max-age=3600', etag: '"card-1"' };

export const servedCard = (
  members: Members = {},
  headers: Readonly<Record<string, string>> = CACHED_CARD_HEADERS,
): Served => ({
  status: 200,
  headers,
  body: JSON.stringify(card(members)),
});

export type Rpc = {
  /** '' for a body that is no JSON-RPC request. */
  method: string;
  /** The body is no JSON at all. */
  broken: boolean;
  id: number | undefined;
  params: Members;
  headers: Readonly<Record<string, string>>;
};

/** Answers a request; unlike any `SiteAnswer` it can be called by another server that wraps it. */
export type Server = (request: FetchTarget) => SiteAnswer;

/** Reads a request as JSON-RPC, with lower-case header names. */
export function rpcOf(request: FetchTarget): Rpc {
  const parsed = parseSiteJson(request.body ?? '{}');
  const { method, id, params } = parsed.ok && isJsonRecord(parsed.value) ? parsed.value : {};
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    method: typeof method === 'string' ? method : '',
    broken: !parsed.ok,
    id: typeof id === 'number' ? id : undefined,
    params: isJsonRecord(params) ? params : {},
    headers: Object.fromEntries(headers),
  };
}

export const result = (
  id: number | undefined,
  value: Members,
  headers: Readonly<Record<string, string>> = {},
): Served => json({ jsonrpc: '2.0', id, result: value }, { headers });

export const rpcError = (id: number | undefined, code: number, status: number, data?: unknown): Served =>
  json({ jsonrpc: '2.0', id, error: { code, message: 'refused by the fixture', data } }, { status });

/** The same answer as an event stream that begins, as the reference server's does, with an event without data. */
export const asStream = (answer: Served): Served => ({
  ...answer,
  headers: { ...answer.headers, 'content-type': 'text/event-stream' },
  body: `id: 0\ndata: \n\n: keep-alive\n\nevent: message\ndata: ${typeof answer.body === 'string' ? answer.body : ''}\n\n`,
});

export type ServerOptions = {
  /** Pages of `tools/list`. */
  pages?: readonly (readonly unknown[])[];
  discover?: Members;
  /** Answer to a request with an Origin header. */
  foreign?: SiteAnswer;
  versions?: readonly string[];
};

const PAGES = [[tool('search'), tool('fetch')]] as const;

export const CACHE_HINTS = { ttlMs: 60_000, cacheScope: 'public' };
const META = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO };
const INSTRUCTIONS = 'Search the archive when the user asks for published records.';
const parseError = rpcError(undefined, -32_700, 400);

/** A server of both eras: 2026-07-28 with headers that must mirror the body, and a handshake for older clients. */
export function modernServer(options: ServerOptions = {}): Server {
  const pages = options.pages ?? PAGES;
  return (request) => {
    const { method, id, params, headers, broken } = rpcOf(request);
    if (headers['origin'] !== undefined) return options.foreign ?? rpcError(id, -32_000, 403);
    if (broken) return parseError;
    if (method === 'initialize') return initialized(id, '2025-11-25');
    const meta = isJsonRecord(params['_meta']) ? params['_meta'] : undefined;
    if (meta === undefined || headers['mcp-method'] !== method) return rpcError(id, -32_020, 400);
    const version = headers['mcp-protocol-version'];
    if (version !== meta['io.modelcontextprotocol/protocolVersion']) return rpcError(id, -32_020, 400);
    const supported = options.versions ?? ['2026-07-28'];
    if (version !== '2026-07-28') return rpcError(id, -32_022, 400, { supported, requested: version });
    const complete = { resultType: 'complete', ...CACHE_HINTS, _meta: META };
    if (method === 'server/discover') {
      const discovered = { supportedVersions: supported, capabilities: { tools: {} }, instructions: INSTRUCTIONS };
      return result(id, { ...complete, ...discovered, ...options.discover });
    }
    if (method === 'tools/call') return rpcError(id, -32_602, 200);
    return method === 'tools/list' ? toolsPage(id, params, { pages, complete }) : rpcError(id, -32_601, 404);
  };
}

const initialized = (id: number | undefined, protocolVersion: unknown, serverInfo: Members = SERVER_INFO): Served =>
  result(id, { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: INSTRUCTIONS });

/** A server of 2025-11-25: handshake, session id, and nothing before `notifications/initialized`; answers in streams. */
export function legacyServer(options: ServerOptions & { protocolVersion?: string } = {}): Server {
  const pages = options.pages ?? PAGES;
  let ready = false;
  return (request) => {
    const { method, id, params, headers, broken } = rpcOf(request);
    if (headers['origin'] !== undefined && options.foreign) return options.foreign;
    if (broken) return parseError;
    if (method === 'initialize') {
      const opened = initialized(id, options.protocolVersion ?? params['protocolVersion'], {
        name: 'old',
        version: '1',
      });
      return asStream({ ...opened, headers: { ...opened.headers, 'mcp-session-id': 'session-of-the-audit' } });
    }
    if (headers['mcp-session-id'] !== 'session-of-the-audit') return rpcError(undefined, -32_000, 400);
    if (headers['mcp-protocol-version'] === '1900-01-01') return rpcError(undefined, -32_000, 400);
    if (method === 'notifications/initialized') {
      ready = true;
      return { status: 202, headers: {}, body: '' };
    }
    if (!ready) return rpcError(id, -32_000, 400);
    if (method === 'tools/call') return asStream(result(id, { content: [], isError: true }));
    return method === 'tools/list'
      ? asStream(toolsPage(id, params, { pages, complete: {} }))
      : rpcError(id, -32_601, 200);
  };
}

/** The same server, but requests for which `when` holds are answered as told. */
export const except =
  (server: Server, when: (rpc: Rpc) => boolean, answer: SiteAnswer): Server =>
  (request) =>
    when(rpcOf(request)) ? answer : server(request);

function toolsPage(
  id: number | undefined,
  params: Members,
  list: { pages: readonly (readonly unknown[])[]; complete: Members },
): Served {
  const page = Number(params['cursor'] ?? 0);
  const next = page + 1 < list.pages.length ? { nextCursor: String(page + 1) } : {};
  return result(id, { ...list.complete, tools: list.pages[page] ?? [], ...next });
}

export const PRM_PATH = '/.well-known/oauth-protected-resource/mcp';
export const PRM_URL = `${SITE}${PRM_PATH}`;
export const ISSUER = 'https://auth.test/tenant';
export const AS_URL = 'https://auth.test/.well-known/oauth-authorization-server/tenant';
export const CHALLENGE = `Bearer resource_metadata="${PRM_URL}", scope="archive:read"`;

export const resourceMetadata = (members: Members = {}): Members => ({
  resource: ENDPOINT,
  authorization_servers: [ISSUER],
  scopes_supported: ['archive:read'],
  ...members,
});

export const serverMetadata = (members: Members = {}): Members => ({
  issuer: ISSUER,
  authorization_endpoint: 'https://auth.test/authorize',
  token_endpoint: 'https://auth.test/token',
  jwks_uri: 'https://auth.test/jwks',
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  ...members,
});

/** An endpoint that wants a token from everybody, and knows none. */
export function protectedServer(challenge: string | undefined = CHALLENGE, bad?: SiteAnswer): Server {
  return (request) => {
    const token = rpcOf(request).headers['authorization'];
    if (token !== undefined && bad) return bad;
    const invalid = token === undefined || challenge === undefined ? challenge : `${challenge}, error="invalid_token"`;
    return json(
      { error: 'unauthorized' },
      { status: 401, headers: invalid === undefined ? {} : { 'www-authenticate': invalid } },
    );
  };
}

/** A site with a catalog, a card and a modern server; `changes` add or replace paths, and `undefined` removes one. */
export function mcpSite(changes: Readonly<Record<string, SiteAnswer | undefined>> = {}): SiteMap {
  const site: Record<string, SiteAnswer | undefined> = {
    '/': html(`<!doctype html><title>Archive</title><p>Hello. Add our MCP server to your client: ${ENDPOINT}</p>`),
    '/.well-known/ai-catalog.json': json(catalog()),
    '/mcp/server-card': servedCard(),
    'POST /mcp': modernServer(),
    '/mcp': { ...notFound, status: 405 },
    ...changes,
  };
  return Object.fromEntries(Object.entries(site).filter((row): row is [string, SiteAnswer] => row[1] !== undefined));
}

/** The same site behind authorization; `auth` replaces its documents. */
export const protectedSite = (changes: Readonly<Record<string, SiteAnswer | undefined>> = {}): SiteMap =>
  mcpSite({
    'POST /mcp': protectedServer(),
    [PRM_PATH]: json(resourceMetadata()),
    [AS_URL]: json(serverMetadata()),
    'https://auth.test/jwks': json({ keys: [] }),
    ...changes,
  });
