import type { AddressPolicy } from '../../net/address-policy.ts';
import { type SeededRandom, createSeededRandom } from '../emulator/chance.ts';
import { type Clock, createTenantClock } from '../emulator/clock.ts';
import { type Controls, createEmulatorControls } from '../emulator/controls.ts';
import { type Faults, createFaults } from '../emulator/faults.ts';
import { type Settings, createTenantSettings, readTextSetting } from '../emulator/settings.ts';
import type { SearchOrder } from '../../search/order.ts';
import type { EntryOrder } from '../log-store/order.ts';
import { createOperationContext, type Engine, execute } from './engine/execute.ts';
import type { Call, Handlers, Interface } from './engine/operation.ts';
import type { UserChange, Tenant } from './engine/tenant.ts';
import { createResourceStore } from './engine/resources.ts';
import type { Sql } from '../../lib/sqlite.ts';
import { isObject } from '../../lib/json.ts';
import { vendorRefusals } from '../../lib/refusal.ts';
import { createPutRule, type PutRule } from './put-rule.ts';
import { methods } from './table/method-row.ts';
import type { CallOutcome } from './tenant-object.ts';
import { createWatchChannels, type WatchTools } from '../watch/channels.ts';
import { type Outbox, createPushOutbox } from '../watch/outbox.ts';
import type { WatchSettings } from '../watch/settings.ts';

/** What the object of a tenant depends on. */
export type TenantDependencies = {
  sql: Sql;
  transaction: <T>(work: () => T) => T;
  /** Bytes that the tenant's database takes. */
  databaseBytes: () => number;
  /** Real time, Unix milliseconds. */
  now: () => number;
  /** Unpredictable random bytes as hex. */
  secret: (bytes: number) => string;
  handlers: Handlers;
  interfaces: readonly Interface[];
  /** Whether PUT clears what is left out in every row, for a tenant that sets nothing. */
  isStrictPut?: boolean;
  /** How watch channels behave, and which addresses they may name. */
  watch: { settings: WatchSettings; policy: AddressPolicy };
};

/** A tenant that takes calls. */
export type OpenTenant = {
  engine: Engine;
  call: (call: Call) => CallOutcome;
  controls: Controls;
  /** What waits to be sent to watch channels. */
  outbox: Outbox;
};

/** The tenant of a database. */
export type Tenants = {
  /** Opens it; keeps it when it is new. @throws Error when the database holds another */
  open: (tenant: Tenant) => OpenTenant;
  /** The open tenant; undefined before the first call. */
  kept: () => OpenTenant | undefined;
};

const SALT_BYTES = 32;
const TENANT = 'tenant';
const SALT = 'salt';

/**
 * The tenant that a database holds: the first that it hears of, for ever. What is read at the start stays in memory: a
 * call adds no statement of its own.
 */
export function openTenants(ground: TenantDependencies): Tenants {
  const settings = createTenantSettings(ground.sql);
  const clock = createTenantClock(settings, ground.now);
  const chance = createSeededRandom(settings, ground.secret);
  const faults = createFaults(ground.sql, settings, () => readTextSetting(chance.seedText() ?? settings.get(SALT)));
  const putRule = createPutRule(settings, ground.isStrictPut === true);
  const store = createResourceStore(
    ground.sql,
    ground.interfaces.flatMap(({ indexes }) => indexes ?? []),
  );
  const transaction = createTransaction(ground, settings, chance, faults);
  let known: OpenTenant | undefined;
  const open = (tenant: Tenant): OpenTenant => {
    known ??= createOpenTenant(tenant, { ground, settings, clock, chance, faults, putRule, store, transaction });
    if (known.engine.tenant.id !== tenant.id) throw new Error('This object holds another tenant');
    return known;
  };
  const kept = (): OpenTenant | undefined => {
    const tenant = findStoredTenant(settings);
    return tenant && open(tenant);
  };
  return { open, kept };
}

type Parts = {
  ground: TenantDependencies;
  settings: Settings;
  clock: Clock;
  chance: SeededRandom;
  faults: Faults;
  putRule: PutRule;
  store: Engine['store'];
  transaction: Engine['transaction'];
};

