import { formatPaymentError } from '../../a2a/payment-metadata.ts';
import type { A2aEvent } from '../../a2a/reply.ts';
import { buildFault } from '../../a2a/rpc.ts';
import type { AgentTask, PaymentEnd, TaskOrder } from '../../a2a/task.ts';
import { findCapability } from '../../capabilities/catalog.ts';
import { PAYMENT_META, parsePaymentResponse, readPresentedPayment } from '../../mcp/payment-meta.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { PurchaseAnswer } from '../answer.ts';
import type { Watcher } from '../event-stream.ts';
import { buildOrderRequest } from '../mcp/mcp-tools.ts';
import { sellOnce } from '../purchase.ts';
import { buildOfferedSale, type OfferedSale } from '../seller.ts';
import { describeProblem } from './order.ts';
import { buildTaskView } from './task-view.ts';
import { type A2aPorts, findTasks } from './ports.ts';
import { followTask, requireTask, type TaskOutcome } from './tasks.ts';

/** Beyond the longest work, in milliseconds: verification, settlement, and a run that another request attaches to. */
const LEASE_MARGIN_MS = 200_000;
/** How often a purchase looks whether its task is to be cancelled, in milliseconds. */
const CANCEL_LOOK_MS = 2_000;
const MS_PER_S = 1_000;
/** Longest work that goes on after its answer, in seconds: Workers stops what is left about 30 s after a response. */
export const MAX_UNWATCHED_WORK_S = 20;
const SOLD = 200;

/** A payment that came for a task, and how its sender wants to hear of it. */
export type GivenPayment = { payload: unknown; isImmediate: boolean; emit?: Emit };

/** Whether work of this length ends although its client was answered. What takes longer is answered when it is done. */
export const canAnswerAtOnce = ({ worstCaseS }: { worstCaseS: number }): boolean => worstCaseS <= MAX_UNWATCHED_WORK_S;

/** Hears how far a task is. */
export type Emit = (event: A2aEvent) => void;

/**
 * Carries out a payment for a task: one purchase through the same door as HTTP and MCP, so that a payment is one sale
 * whichever way it comes (rule P23). A task has one payment at a time; a second one waits for the first and is not touched.
 */
export async function payTask(
  ports: A2aPorts,
  { id, order }: AgentTask & { order: TaskOrder },
  given: GivenPayment,
): Promise<TaskOutcome> {
  if (ports.isOwnAudit)
    return { ok: false, fault: buildFault('refused', 'An audit of this service buys nothing here') };
  const tasks = findTasks(ports, id);
  const row = findCapability(order.skill);
  if (row === undefined) return requireTask(await tasks.changeStatus(id, describeProblem('rejected', UNKNOWN)));
  // What was sold while the service was open is served all the same: `sellOnce` decides that.
  const opened = await buildOfferedSale(ports.sales, row);
  if (!opened.ok) return requireTask(await tasks.changeStatus(id, describeProblem('rejected', opened.problem)));
  const begun = await tasks.begin(id, row.worstCaseS * MS_PER_S + LEASE_MARGIN_MS);
  if (begun === undefined) return requireTask(undefined);
  if (begun.kind === 'over') return { ok: false, fault: buildFault('unsupported_operation', 'The task is over') };
  if (begun.kind === 'busy') return requireTask(given.isImmediate ? begun.task : await followTask(ports, id));
  const ending = runPayment(ports, { task: begun.task, order, sale: opened.sale }, given);
  ports.sales.waitUntil(ending.catch(() => undefined)); // Its failure is reported by the await below, or was logged.
  return requireTask(given.isImmediate && canAnswerAtOnce(row) ? begun.task : await ending);
}

/** The row went with an update of the service. */
const UNKNOWN = buildProblem('unknown_capability');

type Payable = { task: AgentTask; order: TaskOrder; sale: OfferedSale };

async function runPayment(ports: A2aPorts, { task, order, sale }: Payable, given: GivenPayment): Promise<AgentTask> {
  const tasks = findTasks(ports, task.id);
  try {
    const end = await buyForTask(ports, { task, order, sale }, given);
    return (await tasks.end(task.id, task.attempt, end)) ?? task;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    ports.log({ event: 'bug', request_id: ports.requestId, name, message: message.slice(0, 300) });
    const problem = buildProblem('internal_error', { detail: 'Send the same payment again' });
    const status = { ...describeProblem('input-required', problem), payment: 'payment-submitted' as const };
    return (await tasks.end(task.id, task.attempt, { status })) ?? task;
  }
}

