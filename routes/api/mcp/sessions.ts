import { toHex } from '../../../src/lib/digest.ts';
import { isSessionId, getSessionRegistryName, type SessionRequest } from '../../../src/mcp/session.ts';
import { type AppContext, corsHeaders } from '../context.ts';
import { getSessionHolder, type McpCaller } from '../../../src/sales/mcp/mcp-tools.ts';
import { type McpMessage, RPC, refuseByRpc } from './gates.ts';

const SESSION_BYTES = 16;
/** Headers that the session's transport reads. A token or a cookie is never among them (rules A7, A12). */
const FORWARDED = ['accept', 'content-type', 'mcp-protocol-version', 'last-event-id'] as const;

type Incoming = { method: string; text?: string; message?: McpMessage };

/**
 * Serves a client of the 2025 era by the object of its session. Session ids are ours: 128 random bits, given out with
 * the answer to `initialize`, good for who got it, and no authentication (rule A7). An id that a client made up is 404,
 * with `initialize` as with everything else.
 */
export async function serveSession(c: AppContext, from: McpCaller, incoming: Incoming): Promise<Response> {
  const given = c.req.header('mcp-session-id');
  if (given !== undefined) {
    return isSessionId(given)
      ? forward(c, from, { sessionId: given, isNew: false }, incoming)
      : refuseByRpc(c, 404, RPC.noSession, 'Session not found');
  }
  if (incoming.message?.method === 'initialize') return open(c, from, incoming);
  if (incoming.method === 'POST') {
    return refuseByRpc(c, 400, RPC.refused, 'Mcp-Session-Id is required: initialize first, or use revision 2026-07-28');
  }
  return refuseByRpc(c, 405, RPC.refused, 'Method not allowed without a session', { allow: 'POST' });
}

async function open(c: AppContext, from: McpCaller, incoming: Incoming): Promise<Response> {
  const sessionId = toHex(crypto.getRandomValues(new Uint8Array(SESSION_BYTES)));
  const holder = getSessionHolder(from);
  const verdict = await c.env.MCP_SESSION_REGISTRY.getByName(getSessionRegistryName(holder)).admit(sessionId, holder);
  if (verdict === 'admitted') return forward(c, from, { sessionId, isNew: true }, incoming);
  const text = 'You have too many sessions: end one with DELETE, or wait';
  return refuseByRpc(c, 429, RPC.refused, text, { 'retry-after': '60' });
}

async function forward(
  c: AppContext,
  from: McpCaller,
  { sessionId, isNew }: Pick<SessionRequest, 'sessionId' | 'isNew'>,
  incoming: Incoming,
): Promise<Response> {
  const request: SessionRequest = {
    sessionId,
    isNew,
    holder: getSessionHolder(from),
    origin: from,
    url: `${c.get('settings').BASE_URL}${c.req.path}`,
    method: incoming.method,
    headers: FORWARDED.flatMap((name) => {
      const value = c.req.header(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
    ...(incoming.text === undefined ? {} : { body: incoming.text }),
  };
  const answer = await c.env.MCP_SESSION.getByName(sessionId).serve(request);
  return new Response(answer.body, {
    status: answer.status,
    headers: { ...Object.fromEntries(answer.headers), ...corsHeaders },
  });
}
