import type { Claim } from '../../../src/management/core/authorize.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { EntryCalls } from '../../../src/management/log-store/entry-object.ts';
import type { SearchCalls } from '../../../src/search/search-object.ts';
import type { TenantCalls, TenantEmulator } from '../../../src/management/core/tenant-object.ts';
import { type ControlEnv, type ControlSettings, readControlSettings } from './env.ts';

/** Tenants and containers remembered per isolate; what the registry says of them never changes. */
const MAX_REMEMBERED = 10_000;
const REGISTRY = 'tenants';

const tenants = new Map<string, Tenant>();
const owned = new Set<string>();

const registryOf = ({ TENANT_REGISTRY }: ControlEnv) => TENANT_REGISTRY.get(TENANT_REGISTRY.idFromName(REGISTRY));

/** The tenant of a token, made on first use. With EMULATOR=1 all but the operator's own are sandboxes, with `all` that too (rule K2). */
export async function tenantOf(id: string, env: ControlEnv, settings: ControlSettings): Promise<Tenant> {
  const known = tenants.get(id);
  if (known !== undefined) return known;
  const { EMULATOR, OPERATOR_TENANT } = settings;
  const isSandbox = EMULATOR === 'all' || (EMULATOR === '1' && id !== OPERATOR_TENANT);
  const { mode, domain } = await registryOf(env).tenant(id, isSandbox ? 'sandbox' : 'live');
  const tenant = { id, mode, domain };
  if (tenants.size >= MAX_REMEMBERED) tenants.clear();
  tenants.set(id, tenant);
  return tenant;
}

/**
 * Asks the registry about containers, and remembers which are whose own. The tenant must be known to it. The operator's
 * project is the operator's, whoever named it first: else a stranger could have its telemetry and limits for itself.
 */
export const claimOf =
  (env: ControlEnv): Claim =>
  async (tenant, container, isKnown = false) => {
    const operator = operatorOf(container, readControlSettings(env));
    if (operator !== undefined && operator !== tenant) return 'foreign';
    const key = `${tenant} ${container}`;
    if (owned.has(key)) return 'own';
    if (isKnown) return (await registryOf(env).owns(tenant, container)) ? 'own' : 'foreign';
    const answer = await registryOf(env).claim(tenant, container, operator !== undefined); // The operator keeps it under other settings too.
    if (answer === 'foreign' && operator === undefined) return answer;
    if (owned.size >= MAX_REMEMBERED) owned.clear();
    owned.add(key);
    return 'own';
  };

/** The tenant that a container is reserved for by the settings; undefined: it is for who uses it first. */
const operatorOf = (container: string, { OPERATOR_TENANT, OPERATOR_PROJECT }: ControlSettings): string | undefined =>
  OPERATOR_PROJECT !== undefined && container === `projects/${OPERATOR_PROJECT}` ? OPERATOR_TENANT : undefined;

/** Whether this deployment has tenants that may be reset (rule K2). */
export const isEmulator = ({ EMULATOR }: ControlSettings): boolean => EMULATOR === '1' || EMULATOR === 'all';

/** The object that holds everything of a tenant. Only ever asked for with the tenant of a valid token (rule K1). */
export function storeOf({ RESOURCE_STORE }: ControlEnv, { id }: Tenant): TenantCalls & TenantEmulator {
  const store: unknown = RESOURCE_STORE.get(RESOURCE_STORE.idFromName(id));
  return store as TenantCalls & TenantEmulator; // Its class implements both; the type of its stub is too deep to compare.
}

/** The object that holds log entries and spans of a tenant; the same holds for it. */
export function entriesOf({ ENTRY_STORE }: ControlEnv, { id }: Tenant): EntryCalls {
  const store: unknown = ENTRY_STORE.get(ENTRY_STORE.idFromName(id));
  return store as EntryCalls; // Its class implements it.
}

/** The object of an AI Search instance, by the name that the tenant's resources gave it. */
export function instanceOf({ SEARCH_INSTANCE }: ControlEnv, uid: string): SearchCalls {
  const instance: unknown = SEARCH_INSTANCE.get(SEARCH_INSTANCE.idFromName(uid));
  return instance as SearchCalls; // Its class implements it.
}
