import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import type { CallProgress, RemoteTools, RemoteWatcher, ToolCall, ToolHost } from '../src/mcp/tool-host.ts';
import { buildServerOptions, createMcpServer } from '../src/mcp/server.ts';
import {
  isIdle,
  getSessionDoor,
  getSessionRegistryName,
  SESSION_IDLE_MS,
  type SessionRegistry,
  type SessionRequest,
  type SessionState,
  TOUCH_EVERY_MS,
} from '../src/mcp/session.ts';
import { networkVariables, readToolTerms } from '../src/mcp/tool-terms.ts';

type SessionEnv = {
  MCP_SESSION_REGISTRY: { getByName: (name: string) => SessionRegistry };
  BASE_URL?: string;
};
type Live = { transport: WebStandardStreamableHTTPServerTransport; server: Server };

const STATE = 'state';

/**
 * The session of one 2025-era client: holds its transport and server, so that the server can send requests to the
 * client too. It does not store a caller: each request carries its own, and tools still run in the Worker (rule A7).
 * After an eviction the session resumes from the `initialize` that began it.
 */
export class McpSession extends DurableObject<SessionEnv> {
  #live: Promise<Live> | undefined;

  async serve(request: SessionRequest): Promise<Response> {
    const { sessionId, isNew } = request;
    const state = isNew ? buildSessionState(request) : this.ctx.storage.kv.get<SessionState>(STATE);
    if (!state || state.holder !== request.holder || isIdle(state.seenMs, Date.now())) return refuseUnknownSession();
    await this.#touch(sessionId, state);
    try {
      return await this.#answer(request, state);
    } catch (error) {
      if (isNew) await this.#end(sessionId, state.holder);
      throw error;
    }
  }

  override async alarm(): Promise<void> {
    const state = this.ctx.storage.kv.get<SessionState & { id: string }>(STATE);
    if (!state) return;
    if (isIdle(state.seenMs, Date.now())) return this.#end(state.id, state.holder);
    await this.ctx.storage.setAlarm(state.seenMs + SESSION_IDLE_MS);
  }

  /** The server of this session; a test Worker puts its own in its place. */
  protected newServer(holder: string): Server {
    const terms = readToolTerms(networkVariables.parse(this.env));
    const settings = { ...terms, door: getSessionDoor(holder) };
    return createMcpServer(createRemoteHost(getRemoteTools(this.ctx)), buildServerOptions(settings, this.env.BASE_URL));
  }

  async #answer(request: SessionRequest, state: SessionState): Promise<Response> {
    const { sessionId, isNew, method, origin } = request;
    const { transport } = await this.#running(request, isNew ? undefined : state);
    const authInfo = { token: '', clientId: '', scopes: [], extra: { ...origin } };
    const response = await transport.handleRequest(asRequest(request), { authInfo });
    // A first message that is no good `initialize` begins nothing.
    if (method === 'DELETE' ? response.ok : isNew && !response.ok) await this.#end(sessionId, state.holder);
    return streamOverRpc(response);
  }

  /** Written down at most once a minute: the end of an idle session may lag by that. */
  async #touch(id: string, state: SessionState): Promise<void> {
    const nowMs = Date.now();
    const isKnown = this.ctx.storage.kv.get(STATE) !== undefined;
    if (isKnown && nowMs - state.seenMs < TOUCH_EVERY_MS) return;
    this.ctx.storage.kv.put(STATE, { ...state, id, seenMs: nowMs });
    await this.ctx.storage.setAlarm(nowMs + SESSION_IDLE_MS);
    if (isKnown) await this.#registry(state.holder).touch(id);
  }

  /** The transport and server of the session; a start that failed is tried again by the next request. */
  async #running(request: SessionRequest, before: SessionState | undefined): Promise<Live> {
    this.#live ??= this.#start(request, before);
    const current = this.#live;
    try {
      return await current;
    } catch (error) {
      if (this.#live === current) this.#live = undefined;
      throw error;
    }
  }

  async #start({ sessionId: id, holder }: SessionRequest, before: SessionState | undefined): Promise<Live> {
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = this.newServer(holder);
    await server.connect(transport);
    if (before) await replay(transport, id, before);
    return { transport, server };
  }

  async #end(id: string, holder: string): Promise<void> {
    const ending = this.#live;
    this.#live = undefined;
    const live = await ending?.catch(() => undefined); // What never started needs no end.
    await live?.server.close();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    await this.#registry(holder).release(id);
  }

  #registry(holder: string): SessionRegistry {
    return this.env.MCP_SESSION_REGISTRY.getByName(getSessionRegistryName(holder));
  }
}

