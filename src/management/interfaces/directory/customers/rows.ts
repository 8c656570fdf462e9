import { extractEmailDomain, extractEmailLocalPart } from '../../../../lib/email.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { generateOrgUnitId } from '../org-units/rows.ts';
import { ROLE_ID_DIGITS, SYSTEM_ROLES, type SystemRole } from '../roles/roles-data.ts';
import { COLLECTIONS, createCallReader, findParentAddress, findParentDomain, generateDigits } from '../rows.ts';

/** Aliases that one domain may have. */
export const MAX_DOMAIN_ALIASES = 50;

/** The same address in each alias of its domain: it works, and cannot be taken away. */
export const listDerivedAddresses = (email: string, context: Context): string[] =>
  listDomainAliases(extractEmailDomain(email), context).map((alias) => `${extractEmailLocalPart(email)}@${alias}`);

/**
 * The addresses that must not belong to another holder next to this one, or one of the two would work for both: for an
 * address in an alias of a domain, the one in the domain; for any other address, those in the aliases of its domain.
 */
export function listRelatedAddresses(email: string, context: Context): string[] {
  if (!hasDomainAliases(context)) return [];
  const inDomain = findParentAddress(email, context);
  return inDomain === undefined ? listDerivedAddresses(email, context) : [inDomain];
}

/**
 * The domains in which those have their primary address who have one in this domain: itself, and the one that it is an
 * alias of. Undefined for a name that is neither a domain of the tenant nor an alias of one.
 */
export function findPrimaryDomains(domain: string, context: Context): readonly string[] | undefined {
  if (context.store.get(COLLECTIONS.domains, '', domain) !== undefined) return [domain];
  const parent = findParentDomain(domain, context);
  return parent === undefined ? undefined : [domain, parent];
}

/** Nearly always there is none in the whole tenant: that is asked first. */
export const hasDomainAliases = ({ store }: Context): boolean => store.count(COLLECTIONS.domainAliases, '') > 0;

const listDomainAliases = createCallReader((domain: string, context: Context): readonly string[] =>
  hasDomainAliases(context)
    ? context.store.byRef(COLLECTIONS.domainAliases, domain, MAX_DOMAIN_ALIASES).map(({ id }) => id)
    : [],
);

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
