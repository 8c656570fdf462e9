import { DurableObject } from 'cloudflare:workers';
import type { AgentTaskObject } from '../src/a2a/protocol.ts';
import {
  type AgentTask,
  beginPayment,
  type BegunPayment,
  cancelTask,
  changeTaskStatus,
  endPayment,
  setTaskOrder,
  type PaymentEnd,
  type TaskOrder,
  type TaskStatus,
} from '../src/a2a/task.ts';
import { openTaskBook, type TaskBook } from '../src/a2a/task-book.ts';

/** Expired tasks are not read; their rows go at most this much later, in milliseconds, so that one alarm serves many. */
const PRUNE_EVERY_MS = 600_000;

/** Tasks of the A2A endpoint whose ids begin alike. Each step is one transaction over a function of `src/a2a`. */
export class AgentTaskShard extends DurableObject<unknown> implements AgentTaskObject {
  readonly #book: TaskBook;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#book = openTaskBook(ctx.storage.sql, () => Date.now());
  }

  async create(task: AgentTask, network: string): Promise<boolean> {
    const isCreated = this.ctx.storage.transactionSync(() => this.#book.create(task, network));
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + PRUNE_EVERY_MS);
    return isCreated;
  }

  async read(id: string): Promise<AgentTask | undefined> {
    return this.#book.read(id);
  }

  async order(id: string, order: TaskOrder, status: Omit<TaskStatus, 'atMs'>): Promise<AgentTask | undefined> {
    return this.#change(id, (task) => setTaskOrder(task, order, status, Date.now()));
  }

  async changeStatus(id: string, status: Omit<TaskStatus, 'atMs'>): Promise<AgentTask | undefined> {
    return this.#change(id, (task) => changeTaskStatus(task, status, Date.now()));
  }

  async begin(id: string, leaseMs: number): Promise<BegunPayment | undefined> {
    let begun: BegunPayment | undefined;
    this.#change(id, (task) => {
      begun = beginPayment(task, Date.now(), leaseMs);
      return begun.task;
    });
    return begun;
  }

  async end(id: string, attempt: number, end: PaymentEnd): Promise<AgentTask | undefined> {
    return this.#change(id, (task) => endPayment(task, attempt, end, Date.now()));
  }

  async cancel(id: string): Promise<AgentTask | undefined> {
    return this.#change(id, (task) => cancelTask(task, Date.now()));
  }

  override async alarm(): Promise<void> {
    this.#book.forgetExpired();
    const next = this.#book.nextExpiry();
    if (next !== undefined) await this.ctx.storage.setAlarm(Math.max(next, Date.now() + PRUNE_EVERY_MS));
  }

  #change(id: string, step: (task: AgentTask) => AgentTask): AgentTask | undefined {
    return this.ctx.storage.transactionSync(() => this.#book.change(id, step));
  }
}
