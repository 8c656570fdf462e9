import { isObject, type Json, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers } from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS } from '../collections.ts';
import { generateDigits, requireCustomer } from '../keys.ts';
import { requireShortTexts } from '../texts.ts';
import { type Privilege, PRIVILEGES } from './privileges-data.ts';

/** What roles can hold: the same for every customer. */
export const privilegeHandlers: Handlers = {
  'directory.privileges.list': (call, context) => {
    requireCustomer(call.path['customer'] ?? '', context);
    const etag = context.etagOf(0, { PRIVILEGES: JSON.stringify(PRIVILEGES) });
    const items = PRIVILEGES.flatMap(({ service, tree }) =>
      tree.map((each) => toPrivilegeResource(each, service, etag)),
    );
    return { kind: 'admin#directory#privileges', etag, items };
  },
};

const known: ReadonlySet<string> = new Set(
  PRIVILEGES.flatMap(({ service, tree }) => tree.flatMap(listPrivilegeNames).map((name) => `${name} ${service.id}`)),
);

/** Whether the list has this privilege for this service. */
const isPrivilege = (name: string, serviceId: string): boolean => known.has(`${name} ${serviceId}`);

function listPrivilegeNames({ name, children = [] }: Privilege): string[] {
  return [name, ...children.flatMap(listPrivilegeNames)];
}

function toPrivilegeResource(
  { name, isOuScopable = false, children = [] }: Privilege,
  service: Service,
  etag: string,
): JsonObject {
  return {
    kind: 'admin#directory#privilege',
    etag,
    serviceId: service.id,
    serviceName: service.name,
    privilegeName: name,
    isOuScopable,
    ...(children.length > 0 && { childPrivileges: children.map((each) => toPrivilegeResource(each, service, etag)) }),
  };
}

type Service = (typeof PRIVILEGES)[number]['service'];

const PAGE = { parameter: 'maxResults', default: 100, max: 100 } as const;
const LIMITS = { roleName: 256, roleDescription: 4_096 } as const;
const ID_DIGITS = 17;
/** Roles of a customer beside those of the system. */
const MAX_ROLES = 750;
const MAX_PRIVILEGES = 500;

/** Roles of administrators. Those of the system stay as they are. */
export const roles: Collection = {
  name: COLLECTIONS.roles,
  schema: 'Role',
  kind: 'admin#directory#role',
  listKind: 'admin#directory#roles',
  items: 'items',
  page: PAGE,
  parentOf: (call, context) => {
    requireCustomer(call.path['customer'] ?? '', context);
    return '';
  },
  find: (call, context) => {
    requireCustomer(call.path['customer'] ?? '', context);
    return requireDirectoryRole(call.path['roleId'] ?? '', context);
  },
  create: (_call, context, sent) => {
    if (context.store.count(COLLECTIONS.roles, '') >= MAX_ROLES)
      throw vendorRefusals.limitExceeded(`A customer has at most ${MAX_ROLES} roles`);
    const roleId = generateDigits(context, ID_DIGITS);
    return { id: roleId, ...buildRoleRow(sent, roleId, context) };
  },
  change: (before, sent, _call, context) => {
    requireCustom(before);
    return buildRoleRow(sent, before.id, context);
  },
  removing: (row, _call, { store }) => {
    requireCustom(row);
    const order = { by: 's1' } as const;
    const assigned = store.list({
      collection: COLLECTIONS.roleAssignments,
      parent: '',
      order,
      prefix: row.id,
      limit: 1,
    });
    if (assigned.length > 0) throw vendorRefusals.conditionNotMet('Role is assigned: delete its assignments first');
  },
};

export const roleHandlers: Handlers = defineCollectionHandlers(roles, {
  list: 'directory.roles.list',
  get: 'directory.roles.get',
  insert: 'directory.roles.insert',
  patch: 'directory.roles.patch',
  update: 'directory.roles.update',
  delete: 'directory.roles.delete',
});

/** @throws Refusal 404 `Resource Not Found: roleId` */
export function requireDirectoryRole(id: string, { store }: Context): ResourceRow {
  const found = store.get(COLLECTIONS.roles, '', id);
  if (found === undefined) throw vendorRefusals.notFound('roleId');
  return found;
}

function requireCustom({ body }: ResourceRow): void {
  if (body['isSystemRole'] === true) throw vendorRefusals.forbidden();
}

function buildRoleRow(sent: JsonObject, roleId: string, context: Context): { body: JsonObject } & Indexed {
  const roleName = getTextMember(sent, 'roleName').trim();
  if (roleName === '') throw vendorRefusals.required('roleName');
  requireShortTexts(sent, LIMITS);
  const s1 = roleName.toLowerCase();
  const [collection, order] = [COLLECTIONS.roles, { by: 's1' } as const];
  const [first] = context.store.list({ collection, parent: '', order, prefix: s1, limit: 1 });
  if (first !== undefined && first.cursor.sort === s1 && first.row.id !== roleId) throw vendorRefusals.duplicate();
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
