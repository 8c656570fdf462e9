import type { Hono } from 'hono';
import { readMessage, readTaskId } from '../../../src/a2a/message.ts';
import { PAYMENT_PAYLOAD } from '../../../src/a2a/payment-metadata.ts';
import { formatReply, formatTask } from '../../../src/a2a/reply.ts';
import { buildFault, type RpcFault } from '../../../src/a2a/rpc.ts';
import { A2A_VERSIONS, chooseMethod } from '../../../src/a2a/versions.ts';
import { protocolOperations } from '../../../src/openapi/protocol-operations.ts';
import { type A2aOutcome, answerMessage, replyWithTask, subscribeToTask } from '../../../src/sales/a2a/agent.ts';
import type { A2aPorts } from '../../../src/sales/a2a/ports.ts';
import { cancelAgentTask, readTask } from '../../../src/sales/a2a/tasks.ts';
import { createA2aPorts } from '../bindings/a2a-ports.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { countFreeRequest, countPaidRequest, countQuoteRequest, TOO_MANY_FREE, TOO_MANY_PAID } from '../free-guard.ts';
import { refuseMethod } from '../sales/paid.ts';
import { answerRpc, readCall, readExtensionHeader } from './gates.ts';
import { type StreamedCall, streamCall } from './stream.ts';

const ALLOW = 'POST, OPTIONS';
const LIST = 'There is no list, since no sign-in says whose tasks are yours: read each by its id';

/** The A2A endpoint: each capability is a skill, paid per task by x402; `Authorization` is not read (rule A12). */
export function registerA2aRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  const { a2a } = protocolOperations;
  app.on(a2a.method, a2a.route, (c) => serveCall(c, options));
  app.all(a2a.route, (c) => refuseMethod(c, ALLOW));
}

async function serveCall(c: AppContext, options: AppOptions): Promise<Response> {
  const read = await readCall(c);
  if (!read.ok) return read.response;
  const { id, method: name, params } = read.call;
  const header = c.req.header('a2a-version') ?? c.req.query('A2A-Version');
  const chosen = chooseMethod(header, name);
  const refuse = (fault: RpcFault): Response => answerRpc(c, id, { fault });
  if (chosen.kind !== 'known') {
    const limited = await refuseOverLimit(c, undefined);
    if (limited) return refuse(limited);
    return chosen.kind === 'unknown_method'
      ? refuse(buildFault('method_not_found'))
      : refuse(buildFault('version_not_supported', `Supported are ${A2A_VERSIONS.join(' and ')}`));
  }
  const { version, method } = chosen;
  const call = { id, version };
  if (method === 'send' || method === 'stream') {
    const message = readMessage(version, params);
    const limited = await refuseOverLimit(c, message.ok ? message.message.metadata : undefined);
    if (limited) return refuse(limited);
    if (!message.ok) return refuse(message.fault);
    const ports = createPorts(c, options);
    if (method === 'send') return answerCall(c, call, await answerMessage(ports, message.message));
    // A stream says by itself how far the work is, so it never ends early.
    return streamCall(c, call, (emit) => answerMessage(ports, { ...message.message, isImmediate: false }, emit));
  }
  const limited = await refuseOverLimit(c, undefined);
  if (limited) return refuse(limited);
  if (method === 'push') return refuse(buildFault('push_not_supported'));
  if (method === 'list') return refuse(buildFault('unsupported_operation', LIST));
  if (method === 'extended_card')
    return refuse(buildFault(version === '1.0' ? 'unsupported_operation' : 'extended_card_not_configured'));
  const named = readTaskId(params);
  if (!named.ok) return refuse(named.fault);
  const ports = createPorts(c, options);
  if (method === 'subscribe') return streamCall(c, call, (emit) => subscribeToTask(ports, named.id, emit));
  return answerTask(
    c,
    call,
    ports,
    method === 'get' ? await readTask(ports, named.id) : await cancelAgentTask(ports, named.id),
  );
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

const createPorts = (c: AppContext, options: AppOptions): A2aPorts =>
  createA2aPorts(c, options, readExtensionHeader(c));

/** Counts a call: with a payment by what is paid, everything else by the free limit; messages apart, since buying begins with them. */
async function refuseOverLimit(
  c: AppContext,
  metadata: Readonly<Record<string, unknown>> | undefined,
): Promise<RpcFault | undefined> {
  const isPaid = metadata?.[PAYMENT_PAYLOAD] !== undefined;
  const verdict = await (isPaid
    ? countPaidRequest(c)
    : metadata === undefined
      ? countFreeRequest(c)
      : countQuoteRequest(c));
  if (verdict.isAllowed) return undefined;
  return { ...buildFault('refused', isPaid ? TOO_MANY_PAID : TOO_MANY_FREE), retryAfterS: verdict.retryAfterS };
}
