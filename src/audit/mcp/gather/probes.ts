import type { FetchTarget } from '../../../net/fetched.ts';
import { computeSha256Hex } from '../../../lib/digest.ts';
import { findCorsAnswer, selectPreflightOrigin } from '../facts/probes.ts';
import { hasCapability, type ProbedEndpoint, hasSharedRevision } from '../facts/endpoint.ts';
import { IMPOSSIBLE_REVISION, MCP_ROLES } from '../facts/places.ts';
import {
  buildBrokenRequest,
  buildImpossibleVersionRequest,
  type LegacySession,
  listenRequest,
  buildModernRequest,
  buildPreflightRequest,
  type ProbeMethod,
  REQUEST_IDS,
  buildSessionRequest,
  UNKNOWN_METHOD,
} from '../facts/requests.ts';
import type { Gather, Plan, Wanted } from '../../core/artifact.ts';
import { RUBRIC_VERSION } from '../../core/rubric-version.ts';
import { findSession, walkEndpoint, prepareInitialized } from './endpoint.ts';
import { selectCountedMcp } from './discovery.ts';

type Planned = readonly [role: string, target: FetchTarget];

/**
 * What an open endpoint is asked that is wrong or seldom asked, each once: at most `MAX_MCP_PROBES` requests, the most
 * useful first. An endpoint that wants a token is asked only what a browser asks before it sends one.
 */
export const planMcpProbes: Plan = async (gather) => {
  const endpoint = await walkEndpoint(gather);
  if (endpoint.state !== 'probed') return [];
  const notice = findNotice(gather, endpoint);
  if (notice) return selectCountedMcp(gather, [{ ...notice, leads: true }]);
  const planned = [...(await openProbes(gather, endpoint)), ...planPreflight(gather, endpoint)];
  return selectCountedMcp(
    gather,
    planned.map(([role, target]) => ({ role, target, ifRoom: true })),
  );
};

const isOpenToProbes = (endpoint: ProbedEndpoint): boolean =>
  endpoint.handshake !== undefined && hasSharedRevision(endpoint);

/** What an older server has to hear before its probes, where the list of its tools did not make it hear that already. */
function findNotice(gather: Gather, endpoint: ProbedEndpoint): Wanted | undefined {
  if (endpoint.era !== 'legacy' || !isOpenToProbes(endpoint) || gather.find(MCP_ROLES.initialized)) return undefined;
  return prepareInitialized(endpoint, findSession(endpoint));
}

async function openProbes(gather: Gather, endpoint: ProbedEndpoint): Promise<readonly Planned[]> {
  const { era, handshake, url, tools } = endpoint;
  if (!handshake || !isOpenToProbes(endpoint)) return [];
  const session = era === 'legacy' ? findSession(endpoint) : undefined;
  const ask = (name: 'unknownMethod' | 'toolsAgain' | 'resources' | 'prompts', method: ProbeMethod): Planned => {
    const message = { method, id: REQUEST_IDS[name] };
    return [MCP_ROLES[name], session ? buildSessionRequest(url, session, message) : buildModernRequest(url, message)];
  };
  const listed = tools.state === 'listed' ? tools.tools : undefined;
  return [
    [MCP_ROLES.version, buildVersionRequest(url, session)],
    ...(session ? [] : [planMismatchProbe(url)]),
    ask('unknownMethod', UNKNOWN_METHOD),
    [MCP_ROLES.badJson, buildBrokenRequest(url, session)],
    ...(listed ? [ask('toolsAgain', 'tools/list')] : []),
    ...(listed ? await planUnknownToolProbe(gather, { url, session, names: listed.map(({ name }) => name) }) : []),
    ...(hasCapability(handshake, 'resources') ? [ask('resources', 'resources/list')] : []),
    ...(hasCapability(handshake, 'prompts') ? [ask('prompts', 'prompts/list')] : []),
    [MCP_ROLES.get, listenRequest(url)],
  ];
}

function buildVersionRequest(url: string, session: LegacySession | undefined): FetchTarget {
  const id = REQUEST_IDS.version;
  return session
    ? buildSessionRequest(url, { ...session, protocolVersion: IMPOSSIBLE_REVISION }, { method: 'ping', id })
    : buildImpossibleVersionRequest(url, { method: 'server/discover', id });
}

/** The header says `tools/list`, the body `server/discover`: both only read. */
const planMismatchProbe = (url: string): Planned => [
  MCP_ROLES.mismatch,
  buildModernRequest(url, { method: 'server/discover', id: REQUEST_IDS.mismatch }, { 'mcp-method': 'tools/list' }),
];

/** Calls a tool whose name no server can have; none is called should the server list even that. */
async function planUnknownToolProbe(
  gather: Gather,
  server: { url: string; session: LegacySession | undefined; names: readonly string[] },
): Promise<readonly Planned[]> {
  const hash = await computeSha256Hex(gather.start.host + RUBRIC_VERSION);
  const name = `sightline_no_such_tool_${hash.slice(0, 12)}`;
  if (server.names.includes(name)) return [];
  const message = { method: 'tools/call', id: REQUEST_IDS.unknownTool, params: { name, arguments: {} } } as const;
  const { url, session } = server;
  return [
    [
      MCP_ROLES.unknownTool,
      session ? buildSessionRequest(url, session, message) : buildModernRequest(url, message, { 'mcp-name': name }),
    ],
  ];
}

function planPreflight(gather: Gather, endpoint: ProbedEndpoint): readonly Planned[] {
  const { access, url } = endpoint;
  const open = access === 'open' || access === 'protected' ? findCorsAnswer(gather.find) : undefined;
  return open
    ? [[MCP_ROLES.preflight, buildPreflightRequest(url, selectPreflightOrigin(open.allowed, gather.start))]]
    : [];
}
