import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import type { CallAnswer, Call } from '../src/management/core/engine/operation.ts';
import type { Tenant } from '../src/management/core/engine/tenant.ts';
import type { EntryCalls } from '../src/management/log-store/entry-object.ts';
import type { EntryOrder } from '../src/management/log-store/order.ts';
import { keepOwn, type OwnOutcome } from '../src/management/log-store/self-telemetry.ts';
import { type OutletOrder, type Outlets, createLogExports } from '../src/management/log-store/log-exports.ts';
import { type SpanOrder, type SpanStore, createSpanStore } from '../src/management/log-store/spans/spans.ts';
import { type EntryState, createEntryStore } from '../src/management/log-store/store.ts';
import { type Tails, createLogTails } from '../src/management/log-store/tail/tail.ts';
import { type AddressPolicy, allowPublicOnly } from '../src/net/address-policy.ts';

/** Steps of deleting that one alarm takes; it comes again for the rest. */
const MAX_STEPS = 10;
/** An alarm that is due at once leaves calls their turn first. */
const MIN_WAIT_MS = 100;

/**
 * The log entries and spans of one tenant, named by its id. Its alarm deletes what is no longer kept, and sends and copies
 * what goes elsewhere.
 */
export class EntryStore extends DurableObject<unknown> implements EntryCalls {
  readonly #entries: EntryState;
  readonly #spans: SpanStore;
  readonly #tails: Tails;
  readonly #outlets: Outlets;
  /** Time of the alarm as set by this instance; undefined when it is not known. */
  #alarmMs: number | undefined;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    const { sql } = ctx.storage;
    const tools = {
      sql,
      transaction: <T>(work: () => T): T => ctx.storage.transactionSync(work),
      now: () => Date.now(),
      random: generateRandomHex,
      databaseBytes: () => sql.databaseSize,
    };
    this.#entries = createEntryStore(tools);
    this.#spans = createSpanStore(tools);
    this.#tails = createLogTails({ now: tools.now, after: scheduleWork });
    this.#entries.afterWritten(this.#tails.take);
    this.#entries.onReset(this.#spans.reset);
    this.#outlets = createLogExports({
      ...tools,
      page: this.#entries.page,
      fetch: (url, init) => fetch(url, init),
      policy: this.pushPolicy(env),
      log: (line) => console.log(JSON.stringify(line)),
    });
    this.#entries.onWritten(this.#outlets.keep);
    this.#entries.onReset(this.#outlets.reset);
  }

  /** Addresses that sinks may send to: public ones. The local stack allows its own machine as well. */
  protected pushPolicy(_env: unknown): AddressPolicy {
    return allowPublicOnly({ alternatePorts: true });
  }

  async run(tenant: Tenant, call: Call, order: EntryOrder): Promise<CallAnswer | null> {
    const isNews = this.#entries.learn(order);
    const answer = this.#done(tenant, call, order);
    if (isNews || !READS.has(order.do)) await this.#arm();
    return answer;
  }

  async keepOwn(tenant: Tenant, text: string): Promise<OwnOutcome> {
    const outcome = keepOwn(text, tenant, (call, order) => this.#done(tenant, call, order));
    await this.#arm();
    return outcome;
  }

  #done(tenant: Tenant, call: Call, order: EntryOrder): CallAnswer | null {
    if (isOnSpans(order)) return this.#spans.run(call, order);
    return isOnOutlets(order) ? this.#outlets.run(tenant, call, order) : this.#entries.run(tenant, call, order);
  }

  async follow(_tenant: Tenant, call: Call, order: EntryOrder): Promise<ReadableStream<Uint8Array> | CallAnswer> {
    if (order.do !== 'tail') throw new Error(`Order ${order.do} is not one to follow entries`);
    if (this.#entries.learn(order)) await this.#arm();
    return this.#tails.open(call, order);
  }

  /** How many follow what is written. */
  sessions(): number {
    return this.#tails.count();
  }

  async isEmpty(_tenant: Tenant, bucket: string): Promise<boolean> {
    return this.#outlets.isEmptyStorage(bucket) ?? this.#entries.isEmpty(bucket);
  }

  async webhookIdentity(_tenant: Tenant): Promise<string> {
    return this.#outlets.identity();
  }

  override async alarm(): Promise<void> {
    this.#alarmMs = undefined;
    try {
      for (let step = 0; step < MAX_STEPS && this.#isDue(this.#entries.nextPurgeMs()); step += 1) this.#entries.purge();
      for (let step = 0; step < MAX_STEPS && this.#isDue(this.#spans.nextPurgeMs()); step += 1) this.#spans.purge();
      await this.#outlets.work();
    } finally {
      await this.#arm(); // An alarm that fails too often is not tried again: the next one is set whatever happened.
    }
  }

  #isDue(dueMs: number | undefined): boolean {
    return dueMs !== undefined && dueMs <= Date.now();
  }

  /** Comes back when there is more to do. */
  async #arm(): Promise<void> {
    const due = [this.#entries.nextPurgeMs(), this.#spans.nextPurgeMs(), this.#outlets.nextMs()].filter(
      (ms) => ms !== undefined,
    );
    if (due.length === 0) return;
    const dueMs = Math.max(Math.min(...due), Date.now() + MIN_WAIT_MS);
    if (dueMs >= (this.#alarmMs ?? Number.POSITIVE_INFINITY)) return;
    this.#alarmMs = dueMs;
    await this.ctx.storage.setAlarm(dueMs);
  }
}

/** Orders that write nothing. */
const READS: ReadonlySet<string> = new Set<EntryOrder['do']>([
  'list',
  'logs',
  'listTraces',
  'getTrace',
  'operation',
  'operations',
  'files',
  'file',
]);
const SPAN_ORDERS: ReadonlySet<string> = new Set<SpanOrder['do']>(['writeSpans', 'listTraces', 'getTrace']);
const OUTLET_ORDERS: ReadonlySet<string> = new Set<OutletOrder['do']>([
  'copy',
  'operation',
  'operations',
  'cancelCopy',
  'files',
  'file',
  'sinkGone',
]);

const isOnSpans = (order: EntryOrder): order is SpanOrder => SPAN_ORDERS.has(order.do);

const isOnOutlets = (order: EntryOrder): order is OutletOrder => OUTLET_ORDERS.has(order.do);

function scheduleWork(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
