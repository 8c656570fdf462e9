import { type OfferReading, readPaymentOffer } from '../../agent-files/facts/x402-offer.ts';
import type { Parser } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, getExchangeLookup } from '../../core/snapshot.ts';
import {
  getString,
  getStrings,
  isJsonRecord,
  parseSiteJson,
  type JsonRecord,
} from '../../structured-data/facts/json-document.ts';
import { type McpDiscovery, readDiscovery } from './discovery.ts';
import { MODERN_ERRORS, readRpcReply, type RpcReply } from './messages.ts';
import { LEGACY_REVISION, MAX_TOOL_PAGES, MCP_ROLES, MODERN_REVISION } from './places.ts';
import { canProbe } from './probe-policy.ts';
import { REQUEST_IDS } from './requests.ts';
import { readTools, type ToolFacts } from './tools.ts';

/** One POST and what came of it; `reply` is undefined when no HTTP answer was read. */
export type Probe = { exchange: Exchange; status?: number; reply?: RpcReply };

/**
 * How the endpoint took an unauthenticated handshake. `open`: it answered as MCP. `protected`: 401. `paid`: 402.
 * `refused`: 403 or 429, which may be meant for us alone. `unread`: no answer, or a gateway's 502 to 504. `silent`: an
 * answer that is not MCP.
 */
export type EndpointAccess = 'open' | 'protected' | 'paid' | 'refused' | 'unread' | 'silent';

export type ToolList =
  | { state: 'listed'; tools: readonly ToolFacts[]; exchange: Exchange; pages: number; cut: boolean }
  | { state: 'failed'; note: string; exchange: Exchange }
  | { state: 'unread'; note: string; exchange: Exchange }
  | { state: 'not_asked'; note: string };

/** The endpoint a client would use, and how the live server behaves. One endpoint is probed, the first that may be. */
export type McpEndpoint =
  | { state: 'undeclared' }
  | { state: 'not_probed'; url: string; why: 'other_site' | 'template' | 'deprecated_transport' | 'not_asked' }
  | {
      state: 'probed';
      url: string;
      access: EndpointAccess;
      /** `modern` speaks per-request metadata (2026-07-28 and later), `legacy` wants a handshake. */
      era: 'modern' | 'legacy' | 'unknown';
      discover: Probe;
      /** Handshakes by the version they asked for. */
      initialize: readonly { asked: string; probe: Probe }[];
      /** Result of `server/discover` or of the first `initialize`. */
      handshake?: JsonRecord;
      /** Versions the live server said it accepts, by discovery, by an error or by a handshake. */
      accepted: readonly string[];
      /** Of these, those that its discovery names; a server without discovery names them by its handshakes. */
      named: readonly string[];
      origin?: Probe;
      tools: ToolList;
      /** Versions that the card lists for this endpoint. */
      listed?: readonly string[];
    };

export type ProbedEndpoint = Extract<McpEndpoint, { state: 'probed' }>;

/** The artifact: what the endpoint gatherer saw. Never fails as a whole; an endpoint that did not answer is `unread`. */
export const parseMcpEndpoint: Parser<McpEndpoint> = (snapshot) => {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readEndpoint(find, readDiscovery(find), new URL(snapshot.url)) };
};

/** The endpoint to probe, or why there is none. Documents are believed in the order of `sources`. */
export function chooseEndpoint(
  discovery: McpDiscovery,
  audited: URL,
): (McpEndpoint & { state: 'undeclared' | 'not_probed' }) | Chosen {
  const named = discovery.sources.flatMap(({ endpoints }) => endpoints);
  const [first] = named;
  if (!first) return { state: 'undeclared' };
  const judged = named.map((endpoint) => ({ endpoint, why: explainNoProbe(endpoint, audited) }));
  const chosen = judged.find(({ why }) => why === undefined)?.endpoint;
  if (chosen) {
    return { state: 'chosen', url: chosen.url, ...(chosen.versions === undefined ? {} : { listed: chosen.versions }) };
  }
  return { state: 'not_probed', url: first.url, why: judged[0]?.why ?? 'other_site' };
}

export type Chosen = { state: 'chosen'; url: string; listed?: readonly string[] };

function explainNoProbe(endpoint: { url: string; transport?: string; templated: boolean }, audited: URL) {
  if (endpoint.templated) return 'template' as const;
  if (endpoint.transport?.toLowerCase() === 'sse') return 'deprecated_transport' as const;
  const url = URL.parse(endpoint.url);
  return url && canProbe(audited, url) ? undefined : ('other_site' as const);
}

