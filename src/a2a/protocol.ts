import type { AgentTask, BegunPayment, PaymentEnd, TaskOrder, TaskStatus } from './task.ts';

/** Objects that tasks are spread over: a task is in the one of the first byte of its id, which we chose. */
const SHARDS = 64;
/** Unpaid tasks of one network of callers in one object: 512 in all. */
export const MAX_OPEN_TASKS_OF_NETWORK = 8;
/** Tasks of one object, of all callers together. */
export const MAX_TASKS_OF_SHARD = 20_000;
/** Tasks that ended without a sale and make room at once in an object that is full, the oldest first. */
export const MAX_TASKS_CLEARED = 100;
/** Objects that are tried for a new task before its caller has too many. */
export const MAX_SHARDS_TRIED = 4;

type Status = Omit<TaskStatus, 'atMs'>;

/** The object with the tasks of a shard, as callers see it over RPC. */
export interface AgentTaskObject {
  /** False: this network, or everyone together, has too many unpaid tasks here. */
  create(task: AgentTask, network: string): Promise<boolean>;
  read(id: string): Promise<AgentTask | undefined>;
  order(id: string, order: TaskOrder, status: Status): Promise<AgentTask | undefined>;
  changeStatus(id: string, status: Status): Promise<AgentTask | undefined>;
  begin(id: string, leaseMs: number): Promise<BegunPayment | undefined>;
  end(id: string, attempt: number, end: PaymentEnd): Promise<AgentTask | undefined>;
  cancel(id: string): Promise<AgentTask | undefined>;
}

/** The name of the object that has a task. */
export const getTaskShardName = (id: string): string =>
  `tasks/${(Number.parseInt(id.slice(0, 2), 16) % SHARDS).toString(16).padStart(2, '0')}`;
