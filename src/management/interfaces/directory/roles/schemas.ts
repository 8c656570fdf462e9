import { getTextMember, isObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { Indexed } from '../../../core/engine/stored-row.ts';
import { findPrincipal } from '../groups/rows.ts';
import { formatOrgUnitId, requireOrgUnit } from '../org-units/rows.ts';
import { COLLECTIONS, findSortedRow } from '../rows.ts';
import { requireShortTexts } from '../schemas.ts';
import { type Privilege, PRIVILEGES } from './roles-data.ts';
import { requireDirectoryRole } from './rows.ts';

const LIMITS = { roleName: 256, roleDescription: 4_096 } as const;

const MAX_PRIVILEGES = 500;

/** A role as it is stored. @throws Refusal 400, or 409 for a name that another role has */
export function buildRoleRow(sent: JsonObject, roleId: string, context: Context): { body: JsonObject } & Indexed {
  const roleName = getTextMember(sent, 'roleName').trim();
  if (roleName === '') throw vendorRefusals.required('roleName');
  requireShortTexts(sent, LIMITS);
  const s1 = roleName.toLowerCase();
  const same = findSortedRow(COLLECTIONS.roles, s1, context);
  if (same !== undefined && same.id !== roleId) throw vendorRefusals.duplicate();
  const roleDescription = getTextMember(sent, 'roleDescription');
  const rolePrivileges = validatePrivileges(sent['rolePrivileges']);
  return {
    body: { roleId, roleName, roleDescription, rolePrivileges, isSystemRole: false, isSuperAdminRole: false },
    s1,
  };
}

/** Each once, and each one that privileges.list has. @throws Refusal 400 */
function validatePrivileges(sent: Json | undefined): JsonObject[] {
  if (!Array.isArray(sent) || sent.length === 0) throw vendorRefusals.required('rolePrivileges');
  if (sent.length > MAX_PRIVILEGES) throw vendorRefusals.invalidInput('rolePrivileges');
  const byKey = new Map<string, JsonObject>();
  for (const each of sent.filter(isObject)) {
    const [privilegeName, serviceId] = [getTextMember(each, 'privilegeName'), getTextMember(each, 'serviceId')];
    if (!isPrivilege(privilegeName, serviceId)) throw vendorRefusals.invalidInput('rolePrivileges');
    byKey.set(`${privilegeName} ${serviceId}`, { privilegeName, serviceId });
  }
  return [...byKey.values()];
}

const privileges: ReadonlySet<string> = new Set(
  PRIVILEGES.flatMap(({ service, tree }) => tree.flatMap(listPrivilegeNames).map((name) => `${name} ${service.id}`)),
);

/** Whether the list has this privilege for this service. */
const isPrivilege = (name: string, serviceId: string): boolean => privileges.has(`${name} ${serviceId}`);

function listPrivilegeNames({ name, children = [] }: Privilege): string[] {
  return [name, ...children.flatMap(listPrivilegeNames)];
}

/** An assignment as it is stored, but for its id. @throws Refusal 404 for a role or an assignee that is not there, 400 for a scope that does not fit */
export function buildAssignment(sent: JsonObject, context: Context): JsonObject {
  const [roleId, key] = [getTextMember(sent, 'roleId'), getTextMember(sent, 'assignedTo')];
  if (roleId === '') throw vendorRefusals.required('roleId');
  if (key === '') throw vendorRefusals.required('assignedTo');
  requireDirectoryRole(roleId, context);
  const assignee = findPrincipal(key, context);
  if (assignee === undefined || !('row' in assignee)) throw vendorRefusals.notFound('assignedTo');
  const { assignedTo: _, orgUnitId: __, scopeType: ___, ...rest } = sent;
  return { ...rest, ...buildScope(sent, context), roleId, assignedTo: assignee.id, assigneeType: assignee.kind };
}

/** Everywhere, or in one org unit: shown by its id without `id:`, as the vendor does here. */
function buildScope(sent: JsonObject, context: Context): JsonObject {
  const scopeType = getTextMember(sent, 'scopeType') || 'CUSTOMER';
  const orgUnit = getTextMember(sent, 'orgUnitId').replace(/^id:/, '');
  if (scopeType === 'CUSTOMER' && orgUnit === '') return { scopeType };
  if (scopeType !== 'ORG_UNIT') throw vendorRefusals.invalidInput('scopeType');
  if (orgUnit === '') throw vendorRefusals.required('orgUnitId');
  return { scopeType, orgUnitId: requireOrgUnit(formatOrgUnitId(orgUnit), context).id };
}
