import { uidsIn } from '../interfaces/aisearch/instances.ts';
import { type Engine, requireQuota } from '../core/engine/execute.ts';
import type { Interface } from '../core/engine/operation.ts';
import type { Sql } from '../../lib/sqlite.ts';
import { Refusal, refuse } from '../../lib/refusal.ts';
import type { Replaced, SeedOutcome, SeedProgress, TenantEmulator, TenantStatus, Told } from '../core/tenant-object.ts';
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import { generateStep, newProgress } from './generate.ts';
import { makeCalls } from './seed-calls.ts';
import type { Settings } from './settings.ts';
import { snapshotsOf } from './snapshots.ts';
import { clearData, isTaken } from './data.ts';

/** What the controls of a tenant work on. */
export type Controlled = {
  engine: Engine;
  sql: Sql;
  interfaces: readonly Interface[];
  settings: Settings;
  clock: Clock;
  chance: Chance;
  faults: Faults;
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
export function controlsOf(on: Controlled): Controls {
  const { engine, settings, clock, faults } = on;
  const snapshots = snapshotsOf(on.sql, on.interfaces);
  const guarded = <T>(work: () => T): Told<T> => told(engine, work);
  const status = (): TenantStatus => statusOf(on, snapshots.all().length);
  const replacing = (work: () => void): Replaced => {
    const answer = guarded(() => {
      const before = uidsIn(engine.store);
      work();
      const after = new Set(uidsIn(engine.store));
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
        on.start();
      }),
    setClock: (body) => guarded(() => clock.set(body)),
    seed: (body) => ('calls' in body ? called(on, body) : guarded(() => begun(on, body))),
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
    deleteSnapshot: (name) => guarded(() => found(snapshots.remove(name), 'name')),
    faults: () => guarded(faults.all),
    addFault: (body) => guarded(() => faults.add(body)),
    deleteFault: (id) => guarded(() => found(faults.remove(id), 'id')),
    clearFaults: () => guarded(faults.clear),
    isMaking: () => progressIn(settings)?.state === 'running',
    goOn: () => goOn(on),
  };
}

function told<T>(engine: Engine, work: () => T): Told<T> {
  try {
    if (engine.tenant.mode !== 'sandbox') throw refuse.notFound('tenant');
    return { ok: true, value: engine.transaction(work) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    throw error;
  }
}

function found(was: boolean, what: string): null {
  if (!was) throw refuse.notFound(what);
  return null;
}

function forget({ engine, sql, settings, clock, chance, faults }: Controlled): void {
  clearData(sql);
  engine.channels.clear();
  faults.clear();
  clock.clear();
  chance.seed(undefined);
  settings.drop(SEEDING);
}

/** @throws Refusal while data is being made up: half of it is no state to keep or to lose */
function requireRest(settings: Settings): void {
  if (progressIn(settings)?.state === 'running') throw refuse.aborted('Data is being made up: wait until it is done');
}

const progressIn = (settings: Settings): SeedProgress | undefined =>
  settings.get(SEEDING) as unknown as SeedProgress | undefined; // Written by this file.

/** Each call has a transaction of its own. */
function called({ engine }: Controlled, { calls }: { calls: Parameters<typeof makeCalls>[0] }): Told<SeedOutcome> {
  if (engine.tenant.mode !== 'sandbox') return { ok: false, refusal: refuse.notFound('tenant').data };
  return { ok: true, value: { calls: makeCalls(calls, engine) } };
}

function begun(on: Controlled, { generate }: { generate: SeedProgress['plan'] }): SeedOutcome {
  requireRest(on.settings);
  requireQuota(on.engine);
  try {
    const progress = generateStep(newProgress(generate), on.engine);
    on.settings.set(SEEDING, progress);
    return { progress };
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : refuse.failedPrecondition(reason);
  }
}

function goOn({ engine, settings }: Controlled): void {
  const progress = progressIn(settings);
  if (progress?.state !== 'running') return;
  try {
    engine.transaction(() => settings.set(SEEDING, generateStep(progress, engine)));
  } catch (error) {
    // What came before this step stays; who asks for the status learns why it went no further.
    settings.set(SEEDING, { ...progress, state: 'failed', reason: reasonOf(error) ?? 'Internal error' });
    if (reasonOf(error) === undefined) throw error;
  }
}

/** Why data cannot be made up; undefined for a bug. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.data.message;
  return isTaken(error) ? 'The tenant has data that the made-up data collides with: reset it first' : undefined;
}

function statusOf(
  { engine, sql, settings, clock, chance, faults, databaseBytes }: Controlled,
  snapshots: number,
): TenantStatus {
  const { id, domain } = engine.tenant;
  const rows = sql.exec('SELECT collection, sum(n) AS n FROM counter GROUP BY collection HAVING sum(n) > 0').toArray();
  return {
    id,
    mode: 'sandbox',
    domain,
    clock: clock.shown(),
    seeded: chance.seedText() !== undefined,
    rows: Object.fromEntries(rows.map(({ collection, n }) => [String(collection), Number(n)])),
    databaseBytes: databaseBytes(),
    faults: faults.all().length,
    snapshots,
    seeding: progressIn(settings) ?? null,
  };
}
