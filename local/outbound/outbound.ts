import { mkdtempSync, rmSync } from 'node:fs';
import {
  Agent as HttpAgent,
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLookup, type ResolveName, resolveBySystem } from '../../src/cli/core/node-fetch.ts';
import { type AddressPolicy, type PolicyRefusal, allowLoopbackExcept } from '../../src/net/address-policy.ts';
import { classifyHost } from '../../src/net/address.ts';
import { parseEngineRows } from '../../src/models/engine-rows.ts';
import { listNetworkUrls } from '../../src/payment/terms/network-rows.ts';
import { findStop } from '../../src/net/fetched.ts';
import { EXPLAIN_HEADER, REFUSED_HEADER } from './outbound-refusal-data.ts';

/** Requests of one Worker at a time; more are broken off. An audit has 6. */
const MAX_IN_FLIGHT = 1_000;
/** Bytes of one body on the wire, either way: above every limit that a Worker sets itself. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Headers of one answer: above the Worker's own limit, which says so in its report. */
const MAX_HEADER_BYTES = 128 * 1024;
/** A connection on which nothing moves for so long is closed: above the longest wait of a Worker (an answer engine, 120 s). */
const SILENT_MS = 150_000;
/** An unused connection is closed after this: below the 5 s after which servers commonly close it. */
const KEPT_ALIVE_MS = 3_000;

/** Text bindings that name a service which the Worker itself needs, wherever that runs. */
const UPSTREAM_SETTINGS = [
  'BASE_URL',
  'RPC_URL',
  'FACILITATOR_URL',
  'DNS_RESOLVER_URL',
  'ANSWER_ENGINE_URL',
  'EMBEDDING_ENGINE_URL',
  'DIRECTORY_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'LOCAL_STRIPE_API',
];

/** Headers of the connection between Worker and this server, which no site gets; the Host header is made of the target. */
const TO_SITE = new Set([
  ...'connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect host'.split(' '),
  EXPLAIN_HEADER,
]);
/** Headers of an answer that are this server's own to write. Trailers are not passed on, so none are announced. */
const FROM_SITE = new Set(['transfer-encoding', 'trailer', REFUSED_HEADER]);

export type OutboundSettings = {
  /** Text bindings of the Worker; those that name an upstream open its origin. */
  bindings: Readonly<Record<string, string>>;
  /** Ports of this machine that the Worker may read only where they are an upstream's. */
  blockedPorts: readonly number[];
  /** Gives all addresses of a name; the system's resolver when absent. */
  resolve?: ResolveName | undefined;
};

/** The network of one local Worker. */
export type Outbound = {
  /** For the Worker's configuration: a socket that no page can name. */
  address: string;
  stop: () => Promise<void>;
};

/**
 * Starts what one local Worker reads the network through, since workerd's own network service would dial whatever a
 * name resolves to (rules F1, F8). A name is resolved once for a connection, every address is judged, and only those are
 * dialled; connections are kept alive, since their address was judged. Bodies pass as they are on the wire, for workerd
 * to inflate; redirects go back to the Worker. Who may be read is decided by the destination alone: public addresses,
 * loopback names and literals but for `blockedPorts`, and the origins of the configured upstreams.
 */
