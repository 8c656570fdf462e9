import * as z from 'zod';
import { paymentStatuses } from './payment-metadata.ts';

/** States that a task of ours has, as 0.3 spells them; 1.0 writes them as `TASK_STATE_...`. */
export const taskStates = ['input-required', 'working', 'completed', 'failed', 'canceled', 'rejected'] as const;
export type TaskState = (typeof taskStates)[number];

const OVER: ReadonlySet<TaskState> = new Set(['completed', 'failed', 'canceled', 'rejected']);

/** Whether nothing more happens to a task in this state. */
export const isOver = (state: TaskState): boolean => OVER.has(state);

/** How long a task waits for its payment, in milliseconds. Terms are made again whenever it is read. */
export const UNPAID_TASK_MS = 3_600_000;
/** How long a task that was sold can be read after its end, in milliseconds. */
export const ENDED_TASK_MS = 86_400_000;
/** The same of one that ended without a sale: to begin and cancel costs nothing, and all tasks share their objects. */
export const UNSOLD_TASK_MS = 600_000;
/** Payments without a sale that a task takes before it is over. */
export const MAX_TASK_PAYMENTS = 20;

const statusSchema = z.object({
  state: z.enum(taskStates),
  /** In our words. */
  text: z.string(),
  atMs: z.number(),
  /** Members of a problem, where something failed. */
  problem: z.record(z.string(), z.unknown()).optional(),
  /** What the extension calls the payment's status, and its error. */
  payment: z.enum(paymentStatuses).optional(),
  paymentError: z.string().optional(),
});
export type TaskStatus = z.infer<typeof statusSchema>;

/**
 * One task as it is stored: what was asked for and how far it is. No payment, no terms and no result are in it: those are in
 * the ledger, made fresh, or in the stored report. Receipts are its buyer's, who alone has the id (rule P28).
 */
export const agentTask = z.object({
  id: z.string(),
  contextId: z.string(),
  /** Absent while the message that began it was not understood. */
  order: z.object({ skill: z.string(), input: z.record(z.string(), z.unknown()), view: z.string() }).optional(),
  status: statusSchema,
  receipts: z.array(z.record(z.string(), z.unknown())),
  reportId: z.string().optional(),
  /** Number of the payment that is being carried out, or was last. */
  attempt: z.number(),
  /** Until when the Worker that carries it out is believed to be alive. */
  leaseUntilMs: z.number().optional(),
  isCancelWanted: z.boolean().optional(),
});
export type AgentTask = z.infer<typeof agentTask>;
export type TaskOrder = NonNullable<AgentTask['order']>;

/** How a payment of a task ended. */
export type PaymentEnd = {
  status: Omit<TaskStatus, 'atMs'>;
  receipt?: Record<string, unknown>;
  reportId?: string;
};

export const openTask = (
  { id, contextId, order }: Pick<AgentTask, 'id' | 'contextId' | 'order'>,
  status: Omit<TaskStatus, 'atMs'>,
  nowMs: number,
): AgentTask => ({
  id,
  contextId,
  ...(order === undefined ? {} : { order }),
  status: { ...status, atMs: nowMs },
  receipts: [],
  attempt: 0,
});

/** A task whose Worker was lost waits for the same payment again: the ledger knows what became of that. */
export function wakeTask(task: AgentTask, nowMs: number): AgentTask {
  if (task.status.state !== 'working' || (task.leaseUntilMs ?? 0) > nowMs) return task;
  const { leaseUntilMs: _lease, ...rest } = task;
  return { ...rest, status: { state: 'input-required', text: INTERRUPTED, payment: 'payment-submitted', atMs: nowMs } };
}

const INTERRUPTED =
  'The work was interrupted. Send the message with the same payment again: it continues, and you cannot be charged twice.';

export type BegunPayment = { kind: 'begun' | 'busy' | 'over'; task: AgentTask };

/** Begins to carry out a payment, of which a task has one at a time. */
export function beginPayment(task: AgentTask, nowMs: number, leaseMs: number): BegunPayment {
  const { state } = task.status;
  if (isOver(state)) return { kind: 'over', task };
  if (state === 'working') return { kind: 'busy', task };
  const begun: AgentTask = {
    ...task,
    attempt: task.attempt + 1,
    leaseUntilMs: nowMs + leaseMs,
    isCancelWanted: false,
    status: { state: 'working', text: 'The payment is being checked.', payment: 'payment-submitted', atMs: nowMs },
  };
  return { kind: 'begun', task: begun };
}

/**
 * Ends the payment of an attempt. What was sold is sold, whichever attempt says so and whatever became of the task
 * meanwhile; everything else counts only for the attempt that is current.
 */
export function endPayment(task: AgentTask, attempt: number, end: PaymentEnd, nowMs: number): AgentTask {
  const { leaseUntilMs: _lease, isCancelWanted: _wanted, ...rest } = task;
  const isSold = end.status.state === 'completed';
  if (task.status.state === 'completed' || (!isSold && (task.attempt !== attempt || isOver(task.status.state))))
    return task;
  const isSpent = !isSold && !isOver(end.status.state) && attempt >= MAX_TASK_PAYMENTS;
  return {
    ...rest,
    status: { ...end.status, ...(isSpent ? { state: 'failed' as const } : {}), atMs: nowMs },
    receipts: end.receipt === undefined ? task.receipts : [...task.receipts, end.receipt].slice(-MAX_TASK_PAYMENTS),
    ...(end.reportId === undefined ? {} : { reportId: end.reportId }),
  };
}

/** Cancels what is not paid; work that goes on is asked to stop before its settlement. */
export function cancelTask(task: AgentTask, nowMs: number): AgentTask {
  const { state } = task.status;
  if (isOver(state)) return task;
  if (state === 'working') return { ...task, isCancelWanted: true };
  return { ...task, status: { state: 'canceled', text: 'Canceled. Nothing was charged.', atMs: nowMs } };
}

/** Gives a task that was not understood its order. */
export const setTaskOrder = (
  task: AgentTask,
  order: TaskOrder,
  status: Omit<TaskStatus, 'atMs'>,
  nowMs: number,
): AgentTask =>
  task.status.state === 'input-required' ? { ...task, order, status: { ...status, atMs: nowMs } } : task;

/** Says something else of a task that no payment is being carried out for. */
export const changeTaskStatus = (task: AgentTask, status: Omit<TaskStatus, 'atMs'>, nowMs: number): AgentTask =>
  task.status.state === 'input-required' ? { ...task, status: { ...status, atMs: nowMs } } : task;

/** When a task may be deleted. One that is being carried out never is. */
export function computeExpiry({ status, leaseUntilMs = 0 }: AgentTask): number {
  if (isOver(status.state)) return status.atMs + (status.state === 'completed' ? ENDED_TASK_MS : UNSOLD_TASK_MS);
  return Math.max(status.atMs, leaseUntilMs) + UNPAID_TASK_MS;
}
