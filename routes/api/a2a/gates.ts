import { buildFault, readRpcCall, type RpcCall, type RpcFault } from '../../../src/a2a/rpc.ts';
import { parseJsonBody, readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import type { AppContext } from '../context.ts';
import { countFreeRequest, countPaidRequest, countQuoteRequest, TOO_MANY_FREE, TOO_MANY_PAID } from '../free-guard.ts';
import { answerRpc } from './answers.ts';

/** Largest body of an A2A request, in bytes: an order of 64 KiB, a payment of 8 KB and what is around them. */
export const MAX_AGENT_BODY_BYTES = 256 * 1024;

export type GatedCall = { ok: true; call: RpcCall } | { ok: false; response: Response };

/** Reads one call, or answers why not: media type, size, JSON, batches, depth. */
export async function readCall(c: AppContext): Promise<GatedCall> {
  const request = c.req.raw;
  if (readMediaType(request) !== 'application/json')
    return refuse(c, buildFault('refused', 'Send the body as application/json'), 415);
  const bytes = await readBodyBytes(request, MAX_AGENT_BODY_BYTES);
  if (!bytes) return refuse(c, buildFault('refused', `The body is larger than ${MAX_AGENT_BODY_BYTES} bytes`), 413);
  const json = parseJsonBody(bytes);
  if (!json.ok) return refuse(c, buildFault('parse'));
  const read = readRpcCall(json.value);
  return read.ok ? read : refuse(c, read.fault);
}

const refuse = (c: AppContext, fault: RpcFault, status?: number): GatedCall => ({
  ok: false,
  response: answerRpc(c, null, { fault }, status),
});

/** By what a call is limited: messages apart from all else that is free, since buying begins with them. */
export type CallKind = 'paid' | 'message' | 'free';

/** Counts a call; why it must wait, if it must. */
export async function refuseOverLimit(c: AppContext, kind: CallKind): Promise<RpcFault | undefined> {
  const count = { paid: countPaidRequest, message: countQuoteRequest, free: countFreeRequest }[kind];
  const { isAllowed, retryAfterS } = await count(c);
  if (isAllowed) return undefined;
  return { ...buildFault('refused', kind === 'paid' ? TOO_MANY_PAID : TOO_MANY_FREE), retryAfterS };
}
