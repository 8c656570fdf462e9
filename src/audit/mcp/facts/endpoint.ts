import { type OfferReading, readPaymentOffer } from '../../agent-files/facts/x402-offer.ts';
import type { Parser } from '../../core/artifact.ts';
import { type Exchange, type Lookup, lookup } from '../../core/snapshot.ts';
import {
  isObject,
  type JsonObject,
  parseJson,
  stringAt,
  stringsAt,
} from '../../structured-data/facts/json-document.ts';
import { type McpDiscovery, readDiscovery } from './discovery.ts';
import { MODERN_ERRORS, readRpcReply, type RpcReply } from './messages.ts';
import { LEGACY_REVISION, MAX_TOOL_PAGES, MCP_ROLES, MODERN_REVISION } from './places.ts';
import { mayProbe } from './probe-policy.ts';
import { REQUEST_IDS } from './requests.ts';
import { readTools, type ToolFacts } from './tools.ts';

/** One POST and what came of it; `reply` is undefined when no HTTP answer was read. */
export type Probe = { exchange: Exchange; status?: number; reply?: RpcReply };

/**
 * How the endpoint took an unauthenticated handshake. `open`: it answered as MCP. `protected`: 401. `paid`: 402.
 * `refused`: 403 or 429, which may be meant for us alone. `unread`: no answer, or a gateway's 502 to 504. `silent`: an
 * answer that is not MCP.
 */
export type Access = 'open' | 'protected' | 'paid' | 'refused' | 'unread' | 'silent';

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
      access: Access;
      /** `modern` speaks per-request metadata (2026-07-28 and later), `legacy` wants a handshake. */
      era: 'modern' | 'legacy' | 'unknown';
      discover: Probe;
      /** Handshakes by the version they asked for. */
      initialize: readonly { asked: string; probe: Probe }[];
      /** Result of `server/discover` or of the first `initialize`. */
      handshake?: JsonObject;
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
  const find = lookup(snapshot);
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
  const judged = named.map((endpoint) => ({ endpoint, why: reasonNotToProbe(endpoint, audited) }));
  const chosen = judged.find(({ why }) => why === undefined)?.endpoint;
  if (chosen) {
    return { state: 'chosen', url: chosen.url, ...(chosen.versions === undefined ? {} : { listed: chosen.versions }) };
  }
  return { state: 'not_probed', url: first.url, why: judged[0]?.why ?? 'other_site' };
}

export type Chosen = { state: 'chosen'; url: string; listed?: readonly string[] };

function reasonNotToProbe(endpoint: { url: string; transport?: string; templated: boolean }, audited: URL) {
  if (endpoint.templated) return 'template' as const;
  if (endpoint.transport?.toLowerCase() === 'sse') return 'deprecated_transport' as const;
  const url = URL.parse(endpoint.url);
  return url && mayProbe(audited, url) ? undefined : ('other_site' as const);
}

/** Reads the exchanges with the endpoint so far; the gatherer calls it to decide what to ask next. */
export function readEndpoint(find: Lookup, discovery: McpDiscovery, audited: URL): McpEndpoint {
  const chosen = chooseEndpoint(discovery, audited);
  if (chosen.state !== 'chosen') return chosen;
  const discover = probeOf(find(MCP_ROLES.discover), REQUEST_IDS.discover);
  if (!discover) return { state: 'not_probed', url: chosen.url, why: 'not_asked' };
  const initialize = handshakes(find);
  const answers = [discover, ...initialize.map(({ probe }) => probe)];
  const modern = modernVersions(discover);
  const legacy = initialize.map(({ probe }) => resultOf(probe)).filter((result) => result !== undefined);
  const handshake = resultOf(discover) ?? legacy[0];
  const origin = probeOf(find(MCP_ROLES.origin), REQUEST_IDS.origin);
  const access = accessOf(answers);
  return {
    state: 'probed',
    url: chosen.url,
    access,
    era: modern ? 'modern' : legacy.length > 0 ? 'legacy' : 'unknown',
    discover,
    initialize,
    ...(handshake ? { handshake } : {}),
    accepted: [...new Set([...(modern ?? []), ...negotiated(legacy)])],
    named: modern ?? negotiated(legacy),
    ...(origin ? { origin } : {}),
    tools: readToolList(find, access, handshake),
    ...(chosen.listed === undefined ? {} : { listed: chosen.listed }),
  };
}

