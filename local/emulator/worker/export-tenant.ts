import * as z from 'zod';
import { type Json, parseJson } from '../../../src/lib/json.ts';
import type { EmulatorEnv } from './environment.ts';
import type { TenantRegistry } from './stores.ts';
import { type AppCall, getEmulatorStore, openTenant } from './tenant-states.ts';

/** Containers that log entries belong to. */
const WITH_ENTRIES = /^(?:projects|folders|organizations|billingAccounts)\//;
const NAMES_A_LIST = 100;
const PAGE = 1_000;

/**
 * Makes a tenant ready to be read: no fault strikes from now on. @returns its containers
 */
export async function beginExport(id: string, env: EmulatorEnv): Promise<readonly string[]> {
  const tenant = await openTenant(id, env);
  await getEmulatorStore(tenant, env).clearFaults(tenant);
  return (await listContainers(id, env)).all;
}

/**
 * The resources of a tenant, as the text of a snapshot. Not in it: what snapshots leave out (credentials, watch channels).
 * A stream, since what objects answer otherwise has a limit.
 */
export async function streamResources(id: string, env: EmulatorEnv): Promise<ReadableStream<Uint8Array>> {
  const tenant = await openTenant(id, env);
  return getEmulatorStore(tenant, env).exportText(tenant);
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

/** Where a page of entries begins: the first of the names that it is of, and the token of the page. */
const placeSchema = z.tuple([z.int().min(0), z.string()]);

type EntryPage = { ok: true; entries: readonly Json[]; next?: string } | { ok: false; detail: string };

/** A page of the log entries of a tenant, which may be empty. `from`: empty, or `next` of the page before. */
export async function listEntryPage(
  id: string,
  from: string,
  { env, ask }: { env: EmulatorEnv; ask: AppCall },
): Promise<EntryPage> {
  const { withEntries } = await listContainers(id, env);
  const [at, pageToken] = from === '' ? [0, ''] : placeSchema.parse(parseJson(from));
  const resourceNames = withEntries.slice(at, at + NAMES_A_LIST);
  if (resourceNames.length === 0) return { ok: true, entries: [] };
  const asked = { resourceNames, pageSize: PAGE, ...(pageToken === '' ? {} : { pageToken }) };
  const answer = await ask(id, '/v2/entries:list', asked);
  if (!answer.ok) return { ok: false, detail: `its log entries cannot be listed: HTTP ${answer.status}` };
  const { entries, nextPageToken = '' } = pageSchema.parse(await answer.json());
  const next = nextPageToken === '' ? [at + NAMES_A_LIST, ''] : [at, nextPageToken];
  const isLast = nextPageToken === '' && at + NAMES_A_LIST >= withEntries.length;
  return { ok: true, entries, ...(isLast ? {} : { next: JSON.stringify(next) }) };
}
