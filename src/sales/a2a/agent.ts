import { isExtensionActive, PAYMENT_PAYLOAD, PAYMENT_STATUS } from '../../a2a/payment-metadata.ts';
import type { WantedSkill } from '../../a2a/order-text.ts';
import { type IncomingMessage, isTaskId } from '../../a2a/message.ts';
import { MAX_SHARDS_TRIED } from '../../a2a/protocol.ts';
import type { A2aReply } from '../../a2a/reply.ts';
import { buildFault, type RpcFault } from '../../a2a/rpc.ts';
import { type AgentTask, isOver, openTask, type TaskOrder, type TaskStatus } from '../../a2a/task.ts';
import { INDEX_TOOL } from '../../capabilities/service.ts';
import { freeToolBodies } from '../../mcp/free-tools.ts';
import { buildProblem } from '../../problems/codes.ts';
import { formatJsonPointer } from '../../lib/json.ts';
import { callFreeTool } from '../mcp/mcp-free-tools.ts';
import { type AskedOrder, describeActivation, describeProblem, readAskedOrder } from './order.ts';
import { type Emit, payTask } from './payment.ts';
import { type A2aPorts, findTasks } from './ports.ts';
import { buildAgentMessage, buildTaskView, toParts, showTask } from './task-view.ts';
import { followTask, readTask, requireTask, type TaskOutcome } from './tasks.ts';

export type A2aOutcome = { ok: true; reply: A2aReply } | { ok: false; fault: RpcFault };

const RETRY_S = 60;
const TOO_MANY_TASKS = 'Too many unpaid tasks from this network: pay or cancel some, or wait';
const REJECTED: Omit<TaskStatus, 'atMs'> = {
  state: 'failed',
  payment: 'payment-rejected',
  text: 'You rejected the terms. Nothing was charged.',
};

/**
 * Answers a message: a free skill with a message, everything else with a task. `emit` hears how far the work of a payment is.
 */
export async function answerMessage(ports: A2aPorts, message: IncomingMessage, emit?: Emit): Promise<A2aOutcome> {
  const outcome = await (message.taskId === undefined
    ? beginTask(ports, message, emit)
    : continueTask(ports, message.taskId, message, emit));
  if ('reply' in outcome || !outcome.ok) return outcome;
  return replyWithTask(ports, outcome.task);
}

/** A task as the answer to a call. */
export async function replyWithTask(ports: A2aPorts, task: AgentTask): Promise<A2aOutcome> {
  const view = await showTask(ports, task);
  return view.ok ? { ok: true, reply: { kind: 'task', task: view.task } } : view;
}

/** Follows a task that is being carried out; one that waits for its client, or is over, has no more to say. */
export async function streamTask(ports: A2aPorts, id: string, emit: Emit): Promise<A2aOutcome> {
  const known = await readTask(ports, id);
  if (!known.ok) return known;
  const { status } = known.task;
  if (isOver(status.state))
    return { ok: false, fault: buildFault('unsupported_operation', `The task is ${status.state}`) };
  if (status.state !== 'working') return replyWithTask(ports, known.task);
  emit({ kind: 'task', task: buildTaskView(known.task) });
  const after = requireTask(await followTask(ports, id));
  return after.ok ? replyWithTask(ports, after.task) : after;
}

type Answered = TaskOutcome | { ok: true; reply: A2aReply };

async function beginTask(ports: A2aPorts, message: IncomingMessage, emit: Emit | undefined): Promise<Answered> {
  const contextId = message.contextId ?? ports.newId();
  const asked = await readAskedOrder(ports, message);
  if (asked.kind === 'free') return answerFree(ports, asked.wanted, contextId);
  const inactive = refuseInactive(ports, message, asked);
  if (inactive) return inactive;
  const created = await createTask(ports, contextId, asked);
  if (!created.ok || asked.kind !== 'priced') return created;
  return settleOrQuote(ports, created.task, asked.order, message, emit);
}

