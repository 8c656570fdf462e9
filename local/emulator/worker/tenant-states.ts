import * as z from 'zod';
import { createContainerClaim, ensureTenant, forgetContainers } from '../../../routes/control/bindings/tenants.ts';
import { readControlSettings } from '../../../routes/control/bindings/env.ts';
import { clockBody, faultBody, seedCallBody, seedPlanBody } from '../../../src/management/emulator/bodies.ts';
import { isTenantId } from '../../../src/management/core/tenants.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import { type AppCall, type CallOutcome, DONE, explain, post, readMessage } from './app-call.ts';
import { DEFAULT_TENANT, type EmulatorEnv, toControlEnv } from './environment.ts';
import type { ResourceStore } from './stores.ts';
import { describeUntaken, getTenantNames, writeEntries } from './tenant-entries.ts';

/** Name of the snapshot by which an imported tenant comes in; it is there for no longer. */
const IMPORT_SNAPSHOT = 'emulator-import';
/** Ids that tests draw from a fixed seed must not be those that seeding drew: they go on from this one. */
const TESTS_DRAW = ':tests';
const MAX_SEED_TEXT = 100;
const MAX_CONTAINERS = 1_000;
const MAX_CALLS = 10_000;
const MAX_ENTRIES = 100_000;
const MAX_FAULTS = 100;

/** Calls of these paths change no log entries and no instances. */
const LIGHT_PATHS =
  /^\/(?:admin\/directory\/|apps\/reseller\/|v1\/faults|discovery\/|\$discovery\/|\.well-known\/|assets\/|health$)/;

type Extent = { isSeeded: boolean; isWhole: boolean; env: EmulatorEnv };

const containerName = z.string().regex(/^[a-zA-Z]{1,20}\/[\w-]{1,64}$/);

/** What one tenant begins with: the emulator's program sends it, and a reset goes back to it. */
export const tenantSetup = z.strictObject({
  id: z.string().refine(isTenantId),
  clock: clockBody.optional(),
  randomSeed: z.string().min(1).max(MAX_SEED_TEXT).optional(),
  faults: z.array(faultBody).max(MAX_FAULTS).default([]),
  /** Names that are this tenant's from the beginning; calls and entries may bring more. */
  containers: z.array(containerName).max(MAX_CONTAINERS).default([]),
  /** The text of a snapshot that is put there first. */
  resources: z.string().optional(),
  generate: seedPlanBody.optional(),
  calls: z.array(seedCallBody).max(MAX_CALLS).default([]),
  /** Log entries, as `entries.write` takes them. */
  entries: z.array(z.record(z.string(), z.json())).max(MAX_ENTRIES).default([]),
});

type TenantSetup = z.output<typeof tenantSetup>;
type Beginning = Pick<TenantSetup, 'clock' | 'randomSeed' | 'faults' | 'entries'> & {
  /** Names that a reset leaves to the tenant. */
  containers: readonly string[];
};

/** Of one `:seed`. */
const CALLS_A_SEED = 1_000;
/** Made-up data comes by the alarm of the tenant's object; a hundred thousand users take two minutes. */
const GENERATE_MS = 300_000;
const LOOK_MS = 10;

/** `untaken`: what it lacks of its entries. */
export type SetupOutcome = CallOutcome & { untaken?: string | undefined };

/** What tenants begin with; those that were not set up begin empty, with clock and faults of the run. */
export type TenantStates = {
  /** Puts a tenant into its first state, and keeps that. */
  setUp: (setup: TenantSetup) => Promise<SetupOutcome>;
  /** Back to it: data, entries, clock, random seed and faults. */
  reset: (tenant: string) => Promise<CallOutcome>;
  /** A tenant that a call is for: before its first it gets clock, random seed and faults of the run. @throws Error where it cannot */
  note: (tenant: string, path: string) => Promise<void>;
  all: () => readonly string[];
};