async function buyForTask(ports: A2aPorts, { task, order, sale }: Payable, given: GivenPayment): Promise<PaymentEnd> {
  const presented = readPresentedPayment({ [PAYMENT_META]: given.payload }, { hasVersion1Header: false });
  if (presented.kind !== 'credential') {
    const detail = 'x402.payment.payload is neither an object of x402 version 2 nor a text';
    return describeEnd(ports, sale, { kind: 'problem', problem: buildProblem('invalid_payload', { detail }) });
  }
  const { signal, stop } = watchForCancel(ports, task);
  try {
    const answer = await sellOnce(ports.sales, sale, {
      request: buildOrderRequest(ports.sales.settings.BASE_URL, { name: order.skill, arguments: order.input }),
      presented,
      caller: ports.caller,
      following: {
        signal,
        ...(given.emit === undefined ? {} : { watcher: buildWatcher(task, given.emit, ports.sales.now) }),
      },
    });
    return describeEnd(ports, sale, answer);
  } finally {
    stop();
  }
}

/** Says that the payment is good, and then counts alone: nothing else is said before it is settled (rule P11). */
function buildWatcher(task: AgentTask, emit: Emit, now: () => number): Watcher {
  const view = (text: string) =>
    buildTaskView({ ...task, status: { state: 'working', text, payment: 'payment-verified', atMs: now() } });
  let isBegun = false;
  const accepted = (): void => {
    if (!isBegun) emit({ kind: 'task', task: view('The payment is good. The work has begun.') });
    isBegun = true;
  };
  return {
    accepted,
    progress: ({ done, total }) => {
      accepted();
      emit({ kind: 'status', isLast: false, task: view(total === undefined ? `${done} done` : `${done} of ${total}`) });
    },
  };
}

/** Aborts when the task is to be cancelled: nothing is settled for it any more (rule Y8). */
function watchForCancel(ports: A2aPorts, { id, attempt }: AgentTask): { signal: AbortSignal; stop: () => void } {
  const abort = new AbortController();
  const timer = setInterval(() => void look(), CANCEL_LOOK_MS);
  const look = async (): Promise<void> => {
    try {
      const task = await findTasks(ports, id).read(id);
      if (task?.isCancelWanted === true && task.attempt === attempt) abort.abort();
    } catch (error) {
      ports.log({ event: 'task_unreachable', error: String(error).slice(0, 200) }); // The next look may reach it.
    }
  };
  return { signal: abort.signal, stop: () => clearInterval(timer) };
}

/** Mistakes in what was sent as payment: another payload is the next step, and nothing was claimed. */
const UNREADABLE: ReadonlySet<string> = new Set(['invalid_payload', 'payer_proof_invalid', 'payer_proof_expired']);

/** What a purchase came to, as the task says it. Only where a new payment is the next step are there terms again (rule P13). */
function describeEnd(ports: A2aPorts, { row, seller }: OfferedSale, answer: PurchaseAnswer): PaymentEnd {
  const status = answer.kind === 'sold' ? SOLD : answer.kind === 'problem' ? answer.problem.status : 402;
  ports.noteCall({ capability: row.name, status, ...(answer.kind === 'sold' ? { payer: answer.payer } : {}) });
  if (answer.kind === 'sold') {
    const receipt = parsePaymentResponse(answer.headers['payment-response'] ?? '');
    return {
      status: { state: 'completed', payment: 'payment-completed', text: `${row.name}: paid and done.` },
      receipt: Object(receipt),
      reportId: answer.reportId,
    };
  }
  const problem = answer.kind === 'problem' ? answer.problem : buildProblem(answer.reason, { detail: answer.detail });
  ports.log({ event: 'refused', request_id: ports.requestId, status, code: problem.code, capability: row.name });
  if (problem.code === 'cancelled')
    return { status: { state: 'canceled', text: 'Canceled before settlement. Nothing was charged.' } };
  if (answer.kind === 'problem' && (problem.retryAfterS !== undefined || problem.status === 503))
    return { status: { ...describeProblem('input-required', problem), payment: 'payment-submitted' } };
  const isOpen = answer.kind === 'pay_anew' || UNREADABLE.has(problem.code);
  const refused = answer.kind === 'pay_anew' ? answer.paymentResponse : undefined;
  return {
    status: {
      ...describeProblem(isOpen ? 'input-required' : 'failed', problem),
      payment: 'payment-failed',
      paymentError: formatPaymentError(problem.code),
    },
    receipt:
      refused === undefined
        ? { success: false, errorReason: problem.code, transaction: '', network: seller.network.id }
        : Object(parsePaymentResponse(refused)),
  };
}
