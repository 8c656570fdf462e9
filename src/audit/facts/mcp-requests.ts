import type { FetchTarget } from '../../net/fetched.ts';
import { LEGACY_REVISION, MAX_RPC_BYTES, MODERN_REVISION } from './mcp-places.ts';

/** JSON-RPC ids of our requests, fixed so that two audits of one site ask the same. Pages of `tools/list` count up. */
export const REQUEST_IDS = { discover: 1, initialize: 2, origin: 3, badToken: 4, tools: 10 } as const;

/** Methods an audit may send (rule F4): none of them changes anything, and `tools/call` is not among them. */
export type ProbeMethod = 'server/discover' | 'initialize' | 'notifications/initialized' | 'tools/list';

/** A bearer that no authorization server ever issued: it tests that tokens are looked at, and opens nothing. */
export const GARBAGE_TOKEN = 'sightline-audit-sends-no-real-token';
/** An origin no server can mean to allow, by which DNS rebinding is tested. */
export const FOREIGN_ORIGIN = 'https://evil.example';

const CLIENT = { name: 'sightline-audit', version: '1.0.0' } as const;

/** A request of revision 2026-07-28: version, client and capabilities travel in `_meta`, and are mirrored in headers. */
export function modernRequest(
  url: string,
  message: { method: ProbeMethod; id: number; params?: Readonly<Record<string, unknown>> },
  headers: Readonly<Record<string, string>> = {},
): FetchTarget {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN_REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = { jsonrpc: '2.0', id: message.id, method: message.method, params: { ...message.params, _meta: meta } };
  return post(url, body, { 'mcp-protocol-version': MODERN_REVISION, 'mcp-method': message.method, ...headers });
}

/** The handshake of revisions up to 2025-11-25. */
export function initializeRequest(
  url: string,
  protocolVersion: string,
  options: { id?: number; headers?: Readonly<Record<string, string>> } = {},
): FetchTarget {
  const params = { protocolVersion, capabilities: {}, clientInfo: CLIENT };
  const body = { jsonrpc: '2.0', id: options.id ?? REQUEST_IDS.initialize, method: 'initialize', params };
  return post(url, body, options.headers ?? {});
}

/** What a session of an older revision carries on: the version agreed on, and the session's id if the server gave one. */
export type LegacySession = { protocolVersion: string; sessionId?: string };

/** A message within a session of an older revision; without an id it is a notification. */
export function sessionRequest(
  url: string,
  session: LegacySession,
  message: { method: ProbeMethod; id?: number; params?: Readonly<Record<string, unknown>> },
): FetchTarget {
  const { method, id, params } = message;
  const body = { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, ...(params ? { params } : {}) };
  return post(url, body, {
    'mcp-protocol-version': session.protocolVersion,
    ...(session.sessionId === undefined ? {} : { 'mcp-session-id': session.sessionId }),
  });
}

/** A version as a header can carry it; the newest legacy one for anything odd that a server or a card says. */
export const headerSafeVersion = (version: unknown): string =>
  typeof version === 'string' && /^[\w.-]{1,40}$/.test(version) ? version : LEGACY_REVISION;

function post(url: string, body: object, headers: Readonly<Record<string, string>>): FetchTarget {
  return {
    url,
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    maxBytes: MAX_RPC_BYTES,
  };
}
