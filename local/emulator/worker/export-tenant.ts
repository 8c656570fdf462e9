import * as z from 'zod';
import { readControlSettings } from '../../../routes/control/bindings/env.ts';
import { ensureTenant } from '../../../routes/control/bindings/tenants.ts';
import type { Json } from '../../../src/lib/json.ts';
import { type EmulatorEnv, toControlEnv } from './environment.ts';
import type { TenantRegistry } from './stores.ts';
import { type AppCall, getEmulatorStore } from './tenant-states.ts';

const EXPORT_SNAPSHOT = 'emulator-export';
/** Containers that log entries belong to. */
const WITH_ENTRIES = /^(?:projects|folders|organizations|billingAccounts)\//;
const NAMES_A_LIST = 100;
const PAGE = 1_000;
/** Entries of one tenant that a folder holds. */
const MAX_EXPORTED_ENTRIES = 100_000;
/** A page may be empty and have a token. */
const MAX_PAGES = 1_000;

/** What leaves the emulator of one tenant. */
export type ExportedTenant = {
  id: string;
  containers: readonly string[];
  /** The text of a snapshot. */
  resources: string;
  entries: readonly Json[];
};

/**
 * What a tenant has, for a folder. Not in it: what snapshots leave out (credentials, watch channels), traces, the content of
 * AI Search instances, faults and the clock.
 */
export async function collectTenant(
  id: string,
  env: EmulatorEnv,
  ask: AppCall,
): Promise<{ ok: true; tenant: ExportedTenant } | { ok: false; detail: string }> {
  const tenant = await ensureTenant(id, toControlEnv(env), readControlSettings(toControlEnv(env)));
  const store = getEmulatorStore(tenant, env);
  await store.clearFaults(tenant); // They would strike what is read here.
  const resources = await store.exportText(tenant, EXPORT_SNAPSHOT);
  if (resources === undefined) return { ok: false, detail: `${id}: no snapshot can be taken of it now` };
  const { all: containers, withEntries } = await listContainers(id, env);
  const entries = await listEntries(id, withEntries, ask);
  return entries === undefined
    ? { ok: false, detail: `${id}: it has more than ${MAX_EXPORTED_ENTRIES} log entries, or they cannot be listed` }
    : { ok: true, tenant: { id, containers, resources, entries } };
}

/** The containers of a tenant, and which of them may have log entries. */
export async function listContainers(
  id: string,
  env: EmulatorEnv,
): Promise<{ all: readonly string[]; withEntries: readonly string[] }> {
  const all = await getRegistry(env).containersOf(id);
  return { all, withEntries: all.filter((name) => WITH_ENTRIES.test(name)) };
}

function getRegistry({ TENANT_REGISTRY }: EmulatorEnv): TenantRegistry {
  const registry: unknown = TENANT_REGISTRY.getByName('tenants');
  return registry as TenantRegistry; // Its class, as this Worker exports it.
}

const pageSchema = z.object({ entries: z.array(z.json()).default([]), nextPageToken: z.string().optional() });

async function listEntries(id: string, names: readonly string[], ask: AppCall): Promise<readonly Json[] | undefined> {
  const entries: Json[] = [];
  for (let at = 0; at < names.length; at += NAMES_A_LIST) {
    const resourceNames = names.slice(at, at + NAMES_A_LIST);
    let pageToken: string | undefined;
    for (let page = 0; page === 0 || pageToken !== undefined; page += 1) {
      const answer = await ask(id, '/v2/entries:list', { resourceNames, pageSize: PAGE, pageToken });
      if (!answer.ok || page >= MAX_PAGES) return undefined;
      const read = pageSchema.parse(await answer.json());
      entries.push(...(read.entries as Json[]));
      pageToken = read.nextPageToken === '' ? undefined : read.nextPageToken;
      if (entries.length > MAX_EXPORTED_ENTRIES) return undefined;
    }
  }
  return entries;
}