/** Reads the exchanges with the endpoint so far; the gatherer calls it to decide what to ask next. */
export function readEndpoint(find: ExchangeLookup, discovery: McpDiscovery, audited: URL): McpEndpoint {
  const chosen = chooseEndpoint(discovery, audited);
  if (chosen.state !== 'chosen') return chosen;
  const discover = readProbe(find(MCP_ROLES.discover), REQUEST_IDS.discover);
  if (!discover) return { state: 'not_probed', url: chosen.url, why: 'not_asked' };
  const initialize = listHandshakes(find);
  const answers = [discover, ...initialize.map(({ probe }) => probe)];
  const modern = listModernVersions(discover);
  const legacy = initialize.map(({ probe }) => getRpcResult(probe)).filter((result) => result !== undefined);
  const handshake = getRpcResult(discover) ?? legacy[0];
  const origin = readProbe(find(MCP_ROLES.origin), REQUEST_IDS.origin);
  const access = classifyAccess(answers);
  return {
    state: 'probed',
    url: chosen.url,
    access,
    era: modern ? 'modern' : legacy.length > 0 ? 'legacy' : 'unknown',
    discover,
    initialize,
    ...(handshake ? { handshake } : {}),
    accepted: [...new Set([...(modern ?? []), ...listNegotiatedVersions(legacy)])],
    named: modern ?? listNegotiatedVersions(legacy),
    ...(origin ? { origin } : {}),
    tools: readToolList(find, access, handshake),
    ...(chosen.listed === undefined ? {} : { listed: chosen.listed }),
  };
}

/** Reads one answer as the reply to `id`; undefined when the request was not made. */
export function readProbe(exchange: Exchange | undefined, id: number): Probe | undefined {
  if (!exchange) return undefined;
  const { answer } = exchange;
  if (!answer.ok) return { exchange };
  return {
    exchange,
    status: answer.status,
    reply: readRpcReply(answer.body, answer.headers['content-type'] ?? '', id),
  };
}

export const getRpcResult = (probe: Probe | undefined): JsonRecord | undefined =>
  probe?.reply?.kind === 'result' ? probe.reply.result : undefined;

/** The versions of a modern server: from its discovery, or from the error by which it refuses a version. */
function listModernVersions(discover: Probe): readonly string[] | undefined {
  const { reply } = discover;
  if (reply?.kind === 'result') return getStrings(reply.result, 'supportedVersions');
  if (reply?.kind !== 'error' || !MODERN_ERRORS.includes(reply.code)) return undefined;
  return getStrings(reply.data, 'supported') ?? [];
}

function listHandshakes(find: ExchangeLookup): readonly { asked: string; probe: Probe }[] {
  const found: { asked: string; probe: Probe }[] = [];
  for (let index = 0; ; index += 1) {
    const exchange = find(`${MCP_ROLES.initialize}:${index}`);
    const probe = readProbe(exchange, REQUEST_IDS.initialize);
    if (!exchange || !probe) return found;
    found.push({ asked: readAskedVersion(exchange), probe });
  }
}

function readAskedVersion(exchange: Exchange): string {
  const body: unknown = JSON.parse(exchange.requestBody ?? '{}'); // Our own request: it parses.
  const params = isJsonRecord(body) && isJsonRecord(body['params']) ? body['params'] : {};
  return typeof params['protocolVersion'] === 'string' ? params['protocolVersion'] : LEGACY_REVISION;
}

const listNegotiatedVersions = (results: readonly JsonRecord[]): readonly string[] =>
  results.flatMap((result) => (typeof result['protocolVersion'] === 'string' ? [result['protocolVersion']] : []));

function classifyAccess(answers: readonly Probe[]): EndpointAccess {
  if (answers.some((probe) => getRpcResult(probe))) return 'open';
  const statuses = answers.map((probe) => probe.status);
  if (statuses.includes(401)) return 'protected';
  if (statuses.includes(402)) return 'paid';
  if (answers.some(({ reply }) => reply?.kind === 'error' && MODERN_ERRORS.includes(reply.code))) return 'open';
  if (statuses.includes(403) || statuses.includes(429)) return 'refused';
  // A gateway that could not reach its server says nothing about that server.
  return statuses.some((status) => status === undefined || status >= 502) ? 'unread' : 'silent';
}

function readToolList(find: ExchangeLookup, access: EndpointAccess, handshake: JsonRecord | undefined): ToolList {
  const first = find(`${MCP_ROLES.tools}:0`);
  if (!first) return { state: 'not_asked', note: explainUnlistedTools(access, handshake) };
  const tools: unknown[] = [];
  for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
    const probe = readProbe(find(`${MCP_ROLES.tools}:${page}`), REQUEST_IDS.tools + page);
    if (!probe) return { state: 'listed', tools: readTools(tools), exchange: first, pages: page, cut: true };
    const result = getRpcResult(probe);
    if (!result || !Array.isArray(result['tools'])) return buildBrokenList(probe, page);
    tools.push(...(result['tools'] as readonly unknown[]));
    if (findNextCursor(result) === undefined) {
      return { state: 'listed', tools: readTools(tools), exchange: first, pages: page + 1, cut: false };
    }
  }
  return { state: 'listed', tools: readTools(tools), exchange: first, pages: MAX_TOOL_PAGES, cut: true };
}

/** The cursor of the next page; undefined on the last one. */
export function findNextCursor(result: JsonRecord): string | undefined {
  const cursor = result['nextCursor'];
  return typeof cursor === 'string' && cursor !== '' && cursor.length <= 4096 ? cursor : undefined;
}

