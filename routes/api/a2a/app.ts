import { countFreeRequest, countPaidRequest, countQuoteRequest, TOO_MANY_FREE, TOO_MANY_PAID } from '../free-guard.ts';
import { parseJsonBody, readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import type { Hono } from 'hono';
import { readA2aMessage, readTaskId } from '../../../src/a2a/message.ts';
import { PAYMENT_PAYLOAD } from '../../../src/a2a/payment-metadata.ts';
import { formatReply, formatTask } from '../../../src/a2a/reply.ts';
import { buildFault, readRpcCall, type RpcCall, type RpcFault } from '../../../src/a2a/rpc.ts';
import { A2A_VERSIONS, chooseMethod } from '../../../src/a2a/versions.ts';
import { protocolOperations } from '../../../src/openapi/protocol-operations.ts';
import { type A2aOutcome, answerMessage, replyWithTask, streamTask } from '../../../src/sales/a2a/agent.ts';
import type { A2aPorts } from '../../../src/sales/a2a/ports.ts';
import { cancelAgentTask, readTask } from '../../../src/sales/a2a/tasks.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { refuseMethod } from '../sales/paid.ts';
import { answerRpc, readExtensionHeader, type StreamedCall, streamCall } from './answers.ts';
import { createFreeToolPorts, getCatalogue } from '../bindings/mcp-host.ts';
import { getAnswerEngines } from '../bindings/engine.ts';
import { countUnpaidAnswer } from '../bindings/console/console-counters.ts';
import { buildRequestScope, createSalesPorts } from '../bindings/composition.ts';
import { logLine } from '../../shared/telemetry.ts';
import { shortenPayer } from '../../../src/telemetry/request-span.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import { computeCallerNetwork } from '../../../src/net/caller-network.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';

const ALLOW = 'POST, OPTIONS';
const LIST = 'There is no list, since no sign-in says whose tasks are yours: read each by its id';

/** The A2A endpoint: each capability is a skill, paid per task by x402; `Authorization` is not read (rule A12). */
export function registerA2aRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.all(protocolOperations.a2a.route, (c) =>
    c.req.method === 'POST' ? serveCall(c, options) : refuseMethod(c, ALLOW),
  );
}

async function serveCall(c: AppContext, options: AppOptions): Promise<Response> {
  const read = await readCall(c);
  if (!read.ok) return read.response;
  try {
    return await serveKnownCall(c, options, read.call);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    logLine({ event: 'bug', request_id: c.get('requestId'), name, message: message.slice(0, 300) });
    return answerRpc(c, read.call.id, { fault: buildFault('internal', 'Send the same call again') }, 500);
  }
}

async function serveKnownCall(
  c: AppContext,
  options: AppOptions,
  { id, method: name, params }: RpcCall,
): Promise<Response> {
  const header = c.req.header('a2a-version') ?? c.req.query('A2A-Version');
  const chosen = chooseMethod(header, name);
  const refuse = (fault: RpcFault): Response => answerRpc(c, id, { fault });
  if (chosen.kind !== 'known') {
    const limited = await refuseByLimit(c, 'free');
    if (limited) return refuse(limited);
    return chosen.kind === 'unknown_method'
      ? refuse(buildFault('method_not_found'))
      : refuse(buildFault('version_not_supported', `Supported are ${A2A_VERSIONS.join(' and ')}`));
  }
  const { version, method } = chosen;
  const call = { id, version };
  if (method === 'send' || method === 'stream') return serveMessage(c, options, call, { method, params });
  const limited = await refuseByLimit(c, 'free');
  if (limited) return refuse(limited);
  if (method === 'push') return refuse(buildFault('push_not_supported'));
  if (method === 'list') return refuse(buildFault('unsupported_operation', LIST));
  if (method === 'extended_card')
    return refuse(buildFault(version === '1.0' ? 'unsupported_operation' : 'extended_card_not_configured'));
  const named = readTaskId(params);
  if (!named.ok) return refuse(named.fault);
  const ports = createPorts(c, options);
  if (method === 'subscribe') return streamCall(c, call, (emit) => streamTask(ports, named.id, emit));
  return answerTask(
    c,
    call,
    ports,
    method === 'get' ? await readTask(ports, named.id) : await cancelAgentTask(ports, named.id),
  );
}

type SentMessage = { method: 'send' | 'stream'; params: unknown };

