import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import type { CallAnswer, Call } from '../src/management/core/engine/operation.ts';
import type { Tenant } from '../src/management/core/engine/tenant.ts';
import type { Begun, EntryObject, RowsAsk, ShardWrite } from '../src/management/log-store/entry-object.ts';
import { createEntryParts, type EntryParts, listLanes } from '../src/management/log-store/entry-parts.ts';
import { requireCompiledFilter } from '../src/management/log-store/matchers.ts';
import type { EntryOrder } from '../src/management/log-store/order.ts';
import { keepOwn, type OwnOutcome, refuseOwn } from '../src/management/log-store/self-telemetry.ts';
import type { OutletOrder } from '../src/management/log-store/log-exports.ts';
import type { LeaseAsk } from '../src/management/log-store/shards/directory.ts';
import { decideLease } from '../src/management/log-store/shards/home.ts';
import type { ShardAddress } from '../src/management/log-store/shards/lease.ts';
import {
  computeWindow,
  formatShardObject,
  parseShardName,
  QUIET_ENTRIES,
} from '../src/management/log-store/shards/placement.ts';
import type { RelayedText } from '../src/management/log-store/shards/relay.ts';
import { readEntrySettings } from '../src/management/log-store/shards/settings.ts';
import type { SpanOrder } from '../src/management/log-store/spans/spans.ts';
import type { PlacedEntry } from '../src/management/log-store/routing.ts';
import type { RefusalData } from '../src/lib/refusal.ts';
import { MAX_SESSION_MS } from '../src/management/log-store/tail/session.ts';
import { type Tails, createLogTails } from '../src/management/log-store/tail/tail.ts';
import { type AddressPolicy, allowPublicOnly } from '../src/net/address-policy.ts';

/** Steps of deleting that one alarm takes; it comes again for the rest. */
const MAX_STEPS = 10;
/** An alarm that is due at once leaves calls their turn first. */
const MIN_WAIT_MS = 100;

type Namespace = { get: (id: unknown) => unknown; idFromName: (name: string) => unknown };
type Sent<K extends keyof EntryObject> = Parameters<EntryObject[K]>;

/**
 * Log entries and spans of one tenant: its own object, named by its id, or one of its shards. Its alarm deletes what is no
 * longer kept, and sends and copies what goes elsewhere.
 */
