import { X402_EXTENSION } from '../../../src/a2a/payment-metadata.ts';
import {
  buildFault,
  buildRpcAnswer,
  readRpcCall,
  type RpcCall,
  type RpcFault,
  type RpcId,
} from '../../../src/a2a/rpc.ts';
import { parseJsonBody, readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { logLine } from '../../shared/telemetry.ts';
import { type AppContext, corsHeaders } from '../context.ts';
import { isNamedInHeader } from '../../../src/a2a/payment-metadata.ts';

/** Largest body of an A2A request, in bytes: an order of 64 KiB, a payment of 8 KB and what is around them. */
export const MAX_A2A_BODY_BYTES = 256 * 1024;

/** Names of the header by which clients activate extensions: of 1.0, and of versions before. */
const EXTENSION_HEADERS = ['a2a-extensions', 'x-a2a-extensions'] as const;

/** The extensions that a request names, whichever header it does it by. */
export const readExtensionHeader = (c: AppContext): string | undefined =>
  EXTENSION_HEADERS.flatMap((name) => c.req.header(name) ?? []).join(',') || undefined;

/** Our extension under each header that named it: so the client knows that it is active. */
export const listActivatedHeaders = (c: AppContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    EXTENSION_HEADERS.flatMap((name) => (isNamedInHeader(c.req.header(name)) ? [[name, X402_EXTENSION]] : [])),
  );

/** Statuses of HTTP that a client may act on; an answer of JSON-RPC is 200, whatever it says. */
const statuses: Readonly<Partial<Record<RpcFault['error'], number>>> = { parse: 400, invalid_request: 400 };

/** An answer of JSON-RPC, good or bad. */
export function answerRpc(
  c: AppContext,
  id: RpcId,
  answer: { result: unknown } | { fault: RpcFault },
  status?: number,
): Response {
  const fault = 'fault' in answer ? answer.fault : undefined;
  const wait = fault?.retryAfterS;
  const code = status ?? (wait === undefined ? fault && statuses[fault.error] : 429) ?? 200;
  const requestId = c.get('requestId');
  if (fault) logLine({ event: 'refused', request_id: requestId, status: code, code: `a2a_${fault.error}` });
  return new Response(JSON.stringify(buildRpcAnswer(id, answer)), {
    status: code,
    headers: {
      ...corsHeaders,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
      ...listActivatedHeaders(c),
    },
  });
}

export type GatedCall = { ok: true; call: RpcCall } | { ok: false; response: Response };

/** Reads one call, or answers why not: media type, size, JSON, batches, depth. */
export async function readCall(c: AppContext): Promise<GatedCall> {
  const request = c.req.raw;
  if (readMediaType(request) !== 'application/json')
    return refuse(c, buildFault('refused', 'Send the body as application/json'), 415);
  const bytes = await readBodyBytes(request, MAX_A2A_BODY_BYTES);
  if (!bytes) return refuse(c, buildFault('refused', `The body is larger than ${MAX_A2A_BODY_BYTES} bytes`), 413);
  const json = parseJsonBody(bytes);
  if (!json.ok) return refuse(c, buildFault('parse'));
  const read = readRpcCall(json.value);
  return read.ok ? read : refuse(c, read.fault);
}

const refuse = (c: AppContext, fault: RpcFault, status?: number): GatedCall => ({
  ok: false,
  response: answerRpc(c, null, { fault }, status),
});