async function continueTask(
  ports: A2aPorts,
  id: string,
  message: IncomingMessage,
  emit: Emit | undefined,
): Promise<Answered> {
  const known = isTaskId(id)
    ? await readTask(ports, id)
    : ({ ok: false, fault: buildFault('task_not_found') } as const);
  if (!known.ok) return known;
  const { task } = known;
  if (message.contextId !== undefined && message.contextId !== task.contextId)
    return { ok: false, fault: buildFault('invalid_params', 'contextId is not that of the task') };
  if (isOver(task.status.state))
    return { ok: false, fault: buildFault('unsupported_operation', `The task is ${task.status.state}`) };
  if (message.metadata[PAYMENT_STATUS] === 'payment-rejected' && task.status.state !== 'working')
    return requireTask(await findTasks(ports, id).changeStatus(id, REJECTED));
  if (task.order !== undefined) return settleOrQuote(ports, task, task.order, message, emit);
  const asked = await readAskedOrder(ports, message);
  if (asked.kind === 'free') return answerFree(ports, asked.wanted, task.contextId);
  const inactive = refuseInactive(ports, message, asked);
  if (inactive) return inactive;
  if (asked.kind === 'unclear') return requireTask(await findTasks(ports, id).changeStatus(id, asked.status));
  const ordered = requireTask(await findTasks(ports, id).order(id, asked.order, asked.status));
  if (!ordered.ok || asked.kind === 'unsold') return ordered;
  return settleOrQuote(ports, ordered.task, asked.order, message, emit);
}

/** A payment is carried out; without one the task is answered as it is, with its terms. */
async function settleOrQuote(
  ports: A2aPorts,
  task: AgentTask,
  order: TaskOrder,
  { metadata, isImmediate }: IncomingMessage,
  emit: Emit | undefined,
): Promise<TaskOutcome> {
  const payload = metadata[PAYMENT_PAYLOAD];
  if (payload !== undefined)
    return payTask(ports, { ...task, order }, { payload, isImmediate, ...(emit ? { emit } : {}) });
  if (task.status.state === 'input-required') ports.countUnpaid(order.skill);
  return { ok: true, task };
}

/** A price is named only to clients that know how to pay it, since the card says that they must (A2A, section 3.3.4). */
const refuseInactive = (
  { extensionHeader }: A2aPorts,
  message: IncomingMessage,
  asked: AskedOrder,
): { ok: false; fault: RpcFault } | undefined =>
  asked.kind === 'priced' && !isExtensionActive(extensionHeader, message)
    ? { ok: false, fault: buildFault('extension_required', describeActivation(asked.row)) }
    : undefined;

/** A new task, in one of the objects that has room for its network. */
async function createTask(
  ports: A2aPorts,
  contextId: string,
  asked: Exclude<AskedOrder, { kind: 'free' }>,
): Promise<TaskOutcome> {
  for (let tried = 0; tried < MAX_SHARDS_TRIED; tried += 1) {
    const id = ports.newId();
    const order = asked.kind === 'unclear' ? undefined : asked.order;
    const task = openTask({ id, contextId, order }, asked.status, ports.sales.now());
    if (await findTasks(ports, id).create(task, ports.network)) return { ok: true, task };
  }
  return { ok: false, fault: { ...buildFault('refused', TOO_MANY_TASKS), retryAfterS: RETRY_S } };
}

/** A free skill is answered at once, with what the tool of the same name answers over MCP. */
async function answerFree(ports: A2aPorts, { skill, input }: WantedSkill, contextId: string): Promise<Answered> {
  const parts = toParts(await callFree(ports, skill, input));
  return { ok: true, reply: { kind: 'message', message: buildAgentMessage(ports, contextId, parts) } };
}

async function callFree(ports: A2aPorts, skill: string, input: Record<string, unknown>) {
  if (skill === INDEX_TOOL) return ports.catalogue();
  const name = skill === 'get_fix' ? 'get_fix' : 'read_report';
  const parsed = freeToolBodies[name].safeParse(input);
  if (parsed.success) return callFreeTool(ports.free, name, { given: parsed.data, account: undefined });
  const errors = parsed.error.issues.map(({ path, message: text }) => ({
    pointer: formatJsonPointer(path),
    message: text,
  }));
  const { text, problem = {} } = describeProblem('failed', buildProblem('invalid_body', { errors }));
  return { content: [{ type: 'text' as const, text }], structuredContent: problem };
}