/** Reads one answer as the reply to `id`; undefined when the request was not made. */
export function probeOf(exchange: Exchange | undefined, id: number): Probe | undefined {
  if (!exchange) return undefined;
  const { answer } = exchange;
  if (!answer.ok) return { exchange };
  return {
    exchange,
    status: answer.status,
    reply: readRpcReply(answer.body, answer.headers['content-type'] ?? '', id),
  };
}

export const resultOf = (probe: Probe | undefined): JsonObject | undefined =>
  probe?.reply?.kind === 'result' ? probe.reply.result : undefined;

/** The versions of a modern server: from its discovery, or from the error by which it refuses a version. */
function modernVersions(discover: Probe): readonly string[] | undefined {
  const { reply } = discover;
  if (reply?.kind === 'result') return stringsAt(reply.result, 'supportedVersions');
  if (reply?.kind !== 'error' || !MODERN_ERRORS.includes(reply.code)) return undefined;
  return stringsAt(reply.data, 'supported') ?? [];
}

function handshakes(find: Lookup): readonly { asked: string; probe: Probe }[] {
  const found: { asked: string; probe: Probe }[] = [];
  for (let index = 0; ; index += 1) {
    const exchange = find(`${MCP_ROLES.initialize}:${index}`);
    const probe = probeOf(exchange, REQUEST_IDS.initialize);
    if (!exchange || !probe) return found;
    found.push({ asked: askedVersion(exchange), probe });
  }
}

function askedVersion(exchange: Exchange): string {
  const body: unknown = JSON.parse(exchange.requestBody ?? '{}'); // Our own request: it parses.
  const params = isObject(body) && isObject(body['params']) ? body['params'] : {};
  return typeof params['protocolVersion'] === 'string' ? params['protocolVersion'] : LEGACY_REVISION;
}

const negotiated = (results: readonly JsonObject[]): readonly string[] =>
  results.flatMap((result) => (typeof result['protocolVersion'] === 'string' ? [result['protocolVersion']] : []));

function accessOf(answers: readonly Probe[]): Access {
  if (answers.some((probe) => resultOf(probe))) return 'open';
  const statuses = answers.map((probe) => probe.status);
  if (statuses.includes(401)) return 'protected';
  if (statuses.includes(402)) return 'paid';
  if (answers.some(({ reply }) => reply?.kind === 'error' && MODERN_ERRORS.includes(reply.code))) return 'open';
  if (statuses.includes(403) || statuses.includes(429)) return 'refused';
  // A gateway in front that found nobody at home says nothing about the server behind it.
  return statuses.some((status) => status === undefined || status >= 502) ? 'unread' : 'silent';
}

function readToolList(find: Lookup, access: Access, handshake: JsonObject | undefined): ToolList {
  const first = find(`${MCP_ROLES.tools}:0`);
  if (!first) return { state: 'not_asked', note: whyNotAsked(access, handshake) };
  const tools: unknown[] = [];
  for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
    const probe = probeOf(find(`${MCP_ROLES.tools}:${page}`), REQUEST_IDS.tools + page);
    if (!probe) return { state: 'listed', tools: readTools(tools), exchange: first, pages: page, cut: true };
    const result = resultOf(probe);
    if (!result || !Array.isArray(result['tools'])) return brokenList(probe, page);
    tools.push(...(result['tools'] as readonly unknown[]));
    if (nextCursor(result) === undefined) {
      return { state: 'listed', tools: readTools(tools), exchange: first, pages: page + 1, cut: false };
    }
  }
  return { state: 'listed', tools: readTools(tools), exchange: first, pages: MAX_TOOL_PAGES, cut: true };
}

/** The cursor of the next page; undefined on the last one. */
export function nextCursor(result: JsonObject): string | undefined {
  const cursor = result['nextCursor'];
  return typeof cursor === 'string' && cursor !== '' && cursor.length <= 4096 ? cursor : undefined;
}

/** A limit, a gateway, or a refusal that is not the server's own error says nothing of its tools. */
const isNoJudgement = (status: number, reply: Probe['reply']): boolean =>
  status === 429 || status >= 502 || (status === 403 && reply?.kind !== 'error');