/** A limit, a gateway, or a refusal that is not the server's own error says nothing of its tools. */
const isNoJudgement = (status: number, reply: Probe['reply']): boolean =>
  status === 429 || status >= 502 || (status === 403 && reply?.kind !== 'error');

function buildBrokenList({ exchange, status, reply }: Probe, page: number): ToolList {
  if (status === undefined || isNoJudgement(status, reply))
    return { state: 'unread', note: `Page ${page + 1} of tools/list could not be read.`, exchange };
  if (status === 401) return { state: 'not_asked', note: 'tools/list wants authorization.' };
  const seen = reply?.kind === 'error' ? `error ${reply.code}` : `${status} without a tools array`;
  return { state: 'failed', note: `Page ${page + 1} of tools/list: ${seen}.`, exchange };
}

function explainUnlistedTools(access: EndpointAccess, handshake: JsonRecord | undefined): string {
  if (access === 'protected') return 'The endpoint wants authorization before it lists its tools.';
  if (access === 'paid') return 'The endpoint wants payment before it lists its tools.';
  if (handshake) return 'The server does not declare the tools capability.';
  return 'The endpoint did not answer as an MCP server.';
}

/** Whether the server declares tools, resources or prompts. */
export const hasCapability = (handshake: JsonRecord, capability: 'tools' | 'resources' | 'prompts'): boolean =>
  isJsonRecord(handshake['capabilities']) && handshake['capabilities'][capability] !== undefined;

/** What the server calls itself: in the metadata of a modern result, in a member of an older handshake. */
export function findServerInfo(handshake: JsonRecord): JsonRecord | undefined {
  const meta = handshake['_meta'];
  const info = handshake['serverInfo'] ?? (isJsonRecord(meta) ? meta['io.modelcontextprotocol/serverInfo'] : undefined);
  return isJsonRecord(info) ? info : undefined;
}

/** The answer that held the handshake; that of the discovery where there is none. */
export const getHandshakeExchange = ({ discover, initialize }: ProbedEndpoint): Exchange =>
  [discover, ...initialize.map(({ probe }) => probe)].find((probe) => getRpcResult(probe))?.exchange ??
  discover.exchange;

/** The older revisions that handshakes proved. */
export const listOlderVersions = (endpoint: ProbedEndpoint): readonly string[] =>
  endpoint.initialize.flatMap(({ probe }) => {
    const version = getRpcResult(probe)?.['protocolVersion'];
    return typeof version === 'string' ? [version] : [];
  });

/** Whether the audit can talk to an open server: in the current revision, or after a handshake of an older one. */
export const hasSharedRevision = ({ access, era, discover, handshake }: ProbedEndpoint): boolean =>
  access === 'open' && handshake !== undefined && (era !== 'modern' || getRpcResult(discover) !== undefined);

/** Whether a live server supports the current revision. */
export const isCurrentRevision = (endpoint: ProbedEndpoint): boolean => endpoint.accepted.includes(MODERN_REVISION);

/** What a server that wants money asked for, and in which answer. */
type PaymentDemand = { exchange: Exchange; offer: OfferReading };

/**
 * The first demand for payment among answers: an HTTP 402, or a tool result with x402 terms. Undefined when nothing was
 * asked for. The audit never pays.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/transports-v2/mcp.md
 */
export function findPaymentDemand(probes: readonly Probe[]): PaymentDemand | undefined {
  for (const probe of probes) {
    const { exchange } = probe;
    if (!exchange.answer.ok) continue;
    if (probe.status === 402) return { exchange, offer: readPaymentOffer(exchange.answer) };
    const terms = findPaymentTerms(getRpcResult(probe));
    // The terms are those of an HTTP answer, found in another place: read as its body.
    if (terms)
      return { exchange, offer: readPaymentOffer({ ...exchange.answer, headers: {}, body: JSON.stringify(terms) }) };
  }
  return undefined;
}

/** Where the specification, and servers older than its present text, put the terms, in the order that clients look. */
function findPaymentTerms(result: JsonRecord | undefined): JsonRecord | undefined {
  if (result?.['isError'] !== true) return undefined;
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const text = parseSiteJson(getString(content[0], 'text') ?? '');
  const meta = result['_meta'];
  return [result['structuredContent'], text.ok ? text.value : undefined, isJsonRecord(meta) ? meta : undefined]
    .flatMap((place) => (isJsonRecord(place) ? [place, unwrapPaymentTerms(place)] : []))
    .find((place) => isJsonRecord(place) && Array.isArray(place['accepts']));
}

/** `{"x402/error": {"code": 402, "data": {...}}}`, or the terms directly below that key. */
function unwrapPaymentTerms(place: JsonRecord): JsonRecord | undefined {
  const error = place['x402/error'];
  if (!isJsonRecord(error)) return undefined;
  return isJsonRecord(error['data']) ? error['data'] : error;
}
