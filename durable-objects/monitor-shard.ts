import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import { MINUTE_MS } from '../src/lib/time.ts';
import { type MonitorBook, openMonitorBook } from '../src/monitors/book/book.ts';
import { computeShardOfAccount } from '../src/monitors/book/ids.ts';
import type { AlertDraft, MonitorAlert } from '../src/monitors/core/alert.ts';
import type { Monitor, PauseReason } from '../src/monitors/core/monitor.ts';
import type {
  ChangeMonitorResult,
  CreateMonitor,
  CreateMonitorResult,
  AlertDelivery,
  DeliveryOrder,
  AlertDeliveryResult,
  ManualRunResult,
  MonitorMessage,
  MonitorOverview,
  MonitorOwner,
  MonitorPage,
  MonitorPatch,
  MonitorShardObject,
  PageQuery,
  SweepReport,
} from '../src/monitors/core/protocol.ts';
import type { Receiver } from '../src/monitors/core/receiver.ts';
import type { MonitorRun, RunOrder, RunResult } from '../src/monitors/core/run.ts';

export type MonitorShardEnv = { MONITOR_RUNS?: Queue<MonitorMessage> };

/** After a failed pass, or one that did nothing about what is due, the alarm comes again in this time. */
const ALARM_RETRY_MS = MINUTE_MS;
/** Messages that a queue takes at once. @see https://developers.cloudflare.com/queues/platform/limits/ */
const MAX_BATCH = 100;

/**
 * The monitors of a sixteenth of all accounts. Each decision is one synchronous transaction over `src/monitors/book`; its alarm alone
 * sends, after its transaction, so that what is not sent is sent again.
 */
export class MonitorShard extends DurableObject<MonitorShardEnv> implements MonitorShardObject {
  readonly #book: MonitorBook;

  constructor(ctx: DurableObjectState, env: MonitorShardEnv) {
    super(ctx, env);
    this.#book = openMonitorBook(ctx.storage.sql, { now: () => Date.now(), random: generateRandomHex });
  }

  async create(order: CreateMonitor): Promise<CreateMonitorResult> {
    const shard = await computeShardOfAccount(order.owner.account);
    return this.#step((book) => book.create(shard, order));
  }

  async read(account: string, id: string): Promise<MonitorOverview | undefined> {
    return this.#book.read(account, id);
  }

  async list(account: string, query: PageQuery): Promise<MonitorPage<MonitorOverview>> {
    return this.#book.list(account, query);
  }

  change(
    owner: MonitorOwner,
    id: string,
    revision: number | undefined,
    patch: MonitorPatch,
  ): Promise<ChangeMonitorResult> {
    return this.#step((book) => book.change(owner, id, revision, patch));
  }

  delete(account: string, id: string): Promise<{ reportIds: readonly string[] } | undefined> {
    return this.#step((book) => book.delete(account, id));
  }

  runNow(account: string, id: string): Promise<ManualRunResult> {
    return this.#step((book) => book.runNow(account, id));
  }

  async runs(account: string, id: string, query: PageQuery): Promise<MonitorPage<MonitorRun> | undefined> {
    return this.#book.runs(account, id, query);
  }

  async run(account: string, id: string, runId: string): Promise<MonitorRun | undefined> {
    return this.#book.run(account, id, runId);
  }

  async alerts(account: string, id: string, query: PageQuery): Promise<MonitorPage<MonitorAlert> | undefined> {
    return this.#book.alerts(account, id, query);
  }

  async alert(account: string, id: string, alertId: string): Promise<MonitorAlert | undefined> {
    return this.#book.alert(account, id, alertId);
  }

  async deliveries(account: string, id: string, query: PageQuery): Promise<MonitorPage<AlertDelivery> | undefined> {
    return this.#book.deliveries(account, id, query);
  }

  replay(account: string, id: string, deliveryId: string): Promise<boolean> {
    return this.#step((book) => book.replay(account, id, deliveryId));
  }

  testReceiver(account: string, id: string, receiverId: string): Promise<AlertDelivery | 'too_soon' | undefined> {
    return this.#step((book) => book.test(account, id, receiverId));
  }

  rotate(account: string, id: string, receiverId: string): Promise<Receiver | undefined> {
    return this.#step((book) => book.rotate(account, id, receiverId));
  }

  confirmEmail(id: string, receiverId: string, proof: string): Promise<boolean> {
    return this.#step((book) => book.confirmEmail(id, receiverId, proof));
  }

