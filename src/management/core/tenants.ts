import type { Tenant } from './engine/tenant.ts';
import { createTables, type Sql } from '../../lib/sqlite.ts';

/** Ids of tenants are those of directory customers. */
const TENANT_ID = /^C[0-9a-z]{1,31}$/;
/**
 * Ids that a container may get, as its vendor forms them: there is one way to write each, so that none looks like another.
 * @see https://cloud.google.com/resource-manager/docs/creating-managing-projects#before_you_begin
 */
const VENDOR_IDS: ReadonlyMap<string, RegExp> = new Map([
  ['projects', /^(?:[a-z][a-z0-9-]{4,28}[a-z0-9]|[1-9]\d{0,18})$/], // An id, or a number.
  ['folders', /^[1-9]\d{0,18}$/],
  ['organizations', /^[1-9]\d{0,18}$/],
  ['billingAccounts', /^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$/],
  ['accounts', /^(?:pub-\d{1,30}|[0-9a-f]{32})$/], // A publisher, or an account of AI Search.
]);
/** Ids that a sandbox may have besides, of whatever kind: tests like short ones. */
const SANDBOX_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Containers that one tenant may have (rule K9). Those of before are not counted out. */
export const MAX_CONTAINERS = 1_000;
/** The tenant of the local stack, with the domain that examples show. */
const LOCAL_TENANT = 'C00000001';
const LOCAL_DOMAIN = 'example.com';

const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS tenant (id TEXT PRIMARY KEY, mode TEXT NOT NULL, domain TEXT NOT NULL, created INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS container (name TEXT PRIMARY KEY, tenant TEXT NOT NULL)',
  'CREATE INDEX IF NOT EXISTS container_tenant ON container (tenant)',
];

/** Who is a tenant, of which mode, and whose each container is. Rows are never changed. */
export type TenantBook = {
  /** The tenant of this id, made on first use; its mode stays what it was then (rule K2). @throws Error for an id that no token has */
  tenant: (id: string, mode: Tenant['mode'], nowMs: number) => Tenant;
  /**
   * The first tenant that uses a name owns it. `foreign` also for a name that its vendor would not give, and beyond the
   * limit of names; names given before these rules stay whose they are.
   * @param isReserved the settings keep the name for this tenant: then it is taken as it is
   */
  claim: (tenant: string, container: string, isReserved?: boolean) => 'own' | 'foreign';
  /** Whether the tenant already owns a name. Asking does not claim it. */
  owns: (tenant: string, container: string) => boolean;
};

/** Whether a container may be given this name: `projects/my-project`, `accounts/pub-1`. */
function isNewName(container: string, mode: Tenant['mode']): boolean {
  const [collection = '', id = '', ...more] = container.split('/');
  const form = VENDOR_IDS.get(collection);
  if (form === undefined || more.length > 0) return false;
  return form.test(id) || (mode === 'sandbox' && SANDBOX_ID.test(id));
}

export const isTenantId = (id: string): boolean => TENANT_ID.test(id);

/** The book over SQLite. Makes the tables where they are missing. */
export function createTenantBook(sql: Sql): TenantBook {
  createTables(sql, SCHEMA);
  const known = (id: string): Tenant | undefined => {
    const [row] = sql.exec('SELECT mode, domain FROM tenant WHERE id = ?', id).toArray();
    return row && { id, mode: row['mode'] === 'sandbox' ? 'sandbox' : 'live', domain: String(row['domain']) };
  };
  const hasRoom = (tenant: string): boolean => {
    const [row] = sql.exec('SELECT count(*) AS n FROM container WHERE tenant = ?', tenant).toArray();
    return Number(row?.['n']) < MAX_CONTAINERS;
  };
  const ownerOf = (container: string): unknown =>
    sql.exec('SELECT tenant FROM container WHERE name = ?', container).toArray()[0]?.['tenant'];
  return {
    tenant: (id, mode, nowMs) => {
      if (!isTenantId(id)) throw new Error('Not an id of a tenant');
      const before = known(id);
      if (before !== undefined) return before;
      const domain = id === LOCAL_TENANT ? LOCAL_DOMAIN : `${id.toLowerCase()}.${LOCAL_DOMAIN}`;
      sql.exec('INSERT INTO tenant VALUES (?, ?, ?, ?)', id, mode, domain, nowMs);
      return { id, mode, domain };
    },
    claim: (tenant, container, isReserved = false) => {
      const mode = known(tenant)?.mode;
      if (mode === undefined) return 'foreign';
      const owner = ownerOf(container);
      if (owner !== undefined) return owner === tenant ? 'own' : 'foreign';
      if (!isReserved && !(isNewName(container, mode) && hasRoom(tenant))) return 'foreign';
      sql.exec('INSERT INTO container VALUES (?, ?)', container, tenant);
      return 'own';
    },
    owns: (tenant, container) => ownerOf(container) === tenant,
  };
}