/** The state of a session that begins now; undefined when its first message begins none. */
function buildSessionState({ body, holder, url }: SessionRequest): SessionState | undefined {
  return body !== undefined && isInitialize(body) ? { holder, url, initialize: body, seenMs: Date.now() } : undefined;
}

/** Brings a fresh transport to where the client believes it is. */
async function replay(
  transport: WebStandardStreamableHTTPServerTransport,
  sessionId: string,
  { initialize, url }: SessionState,
): Promise<void> {
  const headers = [
    ['accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json'],
  ] as const;
  const post = (body: string) =>
    transport.handleRequest(
      asRequest({ sessionId, isNew: false, holder: '', origin: {}, url, method: 'POST', headers, body }),
    );
  await (await post(initialize)).text();
  await (await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).text();
}

function asRequest({ sessionId, url, method, headers, body }: SessionRequest): Request {
  const all = new Headers(headers.map(([name, value]) => [name, value]));
  if (body === undefined || !isInitialize(body)) all.set('mcp-session-id', sessionId);
  return new Request(url, { method, headers: all, ...(body === undefined ? {} : { body }) });
}

function isInitialize(body: string): boolean {
  const json: unknown = JSON.parse(body); // The gates in front parsed it once already.
  return typeof json === 'object' && json !== null && 'method' in json && json.method === 'initialize';
}

const refuseUnknownSession = (): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null }, { status: 404 });

/** Streams go over RPC as bytes. */
function streamOverRpc(response: Response): Response {
  if (!response.body) return response;
  const { readable, writable } = new IdentityTransformStream();
  response.body.pipeTo(writable).catch(() => undefined); // The client went away: the transport notices by itself.
  return new Response(readable, response);
}

/** The Worker's own entrypoint for tools, by loopback: an entry exports it under this name. */
const getRemoteTools = (ctx: DurableObjectState): RemoteTools =>
  (ctx as unknown as { exports: { McpTools: RemoteTools } }).exports.McpTools; // Its type is the entry's.

/** A host whose tools run in the Worker, with the caller of each request. */
const createRemoteHost = (tools: RemoteTools): ToolHost => ({
  callTool: async (call) => {
    const watcher = new CallWatcher(call);
    try {
      const { name, arguments: given, meta, origin } = call;
      return await tools.callTool({ name, arguments: given, meta }, origin, watcher);
    } finally {
      watcher.end();
    }
  },
  listResources: (origin) => tools.listResources(origin),
  readResource: (uri, origin) => tools.readResource(uri, origin),
});

/** Passes events of a running call to the Worker, and asks it for input. */
class CallWatcher extends RpcTarget implements RemoteWatcher {
  readonly #call: ToolCall;
  readonly #over = Promise.withResolvers<boolean>();

  constructor(call: ToolCall) {
    super();
    this.#call = call;
    if (call.signal?.aborted) this.#over.resolve(true);
    call.signal?.addEventListener('abort', () => this.#over.resolve(true), { once: true });
  }

  async progress(counts: CallProgress): Promise<void> {
    this.#call.progress?.(counts);
  }

  whenCancelled(): Promise<boolean> {
    return this.#over.promise;
  }

  end(): void {
    this.#over.resolve(false);
  }
}