/** What is kept in memory follows a transaction: saved with it, and read anew when it rolls back. */
const createTransaction =
  (
    { transaction }: TenantDependencies,
    settings: Settings,
    chance: SeededRandom,
    faults: Faults,
  ): Engine['transaction'] =>
  (work) => {
    try {
      return transaction(() => {
        const result = work();
        chance.save();
        return result;
      });
    } catch (error) {
      if (settings.reload()) faults.reload();
      chance.reload();
      throw error;
    }
  };

function createOpenTenant(tenant: Tenant, parts: Parts): OpenTenant {
  const { ground, settings, clock, chance, faults, putRule } = parts;
  const kept = findStoredTenant(settings) ?? tenant;
  const salt = readTextSetting(settings.get(SALT) ?? ground.secret(SALT_BYTES));
  const { sql, secret: random, now } = ground;
  const tools: WatchTools = { sql, tenant: kept, salt, now, random, ...ground.watch };
  const channels = createWatchChannels(tools);
  let order: EntryOrder | undefined;
  let search: SearchOrder | undefined;
  const engine: Engine = {
    tenant: kept,
    hand: (handed) => {
      order = { ...handed, madeMs: ground.now() };
    },
    handSearch: (handed) => {
      search = handed;
    },
    handlers: ground.handlers,
    store: parts.store,
    transaction: parts.transaction,
    isStrictPut: putRule.isStrict,
    now: clock.now,
    realNow: ground.now,
    random: chance.random,
    secret: ground.secret,
    salt,
    channels,
    record: (changes) => channels.record(changes),
    databaseBytes: ground.databaseBytes,
  };
  const start = (): void => startTenant(engine, ground.interfaces);
  if (findStoredTenant(settings) === undefined) {
    engine.transaction(() => {
      settings.set(TENANT, { ...kept });
      settings.set(SALT, engine.salt);
      start();
    });
  }
  const { interfaces, databaseBytes } = ground;
  const take = (call: Call): CallOutcome => {
    [order, search] = [undefined, undefined];
    const outcome = runCallWithFaults(call, engine, faults);
    if (!outcome.answer.ok) return outcome;
    return { ...outcome, ...(order !== undefined && { order }), ...(search !== undefined && { search }) };
  };
  const controls = createEmulatorControls({
    engine: { ...engine, handSearch: refuseInstanceAccess },
    sql,
    interfaces,
    settings,
    clock,
    chance,
    faults,
    putRule,
    databaseBytes,
    start,
  });
  return { engine, controls, outbox: createPushOutbox(tools), call: take };
}

/**
 * A seed is made by the tenant's resources alone: what needs the object of an instance is not begun.
 * @throws Refusal always, so that nothing of the call stays
 */
function refuseInstanceAccess(): never {
  throw vendorRefusals.failedPrecondition(
    'An AI Search instance has an object of its own, which a seed does not reach: call this method by itself',
  );
}

/** Runs a call, if no fault strikes it. */
function runCallWithFaults(call: Call, engine: Engine, faults: Faults): CallOutcome {
  if (engine.tenant.mode !== 'sandbox' || call.isOwn === true) return { answer: execute(call, engine), delayMs: 0 };
  const { delayMs, refusal } = faults.strike(call.method);
  return { answer: refusal ? { ok: false, refusal } : execute(call, engine), delayMs };
}

function findStoredTenant(settings: Settings): Tenant | undefined {
  const kept = settings.get(TENANT);
  if (!isObject(kept)) return undefined;
  const mode = kept['mode'] === 'sandbox' ? 'sandbox' : 'live';
  return { id: readTextSetting(kept['id']), mode, domain: readTextSetting(kept['domain']) };
}

/** Writes what each interface starts with. */
function startTenant(engine: Engine, interfaces: readonly Interface[]): void {
  const unheard: UserChange[] = [];
  for (const { name, version, start } of interfaces) {
    const row = methods.find((each) => each.interface === name && each.version === version);
    if (start !== undefined && row !== undefined)
      start(createOperationContext(startCall(row.id, engine.tenant), engine, unheard));
  }
}

const startCall = (method: string, tenant: Tenant): Call => ({
  method,
  path: {},
  query: {},
  body: {},
  caller: { tenant: tenant.id, kind: 'operator', userId: '', clientId: '', scopes: [] },
});
