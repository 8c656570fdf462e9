import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import { insufficientScope } from '@cloudflare/workers-oauth-provider';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { BASE_SCOPE, CREDIT_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { listMcpUrls } from '../../../src/capabilities/service.ts';
import { isRunMakingTool } from '../../../src/mcp/monitor-tools.ts';
import { readPresentedPayment, VERSION_1_HEADER } from '../../../src/mcp/payment-meta.ts';
import { buildServerOptions, createMcpServer } from '../../../src/mcp/server.ts';
import { getSessionRegistryName } from '../../../src/mcp/session.ts';
import type { ToolHost } from '../../../src/mcp/tool-host.ts';
import { readToolTerms } from '../../../src/mcp/tool-terms.ts';
import type { FoundPayment } from '../../../src/payment/rails/presented.ts';
import { protocolOperations } from '../../../src/openapi/protocol-operations.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import {
  buildUnauthenticatedHeaders,
  judgeCredential,
  type TokenJudgement,
} from '../../../src/rate-limits/token-gate.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import type { SoldFacts } from '../../../src/telemetry/request-span.ts';
import { createProtectedResource, type ProtectedEnv, type ResourceAuth } from '../authorization/protected.ts';
import { buildRequestScope } from '../bindings/composition.ts';
import { getTokenRouter } from '../bindings/token-router.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import {
  type McpMessage,
  readMessage,
  refuseByRpc,
  refuseOrigin,
  refuseOverCeiling,
  refuseOverLimit,
  RPC,
  waitRefusal,
} from './gates.ts';
import { canSpendCredits, createWorkerHost, TOOL_CALL } from '../bindings/mcp-host.ts';
import { getSessionHolder, type McpCaller } from '../../../src/sales/mcp/mcp-tools.ts';
import { serveSession } from './sessions.ts';

/** Streams of `subscriptions/listen` that one account, or one network of callers without a token, may keep open. */
const MAX_STREAMS_OF_CALLER = 4;

const open = new Map<string, number>();

/** A place for one more stream of this caller: a function that gives it back, once; undefined when it has too many. */
function takeStream(caller: string): (() => void) | undefined {
  const streams = open.get(caller) ?? 0;
  if (streams >= MAX_STREAMS_OF_CALLER) return undefined;
  open.set(caller, streams + 1);
  let isTaken = true;
  return () => {
    if (isTaken) releaseStream(caller);
    isTaken = false;
  };
}

function releaseStream(caller: string): void {
  const left = (open.get(caller) ?? 1) - 1;
  if (left > 0) open.set(caller, left);
  else open.delete(caller);
}

/** The same answer, which calls `ended` when its stream ends, fails, or is left by the client. */
function watchStream(answer: Response, signal: AbortSignal, ended: () => void): Response {
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!answer.body || !isStream) {
    ended();
    return answer;
  }
  signal.addEventListener('abort', ended, { once: true });
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    cancel: (reason) => {
      ended();
      return reader.cancel(reason);
    },
  });
  return new Response(body, answer);
}

/**
 * The two MCP endpoints: `/mcp` sells each call by x402 and never looks at `Authorization` (rule A12); `/mcp-account`
 * is its sibling behind a token. Revision 2026-07-28 is answered here, without state; 2025-era clients have a session.
 */
export function registerMcpRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  const { mcp, mcpAccount, resourceMetadata } = protocolOperations;
  app.all(mcp.route, (c) => refuseOrigin(c) ?? serve(c, options, { endpoint: 'open', ...readCallFacts(c) }));
  app.on(resourceMetadata.method, resourceMetadata.route, guard);
  app.use(mcpAccount.route, guardOrigin, guardToken, guard); // Another site's page must learn nothing about tokens.
  app.all(mcpAccount.route, (c) =>
    serve(c, options, { endpoint: 'account', ...readCallFacts(c), account: getAccount(c) }),
  );
}

const guardOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const refused = refuseOrigin(c);
  if (refused) return refused;
  await next();
  return undefined;
};

/** Asks about a token before anything else of the request is read, unless its caller must wait. */
const guardToken: MiddlewareHandler<AppEnv> = async (c, next) => {
  const refused = await judgeRequest(c, true);
  if (refused) return refused;
  await next();
  return undefined;
};

/**
 * Judges the token of a request: what it says is in `judgements`, without an entry where it is not good.
 * @returns why the request must wait
 */
