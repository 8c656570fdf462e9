import { Refusal, vendorRefusals } from '../../lib/refusal.ts';
import type { Sql } from '../../lib/sqlite.ts';
import { createOperationContext, type Engine, MAX_STATEMENTS, requireQuota } from '../core/engine/execute.ts';
import type { Call, Interface } from '../core/engine/operation.ts';
import type { UserChange } from '../core/engine/tenant.ts';
import type { PutRule } from '../core/put-rule.ts';
import type {
  Replaced,
  SeedOutcome,
  SeedProgress,
  TenantEmulator,
  TenantSettings,
  TenantStatus,
  ControlResult,
} from '../core/tenant-object.ts';
import { listInstanceUids } from '../interfaces/aisearch/instances/rows.ts';
import type { SeedPlan, SettingsBody } from './bodies.ts';
import type { SeededRandom } from './chance.ts';
import type { Clock } from './clock.ts';
import { clearData, isTaken } from './data.ts';
import type { Faults } from './faults.ts';
import { groupCall, buildMembershipCall, buildOrgUnitCall, buildUserCall } from './made-up.ts';
import { makeCalls } from './seed-calls.ts';
import type { Settings } from './settings.ts';
import { createSnapshots } from './snapshots.ts';
import { createWriteBuffer } from './write-buffer.ts';

/** Rows of one step at most; it also ends when it nears the statements that a request may have (rule K9). */
const STEP_ROWS = 2_000;
/** Kept back for writing what was collected. */
const FLUSH_STATEMENTS = 500;

const createSeedProgress = (plan: SeedPlan): SeedProgress => ({
  state: 'running',
  plan: { ...plan, membersPerGroup: Math.min(plan.membersPerGroup, plan.users) },
  orgUnits: 0,
  users: 0,
  groups: 0,
  memberships: 0,
});

/**
 * Makes some more of the data up, by the directory's own handlers over a collecting store: names, counters and rules hold
 * as if each had been a call. Watchers hear nothing. Runs inside a transaction.
 * @returns how far it is now
 * @throws Refusal or Error when the data does not fit what is there, or the tenant keeps as much as it may
 */
function generateStep(before: SeedProgress, engine: Engine): SeedProgress {
  requireQuota(engine);
  const { store, flush } = createWriteBuffer(engine.store);
  const collecting = { ...engine, store };
  const first = store.statements();
  const progress = { ...before };
  return store.bounded({ statements: MAX_STATEMENTS, writes: true }, () => {
    for (let made = 0; made < STEP_ROWS; made += 1) {
      if (store.statements() - first > MAX_STATEMENTS - FLUSH_STATEMENTS) break;
      const next = buildNextCall(progress, engine);
      if (next === undefined) break;
      perform(next.call, collecting);
      progress[next.counter] += 1;
    }
    flush();
    return buildNextCall(progress, engine) === undefined ? { ...progress, state: 'done' } : progress;
  });
}

type Counter = 'orgUnits' | 'users' | 'groups' | 'memberships';

function buildNextCall(progress: SeedProgress, { tenant }: Engine): { counter: Counter; call: Call } | undefined {
  const { plan, orgUnits, users, groups, memberships } = progress;
  if (orgUnits < plan.orgUnits) return { counter: 'orgUnits', call: buildOrgUnitCall(orgUnits, tenant) };
  if (users < plan.users) return { counter: 'users', call: buildUserCall(users, plan, tenant) };
  if (groups < plan.groups) return { counter: 'groups', call: groupCall(groups, tenant) };
  if (memberships >= plan.groups * plan.membersPerGroup) return undefined;
  return { counter: 'memberships', call: buildMembershipCall(memberships, plan, tenant) };
}

function perform(call: Call, engine: Engine): void {
  const handler = engine.handlers[call.method];
  if (handler === undefined) throw new Error(`Nothing makes ${call.method}`);
  const unheard: UserChange[] = [];
  handler(call, createOperationContext(call, engine, unheard));
}

/** What the controls of a tenant work on. */
export type Controlled = {
  engine: Engine;
  sql: Sql;
  interfaces: readonly Interface[];
  settings: Settings;
  clock: Clock;
  chance: SeededRandom;
  faults: Faults;
  putRule: PutRule;
  databaseBytes: () => number;
  /** Writes what a tenant starts with. */
  start: () => void;
};

type Synchronous<F> = F extends (tenant: never, ...rest: infer A) => Promise<infer R> ? (...args: A) => R : never;

/** The emulator's controls of one tenant, and the step that goes on with what a seed began. */
export type Controls = { [Name in keyof TenantEmulator]: Synchronous<TenantEmulator[Name]> } & {
  /** Whether there is more data to make up. */
  isMaking: () => boolean;
  /** Makes some more of it. */
  goOn: () => void;
};

const SEEDING = 'seeding';