export async function startOutbound(settings: OutboundSettings): Promise<Outbound> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-out-'));
  const address = join(folder, 'socket');
  const dialer = createDialer(createOutboundPolicy(settings), settings.resolve ?? resolveBySystem);
  let inFlight = 0;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }, (request, response) => {
    if (inFlight >= MAX_IN_FLIGHT) return void response.destroy();
    inFlight += 1;
    response.once('close', () => (inFlight -= 1));
    forwardRequest(request, response, dialer);
  });
  // A Worker may take its time between two parts of a request's body, and so may an answer.
  server.requestTimeout = 0;
  server.keepAliveTimeout = SILENT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  return {
    address: `unix:${address}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      dialer.close();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Judges destinations for a Worker: what `allowLoopbackExcept` allows, and its configured upstreams wherever they are named. */
export function createOutboundPolicy({ bindings, blockedPorts }: OutboundSettings): AddressPolicy {
  const named = [
    ...UPSTREAM_SETTINGS.map((name) => bindings[name]),
    ...listPanelUrls(bindings['ANSWER_ENGINES']),
    ...listNetworkUrls(bindings['PAYMENT_NETWORKS']),
  ];
  const upstreams = new Set(named.flatMap(parseOrigins));
  const others = allowLoopbackExcept(blockedPorts, { alternatePorts: true });
  const isUpstream = (url: URL): boolean => upstreams.has(url.origin);
  return {
    checkUrl: (url, from) => (isUpstream(url) ? undefined : others.checkUrl(url, from)),
    // A public name stays refused where it leads inside, an upstream's as well: an audit could name the same host.
    checkAddress: (url, address) =>
      isUpstream(url) && classifyHost(url.hostname).kind !== 'public' ? undefined : others.checkAddress(url, address),
  };
}

/** Addresses of the engines of a panel. */
function listPanelUrls(text: string | undefined): readonly string[] {
  const panel = text === undefined ? undefined : parseEngineRows(text);
  return panel?.ok ? panel.rows.flatMap(({ url }) => url ?? []) : [];
}

const parseOrigins = (text: string | undefined): string[] =>
  text !== undefined && URL.canParse(text) ? [new URL(text).origin] : [];

type Dialer = {
  /** Why the URL may not be dialled at all; addresses of its name are judged at the connection. */
  refusal: (url: URL) => PolicyRefusal | undefined;
  /** The connections to the URL's host, each to an address that was judged. */
  agentFor: (url: URL) => HttpAgent;
  close: () => void;
};

function createDialer(policy: AddressPolicy, resolve: ResolveName): Dialer {
  const options = { keepAlive: true, timeout: KEPT_ALIVE_MS };
  // `lookup` belongs to a connection, and agents share connections by host and port: one agent for each origin.
  const agents = new Map<string, HttpAgent>();
  const agentFor = (url: URL): HttpAgent => {
    const known = agents.get(url.origin);
    if (known !== undefined) return known;
    const lookup = createLookup(policy, new URL(url.origin), resolve);
    const agent =
      url.protocol === 'https:' ? new HttpsAgent({ ...options, lookup }) : new HttpAgent({ ...options, lookup });
    if (agents.size >= MAX_IN_FLIGHT) forgetOldest(agents);
    agents.set(url.origin, agent);
    return agent;
  };
  return {
    refusal: (url) => policy.checkUrl(url),
    agentFor,
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Its running requests go on; its idle connections close by themselves. */
function forgetOldest(agents: Map<string, HttpAgent>): void {
  const [oldest] = agents.keys();
  if (oldest !== undefined) agents.delete(oldest);
}

/** Sends one request of the Worker on, in proxy form: its target is a whole URL. Every failure breaks the answer off. */
function forwardRequest(incoming: IncomingMessage, response: ServerResponse, dialer: Dialer): void {
  const target = incoming.url ?? '';
  if (!/^https?:\/\//.test(target) || !URL.canParse(target)) return void response.destroy();
  const url = new URL(target);
  const refused = dialer.refusal(url);
  if (refused) return refuse(incoming, response, refused);
  const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)({
    agent: dialer.agentFor(url),
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : url.port,
    path: readTargetPath(target),
    method: incoming.method,
    headers: without(incoming.rawHeaders, TO_SITE).concat('Host', url.host),
    maxHeaderSize: MAX_HEADER_BYTES,
    timeout: SILENT_MS,
  });
  outgoing.maxHeadersCount = 0; // Counted in bytes.
  outgoing.on('timeout', () => outgoing.destroy());
  outgoing.on('response', (answer) => {
    if (writeResponseHead(answer, response)) copyWithin(answer, response);
    else {
      outgoing.destroy();
      response.destroy();
    }
  });
  outgoing.on('error', (error) => {
    const stop = findStop(error);
    if (stop?.reason === 'private_target' && !response.headersSent) {
      refuse(incoming, response, { ok: false, reason: stop.reason, detail: stop.message });
    } else response.destroy();
  });
  response.once('close', () => {
    if (!response.writableFinished) outgoing.destroy(); // The Worker has had enough of it.
  });
  copyWithin(incoming, outgoing);
}

/** Writes the head that a site answered with. @returns false where Node reads what it will not write, such as status 001 */
function writeResponseHead(answer: IncomingMessage, response: ServerResponse): boolean {
  response.sendDate = false;
  response.removeHeader('connection'); // The Worker sees the site's headers and none of this server's.
  try {
    // The reason phrase is left out: nothing reads it, and a site may put controls there.
    response.writeHead(answer.statusCode ?? 502, without(answer.rawHeaders, FROM_SITE));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_')) return false;
    throw error;
  }
}

/** Says why to a Worker that asks; another sees a connection that broke, as on a network that has no such host. */
function refuse(incoming: IncomingMessage, response: ServerResponse, { reason, detail }: PolicyRefusal): void {
  if (incoming.headers[EXPLAIN_HEADER] === undefined) return void response.destroy();
  response.writeHead(403, { 'content-type': 'application/json', [REFUSED_HEADER]: '1' });
  response.end(JSON.stringify({ reason, detail }));
}

/** The request target as it came: a parsed URL would be written anew. */
function readTargetPath(target: string): string {
  const start = target.slice(target.indexOf('//') + 2).search(/[/?]/);
  const path = start === -1 ? '/' : target.slice(target.indexOf('//') + 2 + start);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Raw headers, name and value in turn, but for those of `dropped`. */
function without(raw: readonly string[], dropped: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!dropped.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** Streams a body no faster than it is taken; one that is too long or breaks off breaks the other side off, too. */
function copyWithin(from: IncomingMessage, to: NodeJS.WritableStream & { destroy: () => unknown }): void {
  let bytes = 0;
  from.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) to.destroy();
  });
  from.on('aborted', () => to.destroy());
  from.on('error', () => to.destroy());
  from.pipe(to);
}