  unsubscribe(id: string, receiverId: string, proof: string): Promise<boolean> {
    return this.#step((book) => book.unsubscribe(id, receiverId, proof));
  }

  async feed(id: string, token: string): Promise<{ monitor: Monitor; alerts: readonly MonitorAlert[] } | undefined> {
    return this.#book.feed(id, token);
  }

  setToken(account: string, id: string, tokenSha256: string): Promise<boolean> {
    return this.#step((book) => book.setToken(account, id, tokenSha256));
  }

  async findByToken(id: string, tokenSha256: string): Promise<MonitorOwner | undefined> {
    return this.#book.findByToken(id, tokenSha256);
  }

  begin(runId: string): Promise<RunOrder | undefined> {
    return this.#step((book) => book.begin(runId));
  }

  renew(runId: string, attempt: number, copies?: readonly string[]): Promise<boolean> {
    return this.#step((book) => book.renew(runId, attempt, copies));
  }

  finish(runId: string, attempt: number, result: RunResult): Promise<boolean> {
    return this.#step((book) => book.finish(runId, attempt, result));
  }

  beginDelivery(deliveryId: string): Promise<DeliveryOrder | undefined> {
    return this.#step((book) => book.beginDelivery(deliveryId));
  }

  finishDelivery(deliveryId: string, attempt: number, result: AlertDeliveryResult): Promise<boolean> {
    return this.#step((book) => book.finishDelivery(deliveryId, attempt, result));
  }

  raise(monitorId: string, alert: AlertDraft): Promise<boolean> {
    return this.#step((book) => book.raise(monitorId, alert));
  }

  pause(monitorId: string, reason: PauseReason): Promise<boolean> {
    return this.#step((book) => book.pause(monitorId, reason));
  }

  async sweep(): Promise<SweepReport> {
    return { ...(await this.#pass()), monitors: this.#book.countScheduled() };
  }

  forget(account: string): Promise<readonly string[]> {
    return this.#step((book) => book.forget(account));
  }

  async droppedReports(): Promise<readonly string[]> {
    return this.#book.droppedReports();
  }

  async confirmDropped(reportIds: readonly string[]): Promise<void> {
    this.#transact((book) => book.confirmDropped(reportIds));
  }

  override async alarm(): Promise<void> {
    try {
      await this.#pass();
    } catch (error) {
      // A thrown alarm is retried a few times and then forgotten, with every monitor of the shard; a set one is not.
      console.error(JSON.stringify({ event: 'monitor_alarm_failed', reason: String(error).slice(0, 200) }));
      await this.ctx.storage.setAlarm(Date.now() + ALARM_RETRY_MS);
    }
  }

  /** What is due, then its messages. Between the two the next alarm is set: what is lost then is found by it. */
  async #pass(): Promise<Omit<SweepReport, 'monitors'>> {
    const { messages, report, isEmpty } = this.#transact((book) => book.pass());
    await this.#arm(isEmpty);
    for (let from = 0; from < messages.length; from += MAX_BATCH)
      await this.#send(messages.slice(from, from + MAX_BATCH));
    return report;
  }

  async #send(messages: readonly MonitorMessage[]): Promise<void> {
    try {
      if (this.env.MONITOR_RUNS === undefined) throw new Error('MONITOR_RUNS is not bound');
      await this.env.MONITOR_RUNS.sendBatch(messages.map((body) => ({ body })));
    } catch (error) {
      console.error(JSON.stringify({ event: 'monitor_messages_not_sent', reason: String(error).slice(0, 200) }));
      await this.#step((book) => book.recordUnsent(messages));
    }
  }

  /** One step, and the alarm where it left something to do. */
  async #step<T>(step: (book: MonitorBook) => T): Promise<T> {
    const result = this.#transact(step);
    await this.#arm(false);
    return result;
  }

  #transact<T>(step: (book: MonitorBook) => T): T {
    return this.ctx.storage.transactionSync(() => step(this.#book));
  }

  /** @param isIdle the last pass could do nothing: what is due all the same is not asked for at once */
  async #arm(isIdle: boolean): Promise<void> {
    const nextMs = this.#book.nextDueMs();
    if (nextMs === undefined) return;
    const dueMs = isIdle && nextMs <= Date.now() ? Date.now() + ALARM_RETRY_MS : nextMs;
    const setMs = await this.ctx.storage.getAlarm();
    if (setMs === null || setMs > dueMs) await this.ctx.storage.setAlarm(dueMs);
  }
}
