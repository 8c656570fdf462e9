import { rememberPerObject } from '../../../lib/memo.ts';
import type { FetchTarget } from '../../../net/fetched.ts';
import type { Gather, Gatherer, Wanted } from '../../core/artifact.ts';
import {
  chooseEndpoint,
  hasCapability,
  type McpEndpoint,
  findNextCursor,
  type ProbedEndpoint,
  readProbe,
  readEndpoint,
  getRpcResult,
} from '../facts/endpoint.ts';
import { listResourceMetadataUrls } from '../facts/auth.ts';
import {
  LEGACY_REVISION,
  MAX_RESOURCE_METADATA_URLS,
  MAX_SERVER_METADATA_URLS,
  MAX_TOOL_PAGES,
  MAX_VERSION_PROBES,
  MCP_ROLES,
  MODERN_REVISION,
} from '../facts/places.ts';
import {
  findNextResourceMetadataUrl,
  findNextServerMetadataUrl,
  type DescribedProtection,
  type EndpointProtection,
  readProtection,
  selectServerMetadata,
} from '../facts/protection.ts';
import {
  FOREIGN_ORIGIN,
  GARBAGE_TOKEN,
  selectHeaderSafeVersion,
  initializeRequest,
  type LegacySession,
  buildModernRequest,
  REQUEST_IDS,
  buildSessionRequest,
} from '../facts/requests.ts';
import { buildDocumentRequest, getMcpReader, type McpRead, walkDiscovery } from './discovery.ts';

/** Talks to the endpoint that the site declares: handshake, tool list, foreign origin. Calls no tool. */
export const gatherMcpEndpoint: Gatherer = async (gather) => {
  await walkEndpoint(gather);
};

/** Probes the declared endpoint and returns what it did. Makes no request when none is declared or it may not be probed. */
export const walkEndpoint = rememberPerObject(async (gather: Gather): Promise<McpEndpoint> => {
  const discovery = await walkDiscovery(gather);
  const chosen = chooseEndpoint(discovery, gather.start);
  if (chosen.state !== 'chosen') return chosen;
  const { url } = chosen;
  const read = getMcpReader(gather);
  const look = (): McpEndpoint => readEndpoint(gather.find, discovery, gather.start);
  await read(MCP_ROLES.discover, buildModernRequest(url, { method: 'server/discover', id: REQUEST_IDS.discover }));
  for (const [index, version] of selectVersions(look(), chosen.listed).entries()) {
    const endpoint = look();
    if (endpoint.state !== 'probed' || isShut(endpoint)) break;
    await read(`${MCP_ROLES.initialize}:${index}`, initializeRequest(url, version));
  }
  const endpoint = look();
  if (endpoint.state !== 'probed' || endpoint.access === 'unread' || endpoint.access === 'silent') return endpoint;
  await Promise.all([readOrigin(read, endpoint), readToolPages(read, endpoint)]);
  return look();
});

/**
 * The handshakes of older revisions to make: one of the newest of them, which most clients still speak, and one for each
 * version that the card lists and the server did not name.
 */
function selectVersions(endpoint: McpEndpoint, listed: readonly string[] = []): readonly string[] {
  if (endpoint.state !== 'probed' || isShut(endpoint)) return [];
  const unproven = listed
    .filter((version) => version !== MODERN_REVISION && !endpoint.accepted.includes(version))
    .map(selectHeaderSafeVersion);
  return [...new Set([LEGACY_REVISION, ...unproven])].slice(0, MAX_VERSION_PROBES);
}

/** No further handshake can succeed where the endpoint wants a token or payment, refuses us or does not answer. */
const isShut = (endpoint: ProbedEndpoint): boolean =>
  ['protected', 'paid', 'refused', 'unread'].includes(endpoint.access);

async function readOrigin(read: McpRead, endpoint: ProbedEndpoint): Promise<void> {
  const headers = { origin: FOREIGN_ORIGIN };
  const target =
    endpoint.era === 'legacy'
      ? initializeRequest(endpoint.url, LEGACY_REVISION, { id: REQUEST_IDS.origin, headers })
      : buildModernRequest(endpoint.url, { method: 'server/discover', id: REQUEST_IDS.origin }, headers);
  await read(MCP_ROLES.origin, target);
}

async function readToolPages(read: McpRead, endpoint: ProbedEndpoint): Promise<void> {
  if (!endpoint.handshake || !hasCapability(endpoint.handshake, 'tools')) return;
  const session = endpoint.era === 'legacy' ? await openSession(read, endpoint) : undefined;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
    const id = REQUEST_IDS.tools + page;
    const exchange = await read(`${MCP_ROLES.tools}:${page}`, buildToolsRequest(endpoint.url, session, { id, cursor }));
    const result = getRpcResult(readProbe(exchange, id));
    const next = result && findNextCursor(result);
    if (next === undefined || next === cursor) return;
    cursor = next;
  }
}

