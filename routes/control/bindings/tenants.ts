import type { Claim } from '../../../src/management/core/authorize.ts';
import type { CallAnswer, Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import { findInterface } from '../../../src/management/core/interfaces.ts';
import { requireMethod } from '../../../src/management/core/table/method-row.ts';
import type { TenantCalls, TenantEmulator } from '../../../src/management/core/tenant-object.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import type { EntryCalls, EntryObject } from '../../../src/management/log-store/entry-object.ts';
import type { EntryOrder } from '../../../src/management/log-store/order.ts';
import { openEntryShards, type ShardMemory } from '../../../src/management/log-store/shards/entry-shards.ts';
import { createShardPlacement, formatShardObject } from '../../../src/management/log-store/shards/placement.ts';
import { countParts } from '../../../src/management/log-store/shards/settings.ts';
import type { SearchCalls } from '../../../src/search/search-object.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import type { ControlSettings } from '../../../src/settings/control-settings.ts';

/** Tenants and containers remembered per isolate; what the registry says of them never changes, but for `forgetContainers`. */
const MAX_REMEMBERED = 10_000;
const REGISTRY = 'tenants';

const tenants = new Map<string, Tenant>();
const owned = new Set<string>();

const getTenantRegistry = ({ TENANT_REGISTRY }: ControlEnv) =>
  TENANT_REGISTRY.get(TENANT_REGISTRY.idFromName(REGISTRY));

/** The tenant of a token, made on first use. With EMULATOR=1 all but the operator's own are sandboxes, with `all` that too (rule K2). */
export async function ensureTenant(id: string, env: ControlEnv, settings: ControlSettings): Promise<Tenant> {
  const known = tenants.get(id);
  if (known !== undefined) return known;
  const { EMULATOR, OPERATOR_TENANT } = settings;
  const isSandbox = EMULATOR === 'all' || (EMULATOR === '1' && id !== OPERATOR_TENANT);
  const { mode, domain } = await getTenantRegistry(env).tenant(id, isSandbox ? 'sandbox' : 'live');
  const tenant = { id, mode, domain };
  if (tenants.size >= MAX_REMEMBERED) tenants.clear();
  tenants.set(id, tenant);
  return tenant;
}

/**
 * Asks the registry who owns containers, and remembers the owners. The registry must know the tenant. The operator's
 * project belongs to the operator even if a stranger named it first, who would otherwise receive its telemetry and
 * limits.
 */
export const createContainerClaim =
  (env: ControlEnv): Claim =>
  async (tenant, container, isKnown = false) => {
    const operator = findReservedTenant(container, readControlSettings(env));
    if (operator !== undefined && operator !== tenant) return 'foreign';
    const key = `${tenant} ${container}`;
    if (owned.has(key)) return 'own';
    if (isKnown) return (await getTenantRegistry(env).owns(tenant, container)) ? 'own' : 'foreign';
    const answer = await getTenantRegistry(env).claim(tenant, container, operator !== undefined); // The operator keeps it under other settings too.
    if (answer === 'foreign' && operator === undefined) return answer;
    if (owned.size >= MAX_REMEMBERED) owned.clear();
    owned.add(key);
    return 'own';
  };

/** Forgets whose the containers of a tenant are, for a registry that released some. */
export function forgetContainers(tenant: string): void {
  for (const key of owned) if (key.startsWith(`${tenant} `)) owned.delete(key);
}

/** The tenant that a container is reserved for by the settings; undefined: it is for who uses it first. */
const findReservedTenant = (
  container: string,
  { OPERATOR_TENANT, OPERATOR_PROJECT }: ControlSettings,
): string | undefined =>
  OPERATOR_PROJECT !== undefined && container === `projects/${OPERATOR_PROJECT}` ? OPERATOR_TENANT : undefined;

/** Whether this deployment has tenants that may be reset (rule K2). */
export const isEmulator = ({ EMULATOR }: ControlSettings): boolean => EMULATOR === '1' || EMULATOR === 'all';

/** The object that holds everything of a tenant. Only ever asked for with the tenant of a valid token (rule K1). */
export function getResourceStore({ RESOURCE_STORE }: ControlEnv, { id }: Tenant): TenantCalls & TenantEmulator {
  const store: unknown = RESOURCE_STORE.get(RESOURCE_STORE.idFromName(id));
  return store as TenantCalls & TenantEmulator; // Its class implements both; the type of its stub is too deep to compare.
}

const shards: ShardMemory = { placement: createShardPlacement(), ownSpans: new Map() };

/** Log entries and spans of a tenant, in all its objects of them; the same holds for those. */
export function getEntryStore(env: ControlEnv, tenant: Tenant): EntryCalls {
  const { ENTRY_STORE } = env;
  const object = (name: string): EntryObject => {
    const store: unknown = ENTRY_STORE.get(ENTRY_STORE.idFromName(formatShardObject(tenant.id, name)));
    return store as EntryObject; // Its class implements it.
  };
  const parts = countParts(tenant.mode, readControlSettings(env));
  return openEntryShards({ tenant, parts, object, memory: shards, now: () => Date.now(), random: generateRandomHex });
}

/** The object of an AI Search instance, by the name that the tenant's resources gave it. */
export function getSearchInstance({ SEARCH_INSTANCE }: ControlEnv, uid: string): SearchCalls {
  const instance: unknown = SEARCH_INSTANCE.get(SEARCH_INSTANCE.idFromName(uid));
  return instance as SearchCalls; // Its class implements it.
}

/** Its answer is a stream, and comes from the store of entries. */
const STREAMED = 'logging.entries.tail';

/** Orders that follow from a change already made, which the caller cannot repeat: they are tried twice. */
const TOLD_TWICE: ReadonlySet<string> = new Set<EntryOrder['do']>(['buckets', 'sinkGone']);

/**
 * Asks a tenant: its resources, once, and then, where they say so, its store of entries and spans, once; that answer
 * replaces the first. A change of buckets or sinks is sent to the store a second time when the first try fails. Latency
 * of an injected fault is waited for here: the object has other calls to answer.
 */
export async function askTenant(
  tenant: Tenant,
  call: Call,
  env: ControlEnv,
): Promise<CallAnswer | ReadableStream<Uint8Array>> {
  const asked = await prepareTenantCall(tenant, call, env);
  const { answer, delayMs, order } = await getResourceStore(env, tenant).call(tenant, asked);
  if (delayMs > 0) await scheduler.wait(delayMs);
  if (order === undefined || !answer.ok) return answer;
  const entries = getEntryStore(env, tenant);
  if (call.method === STREAMED) return entries.follow(tenant, call, order);
  if (!TOLD_TWICE.has(order.do)) return (await entries.run(tenant, call, order)) ?? answer;
  await entries.run(tenant, call, order).catch(() => getEntryStore(env, tenant).run(tenant, call, order));
  return answer;
}

/** The call as the tenant's resources get it: without what only the store of entries needs, with what it was asked before. */
async function prepareTenantCall(tenant: Tenant, call: Call, env: ControlEnv): Promise<Call> {
  const row = requireMethod(call.method);
  const { brief, asksFirst, asksIdentity } = findInterface(row.interface, row.version) ?? {};
  const short = brief?.[call.method]?.(call) ?? call;
  const bucket = asksFirst?.[call.method]?.(call);
  if (bucket !== undefined)
    return { ...short, known: { isBucketEmpty: await getEntryStore(env, tenant).isEmpty(tenant, bucket) } };
  if (asksIdentity?.[call.method]?.(call) !== true) return short;
  return { ...short, known: { webhookIdentity: await getEntryStore(env, tenant).webhookIdentity(tenant) } };
}
