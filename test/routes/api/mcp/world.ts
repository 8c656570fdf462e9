import { env, exports } from 'cloudflare:workers';
import type * as SDK from '@modelcontextprotocol/client';
import * as z from 'zod';

export const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol';

/** `_meta` that each request of revision 2026-07-28 carries. */
export const envelope = {
  [`${META}/protocolVersion`]: MODERN,
  [`${META}/clientInfo`]: { name: 'test', version: '1.0.0' },
  [`${META}/clientCapabilities`]: {},
};

export type Sent = {
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
  method?: string;
  text?: string;
  signal?: AbortSignal;
};

let callers = 0;

/** One HTTP request to an MCP endpoint, from a caller of its own unless the headers say otherwise. */
export function send({ path = '/mcp', headers = {}, body, text, method = 'POST', signal }: Sent): Promise<Response> {
  callers += 1;
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return exports.default.fetch(
    new Request(`${env.BASE_URL}${path}`, {
      method,
      headers: {
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        accept: 'application/json, text/event-stream',
        'cf-connecting-ip': `203.0.${Math.floor(callers / 250)}.${callers % 250}`,
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

export type Rpc = { result?: Record<string, unknown>; error?: { code: number; message: string; data?: unknown } };

/** One request of revision 2026-07-28, with the headers that it asks for. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, ...more }: Sent = {},
): Promise<Response> {
  const { _meta, ...rest } = params;
  const name = rest['name'] ?? rest['uri'];
  return send({
    ...more,
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...rest, _meta: { ...envelope, ...(_meta as object) } } },
  });
}

/** The last JSON-RPC message of an answer, whether it came as JSON or as events. */
export async function rpcOf(answer: Response): Promise<Rpc> {
  return (await messagesOf(answer)).at(-1) ?? {};
}

export async function messagesOf(answer: Response): Promise<(Rpc & { method?: string; params?: unknown })[]> {
  const text = await answer.text();
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/event-stream')) return [JSON.parse(text) as Rpc];
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as Rpc);
}

export type ToolResult = SDK.CallToolResult & {
  structuredContent: Record<string, unknown>;
  _meta: Record<string, unknown>;
};

/** One tool call of revision 2026-07-28 and its result. */
export async function call(
  name: string,
  args: Record<string, unknown>,
  { meta, ...sent }: Sent & { meta?: Record<string, unknown> } = {},
): Promise<ToolResult> {
  const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
  const { result, error } = await rpcOf(await modern('tools/call', params, sent));
  if (!result) throw new Error(`no result: ${JSON.stringify(error)}`);
  return result as ToolResult;
}

export const textOf = (result: ToolResult): string => (result.content[0] as { text: string }).text;

/** What a `resources/list` names. */
export const urisOf = ({ result }: Rpc): readonly string[] =>
  z
    .array(z.object({ uri: z.string() }))
    .parse(result?.['resources'])
    .map(({ uri }) => uri);