function brokenList({ exchange, status, reply }: Probe, page: number): ToolList {
  if (status === undefined || isNoJudgement(status, reply))
    return { state: 'unread', note: `Page ${page + 1} of tools/list could not be read.`, exchange };
  if (status === 401) return { state: 'not_asked', note: 'tools/list wants authorization.' };
  const seen = reply?.kind === 'error' ? `error ${reply.code}` : `${status} without a tools array`;
  return { state: 'failed', note: `Page ${page + 1} of tools/list: ${seen}.`, exchange };
}

function whyNotAsked(access: Access, handshake: JsonObject | undefined): string {
  if (access === 'protected') return 'The endpoint wants authorization before it lists its tools.';
  if (access === 'paid') return 'The endpoint wants payment before it lists its tools.';
  if (handshake) return 'The server does not declare the tools capability.';
  return 'The endpoint did not answer as an MCP server.';
}

/** Tells whether the server says that it has tools, resources or prompts. */
export const declares = (handshake: JsonObject, capability: 'tools' | 'resources' | 'prompts'): boolean =>
  isObject(handshake['capabilities']) && handshake['capabilities'][capability] !== undefined;

/** What the server calls itself: in the metadata of a modern result, in a member of an older handshake. */
export function serverInfoOf(handshake: JsonObject): JsonObject | undefined {
  const meta = handshake['_meta'];
  const info = handshake['serverInfo'] ?? (isObject(meta) ? meta['io.modelcontextprotocol/serverInfo'] : undefined);
  return isObject(info) ? info : undefined;
}

/** The answer that held the handshake; that of the discovery where there is none. */
export const handshakeExchange = ({ discover, initialize }: ProbedEndpoint): Exchange =>
  [discover, ...initialize.map(({ probe }) => probe)].find((probe) => resultOf(probe))?.exchange ?? discover.exchange;

/** The older revisions that handshakes proved. */
export const olderVersions = (endpoint: ProbedEndpoint): readonly string[] =>
  endpoint.initialize.flatMap(({ probe }) => {
    const version = resultOf(probe)?.['protocolVersion'];
    return typeof version === 'string' ? [version] : [];
  });

/** Tells whether the audit can talk to an open server: in the current revision, or after a handshake of an older one. */
export const sharesRevision = ({ access, era, discover, handshake }: ProbedEndpoint): boolean =>
  access === 'open' && handshake !== undefined && (era !== 'modern' || resultOf(discover) !== undefined);

/** Tells whether a live server is of the current revision. */
export const speaksCurrent = (endpoint: ProbedEndpoint): boolean => endpoint.accepted.includes(MODERN_REVISION);

/** What a server that wants money asked for, and in which answer. */
type PaymentDemand = { exchange: Exchange; offer: OfferReading };

/**
 * The first demand for payment among answers: an HTTP 402, or a tool result with x402 terms. Undefined when nothing was
 * asked for. The audit never pays.
 * @see https://github.com/coinbase/x402/blob/main/specs/transports-v2/mcp.md
 */
export function paymentDemand(probes: readonly Probe[]): PaymentDemand | undefined {
  for (const probe of probes) {
    const { exchange } = probe;
    if (!exchange.answer.ok) continue;
    if (probe.status === 402) return { exchange, offer: readPaymentOffer(exchange.answer) };
    const terms = termsIn(resultOf(probe));
    // The terms are those of an HTTP answer, found in another place: read as its body.
    if (terms)
      return { exchange, offer: readPaymentOffer({ ...exchange.answer, headers: {}, body: JSON.stringify(terms) }) };
  }
  return undefined;
}

/** Where the specification, and servers older than its present text, put the terms, in the order that clients look. */
function termsIn(result: JsonObject | undefined): JsonObject | undefined {
  if (result?.['isError'] !== true) return undefined;
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const text = parseJson(stringAt(content[0], 'text') ?? '');
  const meta = result['_meta'];
  return [result['structuredContent'], text.ok ? text.value : undefined, isObject(meta) ? meta : undefined]
    .flatMap((place) => (isObject(place) ? [place, wrapped(place)] : []))
    .find((place) => isObject(place) && Array.isArray(place['accepts']));
}

/** `{"x402/error": {"code": 402, "data": {...}}}`, or the terms directly below that key. */
function wrapped(place: JsonObject): JsonObject | undefined {
  const error = place['x402/error'];
  if (!isObject(error)) return undefined;
  return isObject(error['data']) ? error['data'] : error;
}
