import { parseMediaType } from '../../../lib/media-type.ts';
import { type Exchange, type ExchangeLookup, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { MAX_TOOL_PAGES, MAX_VERSION_PROBES, MCP_ROLES } from './places.ts';
import type { Artifact } from '../../core/artifact.ts';
import { isJsonRecord, type JsonRecord, parseSiteJson } from '../../structured-data/facts/json-document.ts';
import { getRpcResult, type Probe, readProbe } from './endpoint.ts';
import { listSseData } from './messages.ts';
import { REQUEST_IDS } from './requests.ts';

/** An answer to a POST that browsers of another origin may read, and the `Access-Control-Allow-Origin` it carries. */
export type OpenAnswer = { exchange: Exchange; allowed: string };

/** Members of a comma-separated header that are read. */
const MAX_LISTED = 100;

/**
 * The first answer of the endpoint that allows another origin to read it; undefined when CORS is not offered. The answer
 * to a foreign origin counts unless it refuses it, as it should.
 */
export function findCorsAnswer(find: ExchangeLookup): OpenAnswer | undefined {
  const handshakes = Array.from({ length: MAX_VERSION_PROBES }, (_, index) => `${MCP_ROLES.initialize}:${index}`);
  for (const role of [MCP_ROLES.discover, ...handshakes, `${MCP_ROLES.tools}:0`, MCP_ROLES.origin]) {
    const exchange = find(role);
    if (!exchange || (role === MCP_ROLES.origin && exchange.answer.ok && exchange.answer.status === 403)) continue;
    const allowed = findAllowedOrigin(exchange);
    if (allowed !== undefined) return { exchange, allowed };
  }
  return undefined;
}

/** The value of `Access-Control-Allow-Origin`, if it allows any other origin. */
export function findAllowedOrigin({ answer }: Exchange): string | undefined {
  const value = answer.ok ? answer.headers['access-control-allow-origin']?.trim() : undefined;
  return value === undefined || value === '' || value === 'null' ? undefined : value;
}

/** An origin that the server means to allow: the one its answer names, else that of the audited site. */
export function selectPreflightOrigin(allowed: string, audited: URL): string {
  const named = URL.parse(allowed);
  return named && /^https?:$/.test(named.protocol) ? named.origin : audited.origin;
}

/** The names in a comma-separated header, lower case; empty when it is absent. */
export const listHeaderNames = ({ answer }: Exchange, header: string): readonly string[] =>
  answer.ok
    ? (answer.headers[header] ?? '')
        .split(',', MAX_LISTED)
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== '')
    : [];

/**
 * How the endpoint answered what is wrong or seldom asked. A member is undefined when its request was not made: it does
 * not apply to the server, or the budget of requests was used up.
 */
export type McpProbes = {
  /** Answers to requests that a client makes, in the order of the protocol: discovery, handshakes, listings. */
  answers: readonly Probe[];
  toolPages: readonly Probe[];
  version?: Probe;
  mismatch?: Probe;
  unknownMethod?: Probe;
  badJson?: Probe;
  toolsAgain?: Probe;
  unknownTool?: Probe;
  resources?: Probe;
  prompts?: Probe;
  get?: Exchange;
  /** The answer that allows browsers of another origin, and what the server said when asked as they ask. */
  cors?: OpenAnswer;
  preflight?: Exchange;
};

const PROBES = [
  'version',
  'mismatch',
  'unknownMethod',
  'badJson',
  'toolsAgain',
  'unknownTool',
  'resources',
  'prompts',
] as const;

/** The artifact: what the probes of the endpoint brought. Never fails as a whole. */
export function parseMcpProbes(snapshot: Snapshot): Artifact<McpProbes> {
  const find = getExchangeLookup(snapshot);
  const toolPages = listNumberedProbes(find, MCP_ROLES.tools, MAX_TOOL_PAGES, (page) => REQUEST_IDS.tools + page);
  const probes: Partial<Record<(typeof PROBES)[number], Probe>> = {};
  for (const name of PROBES) {
    const probe = readProbe(find(MCP_ROLES[name]), REQUEST_IDS[name]);
    if (probe) probes[name] = probe;
  }
  const [get, preflight] = [find(MCP_ROLES.get), find(MCP_ROLES.preflight)];
  const cors = findCorsAnswer(find);
  const discover = readProbe(find(MCP_ROLES.discover), REQUEST_IDS.discover);
  const handshakes = listNumberedProbes(find, MCP_ROLES.initialize, MAX_VERSION_PROBES, () => REQUEST_IDS.initialize);
  const listings = [probes.resources, probes.prompts].filter((probe) => probe !== undefined);
  return {
    state: 'ready',
    value: {
      answers: [...(discover ? [discover] : []), ...handshakes, ...toolPages, ...listings],
      toolPages,
      ...probes,
      ...(get ? { get } : {}),
      ...(cors ? { cors } : {}),
      ...(preflight ? { preflight } : {}),
    },
  };
}

function listNumberedProbes(
  find: ExchangeLookup,
  prefix: string,
  limit: number,
  idOf: (index: number) => number,
): readonly Probe[] {
  const found: Probe[] = [];
  for (let index = 0; index < limit; index += 1) {
    const probe = readProbe(find(`${prefix}:${index}`), idOf(index));
    if (!probe) break;
    found.push(probe);
  }
  return found;
}

/**
 * The JSON-RPC error of one answer, whatever id it bears: of a request that a server refused to read it need not know
 * the id, and some put a word of their own there (the Python SDK: "server-error"). One answer belongs to one request.
 */
export function findRpcError({ exchange, reply }: Probe): { code: number; data: unknown } | undefined {
  if (reply?.kind === 'error') return reply;
  if (!exchange.answer.ok || getRpcResult({ exchange, ...(reply ? { reply } : {}) })) return undefined;
  return listMessages(exchange).flatMap(({ jsonrpc, error }) =>
    jsonrpc === '2.0' && isJsonRecord(error) && typeof error['code'] === 'number'
      ? [{ code: error['code'], data: error['data'] }]
      : [],
  )[0];
}

/** The JSON objects of an answer that is one JSON text or an event stream. */
function listMessages({ answer }: Exchange): readonly JsonRecord[] {
  if (!answer.ok) return [];
  const isStream = parseMediaType(answer.headers['content-type'] ?? '') === 'text/event-stream';
  const texts = isStream ? listSseData(answer.body) : [answer.body];
  return texts.flatMap((text) => {
    const parsed = parseSiteJson(text);
    return parsed.ok && isJsonRecord(parsed.value) ? [parsed.value] : [];
  });
}

/** Whether every event of a stream that carries data is a JSON object, and at least one does. */
export function isWellFormedStream(exchange: Exchange): boolean {
  const events = exchange.answer.ok ? listSseData(exchange.answer.body) : [];
  return events.length > 0 && listMessages(exchange).length === events.length;
}

/** The names of the tools of one page, in order; undefined when the answer holds no list. */
export function listToolNames(probe: Probe | undefined): readonly string[] | undefined {
  const tools = getRpcResult(probe)?.['tools'];
  if (!Array.isArray(tools)) return undefined;
  return (tools as readonly unknown[]).map((tool) =>
    isJsonRecord(tool) && typeof tool['name'] === 'string' ? tool['name'] : '',
  );
}