async function judgeRequest(c: AppContext, mayRecall: boolean): Promise<Response | undefined> {
  const credential = await judgeCredential(c.req.header('authorization') ?? null, {
    judge: getTokenRouter(c.env),
    url: listMcpUrls(c.get('settings').BASE_URL).account,
    caller: getCallerAddress(c.req.raw),
    mayRecall,
  });
  if (credential.kind === 'unreachable')
    return refuseByRpc(c, 503, RPC.refused, 'The token cannot be checked now', { 'retry-after': '1' });
  if (credential.kind === 'wait') return waitRefusal(c, credential.retryAfterS);
  if ('allowance' in credential && !credential.allowance.isAllowed) {
    c.set('rateHeaders', buildUnauthenticatedHeaders(credential.allowance));
    return waitRefusal(c, credential.allowance.retryAfterS);
  }
  if (credential.kind === 'valid') judgements.set(c.req.raw, credential);
  else judgements.delete(c.req.raw);
  return undefined;
}

/** Spending credits takes no remembered answer: the token is asked about once more, and its limit is the newest. */
async function judgeSpending(c: AppContext, from: McpCaller): Promise<McpCaller | Response> {
  if (from.endpoint === 'open' || judgements.get(c.req.raw)?.isRemembered !== true) return from;
  const refused = (await judgeRequest(c, false)) ?? (await guard(c, async () => undefined));
  return refused ?? { ...from, account: getAccount(c) };
}

/** 401 comes before 402 (rule A12): no payment is looked at without a token for exactly this resource. */
const guard: MiddlewareHandler<AppEnv> = createProtectedResource<AppEnv>({
  resource: (c) => listMcpUrls(c.get('settings').BASE_URL).account,
  issuer: (c) => c.get('settings').BASE_URL,
  requiredScopes: [BASE_SCOPE],
  validate: (c) => async () => judgements.get(c.req.raw)?.valid ?? null,
});

/**
 * What was said of the token of a request, and when it was asked for, in Unix milliseconds: what is revoked after that
 * counts as revoked, and the body may take long to come (rule A5).
 */
const judgements = new WeakMap<Request, Extract<TokenJudgement, { kind: 'valid' }>>();

/** What the middleware put beside the request. */
const getResourceAuth = (c: AppContext): ResourceAuth => (c as unknown as Context<ProtectedEnv>).get('auth'); // `guard` ran before.

/** The token's own facts, without the token: it goes nowhere (rule X1 of the attack list). */
function getAccount(c: AppContext) {
  const { userId, clientId, scope, props } = getResourceAuth(c);
  if (userId === undefined || clientId === undefined) throw new Error('a token without subject or client');
  const { capMicroUsdc } = props;
  const authorizedAtMs = judgements.get(c.req.raw)?.askedAtMs ?? 0;
  const caps = capMicroUsdc === undefined ? {} : { capMicroUsdc };
  return { id: userId, clientId, authorizedAtMs, scopes: scope, ...caps };
}

function readCallFacts(c: AppContext) {
  const paymentHeader = c.req.header('payment-signature');
  const idempotencyHeader = c.req.header('idempotency-key');
  return {
    caller: getCallerAddress(c.req.raw),
    requestId: c.get('requestId'),
    isOwnAudit: isOurVia(c.req.header('via') ?? null),
    hasVersion1Header: c.req.header(VERSION_1_HEADER) !== undefined,
    ...(paymentHeader === undefined ? {} : { paymentHeader }),
    ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
  };
}

async function serve(c: AppContext, options: AppOptions, caller: McpCaller): Promise<Response> {
  let from = caller;
  const { method } = c.req;
  if (method === 'GET' || method === 'DELETE') return (await refuseOverLimit(c)) ?? serveSession(c, from, { method });
  if (method !== 'POST') return refuseByRpc(c, 405, RPC.refused, 'Method not allowed', { allow: 'POST, GET, DELETE' });
  const read = await readMessage(c);
  if (!read.ok) return read.response;
  const { body, text, message } = read;
  const { kind } = readPresentedPayment(message.meta, from);
  const limited = await (isPaid(message, from, kind) ? refuseOverCeiling(c) : refuseOverLimit(c));
  if (limited) return limited;
  const challenge = challengeForCredits(c, message, from, kind);
  if (challenge) return challenge;
  if ((isSold(message) && kind === 'none') || isRunMaking(message)) {
    const judged = await judgeSpending(c, from);
    if (judged instanceof Response) return judged;
    from = judged;
  }
  if (isSold(message)) c.set('sold', { ...TOOL_CALL, capability: message.toolName ?? '' });
  if (!hasEnvelope(message) && (await isLegacyRequest(c.req.raw, body)))
    return serveSession(c, from, { method, text, message });
  const request = c.req.raw;
  const noteCall = (sold: SoldFacts): void => c.set('sold', sold);
  hosts.set(request, followCall(c, createWorkerHost({ scope: buildRequestScope(c), options, from, noteCall })));
  const answer = () => getMcpHandler(c.get('settings'), from.endpoint).fetch(request, { parsedBody: body });
  return message.method === LISTEN ? listen(c, from, answer) : answer();
}