async function serveMessage(
  c: AppContext,
  options: AppOptions,
  call: StreamedCall,
  { method, params }: SentMessage,
): Promise<Response> {
  const read = readA2aMessage(call.version, params);
  const isPaid = read.ok && read.message.metadata[PAYMENT_PAYLOAD] !== undefined;
  const limited = await refuseByLimit(c, isPaid ? 'paid' : 'message');
  if (limited) return answerRpc(c, call.id, { fault: limited });
  if (!read.ok) return answerRpc(c, call.id, { fault: read.fault });
  const ports = createPorts(c, options);
  const { message } = read;
  // A stream says by itself how far the work is, so it never ends early.
  if (method === 'stream')
    return streamCall(c, call, (emit) => answerMessage(ports, { ...message, isImmediate: false }, emit));
  const outcome = await answerMessage(ports, message);
  // A payment for a task that is not there pays for nothing: it is counted as free.
  const tried = isPaid && !outcome.ok && outcome.fault.error === 'task_not_found';
  const refused = tried ? await refuseByLimit(c, 'free') : undefined;
  return refused ? answerRpc(c, call.id, { fault: refused }) : answerCall(c, call, outcome);
}

/** A message or a task, as the result of sending a message has it. */
const answerCall = (c: AppContext, { id, version }: StreamedCall, outcome: A2aOutcome): Response =>
  outcome.ok
    ? answerRpc(c, id, { result: formatReply(version, outcome.reply) })
    : answerRpc(c, id, { fault: outcome.fault });

/** A task alone, as reading and cancelling one have it. */
async function answerTask(
  c: AppContext,
  { id, version }: StreamedCall,
  ports: A2aPorts,
  outcome: Awaited<ReturnType<typeof readTask>>,
): Promise<Response> {
  const answer = outcome.ok ? await replyWithTask(ports, outcome.task) : outcome;
  if (!answer.ok) return answerRpc(c, id, { fault: answer.fault });
  if (answer.reply.kind !== 'task') throw new Error('a task is answered with a task');
  return answerRpc(c, id, { result: formatTask(version, answer.reply.task) });
}

/** 128 bits: who has the id of a task may read it. */
const ID_BYTES = 16;

/** What the A2A agent works with, for one request. */
function createPorts(c: AppContext, options: AppOptions): A2aPorts {
  const scope = buildRequestScope(c);
  const { env, settings, waitUntil } = scope;
  const caller = getCallerAddress(c.req.raw);
  return {
    sales: createSalesPorts(scope, options),
    caller,
    network: computeCallerNetwork(caller),
    requestId: scope.requestId,
    isOwnAudit: isOurVia(c.req.header('via') ?? null),
    extensionHeader: readExtensionHeader(c),
    taskShard: (name) => env.AGENT_TASK_SHARD.getByName(name),
    catalogue: () => getCatalogue(settings, getAnswerEngines(env, options)).result,
    free: createFreeToolPorts(env, settings),
    newId: () => generateRandomHex(ID_BYTES),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    countUnpaid: (capability) => countUnpaidAnswer(env, capability, { log: logLine, waitUntil }),
    noteCall: ({ capability, status, payer }) =>
      c.set('sold', { capability, status, ...(payer === undefined ? {} : { payer: shortenPayer(payer) }) }),
    log: logLine,
  };
}

/** Largest body of an A2A request, in bytes: an order of 64 KiB, a payment of 8 KB and what is around them. */
export const MAX_AGENT_BODY_BYTES = 256 * 1024;

type GatedCall = { ok: true; call: RpcCall } | { ok: false; response: Response };

/** Reads one call, or answers why not: media type, size, JSON, batches, depth. */
async function readCall(c: AppContext): Promise<GatedCall> {
  const request = c.req.raw;
  if (readMediaType(request) !== 'application/json')
    return refuseBody(c, buildFault('refused', 'Send the body as application/json'), 415);
  const bytes = await readBodyBytes(request, MAX_AGENT_BODY_BYTES);
  if (!bytes) return refuseBody(c, buildFault('refused', `The body is larger than ${MAX_AGENT_BODY_BYTES} bytes`), 413);
  const json = parseJsonBody(bytes);
  if (!json.ok) return refuseBody(c, buildFault('parse'));
  const read = readRpcCall(json.value);
  return read.ok ? read : refuseBody(c, read.fault);
}

const refuseBody = (c: AppContext, fault: RpcFault, status?: number): GatedCall => ({
  ok: false,
  response: answerRpc(c, null, { fault }, status),
});

/** By what a call is limited: messages apart from all else that is free, since buying begins with them. */
type CallKind = 'paid' | 'message' | 'free';

/** Counts a call; why it must wait, if it must. */
async function refuseByLimit(c: AppContext, kind: CallKind): Promise<RpcFault | undefined> {
  const count = { paid: countPaidRequest, message: countQuoteRequest, free: countFreeRequest }[kind];
  const { isAllowed, retryAfterS } = await count(c);
  if (isAllowed) return undefined;
  return { ...buildFault('refused', kind === 'paid' ? TOO_MANY_PAID : TOO_MANY_FREE), retryAfterS };
}
