import type { Context } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { COLLECTIONS } from './collections.ts';
import { generateDigits } from './keys.ts';
import { generateOrgUnitId } from './org-units/org-unit-keys.ts';
import { SYSTEM_ROLES, type SystemRole } from './roles/system-roles-data.ts';

/** Digits of role ids. */
const ROLE_ID_DIGITS = 17;

/** What a new tenant's directory starts with: customer, primary domain, root org unit, system roles. */
export function startDirectory(context: Context): void {
  const { store, tenant } = context;
  const put = (collection: string, id: string, body: JsonObject, s1?: string): void => {
    store.insert({ collection, parent: '', id, body, ...(s1 !== undefined && { s1 }) });
  };
  const domain = tenant.domain.toLowerCase();
  put(COLLECTIONS.customers, tenant.id, {
    id: tenant.id,
    customerDomain: domain,
    customerCreationTime: new Date(context.now()).toISOString(),
    language: 'en',
  });
  put(COLLECTIONS.domains, domain, {
    domainName: domain,
    isPrimary: true,
    verified: true,
    creationTime: String(context.now()),
  });
  put(COLLECTIONS.orgUnits, generateOrgUnitId(context), { name: domain, description: '', orgUnitPath: '/' }, '/');
  for (const role of SYSTEM_ROLES) {
    const roleId = generateDigits(context, ROLE_ID_DIGITS);
    put(COLLECTIONS.roles, roleId, buildSystemRoleBody(roleId, role), role.roleName.toLowerCase());
  }
}

function buildSystemRoleBody(
  roleId: string,
  { roleName, roleDescription, isSuperAdminRole, privileges }: SystemRole,
): JsonObject {
  return {
    roleId,
    roleName,
    roleDescription,
    rolePrivileges: privileges.map(([privilegeName, serviceId]) => ({ privilegeName, serviceId })),
    isSystemRole: true,
    ...(isSuperAdminRole && { isSuperAdminRole }),
  };
}
