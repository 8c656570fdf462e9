import { SECOND_MS } from '../lib/time.ts';
import {
  type AttributeValue,
  type HttpFacts,
  parseTraceparent,
  type SpanContext,
  type SpanKind,
  type SpanRecord,
} from './wire.ts';

/** Bytes of a span's id. */
export const SPAN_BYTES = 8;
/** Methods that OpenTelemetry knows; any other text of a caller is not repeated. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);
const OTHER_METHOD = '_OTHER';
const SERVER_FAULT = 500;

/** A piece of work that is going on. */
export type Running = SpanContext & { parentSpanId?: string; isRemoteChild?: true; startMs: number };

/** The context of a request's work, and what only its end shows. */
export type Arrived = {
  /** Ours, 32 hex digits: the trace of a request that belongs to no other. */
  requestId: string;
  traceparent: string | null;
  method: string;
  /** `http` or `https`. */
  scheme: string;
  /** Our own host, by the settings. */
  serverAddress: string;
};

/** Begins the span of a request: a child of the caller's, or the first of a trace that is named like the request. */
export function startServerSpan(
  { requestId, traceparent }: Pick<Arrived, 'requestId' | 'traceparent'>,
  tools: { hex: (bytes: number) => string; startMs: number; mayKeep: () => boolean },
): Running {
  const { startMs } = tools;
  const spanId = tools.hex(SPAN_BYTES);
  const caller = parseTraceparent(traceparent);
  if (caller === undefined) return { traceId: requestId, spanId, isSampled: tools.mayKeep(), startMs };
  const isSampled = caller.isSampled && tools.mayKeep();
  return { traceId: caller.traceId, parentSpanId: caller.spanId, isRemoteChild: true, spanId, isSampled, startMs };
}

/**
 * What was sold, or would have been: a name of the catalogue, and of its payer as much as a line shows. A call over MCP has
 * its method, and the status that the same order has over HTTP: its own answer is 200 whatever it says.
 */
export type SoldFacts = { capability: string; payer?: string; mcpMethod?: 'tools/call'; status?: number };

/** Digits of an address that telemetry has: enough to tell buyers apart at a glance, and no address. */
const PAYER_DIGITS = 6;

/** `0x12ab` of an address: at most 65,536 of them. */
export const shortenPayer = (address: string): string => address.slice(0, PAYER_DIGITS);

/** What is recorded of a request's answer. */
export const buildAnswerAttributes = (
  { method }: Pick<Arrived, 'method'>,
  answered: { status: number; route: string },
  latencyMs: number,
): HttpFacts => ({ method: METHODS.has(method) ? method : OTHER_METHOD, ...answered, latencyMs });

/**
 * The finished span of a request.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
 */
export function requestSpan(
  running: Running,
  arrived: Arrived,
  facts: HttpFacts,
  { rpcMethod, sold }: { rpcMethod?: string | undefined; sold?: SoldFacts | undefined } = {},
): SpanRecord {
  const { method, route, status, latencyMs } = facts;
  const isError = status >= SERVER_FAULT;
  const attributes: Record<string, AttributeValue> = {
    'http.request.method': method,
    ...(route === '' ? {} : { 'http.route': route }),
    'http.response.status_code': status,
    'url.scheme': arrived.scheme,
    'server.address': arrived.serverAddress,
    ...(rpcMethod === undefined ? {} : { 'rpc.method': rpcMethod }),
    ...(sold === undefined ? {} : { 'sightline.capability': sold.capability }),
    ...(sold?.payer === undefined ? {} : { 'sightline.payer': sold.payer }),
    ...(sold?.mcpMethod === undefined ? {} : { 'mcp.method.name': sold.mcpMethod }),
    ...(sold?.status === undefined ? {} : { 'sightline.status': sold.status }),
    ...(isError ? { 'error.type': String(status) } : {}),
  };
  // The template of the route would name every sale alike; the catalogue bounds the names as well.
  const spanName = [sold?.mcpMethod ?? (method === OTHER_METHOD ? 'HTTP' : method), sold?.capability ?? route]
    .filter((part) => part !== '')
    .join(' ');
  return finishSpan(running, { name: spanName, kind: 'SERVER', attributes, isError }, running.startMs + latencyMs);
}

/** A span that is over. */
export function finishSpan(
  { traceId, spanId, parentSpanId, isRemoteChild, startMs }: Running,
  about: { name: string; kind: SpanKind; attributes: Readonly<Record<string, AttributeValue>>; isError: boolean },
  endMs: number,
): SpanRecord {
  const { isError, ...rest } = about;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...(isRemoteChild === undefined ? {} : { isRemoteChild }),
    ...rest,
    startMs,
    endMs: Math.max(endMs, startMs),
    ...(isError ? { isError } : {}),
  };
}

/** Traces that one isolate keeps in a second; further ones are counted by their log lines only. */
export const TRACES_A_SECOND = 10;

/** Whether the spans of one more trace may be kept: so many a second, whatever callers ask for. */
export function createSampler(now: () => number): () => boolean {
  let windowMs = -Infinity;
  let kept = 0;
  return () => {
    const nowMs = now();
    if (nowMs - windowMs >= SECOND_MS || nowMs < windowMs) {
      windowMs = nowMs;
      kept = 0;
    }
    kept += 1;
    return kept <= TRACES_A_SECOND;
  };
}