/** What a call comes to is known when it ends, and an answer as events leaves before: its record waits for that. */
const followCall = (c: AppContext, host: ToolHost): ToolHost => ({
  ...host,
  callTool: (call) => {
    const calling = host.callTool(call);
    const ended = (): void => undefined;
    c.set('calling', calling.then(ended, ended));
    return calling;
  },
});

const LISTEN = 'subscriptions/listen';

async function listen(c: AppContext, from: McpCaller, answer: () => Promise<Response>): Promise<Response> {
  const leave = takeStream(getSessionRegistryName(getSessionHolder(from)));
  if (!leave) return refuseByRpc(c, 429, RPC.refused, 'You have too many open streams: close one', RETRY);
  try {
    return watchStream(await answer(), c.req.raw.signal, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

const RETRY = { 'retry-after': '60' } as const;

/** A call of a tool that is sold, with a payment or on credits, is limited by what is paid; everything else by the free limit. */
const isPaid = (message: McpMessage, from: McpCaller, kind: FoundPayment['kind']): boolean =>
  isSold(message) && !from.isOwnAudit && (kind === 'credential' || (kind === 'none' && canSpendCredits(from)));

/** Its runs are paid from credits later. */
const isRunMaking = ({ method, toolName }: McpMessage): boolean =>
  method === 'tools/call' && isRunMakingTool(toolName ?? '');

const isSold = ({ method, toolName }: McpMessage): boolean =>
  method === 'tools/call' && findCapability(toolName ?? '') !== undefined;

/** A message that names its revision is never one of the 2025 era: nothing else needs to be looked at. */
const hasEnvelope = ({ meta }: McpMessage): boolean => meta[PROTOCOL_VERSION_META_KEY] !== undefined;

/**
 * Rule Y6: a tool that would be paid by credits needs the scope to spend them; the challenge names all that the call
 * needs at once. A call that brings its own payment needs no credits.
 */
function challengeForCredits(
  c: AppContext,
  message: McpMessage,
  from: McpCaller,
  kind: FoundPayment['kind'],
): Response | undefined {
  if (from.endpoint === 'open' || !isSold(message) || kind !== 'none' || canSpendCredits(from)) return undefined;
  return insufficientScope(getResourceAuth(c), [BASE_SCOPE, CREDIT_SCOPE], 'Spending credits needs another scope');
}

/** What the server of one request does, by that request: handlers are made once, and know no caller. */
const hosts = new WeakMap<Request, ToolHost>();
const handlers = new WeakMap<ApiWorkerSettings, Partial<Record<McpCaller['endpoint'], McpHttpHandler>>>();

/**
 * Streams of `subscriptions/listen` that one isolate keeps open at each endpoint: no list of ours ever changes. Those of
 * the open endpoint take nothing from holders of a token.
 */
const MAX_SUBSCRIPTIONS = 64;

function getMcpHandler(settings: ApiWorkerSettings, endpoint: McpCaller['endpoint']): McpHttpHandler {
  const known = handlers.get(settings);
  if (known?.[endpoint]) return known[endpoint];
  const served = buildServerOptions({ ...readToolTerms(settings), door: endpoint }, settings.BASE_URL);
  const made = createMcpHandler(
    ({ requestInfo }) => {
      const host = requestInfo && hosts.get(requestInfo);
      if (!host) throw new Error('a request without a host'); // Set right before the handler is called.
      return createMcpServer(host, served);
    },
    { legacy: 'reject', maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  handlers.set(settings, { ...known, [endpoint]: made });
  return made;
}
