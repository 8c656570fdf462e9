import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import { getErrorName } from '../src/lib/errors.ts';
import type { Alert } from '../src/notifications/core/alerts.ts';
import { createDirectory } from '../src/notifications/vendor/directory.ts';
import { groupCommit } from '../src/notifications/inbox/group-commit.ts';
import { openInbox } from '../src/notifications/inbox/inbox.ts';
import { PROBE_CUSTOMER, probeDirectory } from '../src/notifications/core/probe.ts';
import type { InboxState } from '../src/notifications/inbox/inbox-state.ts';
import { type KeepOutcome, parseJournalMessage } from '../src/notifications/inbox/message.ts';
import { type Egress, createEgress } from '../src/notifications/core/egress.ts';
import {
  digestJournal,
  createRetryTimes,
  raiseCollapsed,
  createSinkSelector,
  type WorkDependencies,
} from '../src/notifications/worker/run.ts';
import type {
  InboxCalls,
  MessageQuery,
  PushRefusal,
  ReceiverChannel,
  ReplayRange,
  ResyncOrder,
  WorkReport,
} from '../src/notifications/core/protocol.ts';
import { readWebhookSettings } from '../src/notifications/core/settings.ts';
import { createSingleRun } from '../src/notifications/worker/single-run.ts';
import { createSinks } from '../src/notifications/sinks/index.ts';
import { createEntryWriter, type EntryQueue } from '../src/notifications/sinks/entries.ts';
import type { RevocationService } from '../src/notifications/sinks/revocation.ts';
import { processInbox } from '../src/notifications/worker/work.ts';

/** Messages in one transaction (group commit). */
const COMMIT_MESSAGES = 500;
/** Calls of `digest` before an operator is answered. */
const DIGESTS = 10;
/** Delay from when work becomes due to the alarm that replaces a lost queue message. */
const STAND_IN_MS = 1_000;
/** An alarm that is so late was lost. One that is merely late is not put off. */
const LOST_ALARM_MS = 10_000;
/** Wait before the next run while something is due: longer after one that did nothing, or failed. */
const NEXT_RUN_MS = 100;
const IDLE_RUN_MS = 5_000;
const FAILED_RUN_MS = 30_000;
/** Most runs in a row while new requests keep arriving. */
const RUNS = 4;
/** A queue that fails is logged so often. */
const COMPLAINT_MS = 60_000;

type Env = {
  WAKE: Queue<{ customer: string }>;
  REVOCATION: RevocationService;
  /** The control Worker reads it. */
  TELEMETRY_QUEUE?: EntryQueue;
} & Record<string, unknown>;
type ReceivedMessage = { customer: string; text: string };

const log = (line: Record<string, unknown>): void => console.log(JSON.stringify(line));

/**
 * The inbox of one customer, named by it. Messages are kept in groups and answered when they are durable: the platform
 * holds the answers back until then. What is due is worked through when the queue, the alarm or the cron says so.
 */