/** Every control refuses a live tenant by itself, whatever it is asked by (rule K2). */
export function createEmulatorControls(on: Controlled): Controls {
  const { engine, settings, clock, faults } = on;
  const snapshots = createSnapshots(on.sql, on.interfaces);
  const guarded = <T>(work: () => T): ControlResult<T> => runSandboxControl(engine, work);
  const status = (): TenantStatus => buildTenantStatus(on, snapshots.all().length);
  const replacing = (work: () => void): Replaced => {
    const answer = guarded(() => {
      const before = listInstanceUids(engine.store);
      work();
      const after = new Set(listInstanceUids(engine.store));
      return { status: status(), gone: before.filter((uid) => !after.has(uid)) };
    });
    return answer.ok ? { ok: true, value: answer.value.status, gone: answer.value.gone } : answer;
  };
  return {
    status: () => guarded(status),
    reset: (body) =>
      replacing(() => {
        forget(on);
        if (body.clock) clock.set(body.clock);
        if (body.randomSeed !== undefined) on.chance.seed(body.randomSeed);
        if (body.settings) applySettings(body.settings, on);
        on.start();
      }),
    setClock: (body) => guarded(() => clock.set(body)),
    setSettings: (body) => guarded(() => applySettings(body, on)),
    seed: (body) => ('calls' in body ? runSeedCalls(on, body) : guarded(() => startSeeding(on, body))),
    snapshot: (name) =>
      guarded(() => {
        requireRest(settings);
        requireQuota(engine);
        return snapshots.take(name, engine.tenant, engine.realNow());
      }),
    restore: (name) =>
      replacing(() => {
        requireRest(settings);
        snapshots.restore(name, engine.tenant, engine.store);
      }),
    snapshots: () => guarded(snapshots.all),
    deleteSnapshot: (name) => guarded(() => requireFound(snapshots.remove(name), 'name')),
    faults: () => guarded(faults.all),
    addFault: (body) => guarded(() => faults.add(body)),
    deleteFault: (id) => guarded(() => requireFound(faults.remove(id), 'id')),
    clearFaults: () => guarded(faults.clear),
    isMaking: () => readSeedProgress(settings)?.state === 'running',
    goOn: () => continueSeeding(on),
  };
}

function runSandboxControl<T>(engine: Engine, work: () => T): ControlResult<T> {
  try {
    if (engine.tenant.mode !== 'sandbox') throw vendorRefusals.notFound('tenant');
    return { ok: true, value: engine.transaction(work) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    throw error;
  }
}

function applySettings(body: SettingsBody, { putRule }: Controlled): TenantSettings {
  if (body.strict_put !== undefined) putRule.setStrict(body.strict_put);
  return { strict_put: putRule.isStrict() };
}

function requireFound(was: boolean, what: string): null {
  if (!was) throw vendorRefusals.notFound(what);
  return null;
}

function forget({ engine, sql, settings, clock, chance, faults, putRule }: Controlled): void {
  clearData(sql);
  engine.channels.clear();
  faults.clear();
  clock.clear();
  putRule.clear();
  chance.seed(undefined);
  settings.drop(SEEDING);
}

/** @throws Refusal while data is being made up: half of it is no state to keep or to lose */
function requireRest(settings: Settings): void {
  if (readSeedProgress(settings)?.state === 'running')
    throw vendorRefusals.aborted('Data is being made up: wait until it is done');
}

const readSeedProgress = (settings: Settings): SeedProgress | undefined =>
  settings.get(SEEDING) as unknown as SeedProgress | undefined; // Written by this file.

/** Each call has a transaction of its own. */
function runSeedCalls(
  { engine }: Controlled,
  { calls }: { calls: Parameters<typeof makeCalls>[0] },
): ControlResult<SeedOutcome> {
  if (engine.tenant.mode !== 'sandbox') return { ok: false, refusal: vendorRefusals.notFound('tenant').data };
  return { ok: true, value: { calls: makeCalls(calls, engine) } };
}

function startSeeding(on: Controlled, { generate }: { generate: SeedProgress['plan'] }): SeedOutcome {
  requireRest(on.settings);
  requireQuota(on.engine);
  try {
    const progress = generateStep(createSeedProgress(generate), on.engine);
    on.settings.set(SEEDING, progress);
    return { progress };
  } catch (error) {
    const reason = explainSeedFailure(error);
    throw reason === undefined ? error : vendorRefusals.failedPrecondition(reason);
  }
}

function continueSeeding({ engine, settings }: Controlled): void {
  const progress = readSeedProgress(settings);
  if (progress?.state !== 'running') return;
  try {
    engine.transaction(() => settings.set(SEEDING, generateStep(progress, engine)));
  } catch (error) {
    // What came before this step stays; who asks for the status learns why it went no further.
    settings.set(SEEDING, { ...progress, state: 'failed', reason: explainSeedFailure(error) ?? 'Internal error' });
    if (explainSeedFailure(error) === undefined) throw error;
  }
}

/** Why data cannot be made up; undefined for a bug. */
function explainSeedFailure(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.data.message;
  return isTaken(error) ? 'The tenant has data that the made-up data collides with: reset it first' : undefined;
}

function buildTenantStatus(
  { engine, sql, settings, clock, chance, faults, putRule, databaseBytes }: Controlled,
  snapshots: number,
): TenantStatus {
  const { id, domain } = engine.tenant;
  const rows = sql.exec('SELECT collection, sum(n) AS n FROM counter GROUP BY collection HAVING sum(n) > 0').toArray();
  return {
    id,
    mode: 'sandbox',
    domain,
    clock: clock.shown(),
    settings: { strict_put: putRule.isStrict() },
    hasRandomSeed: chance.seedText() !== undefined,
    rows: Object.fromEntries(rows.map(({ collection, n }) => [String(collection), Number(n)])),
    databaseBytes: databaseBytes(),
    faults: faults.all().length,
    snapshots,
    seeding: readSeedProgress(settings) ?? null,
  };
}
