import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import { isInstance } from '../src/management/interfaces/aisearch/instances/rows.ts';
import type { ClockBody, FaultBody, ResetBody, SeedBody, SettingsBody } from '../src/management/emulator/bodies.ts';
import type { Call } from '../src/management/core/engine/operation.ts';
import type { Tenant } from '../src/management/core/engine/tenant.ts';
import { handlers, interfaces } from '../src/management/core/interfaces.ts';
import { openTenants, type Tenants } from '../src/management/core/open-tenant.ts';
import { readUsualPutRule } from '../src/management/core/put-rule.ts';
import type {
  CallOutcome,
  TenantCalls,
  TenantEmulator,
  TenantInstances,
} from '../src/management/core/tenant-object.ts';
import { enqueueDuePushes } from '../src/management/watch/enqueue-pushes.ts';
import type {
  PushCalls,
  PushKey,
  PushMessage,
  PushOutcome,
  PushRequest,
} from '../src/management/watch/push-message.ts';
import { readWatchSettings } from '../src/management/watch/settings.ts';
import { type AddressPolicy, allowPublicOnly } from '../src/net/address-policy.ts';

/** The alarm waits so long for the queue to take what a call left; channels are limited by the second anyway. */
const HAND_OVER_MS = 1_000;

type Env = { PUSH: Queue<PushMessage> } & Record<string, unknown>;
type Calls = TenantCalls & TenantInstances & TenantEmulator & PushCalls;

/**
 * Everything of one tenant, named by its id. Each call is one synchronous operation of the engine. Its alarm goes on with
 * what takes longer than a request may: data that is made up, and messages to watchers that the queue did not take.
 */
export class ResourceStore extends DurableObject<Env> implements Calls {
  readonly #tenants: Tenants;
  /** Time of the alarm as set by this instance; undefined when it is not known. */
  #alarmMs: number | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#tenants = openTenants({
      sql: ctx.storage.sql,
      transaction: (work) => ctx.storage.transactionSync(work),
      databaseBytes: () => ctx.storage.sql.databaseSize,
      now: () => Date.now(),
      secret: generateRandomHex,
      handlers,
      interfaces,
      isStrictPut: readUsualPutRule(env),
      watch: { settings: readWatchSettings(env), policy: this.pushPolicy(env) },
    });
  }

  /** Addresses that watch channels may name: public ones. The local stack allows its own machine as well. */
  protected pushPolicy(_env: Env): AddressPolicy {
    return allowPublicOnly({ alternatePorts: true });
  }

  async call(tenant: Tenant, call: Call): Promise<CallOutcome> {
    const open = this.#tenants.open(tenant);
    const outcome = open.call(call);
    if (open.engine.channels.hasLeft()) await this.#post();
    return outcome;
  }

  async hasInstance(uid: string): Promise<boolean> {
    const open = this.#tenants.kept();
    return open !== undefined && isInstance(open.engine.store, uid);
  }

  async takePush(key: PushKey): Promise<PushRequest | null> {
    const open = this.#tenants.kept();
    const request = open?.engine.transaction(() => open.outbox.take(key)) ?? null;
    if (request === null) await this.#arm();
    return request;
  }

  async pushed(key: PushKey, outcome: PushOutcome): Promise<number | null> {
    const open = this.#tenants.kept();
    const delayS = open?.engine.transaction(() => open.outbox.pushed(key, outcome)) ?? null;
    await this.#arm();
    return delayS;
  }

  async status(tenant: Tenant) {
    return this.#tenants.open(tenant).controls.status();
  }

  async reset(tenant: Tenant, body: ResetBody) {
    return this.#tenants.open(tenant).controls.reset(body);
  }

  async setClock(tenant: Tenant, body: ClockBody) {
    return this.#tenants.open(tenant).controls.setClock(body);
  }

  async setSettings(tenant: Tenant, body: SettingsBody) {
    return this.#tenants.open(tenant).controls.setSettings(body);
  }

  async seed(tenant: Tenant, body: SeedBody) {
    const result = this.#tenants.open(tenant).controls.seed(body);
    await this.#post();
    return result;
  }

  async snapshot(tenant: Tenant, name: string) {
    return this.#tenants.open(tenant).controls.snapshot(name);
  }

  async restore(tenant: Tenant, name: string) {
    return this.#tenants.open(tenant).controls.restore(name);
  }

  async snapshots(tenant: Tenant) {
    return this.#tenants.open(tenant).controls.snapshots();
  }

  async deleteSnapshot(tenant: Tenant, name: string) {
    return this.#tenants.open(tenant).controls.deleteSnapshot(name);
  }

  async faults(tenant: Tenant) {
    return this.#tenants.open(tenant).controls.faults();
  }

  async addFault(tenant: Tenant, body: FaultBody) {
    return this.#tenants.open(tenant).controls.addFault(body);
  }

  async deleteFault(tenant: Tenant, id: string) {
    return this.#tenants.open(tenant).controls.deleteFault(id);
  }

  async clearFaults(tenant: Tenant) {
    return this.#tenants.open(tenant).controls.clearFaults();
  }

  override async alarm(): Promise<void> {
    this.#alarmMs = undefined;
    try {
      this.#tenants.kept()?.controls.goOn();
      await this.#handOver();
    } finally {
      await this.#arm(); // An alarm that fails too often is not tried again: the next one is set whatever happened.
    }
  }

  /** Sends what a call left for watchers. The alarm is set with the change, as a fallback for when the queue fails. */
  async #post(): Promise<void> {
    await this.#arm();
    this.ctx.waitUntil(this.#handOver().finally(() => this.#arm()));
  }

  async #handOver(): Promise<void> {
    const open = this.#tenants.kept();
    if (open === undefined) return;
    const { outbox, engine } = open;
    const send = (messages: readonly PushMessage[]) => this.env.PUSH.sendBatch(messages.map((body) => ({ body })));
    await enqueueDuePushes({ outbox, transaction: engine.transaction, send });
  }

  /** Comes back when there is more to do. */
  async #arm(): Promise<void> {
    const open = this.#tenants.kept();
    const wakeMs = open?.outbox.nextWakeMs();
    const pushMs = wakeMs === undefined ? undefined : Math.max(wakeMs, Date.now() + HAND_OVER_MS);
    const dueMs = open?.controls.isMaking() === true ? Date.now() : pushMs;
    if (dueMs === undefined || dueMs >= (this.#alarmMs ?? Number.POSITIVE_INFINITY)) return;
    this.#alarmMs = dueMs;
    await this.ctx.storage.setAlarm(dueMs);
  }
}
