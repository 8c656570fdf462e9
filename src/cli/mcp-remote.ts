import { Client, ProtocolError, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type CallToolResult,
  ProtocolError as ServedError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { problemResult } from '../mcp/problem-result.ts';
import type { ToolCall, ToolHost } from '../mcp/tool-host.ts';
import { VERSION } from './version.ts';

/** The longest run takes 120 s, and its settlement some more. */
const CALL_MS = 180_000;
const CONNECT_MS = 20_000;
/** Members of `_meta` that travel: payments and receipts. Everything else belongs to one connection. */
const PAYMENT_MEMBER = /^x402\//;

/** How servers of either era say that there is no such resource. */
const MISSING: ReadonlySet<number> = new Set([-32_002, ProtocolErrorCode.InvalidParams]);
const UNEXPECTED = 'The service did not answer as expected';

/** `url` is an MCP endpoint of the service; a token goes into the Authorization header of its origin and nowhere else. */
export type RemoteSettings = { url: string; token?: string; fetch: typeof fetch };

/**
 * A host that hands calls on to the service by the official client over Streamable HTTP. Connects at the first call, and
 * anew after a failure. What the service answers is handed back as it is: it keeps rule X4 itself.
 */
export function remoteHost(settings: RemoteSettings): ToolHost {
  let connected: Promise<Client> | undefined;
  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    connected ??= connect(settings);
    const current = connected;
    try {
      return await work(await current);
    } catch (error) {
      if (connected === current) connected = undefined;
      throw error;
    }
  };
  return {
    callTool: async (call) => {
      try {
        return await withClient((client) => forward(client, call));
      } catch (error) {
        return failureOf(error);
      }
    },
    listResources: async () => {
      const { resources } = await withClient((client) => client.listResources()).catch(unexpected);
      return { resources, isShared: false };
    },
    readResource: async (uri) => {
      const found = await withClient((client) => readOrMissing(client, uri)).catch(unexpected);
      return found && { contents: found.contents, isShared: false };
    },
  };
}

async function readOrMissing(client: Client, uri: string): Promise<ReadResourceResult | undefined> {
  try {
    return await client.readResource({ uri });
  } catch (error) {
    if (error instanceof ProtocolError && MISSING.has(error.code)) return undefined;
    throw error;
  }
}

/** The messages of the client quote what the service sent: ours do not. */
function unexpected(): never {
  throw new ServedError(ProtocolErrorCode.InternalError, UNEXPECTED);
}

async function connect({ url, token, fetch: fetcher }: RemoteSettings): Promise<Client> {
  const client = new Client({ name: 'sightline-stdio', version: VERSION }, { versionNegotiation: { mode: 'auto' } });
  const { origin } = new URL(url);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (target, init) => {
      if (new URL(target).origin !== origin) throw new Error('the service names another origin');
      return fetcher(target, { ...init, redirect: 'manual' });
    },
    ...(token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  });
  await client.connect(transport, { timeout: CONNECT_MS });
  return client;
}

async function forward(client: Client, call: ToolCall): Promise<CallToolResult> {
  const { progress, signal } = call;
  const params = { name: call.name, arguments: call.arguments, _meta: paymentsOf(call.meta) };
  const result = await client.request(
    { method: 'tools/call', params },
    {
      timeout: CALL_MS,
      resetTimeoutOnProgress: true,
      ...(signal === undefined ? {} : { signal }),
      ...(progress === undefined
        ? {}
        : {
            onprogress: ({ progress: done, total }: { progress: number; total?: number | undefined }) =>
              progress({ done, ...(total === undefined ? {} : { total }) }),
          }),
    },
  );
  const { content, structuredContent, isError, _meta: meta } = result;
  return {
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
    _meta: paymentsOf(meta ?? {}),
  };
}

const paymentsOf = (meta: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => PAYMENT_MEMBER.test(name)));

/** Our own words: an error of the client may quote what the service sent. */
function failureOf(error: unknown): CallToolResult {
  const status = error instanceof SdkHttpError ? error.data.status : undefined;
  if (status === 401)
    return problemResult({
      status,
      code: 'token_refused',
      title: 'The service does not accept the token',
      detail: 'Set SIGHTLINE_TOKEN to a valid one, for example from sightline token, and start this server again',
    });
  if (status === 403)
    return problemResult({ status, code: 'insufficient_scope', title: 'The token does not allow this' });
  return problemResult({ status: 503, code: 'service_unreachable', title: UNEXPECTED });
}