export function createTenantStates(env: EmulatorEnv, ask: AppCall): TenantStates {
  const beginnings = new Map<string, Beginning>();
  const seen = new Set<string>([DEFAULT_TENANT]);
  /** Tenants whose entries or instances may differ from the seed's. */
  const touched = new Set<string>();
  const begun = new Set<string>();
  const beingBegun = new Set<string>();
  let ofRun: Beginning = { faults: [], entries: [], containers: [] };
  const begin = async (tenant: string): Promise<void> => {
    // Looked at again and again: on Workers no request may wait for what another one resolves.
    while (beingBegun.has(tenant)) await scheduler.wait(LOOK_MS);
    if (begun.has(tenant)) return;
    beingBegun.add(tenant);
    try {
      const outcome = await resetTenant(tenant, ofRun, { isSeeded: false, isWhole: true, env }, ask);
      if (!outcome.ok) throw new Error(outcome.detail);
      begun.add(tenant);
    } finally {
      beingBegun.delete(tenant);
    }
  };
  return {
    note: async (tenant, path) => {
      seen.add(tenant);
      if (!LIGHT_PATHS.test(path)) touched.add(tenant);
      if (!begun.has(tenant)) await begin(tenant);
    },
    all: () => [...seen].toSorted(),
    reset: async (id) => {
      const extent = { isSeeded: beginnings.has(id), isWhole: touched.delete(id), env };
      return resetTenant(id, beginnings.get(id) ?? ofRun, extent, ask);
    },
    setUp: async (setup) => {
      const { id, clock, randomSeed, faults, entries } = setup;
      const drawn = randomSeed === undefined ? undefined : `${randomSeed}${TESTS_DRAW}`;
      const beginning = { clock, randomSeed: drawn, faults, entries, containers: [] };
      seen.add(id);
      begun.add(id);
      if (id === DEFAULT_TENANT) ofRun = { ...beginning, entries: [] };
      const filled = await fillTenant(setup, env, ask);
      if (!filled.ok) return filled;
      // Calls and entries of the setup name some too.
      const listNamed = () => getTenantNames(env).containersOf(id);
      // Faults would strike the look at what is there.
      const calm = { ...beginning, faults: [], containers: await listNamed() };
      const made = await resetTenant(id, calm, { isSeeded: true, isWhole: true, env }, ask);
      if (!made.ok) return made;
      beginnings.set(id, { ...beginning, containers: await listNamed() });
      const untaken = await describeUntaken(id, entries.length, { env, ask });
      return { ...(await addFaults(id, faults, ask)), untaken };
    },
  };
}

/**
 * A tenant whose calls since the last reset were of Directory and Reseller alone has its entries and instances still. Faults
 * come last: they would strike what is written before.
 */
async function resetTenant(
  id: string,
  begin: Beginning,
  { isSeeded, isWhole, env }: Extent,
  ask: AppCall,
): Promise<CallOutcome> {
  const cleared = isWhole || !isSeeded ? await clearTenant(id, begin, ask) : DONE;
  if (!cleared.ok) return cleared;
  if (isWhole || !isSeeded) await releaseContainers(id, begin, env);
  const restored = isSeeded ? await restoreSeed(id, begin, env) : DONE;
  if (!restored.ok) return restored;
  const written = isWhole ? await writeEntries(id, begin.entries, ask) : DONE;
  if (!written.ok) return written;
  return addFaults(id, begin.faults, ask);
}

async function releaseContainers(id: string, { containers }: Beginning, env: EmulatorEnv): Promise<void> {
  await getTenantNames(env).keepContainers(id, containers);
  forgetContainers(id);
}

async function addFaults(id: string, faults: Beginning['faults'], ask: AppCall): Promise<CallOutcome> {
  for (const fault of faults) {
    const added = await post(id, '/v1/faults', fault, ask);
    if (!added.ok) return explain(`a fault for ${fault.method}: ${added.detail}`);
  }
  return DONE;
}

async function restoreSeed(id: string, { clock, randomSeed }: Beginning, env: EmulatorEnv): Promise<CallOutcome> {
  const tenant = await openTenant(id, env);
  const body = { ...(clock === undefined ? {} : { clock }), ...(randomSeed === undefined ? {} : { randomSeed }) };
  const result = await getEmulatorStore(tenant, env).goBack(tenant, body);
  return result.ok ? DONE : explain(`${id}: ${result.refusal.message}`);
}

