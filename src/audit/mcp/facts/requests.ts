import type { FetchTarget } from '../../../net/fetched.ts';
import { IMPOSSIBLE_REVISION, LEGACY_REVISION, MAX_RPC_BYTES, MODERN_REVISION } from './places.ts';

/** JSON-RPC ids of our requests, fixed so that two audits of one site ask the same. Pages of `tools/list` count up. */
export const REQUEST_IDS = {
  discover: 1,
  initialize: 2,
  origin: 3,
  badToken: 4,
  tools: 10,
  version: 20,
  mismatch: 21,
  unknownMethod: 22,
  badJson: 23,
  toolsAgain: 24,
  unknownTool: 25,
  resources: 26,
  prompts: 27,
} as const;

/** A method that no server has: how it refuses is what is asked. */
export const UNKNOWN_METHOD = 'sightline/does-not-exist';

/** Methods an audit may send (rule F4): none of them changes anything. `tools/call` names a tool that cannot exist. */
export type ProbeMethod =
  | 'server/discover'
  | 'initialize'
  | 'notifications/initialized'
  | 'ping'
  | 'tools/list'
  | 'tools/call'
  | 'resources/list'
  | 'prompts/list'
  | typeof UNKNOWN_METHOD;

/** A bearer that no authorization server ever issued: it tests that tokens are looked at, and opens nothing. */
export const GARBAGE_TOKEN = 'sightline-audit-sends-no-real-token';
/** An origin no server can mean to allow, by which DNS rebinding is tested. */
export const FOREIGN_ORIGIN = 'https://evil.example';
/** The body of the probe for broken JSON. */
export const BROKEN_JSON = '{';

const CLIENT = { name: 'sightline-audit', version: '1.0.0' } as const;

type Headers = Readonly<Record<string, string>>;
type Message = { method: ProbeMethod; id: number; params?: Readonly<Record<string, unknown>> };

/** A request of revision 2026-07-28: version, client and capabilities travel in `_meta`, and are mirrored in headers. */
export function buildModernRequest(url: string, message: Message, headers: Headers = {}): FetchTarget {
  return requestOfVersion(url, message, { version: MODERN_REVISION, headers });
}

/** The same in a version that no server can support, which headers and body agree on. */
export const buildImpossibleVersionRequest = (url: string, message: Message): FetchTarget =>
  requestOfVersion(url, message, { version: IMPOSSIBLE_REVISION, headers: {} });

function requestOfVersion(url: string, message: Message, as: { version: string; headers: Headers }): FetchTarget {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': as.version,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { method, id, params } = message;
  const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
  return post(url, JSON.stringify(body), { 'mcp-protocol-version': as.version, 'mcp-method': method, ...as.headers });
}

/** The handshake of revisions up to 2025-11-25. */
export function initializeRequest(
  url: string,
  protocolVersion: string,
  options: { id?: number; headers?: Headers } = {},
): FetchTarget {
  const params = { protocolVersion, capabilities: {}, clientInfo: CLIENT };
  const body = { jsonrpc: '2.0', id: options.id ?? REQUEST_IDS.initialize, method: 'initialize', params };
  return post(url, JSON.stringify(body), options.headers ?? {});
}

/** What a session of an older revision carries on: the version agreed on, and the session's id if the server gave one. */
export type LegacySession = { protocolVersion: string; sessionId?: string };

/** A message within a session of an older revision; without an id it is a notification. */
export function buildSessionRequest(
  url: string,
  session: LegacySession,
  message: Omit<Message, 'id'> & { id?: number },
): FetchTarget {
  const { method, id, params } = message;
  const body = { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, ...(params ? { params } : {}) };
  return post(url, JSON.stringify(body), buildSessionHeaders(session));
}

/** A POST whose body is no JSON, with the headers that a good one would have. */
export const buildBrokenRequest = (url: string, session: LegacySession | undefined): FetchTarget =>
  post(
    url,
    BROKEN_JSON,
    session
      ? buildSessionHeaders(session)
      : { 'mcp-protocol-version': MODERN_REVISION, 'mcp-method': 'server/discover' satisfies ProbeMethod },
  );

/** The GET by which clients of older revisions listen. Its stream may never end, so nothing of the body is read. */
export const listenRequest = (url: string): FetchTarget => ({
  url,
  headers: { accept: 'text/event-stream' },
  maxBytes: 0,
});

/** Headers that a client in a browser asks leave for, those of a POST with a token. */
export const PREFLIGHT_HEADERS = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** What a browser asks before it lets a page of `origin` POST to the endpoint. */
export const buildPreflightRequest = (url: string, origin: string): FetchTarget => ({
  url,
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': PREFLIGHT_HEADERS.join(','),
  },
  maxBytes: 0,
});

/** A version as a header can carry it; the newest legacy one for anything odd that a server or a card says. */
export const selectHeaderSafeVersion = (version: unknown): string =>
  typeof version === 'string' && /^[\w.-]{1,40}$/.test(version) ? version : LEGACY_REVISION;

const buildSessionHeaders = (session: LegacySession): Headers => ({
  'mcp-protocol-version': session.protocolVersion,
  ...(session.sessionId === undefined ? {} : { 'mcp-session-id': session.sessionId }),
});

function post(url: string, body: string, headers: Headers): FetchTarget {
  return {
    url,
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body,
    maxBytes: MAX_RPC_BYTES,
  };
}
