import { createParser } from 'eventsource-parser';
import { parseMediaType } from '../../../lib/media-type.ts';
import { isJsonRecord, type JsonRecord, parseSiteJson } from '../../structured-data/facts/json-document.ts';

/** Events of one SSE answer that are read: the reply to a list or a handshake comes early. */
export const MAX_SSE_EVENTS = 200;
/** JSON-RPC messages of one batch that are read (revisions before 2025-06-18 allowed batches). */
export const MAX_RPC_BATCH = 50;

/** What one POST to an MCP endpoint brought. `none` says in a stable word why there is no JSON-RPC reply in the body. */
export type RpcReply =
  | { kind: 'result'; result: JsonRecord; via: 'json' | 'sse' }
  | { kind: 'error'; code: number; message: string; data: unknown; via: 'json' | 'sse' }
  | { kind: 'none'; reason: 'empty' | 'html' | 'not_json' | 'not_json_rpc' | 'no_reply_in_stream' };

/** JSON-RPC errors that only a server of revision 2026-07-28 or later sends: header mismatch, missing capability, unsupported version. */
export const MODERN_ERRORS: readonly number[] = [-32_020, -32_021, -32_022];

/**
 * Reads the reply to request `id` from a body, sent as one JSON object or as an event stream (both are allowed for every
 * request). Notifications, keep-alive comments and events without data are passed over. Never throws; linear.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function readRpcReply(body: string, contentType: string, id: number): RpcReply {
  const via = parseMediaType(contentType) === 'text/event-stream' ? 'sse' : 'json';
  if (body.trim() === '') return { kind: 'none', reason: 'empty' };
  if (via === 'sse') return replyInStream(body, id);
  if (/^\s*<(?:!doctype|html|head|body)/i.test(body.slice(0, 512))) return { kind: 'none', reason: 'html' };
  const parsed = parseSiteJson(body);
  if (!parsed.ok) return { kind: 'none', reason: 'not_json' };
  return readReply(parsed.value, id, via) ?? { kind: 'none', reason: 'not_json_rpc' };
}

/**
 * The data of each event of an event stream, in order; events without data are left out, as is an unfinished last one.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function listSseData(body: string): readonly string[] {
  const events: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (events.length < MAX_SSE_EVENTS && data.trim() !== '') events.push(data);
    },
  });
  // A byte order mark, and lines that end in CR alone, are as the standard has them: the parser waits for more of these.
  parser.feed(body.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n'));
  return events;
}

function replyInStream(body: string, id: number): RpcReply {
  for (const data of listSseData(body)) {
    const parsed = parseSiteJson(data);
    const reply = parsed.ok ? readReply(parsed.value, id, 'sse') : undefined;
    if (reply) return reply;
  }
  return { kind: 'none', reason: 'no_reply_in_stream' };
}

/** A result must bear our id; an error may bear none, since a server that refused the request may not have read it. */
function readReply(value: unknown, id: number, via: 'json' | 'sse'): RpcReply | undefined {
  const messages = Array.isArray(value) ? (value as readonly unknown[]).slice(0, MAX_RPC_BATCH) : [value];
  for (const message of messages) {
    if (!isJsonRecord(message) || message['jsonrpc'] !== '2.0') continue;
    if (message['id'] === id && isJsonRecord(message['result']))
      return { kind: 'result', result: message['result'], via };
    const error = message['error'];
    const bearsOurId = message['id'] === id || message['id'] === null || message['id'] === undefined;
    if (!bearsOurId || !isJsonRecord(error) || typeof error['code'] !== 'number') continue;
    const text = typeof error['message'] === 'string' ? error['message'].slice(0, 300) : '';
    return { kind: 'error', code: error['code'], message: text, data: error['data'], via };
  }
  return undefined;
}