export const openTenant = (id: string, env: EmulatorEnv): Promise<Tenant> =>
  ensureTenant(id, toControlEnv(env), readControlSettings(toControlEnv(env)));

/** Empties a tenant: resources, entries, instances. */
const clearTenant = (id: string, { clock, randomSeed }: Pick<Beginning, 'clock' | 'randomSeed'>, ask: AppCall) =>
  post(id, `/v1/tenants/${id}:reset`, { clock, randomSeed }, ask);

/** Makes what a setup says, and takes the snapshot of it. */
async function fillTenant(setup: TenantSetup, env: EmulatorEnv, ask: AppCall): Promise<CallOutcome> {
  const { id, resources, containers } = setup;
  const tenant = await openTenant(id, env);
  const claim = createContainerClaim(toControlEnv(env));
  for (const container of containers) {
    if ((await claim(id, container)) === 'foreign')
      return explain(`${id}: ${container} is another tenant's, or no name that a tenant may have`);
  }
  const cleared = await clearTenant(id, setup, ask);
  if (!cleared.ok) return cleared;
  const store = getEmulatorStore(tenant, env);
  if (resources !== undefined) {
    await store.keepText(tenant, IMPORT_SNAPSHOT, new Blob([resources]).stream());
    const restored = await post(id, `/v1/tenants/${id}:restore`, { name: IMPORT_SNAPSHOT }, ask);
    await store.deleteSnapshot(tenant, IMPORT_SNAPSHOT);
    if (!restored.ok) return restored;
  }
  const seeded = await seedTenant(setup, ask);
  if (seeded.ok) await store.keepSeed();
  return seeded;
}

/** The store of a tenant, as this Worker exports its class. */
export function getEmulatorStore({ id }: Tenant, { RESOURCE_STORE }: EmulatorEnv): ResourceStore {
  const store: unknown = RESOURCE_STORE.getByName(id);
  return store as ResourceStore; // The type of its stub is too deep to compare.
}

async function seedTenant({ id, generate, calls }: TenantSetup, ask: AppCall): Promise<CallOutcome> {
  if (generate !== undefined) {
    const begun = await post(id, `/v1/tenants/${id}:seed`, { generate }, ask);
    const made = begun.ok ? await waitForMadeUpData(id, ask) : begun;
    if (!made.ok) return made;
  }
  for (let at = 0; at < calls.length; at += CALLS_A_SEED) {
    const some = calls.slice(at, at + CALLS_A_SEED);
    const answer = await ask(id, `/v1/tenants/${id}:seed`, { calls: some });
    if (!answer.ok) return explain(`${id}: calls: ${await readMessage(answer)}`);
    const { calls: made } = madeSchema.parse(await answer.json());
    const failed = made.findIndex(({ ok }) => !ok);
    if (failed < 0) continue;
    const why = made[failed]?.refusal?.message ?? 'refused';
    return explain(`${id}: calls[${at + failed}] (${some[failed]?.method ?? ''}): ${why}`);
  }
  return DONE;
}

const madeSchema = z.object({
  calls: z.array(z.object({ ok: z.boolean(), refusal: z.object({ message: z.string() }).optional() })),
});
const progressSchema = z.object({
  seeding: z.object({ state: z.string(), reason: z.string().optional() }).nullable(),
});

async function waitForMadeUpData(id: string, ask: AppCall): Promise<CallOutcome> {
  for (const endMs = Date.now() + GENERATE_MS; Date.now() < endMs; await scheduler.wait(LOOK_MS)) {
    const { seeding } = progressSchema.parse(await (await ask(id, `/v1/tenants/${id}`)).json());
    if (seeding?.state === 'done') return DONE;
    if (seeding?.state === 'failed') return explain(`${id}: generate: ${seeding.reason ?? 'failed'}`);
  }
  return explain(`${id}: generate took longer than ${GENERATE_MS / 1000} s`);
}
