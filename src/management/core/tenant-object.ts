import type { ClockBody, FaultBody, ResetBody, SeedBody, SeedPlan, SettingsBody } from '../emulator/bodies.ts';
import type { SearchOrder } from '../../search/order.ts';
import type { EntryOrder } from '../log-store/order.ts';
import type { CallAnswer, Call } from './engine/operation.ts';
import type { Tenant } from './engine/tenant.ts';
import type { RefusalData } from '../../lib/refusal.ts';

/** What a call comes to, with the latency that an injected fault asks for: the Worker waits, the object does not. */
export type CallOutcome = {
  answer: CallAnswer;
  delayMs: number;
  /** What the store of entries is to do now; its answer takes the place of this one. */
  order?: EntryOrder;
  /** The same for the objects of AI Search instances. */
  search?: SearchOrder;
};

/** What the Worker asks the tenant's object, by RPC: everything in it is JSON. */
export type TenantCalls = {
  /** Runs one call of a management method. The object keeps the tenant that it first hears of. */
  call: (tenant: Tenant, call: Call) => Promise<CallOutcome>;
};

/** What the object of an AI Search instance asks its tenant's, by RPC. */
export type TenantInstances = {
  /** Whether the object of this name still has an instance: a reset or a restored snapshot leaves some without. */
  hasInstance: (uid: string) => Promise<boolean>;
};

/** What the Worker asks the registry of tenants. */
export type TenantNames = {
  /** The tenant of a token: made on first use, with this mode for ever (rule K2). */
  tenant: (id: string, mode: Tenant['mode']) => Promise<Tenant>;
  /**
   * Whether a tenant may use a container's name (`projects/p`, `folders/1`, `accounts/pub-1`): the first tenant to use
   * it owns it.
   */
  claim: (tenant: string, container: string, isReserved?: boolean) => Promise<'own' | 'foreign'>;
  /** Whether the tenant already owns a container's name. Asking does not claim it. */
  owns: (tenant: string, container: string) => Promise<boolean>;
};

/** An answer of the emulator's controls, or why not. A live tenant is refused by the object itself, with 404 (rule K2). */
export type ControlResult<T> = { ok: true; value: T } | { ok: false; refusal: RefusalData };

/** A tenant whose data was replaced, with the names of the objects of AI Search instances that it has no more. */
export type Replaced = { ok: true; value: TenantStatus; gone: readonly string[] } | { ok: false; refusal: RefusalData };

export type TenantClock = { mode: 'frozen' | 'running'; nowMs: number };

/** How far made-up data is: `users` of `plan.users`, and so on. The rest follows by itself. */
export type SeedProgress = {
  state: 'running' | 'done' | 'failed';
  plan: SeedPlan;
  orgUnits: number;
  users: number;
  groups: number;
  memberships: number;
  /** Why it failed. */
  reason?: string;
};

export type SnapshotRow = { name: string; rows: number; bytes: number; createdMs: number };

/** A fault with its id, how many calls it saw, and how many it struck. */
export type FaultRow = FaultBody & { id: string; seen: number; struck: number };

/** What a tenant decides about itself. */
export type TenantSettings = {
  /** PUT clears what is left out, also where the vendor keeps it. */
  strict_put: boolean;
};

export type TenantStatus = {
  id: string;
  mode: 'sandbox';
  domain: string;
  clock: TenantClock;
  settings: TenantSettings;
  /** Ids are the same from run to run. */
  hasRandomSeed: boolean;
  /** Rows by collection. */
  rows: Record<string, number>;
  databaseBytes: number;
  faults: number;
  snapshots: number;
  /** Of the last `generate`, if there was one since the last reset. */
  seeding: SeedProgress | null;
};

/** What came of each call of a seed, in order. */
export type SeedOutcome = { calls: readonly CallAnswer[] } | { progress: SeedProgress };

/** The emulator's controls of one tenant, by RPC. Bodies are those of emulator/bodies.ts, parsed. */
export type TenantEmulator = {
  status: (tenant: Tenant) => Promise<ControlResult<TenantStatus>>;
  /** Empties the tenant: data, channels, faults; snapshots stay. */
  reset: (tenant: Tenant, body: ResetBody) => Promise<Replaced>;
  setClock: (tenant: Tenant, body: ClockBody) => Promise<ControlResult<TenantClock>>;
  /** Changes what the body names. */
  setSettings: (tenant: Tenant, body: SettingsBody) => Promise<ControlResult<TenantSettings>>;
  /** Makes calls and answers what came of each; or begins to make data up and answers how far it is. */
  seed: (tenant: Tenant, body: SeedBody) => Promise<ControlResult<SeedOutcome>>;
  /** Keeps the tenant's data, without credentials and channels, under a name; one of that name is replaced. */
  snapshot: (tenant: Tenant, name: string) => Promise<ControlResult<SnapshotRow>>;
  /** Puts a snapshot in the place of the tenant's data: all of it or nothing. */
  restore: (tenant: Tenant, name: string) => Promise<Replaced>;
  snapshots: (tenant: Tenant) => Promise<ControlResult<readonly SnapshotRow[]>>;
  deleteSnapshot: (tenant: Tenant, name: string) => Promise<ControlResult<null>>;
  faults: (tenant: Tenant) => Promise<ControlResult<readonly FaultRow[]>>;
  addFault: (tenant: Tenant, body: FaultBody) => Promise<ControlResult<FaultRow>>;
  deleteFault: (tenant: Tenant, id: string) => Promise<ControlResult<null>>;
  /** @returns how many there were */
  clearFaults: (tenant: Tenant) => Promise<ControlResult<number>>;
};
