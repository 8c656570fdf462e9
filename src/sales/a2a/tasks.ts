import { buildFault, type RpcFault } from '../../a2a/rpc.ts';
import type { AgentTask } from '../../a2a/task.ts';
import { type A2aPorts, findTasks } from './ports.ts';

/** How long a task that is being carried out is followed, in milliseconds: the longest work, settlement and a margin. */
const FOLLOW_MS = 200_000;
/** Between two looks at a task that is followed. */
const FOLLOW_EVERY_MS = 1_000;
/** How long a cancellation waits for the work to stop: it looks every 2 s. */
const CANCEL_WAIT_MS = 8_000;

export type TaskOutcome = { ok: true; task: AgentTask } | { ok: false; fault: RpcFault };

/** The task, or that there is none. */
export const requireTask = (task: AgentTask | undefined): TaskOutcome =>
  task === undefined ? { ok: false, fault: buildFault('task_not_found') } : { ok: true, task };

/** A task by its id, which is all that reading it needs: 128 random bits that only its client was given. */
export async function readTask(ports: A2aPorts, id: string): Promise<TaskOutcome> {
  return requireTask(await findTasks(ports, id).read(id));
}

/** The task once nothing is being done for it, or as it is when that takes too long. */
export async function followTask(ports: A2aPorts, id: string, maxMs = FOLLOW_MS): Promise<AgentTask | undefined> {
  const { now } = ports.sales;
  const endMs = now() + maxMs;
  for (;;) {
    const task = await findTasks(ports, id).read(id);
    if (task?.status.state !== 'working' || now() >= endMs) return task;
    await ports.wait(FOLLOW_EVERY_MS);
  }
}

/** Cancels a task that is not paid. Work that goes on is asked to stop, and may come to its end before. */
export async function cancelAgentTask(ports: A2aPorts, id: string): Promise<TaskOutcome> {
  const before = await readTask(ports, id);
  if (!before.ok) return before;
  const { state } = before.task.status;
  if (state === 'completed' || state === 'failed' || state === 'rejected')
    return { ok: false, fault: buildFault('task_not_cancelable', `The task is ${state}`) };
  const asked = await findTasks(ports, id).cancel(id);
  const after = asked?.status.state === 'working' ? await followTask(ports, id, CANCEL_WAIT_MS) : asked;
  if (after === undefined) return { ok: false, fault: buildFault('task_not_found') };
  if (after.status.state === 'canceled' || after.status.state === 'working') return { ok: true, task: after };
  if (after.status.state === 'completed')
    return { ok: false, fault: buildFault('task_not_cancelable', 'The work ended before it could be stopped') };
  return { ok: true, task: (await findTasks(ports, id).cancel(id)) ?? after };
}
