import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import { createDirectory } from '../src/notifications/vendor/directory.ts';
import { type Egress, createEgress } from '../src/notifications/core/egress.ts';
import type {
  ChannelAnswer,
  ChannelQuery,
  InboxCommand,
  InboxCalls,
  ReceiverChannel,
  ListPage,
  RegistryCalls,
  RegistrySurvey,
  TickReport,
} from '../src/notifications/core/protocol.ts';
import { openRegistry, type Registry } from '../src/notifications/channels/registry.ts';
import { readWebhookSettings } from '../src/notifications/core/settings.ts';
import type { ChannelView, NewWatch } from '../src/notifications/channels/channel.ts';

/** Whatever is due at once waits so long, so that passes in a row leave room for calls. */
const PAUSE_MS = 100;
/** After a pass that broke the next one waits longer. */
const BROKEN_PAUSE_MS = 10_000;

type Env = { NOTIFICATION_INBOX: { getByName: (customer: string) => InboxCalls } } & Record<string, unknown>;

/**
 * All watches and channels; there is one instance, named `registry`. Its alarm is set to the next due task; the cron
 * tick does what an alarm missed.
 */
export class ChannelRegistry extends DurableObject<Env> implements RegistryCalls {
  readonly #registry: Registry;
  /** Time of the alarm as set by this instance; undefined when it is not known. */
  #alarmMs: number | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const settings = readWebhookSettings(env);
    const now = () => Date.now();
    const random = generateRandomHex;
    this.#registry = openRegistry({
      sql: ctx.storage.sql,
      transaction: (work) => ctx.storage.transactionSync(work),
      now,
      random,
      vendor: createDirectory(env, this.outside(env), { now, random }),
      keys: settings.CHANNEL_TOKEN_KEYS,
      origin: settings.WEBHOOK_URL,
      ttlSeconds: settings.DIRECTORY_TTL_S,
      command: (customer, command) => deliverCommand(env.NOTIFICATION_INBOX.getByName(customer), customer, command),
      log: (line) => console.log(JSON.stringify(line)),
      uuid: () => crypto.randomUUID(),
    });
  }

  /** How it reaches the directory. The local stack opens its own machine as well. */
  protected outside(env: Env): Egress {
    return createEgress(env, (url, init) => fetch(url, init));
  }

  async lookup(channelId: string): Promise<ReceiverChannel | null> {
    return this.#registry.lookup(channelId);
  }

  async synced(channelId: string, resourceId: string): Promise<'ok' | 'mismatch' | 'unknown'> {
    const outcome = this.#registry.synced(channelId, resourceId);
    await this.#arm();
    return outcome;
  }

  async open(order: NewWatch): Promise<ChannelAnswer> {
    return this.#armed(() => this.#registry.open(order));
  }

  async list(query: ChannelQuery): Promise<ListPage<ChannelView>> {
    return this.#registry.list(query);
  }

  async get(id: string, customer?: string): Promise<ChannelView | null> {
    return this.#registry.get(id, customer);
  }

  async renew(id: string, customer?: string): Promise<ChannelAnswer> {
    return this.#armed(() => this.#registry.renew(id, customer));
  }

  async stop(id: string, customer?: string): Promise<ChannelAnswer> {
    return this.#armed(async () => {
      const answer = this.#registry.stop(id, customer);
      if (answer.ok) await this.#registry.deliver(answer.channel.customer); // So that it is in effect once this answers.
      return answer;
    });
  }

  async survey(): Promise<RegistrySurvey> {
    return this.#registry.survey();
  }

  async customersAfter(after: string, limit: number): Promise<readonly string[]> {
    return this.#registry.customersAfter(after, limit);
  }

  async tick(): Promise<TickReport> {
    this.#alarmMs = undefined; // Whatever became of the one that was set: it is set again.
    const report = await this.#armed(() => this.#registry.pass());
    return { ...report, customers: this.#registry.customers() };
  }

  override async alarm(): Promise<void> {
    this.#alarmMs = undefined;
    let pauseMs = BROKEN_PAUSE_MS;
    try {
      await this.#registry.pass();
      pauseMs = PAUSE_MS;
    } finally {
      await this.#arm(pauseMs); // An alarm that fails too often is not tried again: the next one is set whatever happened.
    }
  }

  /** Sets the alarm for what a call left, also when it broke. */
  async #armed<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      await this.#arm();
    }
  }

  /** Comes back when there is something to do. */
  async #arm(pauseMs = 0): Promise<void> {
    const nextMs = this.#registry.nextDueMs();
    if (nextMs === undefined) return;
    const dueMs = Math.max(nextMs, Date.now() + pauseMs);
    if (dueMs >= (this.#alarmMs ?? Number.POSITIVE_INFINITY)) return;
    this.#alarmMs = dueMs;
    await this.ctx.storage.setAlarm(dueMs);
  }
}

function deliverCommand(inbox: InboxCalls, customer: string, command: InboxCommand): Promise<void> {
  if (command.do === 'resync') return inbox.resync(customer, command.order);
  if (command.do === 'channel') return inbox.learn(customer, command.channel);
  if (command.do === 'alert') return inbox.raise(customer, command.alert);
  return inbox.over(customer, command.kind, command.subject);
}
