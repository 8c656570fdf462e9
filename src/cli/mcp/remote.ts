import { randomUUID } from 'node:crypto';
import { Client, ProtocolError, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type CallToolResult,
  ProtocolError as ServedError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { IDEMPOTENCY_META } from '../../mcp/payment-meta.ts';
import { buildProblemResult } from '../../mcp/result.ts';
import { VIEW_META } from '../../mcp/sold-result.ts';
import type { ToolCall, ToolHost } from '../../mcp/tool-host.ts';
import { service } from '../../capabilities/service.ts';

/** The longest run takes 120 s, and its settlement some more. */
const CALL_MS = 180_000;
const CONNECT_MS = 20_000;
/** Members of `_meta` that travel: payments, receipts, the name of a call and the wanted view. Everything else belongs to one connection. */
const PAYMENT_MEMBER = /^x402\//;
/** What a call of ours that is sent again meets while the first one still runs, or its debit is in doubt. */
const UNDECIDED: ReadonlySet<unknown> = new Set(['call_in_progress', 'debit_unknown']);
const MAX_KEY_CHARS = 255;

/** How servers of either era say that there is no such resource. */
const MISSING: ReadonlySet<number> = new Set([-32_002, ProtocolErrorCode.InvalidParams]);
/** A fault of the service says nothing of what became of a call. */
const FAULTS: ReadonlySet<number> = new Set([ProtocolErrorCode.InternalError]);
const UNEXPECTED = 'The service did not answer as expected';

/** `url` is an MCP endpoint of the service; a token goes into the Authorization header of its origin and nowhere else. */
export type RemoteSettings = { url: string; token?: string; fetch: typeof fetch };

/**
 * A host that hands calls on to the service by the official client over Streamable HTTP. Connects at the first call, and
 * anew after a failure. What the service answers is handed back as it is: it keeps rule X4 itself.
 */
export function createRemoteHost(settings: RemoteSettings): ToolHost {
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
    callTool: (call) => callOnce(withClient, call, buildCallMeta(call.meta, settings.token !== undefined)),
    listResources: async () => {
      const { resources } = await withClient((client) => client.listResources()).catch(throwUnexpected);
      return { resources, isShared: false };
    },
    readResource: async (uri) => {
      const found = await withClient((client) => readOrMissing(client, uri)).catch(throwUnexpected);
      return found && { contents: found.contents, isShared: false };
    },
  };
}

type WithClient = <T>(work: (client: Client) => Promise<T>) => Promise<T>;
type Meta = Readonly<Record<string, unknown>>;

/**
 * One call, sent again once when the connection was lost after it was sent: under one key both are one debit, and one
 * payment is one sale (rule P6). Who called it off hears no more of it, so nothing is sent again.
 */
async function callOnce(withClient: WithClient, call: ToolCall, meta: Meta): Promise<CallToolResult> {
  let isSent = false;
  const send = () =>
    withClient((client) => {
      isSent = true;
      return forward(client, call, meta);
    });
  try {
    return await send();
  } catch (error) {
    if (!isSent || isAnswer(error)) return describeClientFailure(error);
    if (call.signal?.aborted) return reportInDoubt(meta);
  }
  try {
    const result = await send();
    return UNDECIDED.has(readResultCode(result)) ? reportInDoubt(meta) : result;
  } catch {
    return reportInDoubt(meta);
  }
}

const readResultCode = ({ structuredContent }: CallToolResult): unknown =>
  (structuredContent as Record<string, unknown> | undefined)?.['code'];

/** Whether the service answered that it did nothing: everything else leaves open what became of the call. */
function isAnswer(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.data.status >= 300 && error.data.status < 500;
  return error instanceof ProtocolError && !FAULTS.has(error.code);
}

/** What travels of a call's `_meta`. A call that credits may pay for always has a key: the host's own, or a new one. */
function buildCallMeta(given: Meta, isPaidByCredits: boolean): Meta {
  const key = given[IDEMPOTENCY_META] ?? (isPaidByCredits ? randomUUID() : undefined);
  const view = given[VIEW_META];
  return {
    ...selectPaymentMeta(given),
    ...(view === undefined ? {} : { [VIEW_META]: view }),
    ...(key === undefined ? {} : { [IDEMPOTENCY_META]: key }),
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
function throwUnexpected(): never {
  throw new ServedError(ProtocolErrorCode.InternalError, UNEXPECTED);
}

/** A fetch that reaches one origin and follows no redirect: what goes along, a token among it, is for that one alone. */
export const fetchWithin =
  (origin: string, fetcher: typeof fetch): typeof fetch =>
  async (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target);
    if (url.origin !== origin) throw new Error('the service names another origin');
    return fetcher(target, { ...init, redirect: 'manual' });
  };

async function connect({ url, token, fetch: fetcher }: RemoteSettings): Promise<Client> {
  const client = new Client(
    { name: 'sightline-stdio', version: service.version },
    { versionNegotiation: { mode: 'auto' } },
  );
  const { origin } = new URL(url);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: fetchWithin(origin, fetcher),
    ...(token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  });
  await client.connect(transport, { timeout: CONNECT_MS });
  return client;
}

async function forward(client: Client, call: ToolCall, sent: Meta): Promise<CallToolResult> {
  const { progress, signal } = call;
  const params = { name: call.name, arguments: call.arguments, _meta: sent };
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
    _meta: selectPaymentMeta(meta ?? {}),
  };
}

const selectPaymentMeta = (meta: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => PAYMENT_MEMBER.test(name)));

/** No one answered what became of a call that was sent, and sent again. */
function reportInDoubt({ [IDEMPOTENCY_META]: key, [VIEW_META]: _view, ...payment }: Meta): CallToolResult {
  const mayPay = key !== undefined || Object.keys(payment).length > 0;
  if (!mayPay) return describeClientFailure(undefined);
  const name = typeof key === 'string' ? key.slice(0, MAX_KEY_CHARS) : undefined;
  return buildProblemResult({
    status: 503,
    code: 'debit_possible',
    title: 'The connection to the service was lost, and the call may have been charged',
    detail:
      name === undefined
        ? 'Repeat the call with the same payment: it is charged once'
        : `Repeat the call with the same arguments and _meta["${IDEMPOTENCY_META}"] "${name}": it is charged once`,
  });
}

/** Our own words: an error of the client may quote what the service sent. */
function describeClientFailure(error: unknown): CallToolResult {
  const status = error instanceof SdkHttpError ? error.data.status : undefined;
  if (status === 401)
    return buildProblemResult({
      status,
      code: 'token_refused',
      title: 'The service does not accept the token',
      detail: 'Set SIGHTLINE_TOKEN to a valid one, for example from sightline token, and start this server again',
    });
  if (status === 403)
    return buildProblemResult({ status, code: 'insufficient_scope', title: 'The token does not allow this' });
  return buildProblemResult({ status: 503, code: 'service_unreachable', title: UNEXPECTED });
}
