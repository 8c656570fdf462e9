import { isJsonContentType } from '@modelcontextprotocol/server';
import { readBodyBytes, parseJsonBody } from '../../../src/net/request-body.ts';
import { type AppContext, corsHeaders } from '../context.ts';
import { logLine } from '../../shared/telemetry.ts';
import { countFreeRequest, countPaidRequest, TOO_MANY_FREE, TOO_MANY_PAID } from '../free-guard.ts';

/** Largest body of an MCP request, in bytes: arguments of 64 KiB, a payment of 8 KB and what is around them. */
export const MAX_MCP_BODY_BYTES = 256 * 1024;

/** Codes of JSON-RPC; -32000 is an implementation's own. */
export const RPC = { parse: -32_700, invalidRequest: -32_600, refused: -32_000, noSession: -32_001 } as const;

/** What of a message our gates look at; the SDK judges the rest. */
export type McpMessage = { method?: string; toolName?: string; meta: Readonly<Record<string, unknown>> };

export type Gated = { ok: true; body: unknown; text: string; message: McpMessage } | { ok: false; response: Response };

/** A refusal in front of the protocol, as clients of both eras read one. */
export function refuseByRpc(
  c: AppContext,
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const requestId = c.get('requestId');
  logLine({ event: 'refused', request_id: requestId, status, code: `mcp${code}` });
  return new Response(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), {
    status,
    headers: {
      ...corsHeaders,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...headers,
    },
  });
}

/**
 * Why an `Origin` is refused (rule R12): it is another site's page, in a browser that may hold its user's credentials.
 * Clients that are not browsers send none. Our own origin and those of the setting MCP_ALLOWED_ORIGINS pass.
 */
export function refuseOrigin(c: AppContext): Response | undefined {
  const origin = c.req.header('origin');
  if (origin === undefined) return undefined;
  const { BASE_URL, MCP_ALLOWED_ORIGINS } = c.get('settings');
  if (origin === new URL(BASE_URL).origin || isAllowed(origin, MCP_ALLOWED_ORIGINS)) return undefined;
  return refuseByRpc(c, 403, RPC.refused, 'This Origin may not call the MCP endpoint');
}

/** Whether the setting names the origin, exactly. */
export const isAllowed = (origin: string, setting: string | undefined): boolean =>
  setting !== undefined && setting.split(',').some((one) => one.trim() === origin);

/** Reads one POSTed message, or says why not: media type, size, JSON, batches (no revision that is served has them). */
export async function readMessage(c: AppContext): Promise<Gated> {
  const request = c.req.raw;
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refuse(c, 415, RPC.refused, 'Send the body as application/json');
  }
  const bytes = await readBodyBytes(request, MAX_MCP_BODY_BYTES);
  if (!bytes) return refuse(c, 413, RPC.refused, `The body is larger than ${MAX_MCP_BODY_BYTES} bytes`);
  const json = parseJsonBody(bytes);
  if (!json.ok) return refuse(c, 400, RPC.parse, 'The body is not JSON');
  const { value: body, text } = json;
  if (!isRecord(body)) return refuseBatch(c, body);
  return { ok: true, body, text, message: readMcpMessage(body) };
}

/** A batch of n counts n, although none is served. */
async function refuseBatch(c: AppContext, body: unknown): Promise<Gated> {
  const limited = Array.isArray(body) ? await refuseOverLimit(c, Math.max(1, body.length)) : undefined;
  if (limited) return { ok: false, response: limited };
  return refuse(c, 400, RPC.invalidRequest, 'The body is not one JSON-RPC message');
}

/** By hand, since every request passes here. */
function readMcpMessage({ method, params }: Record<string, unknown>): McpMessage {
  const given = isRecord(params) ? params : {};
  const { name, _meta } = given;
  return {
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof name === 'string' ? { toolName: name } : {}),
    meta: isRecord(_meta) ? _meta : {},
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Counts an unpaid call against the free limit of its caller. */
export async function refuseOverLimit(c: AppContext, count = 1): Promise<Response | undefined> {
  const verdict = await countFreeRequest(c, 'mcp', count);
  if (verdict.isTooLarge === true) return refuseByRpc(c, 429, RPC.refused, TOO_LARGE); // It may never: no Retry-After.
  return verdict.isAllowed ? undefined : refuseTooMany(c, TOO_MANY_FREE, verdict.retryAfterS);
}

const TOO_LARGE = 'The batch has more messages than a minute allows: send one message at a time';

/** Counts a call that is paid against the operator's ceiling, before a payment or an account is looked at. */
export async function refuseOverCeiling(c: AppContext): Promise<Response | undefined> {
  const verdict = await countPaidRequest(c);
  return verdict.isAllowed ? undefined : refuseTooMany(c, TOO_MANY_PAID, verdict.retryAfterS);
}

/** The 429 of who has to wait for other reasons than a limit of ours. */
export const waitRefusal = (c: AppContext, retryAfterS: number): Response =>
  refuseTooMany(c, TOO_MANY_FREE, retryAfterS);

const WAIT_S = 60;

const refuseTooMany = (c: AppContext, message: string, retryAfterS = WAIT_S): Response =>
  refuseByRpc(c, 429, RPC.refused, message, { 'retry-after': String(retryAfterS) });

const refuse = (c: AppContext, status: number, code: number, message: string): Gated => ({
  ok: false,
  response: refuseByRpc(c, status, code, message),
});