function buildToolsRequest(
  url: string,
  session: LegacySession | undefined,
  page: { id: number; cursor: string | undefined },
): FetchTarget {
  const params = page.cursor === undefined ? {} : { params: { cursor: page.cursor } };
  const message = { method: 'tools/list', id: page.id, ...params } as const;
  return session ? buildSessionRequest(url, session, message) : buildModernRequest(url, message);
}

/** Older revisions require notice that the handshake is over, in the session they opened, before any other request. */
async function openSession(read: McpRead, endpoint: ProbedEndpoint): Promise<LegacySession> {
  const session = findSession(endpoint);
  const { role, target } = prepareInitialized(endpoint, session);
  await read(role, target);
  return session;
}

/** The notice that the handshake is over. */
export const prepareInitialized = ({ url }: ProbedEndpoint, session: LegacySession): Wanted => ({
  role: MCP_ROLES.initialized,
  target: buildSessionRequest(url, session, { method: 'notifications/initialized' }),
});

/** The session that the handshake of an older revision opened. */
export function findSession(endpoint: ProbedEndpoint): LegacySession {
  const opened = endpoint.initialize.find(({ probe }) => getRpcResult(probe));
  const answer = opened?.probe.exchange.answer;
  const sessionId = answer?.ok === true ? answer.headers['mcp-session-id'] : undefined;
  return {
    protocolVersion: selectHeaderSafeVersion(opened && getRpcResult(opened.probe)?.['protocolVersion']),
    ...(sessionId !== undefined && /^[\x21-\x7E]{1,512}$/.test(sessionId) ? { sessionId } : {}),
  };
}

/** Follows a 401 as a client would: the resource's metadata, then that of its authorization server. Registers nothing. */
export const gatherMcpAuth: Gatherer = async (gather) => {
  const endpoint = await walkEndpoint(gather);
  const read = getMcpReader(gather);
  const look = (): DescribedProtection | undefined => {
    const protection = readProtection(gather.find, endpoint);
    return protection.state === 'open' ? undefined : protection;
  };
  const challenged = look();
  if (challenged?.state === 'protected') await readChallenged(read, challenged, look);
  else await readPublished(read, endpoint, look);
  const first = look();
  if (!first) return;
  for (let index = 0; index < MAX_SERVER_METADATA_URLS; index += 1) {
    const url = findNextServerMetadataUrl(look() ?? first);
    if (url === undefined) break;
    await read(`${MCP_ROLES.serverMetadata}:${index}`, buildDocumentRequest(url, 'application/json'));
  }
  const jwks = selectServerMetadata(look() ?? first)?.metadata.endpoints['jwks_uri'];
  if (jwks !== undefined && URL.canParse(jwks))
    await read(MCP_ROLES.jwks, buildDocumentRequest(jwks, 'application/json'));
};

async function readChallenged(
  read: McpRead,
  first: EndpointProtection,
  look: () => DescribedProtection | undefined,
): Promise<void> {
  await read(MCP_ROLES.badToken, buildBadTokenRequest(first.url));
  for (let index = 0; index < MAX_RESOURCE_METADATA_URLS; index += 1) {
    const now = look();
    const url = findNextResourceMetadataUrl(now?.state === 'protected' ? now : first);
    if (url === undefined) break;
    await read(`${MCP_ROLES.resourceMetadata}:${index}`, buildDocumentRequest(url, 'application/json'));
  }
}

/** An endpoint that lists its tools to everybody, or did not answer us as MCP, may still have metadata at the usual places. */
async function readPublished(
  read: McpRead,
  endpoint: McpEndpoint,
  look: () => DescribedProtection | undefined,
): Promise<void> {
  if (endpoint.state !== 'probed' || endpoint.access === 'paid') return;
  // One that is open to us has hardly any: it is asked at one place.
  const places = listResourceMetadataUrls(endpoint.url).slice(0, endpoint.access === 'open' ? 1 : undefined);
  for (const [index, url] of places.entries()) {
    await read(`${MCP_ROLES.resourceMetadata}:${index}`, buildDocumentRequest(url, 'application/json'));
    if (look()) return;
  }
}

function buildBadTokenRequest(url: string) {
  const headers = { authorization: `Bearer ${GARBAGE_TOKEN}` };
  return buildModernRequest(url, { method: 'server/discover', id: REQUEST_IDS.badToken }, headers);
}