export class EntryStore extends DurableObject<unknown> implements EntryObject {
  #parts: EntryParts | undefined;
  readonly #tails: Tails;
  #mode: Tenant['mode'] = 'sandbox';
  /** Time of the alarm as set by this instance; undefined when it is not known. */
  #alarmMs: number | undefined;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#tails = createLogTails({ now: () => Date.now(), after: scheduleWork });
  }

  /** Made when it is first needed: a shard that was emptied has no tables. */
  get #open(): EntryParts {
    return (this.#parts ??= this.#create());
  }

  #create(): EntryParts {
    const { ctx, env } = this;
    const { sql } = ctx.storage;
    const parts = createEntryParts({
      sql,
      transaction: (work) => ctx.storage.transactionSync(work),
      now: () => Date.now(),
      random: generateRandomHex,
      databaseBytes: () => sql.databaseSize,
      object: (name) => this.#object(name),
      mode: () => this.#mode,
      settings: readEntrySettings(env),
      fetch: (url, init) => fetch(url, init),
      policy: this.pushPolicy(env),
      log: (line) => console.log(JSON.stringify(line)),
    });
    parts.entries.afterWritten((placed) => this.#follow(parts, placed));
    return parts;
  }

  #object(name: string): EntryObject {
    const { ENTRY_STORE } = this.env as { ENTRY_STORE: Namespace };
    return ENTRY_STORE.get(ENTRY_STORE.idFromName(name)) as EntryObject; // Its class is this one.
  }

  /** Addresses that sinks may send to: public ones. The local stack allows its own machine as well. */
  protected pushPolicy(_env: unknown): AddressPolicy {
    return allowPublicOnly({ alternatePorts: true });
  }

  async run(tenant: Tenant, call: Call, order: EntryOrder): Promise<CallAnswer | null> {
    this.#mode = tenant.mode;
    const isNews = this.#open.entries.learn(order);
    const answer = this.#done(tenant, call, order);
    if (isNews || !READS.has(order.do)) await this.#arm();
    return answer;
  }

  async keepOwn(tenant: Tenant, text: string): Promise<OwnOutcome> {
    this.#mode = tenant.mode;
    const outcome = keepOwn(text, tenant, (call, order) => this.#done(tenant, call, order));
    await this.#arm();
    return outcome;
  }

  #done(tenant: Tenant, call: Call, order: EntryOrder): CallAnswer | null {
    const { entries, spans, outlets, inbox } = this.#open;
    if (isOnSpans(order)) return spans.run(call, order);
    if (order.do === 'sinkGone') inbox().dropSink(order.sink);
    return isOnOutlets(order) ? outlets().run(tenant, call, order) : entries.run(tenant, call, order);
  }

  async begin(tenant: Tenant, call: Call, order: EntryOrder): Promise<Begun> {
    const { directory, entries } = this.#open;
    const shards = [...KINDS].flatMap((kind) => (hasPartOf(kind, order) ? directory().list(kind) : []));
    if (shards.length === 0) return { answer: await this.run(tenant, call, order) };
    if (!READS.has(order.do)) return { answer: await this.run(tenant, call, order), lanes: shards };
    if (entries.learn(order)) await this.#arm();
    return { answer: null, lanes: listLanes(isOnSpans(order) ? 'spans' : 'entries', this.#open) };
  }

  async lanes(_tenant: Tenant, kind: 'entries' | 'spans') {
    return listLanes(kind, this.#open);
  }

  async ownTraces(_tenant: Tenant, project: string, traceIds: readonly string[]) {
    return this.#open.spans.has(project, traceIds);
  }

  async lease(tenant: Tenant, ask: LeaseAsk) {
    this.#mode = tenant.mode;
    const { directory, entries, most } = this.#open;
    directory().keepTenant(tenant);
    const lease = await decideLease(ask, {
      directory: directory(),
      entries,
      evict: (name) => this.#object(formatShardObject(tenant.id, name)).evict({ tenant, name }),
      databaseBytes: () => this.ctx.storage.sql.databaseSize,
      most,
    });
    return lease === undefined ? null : { ...lease, followedUntilMs: this.#followedUntilMs() };
  }

  async settle(_tenant: Tenant, { isVoid, buckets, ...left }: Sent<'settle'>[1]): Promise<void> {
    const { directory, entries } = this.#open;
    if (isVoid) directory().release(left.name, left.epoch);
    else directory().settle(left);
    if (entries.learnKnown(buckets)) await this.#arm();
  }

  async knownBuckets(_tenant: Tenant) {
    return this.#open.entries.buckets();
  }

  async takeRelayed(_tenant: Tenant, name: string, relayed: RelayedText): Promise<void> {
    const { inbox, outlets } = this.#open;
    this.ctx.storage.transactionSync(() => outlets().keep(inbox().take(name, relayed)));
    await this.#arm();
  }

  async takeFollowed(_tenant: Tenant, text: string): Promise<boolean> {
    if (this.#tails.count() === 0) return false;
    this.#tails.take(JSON.parse(text) as readonly PlacedEntry[]); // From a shard of the tenant.
    return true;
  }

  async writeShard(address: ShardAddress, { call, order, isQuiet }: Sent<'writeShard'>[1]) {
    const write = (): CallAnswer | null => this.#done(address.tenant, call, order);
    return this.#writeAs<CallAnswer | null>(address, isQuiet, write, (refusal) => ({ ok: false, refusal }));
  }

  async keepOwnShard(address: ShardAddress, text: string, isQuiet: boolean) {
    const done = (call: Call, order: EntryOrder): CallAnswer | null => this.#done(address.tenant, call, order);
    const write = (): OwnOutcome => keepOwn(text, address.tenant, done);
    return this.#writeAs(address, isQuiet, write, (refusal) => refuseOwn(text, refusal));
  }

  async #writeAs<T>(
    address: ShardAddress,
    isQuiet: boolean,
    write: () => T,
    refused: (refusal: RefusalData) => T,
  ): Promise<ShardWrite<T>> {
    const { entries, member, outbox } = this.#open;
    if (isQuiet && entries.hasHad(QUIET_ENTRIES)) return { isMoved: true };
    const written = await member().write(address, write);
    await this.#arm();
    if (!written.ok) return { outcome: refused(written.refusal) };
    if (outbox().hasAny())
      await member()
        .handOver()
        .catch((error: unknown) => logFailure('hand_over_failed', error)); // The alarm tries again.
    return { outcome: written.value };
  }

  async rows(_tenant: Tenant, order: EntryOrder, ask: RowsAsk) {
    if (order.do !== 'list' && order.do !== 'copy') throw new Error(`Order ${order.do} asks for no entries`);
    const { entries } = this.#open;
    if (entries.learn(order)) await this.#arm();
    return entries.rows({ ...order, ...ask, filter: requireCompiledFilter(ask.filter) });
  }

  async logNames(_tenant: Tenant, order: EntryOrder, ask: { after: string; limit: number }) {
    if (order.do !== 'logs') throw new Error(`Order ${order.do} asks for no logs`);
    return this.#open.entries.logNames(order, ask);
  }

  async traceRows(_tenant: Tenant, { call, order, ...ask }: Sent<'traceRows'>[1]) {
    if (order.do !== 'listTraces') throw new Error(`Order ${order.do} asks for no traces`);
    return this.#open.spans.rows(call, order.project, ask);
  }

  async evict(_address: ShardAddress) {
    const { entries, lease } = this.#open;
    const count = entries.evict();
    const epoch = lease.shrink();
    return { count, epoch, bytes: this.ctx.storage.sql.databaseSize, ...entries.oldestOwn() };
  }

  async beFollowed(address: ShardAddress, untilMs: number): Promise<void> {
    const { lease } = this.#open;
    lease.become(address);
    lease.follow(untilMs);
  }

  async follow(tenant: Tenant, call: Call, order: EntryOrder): Promise<ReadableStream<Uint8Array> | CallAnswer> {
    if (order.do !== 'tail') throw new Error(`Order ${order.do} is not one to follow entries`);
    if (this.#open.entries.learn(order)) await this.#arm();
    const opened = this.#tails.open(call, order);
    if (!(opened instanceof ReadableStream)) return opened;
    try {
      await this.#askToBeFollowed(tenant);
    } catch (error) {
      await opened.cancel(); // No one reads it: its session ends.
      throw error;
    }
    return opened;
  }

  /** Shards that come later learn of it with their lease. */
  async #askToBeFollowed(tenant: Tenant): Promise<void> {
    const oldest = computeWindow(Date.now()) - 1;
    const busy = this.#open
      .directory()
      .list('entries')
      .filter(({ name }) => parseShardName(name).group >= oldest);
    await Promise.all(
      busy.map(({ name }) =>
        this.#object(formatShardObject(tenant.id, name)).beFollowed({ tenant, name }, this.#followedUntilMs()),
      ),
    );
  }

  #followedUntilMs(): number {
    return this.#tails.count() === 0 ? 0 : Date.now() + MAX_SESSION_MS;
  }

  #follow({ isShard, member }: EntryParts, placed: readonly PlacedEntry[]): void {
    if (isShard()) this.ctx.waitUntil(member().passOn(placed));
    else this.#tails.take(placed);
  }

  /** How many follow what is written. */
  sessions(): number {
    return this.#tails.count();
  }

  async isEmpty(_tenant: Tenant, bucket: string): Promise<boolean> {
    return this.#open.outlets().isEmptyStorage(bucket) ?? this.#open.entries.isEmpty(bucket);
  }

  async webhookIdentity(_tenant: Tenant): Promise<string> {
    return this.#open.outlets().identity();
  }

  override async alarm(): Promise<void> {
    this.#alarmMs = undefined;
    try {
      try {
        await this.#purge();
      } finally {
        // Also where it is not known what buckets keep.
        if (!this.#open.isShard()) await this.#open.outlets().work();
        else await this.#workAsShard();
      }
    } finally {
      if (this.#parts !== undefined) await this.#arm(); // An alarm that fails too often is not tried again: the next one is set whatever happened.
    }
  }

  async #purge(): Promise<void> {
    const { entries, spans, isShard, member } = this.#open;
    for (let step = 0; step < MAX_STEPS && this.#isDue(spans.nextPurgeMs()); step += 1) spans.purge();
    // What is known here of buckets may be old: the tenant's own object is asked before anything goes.
    const isAsking = this.#isDue(this.#nextPurgeMs()) || entries.nextDoubtMs() !== undefined;
    if (isShard() && isAsking) await member().learnBuckets();
    for (let step = 0; step < MAX_STEPS && this.#isDue(this.#nextPurgeMs()); step += 1) entries.purge();
  }

  /** Of entries. */
  #nextPurgeMs(): number | undefined {
    const { entries, isShard, member } = this.#open;
    const dueMs = entries.nextPurgeMs();
    return dueMs !== undefined && isShard() ? member().delayPurge(dueMs) : dueMs;
  }

  async #workAsShard(): Promise<void> {
    const { member, lease, isVoid } = this.#open;
    await member().handOver();
    const isOver = await member().settle();
    if (!isOver || !isVoid() || lease.hasLease()) return;
    this.#parts = undefined;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  #isDue(dueMs: number | undefined): boolean {
    return dueMs !== undefined && dueMs <= Date.now();
  }

  /** Comes back when there is more to do. */
  async #arm(): Promise<void> {
    const { entries, spans, isShard, outlets, outbox, member } = this.#open;
    const others = isShard()
      ? [outbox().nextMs(), member().nextSettleMs(), entries.nextDoubtMs()]
      : [outlets().nextMs()];
    const due = [this.#nextPurgeMs(), spans.nextPurgeMs(), ...others].filter((ms) => ms !== undefined);
    if (due.length === 0) return;
    const dueMs = Math.max(Math.min(...due), Date.now() + MIN_WAIT_MS);
    if (dueMs >= (this.#alarmMs ?? Number.POSITIVE_INFINITY)) return;
    this.#alarmMs = dueMs;
    await this.ctx.storage.setAlarm(dueMs);
  }
}

const KINDS = ['entries', 'spans'] as const;

/** A reset is about all that there is. */
const hasPartOf = (kind: 'entries' | 'spans', order: EntryOrder): boolean =>
  order.do === 'reset' || (kind === 'spans') === isOnSpans(order);

function logFailure(event: string, error: unknown): void {
  console.log(JSON.stringify({ event, name: error instanceof Error ? error.name : typeof error }));
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