export class NotificationInbox extends DurableObject<Env> implements InboxCalls {
  readonly #state: InboxState;
  readonly #keep: (taken: ReceivedMessage) => Promise<KeepOutcome>;
  #tools: WorkDependencies | undefined;
  readonly #runs = createSingleRun(() => this.#run(), RUNS);
  /** A wake message was sent, and no run has begun since. */
  #isWoken = false;
  /** Time of the alarm as set by this instance; undefined when it is not known. */
  #alarmMs: number | undefined;
  #complainedMs = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#state = openInbox({
      sql: ctx.storage.sql,
      transaction: (work) => ctx.storage.transactionSync(work),
      now: () => Date.now(),
      random: generateRandomHex,
    });
    this.#keep = groupCommit({
      write: (group) => this.#keepGroup(group),
      durable: () => ctx.storage.sync(),
      most: COMMIT_MESSAGES,
    });
  }

  /** How it reaches the directory and the receivers. The local stack opens its own machine as well. */
  protected outside(env: Record<string, unknown>): Egress {
    return createEgress(env, (url, init) => fetch(url, init));
  }

  async keep(customer: string, text: string): Promise<KeepOutcome> {
    return this.#keep({ customer, text });
  }

  async push(customer: string, text: string, resourceId: string): Promise<KeepOutcome | PushRefusal> {
    const admission = this.#state.admit(text, resourceId);
    return 'refusal' in admission ? admission.refusal : this.#keep({ customer, text: admission.text });
  }

  async learn(customer: string, channel: ReceiverChannel): Promise<void> {
    this.#state.learn(customer, channel);
  }

  async work(_customer: string): Promise<WorkReport> {
    return this.#runs.ask();
  }

  async resync(customer: string, order: ResyncOrder): Promise<void> {
    this.#state.resync(customer, order);
    this.#left(customer);
  }

  async raise(customer: string, alert: Alert): Promise<void> {
    this.#state.raise(customer, alert, createSinkSelector(this.#toolsOfWork()));
    this.#left(customer);
  }

  async over(_customer: string, kind: Alert['kind'], subject: string): Promise<void> {
    this.#state.over(kind, subject);
  }

  async messages(_customer: string, query: MessageQuery) {
    this.#digest();
    return this.#state.messages(query);
  }

  async replay(customer: string, range: ReplayRange) {
    this.#digest();
    const report = this.#state.replay(range);
    if (report.replayed > 0) this.#left(customer);
    return report;
  }

  async status(_customer: string) {
    this.#digest();
    return this.#state.status();
  }

  override async alarm(): Promise<void> {
    this.#alarmMs = undefined;
    try {
      await this.#runs.ask();
    } catch {
      // It is logged and the next alarm is set: the platform would give up one that fails too often.
    }
  }

  #keepGroup(group: readonly ReceivedMessage[]): readonly KeepOutcome[] {
    const [first] = group;
    if (first === undefined) return [];
    const { customer } = first;
    const texts = group.map(({ text }) => text);
    const outcomes = this.#state.keep(customer, texts);
    const collapsed = texts.filter((_text, at) => outcomes[at] === 'collapsed');
    if (collapsed.length > 0) this.#raiseCollapsed(collapsed);
    this.#left(customer);
    return outcomes;
  }

  /** A failure here is only logged: the messages are acknowledged in any case. */
  #raiseCollapsed(texts: readonly string[]): void {
    try {
      const teller = { ...this.#toolsOfWork(), state: this.#state };
      for (const channel of new Set(texts.map((text) => parseJournalMessage(text).channel)))
        raiseCollapsed(teller, channel);
    } catch (error) {
      log({ event: 'alert_not_raised', kind: 'messages_collapsed', name: getErrorName(error) });
    }
  }

  /** What operators ask for is what was taken in. */
  #digest(): void {
    digestJournal({ ...this.#toolsOfWork(), state: this.#state }, { most: DIGESTS, untilMs: Number.POSITIVE_INFINITY });
  }

  /** Something is left to do. The alarm is set in the same turn as the write, so that both are durable or none. */
  #left(customer: string): void {
    this.#armAt(Date.now() + STAND_IN_MS);
    if (this.#runs.isUnderWay()) this.#runs.ask().catch(() => undefined); // It is logged.
    else if (!this.#isWoken) this.ctx.waitUntil(this.#wake(customer));
  }

  async #wake(customer: string): Promise<void> {
    this.#isWoken = true;
    try {
      await this.env.WAKE.send({ customer });
    } catch (error) {
      this.#isWoken = false;
      if (Date.now() - this.#complainedMs < COMPLAINT_MS) return;
      this.#complainedMs = Date.now();
      log({ event: 'wake_not_sent', customer, name: getErrorName(error) });
    }
  }

  async #run(): Promise<WorkReport> {
    this.#isWoken = false;
    try {
      const report = await processInbox(this.#state, this.#toolsOfWork());
      this.#arm(report.read + report.delivered + report.failed > 0 ? NEXT_RUN_MS : IDLE_RUN_MS);
      return report;
    } catch (error) {
      log({ event: 'work_failed', name: getErrorName(error) });
      this.#armAt(Date.now() + FAILED_RUN_MS); // Without asking the state: it may be what fails.
      throw error;
    }
  }

  /** Comes back when something is due, but not before `waitMs` have passed. */
  #arm(waitMs: number): void {
    const dueMs = this.#state.nextDueMs();
    if (dueMs !== undefined) this.#armAt(Math.max(dueMs, Date.now() + waitMs));
  }

  /** Sets the alarm unless one comes sooner. */
  #armAt(atMs: number): void {
    const armedMs = this.#alarmMs ?? 0;
    const isArmed = armedMs > Date.now() - LOST_ALARM_MS;
    if (isArmed && armedMs <= atMs) return;
    this.#alarmMs = atMs;
    this.ctx.waitUntil(
      this.ctx.storage.setAlarm(atMs).catch((error: unknown) => {
        this.#alarmMs = undefined;
        log({ event: 'alarm_not_set', name: getErrorName(error) });
      }),
    );
  }

  /** Made once: the limits for each receiver are kept in it. @throws Error as `readWebhookSettings` */
  #toolsOfWork(): WorkDependencies {
    if (this.#state.customer() === PROBE_CUSTOMER) return probeTools;
    this.#tools ??= createWorkTools(this.env, this.outside(this.env));
    return this.#tools;
  }
}

/** Probes reach no directory and no receiver. */
const probeTools: WorkDependencies = {
  vendor: probeDirectory,
  sinks: [],
  pace: createRetryTimes(),
  now: () => Date.now(),
  log,
};

function createWorkTools(env: Env, outside: Egress): WorkDependencies {
  const { DESTINATIONS: destinations, TELEMETRY } = readWebhookSettings(env);
  const now = () => Date.now();
  const entries =
    TELEMETRY === 'control' ? createEntryWriter(env.TELEMETRY_QUEUE, { now, random: generateRandomHex }) : undefined;
  const vendor = createDirectory(env, outside, { now, random: generateRandomHex });
  const sinks = createSinks({ destinations, revocation: env.REVOCATION, entries, outside, now, log });
  return { vendor, sinks, pace: createRetryTimes(), now, log };
}
